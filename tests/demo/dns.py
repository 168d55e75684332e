#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# dns.py - a DNS-like exchange: many sockets, one question each; every answer is checked
"""dns.py serve ADDRESS            answers each question with the address and port it came from
dns.py ask ADDRESS SEEN COUNT   asks COUNT questions, each from a socket of its own; each answer must
                                repeat the question and say that it came from SEEN. Prints how many did;
                                exit status 1 if not all."""

import os
import select
import socket
import sys
import time

PORT = 53
SO_RCVBUFFORCE = 33
WAIT_SECONDS = 3


def serve(address):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    # A packet that came by XDP over veth counts as a whole page here: the default room would be 50 packets.
    s.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 8 << 20)
    s.bind((address, PORT))
    while True:
        question, (host, port) = s.recvfrom(512)
        s.sendto(question + f" {host} {port}".encode(), (host, port))


def ask(address, seen, count):
    waiting, ports, right = {}, set(), 0
    for _ in range(count):
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.connect((address, PORT))
        question = os.urandom(8).hex()
        s.send(question.encode())
        waiting[s] = question
    until = time.monotonic() + WAIT_SECONDS
    while waiting and time.monotonic() < until:
        for s in select.select(list(waiting), [], [], 0.2)[0]:
            question, host, port = s.recv(512).decode().split()
            right += question == waiting.pop(s) and host == seen and port not in ports
            ports.add(port)
    print(right)
    return right != count


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "serve":
        serve(sys.argv[2])
    elif len(sys.argv) == 5 and sys.argv[1] == "ask":
        sys.exit(ask(sys.argv[2], sys.argv[3], int(sys.argv[4])))
    else:
        sys.exit(__doc__)
