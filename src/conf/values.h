/* SPDX-License-Identifier: GPL-2.0-or-later */
/* values.h - one parser for each kind of value in the configuration file */
#ifndef PORTICO_CONF_VALUES_H
#define PORTICO_CONF_VALUES_H

#include "keys.h"

conf_value value_name;	    /* of an instance */
conf_value value_number;    /* min ... max */
conf_value value_word;	    /* one of form's words; stores its place */
conf_value value_time;	    /* seconds, or with a suffix s, m, h, d; min ... max */
conf_value value_interface; /* a name that a network interface can have */
conf_value value_prefix;    /* a host's address with the length of its prefix */
conf_value value_address;   /* a host's address */
conf_value value_lladdr;
conf_value value_neighbour; /* address and MAC address */
conf_value value_ports;	    /* a range */
conf_value value_reserve;   /* ports and ranges */

/* values_mape.c */
conf_value value_refusal;    /* one of form's words, as the code of an ICMP unreachable */
conf_value value_rule;	     /* a mapping rule */
conf_value value_dscp;	     /* a number, or "copy" */
conf_value value_delegated;  /* an IPv6 prefix */
conf_value value_tunnel_end; /* an IPv6 address */
conf_value value_relay;	     /* the same, of the other end */
conf_value value_gateway6;   /* an IPv6 address, of a neighbour: link-local as well */
conf_value value_s46;	     /* part of a container in hexadecimal */
conf_value value_file;	     /* its whole name, from the root */

/* Puts a number, or a word's place, where it belongs. */
void value_store(struct reader *r, const struct conf_key *key, u32 value);

#endif
