# SPDX-License-Identifier: GPL-2.0-or-later
# Makefile - the front door; meson does the work, in $(BUILD), $(BUILD)-san and $(BUILD)-fuzz

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=

# What `make demo` and `make bench` run.
DEMO ?= tests/demo/demo.sh $(BUILD) && tests/demo/map-e.sh $(BUILD)
BENCH ?= $(BUILD)/tests/bench/portico-bench-nat44 && $(BUILD)/tests/bench/portico-bench-map-e && \
	$(BUILD)/src/bench/main/portico-bench compare home bare-redirect slower --pairs 8 --looks 1 --store $(BUILD)/bench.db

.DEFAULT_GOAL := help
.PHONY: help deps build demo check bench install uninstall clean

help:
	@echo 'make deps       install what building and testing needs (Debian 12, as root)'
	@echo 'make build      compile portico and porticod into $(BUILD)/'
	@echo 'make demo       a home in network namespaces: real traffic through Portico and through nftables (root)'
	@echo 'make check      every test, in the release, the sanitizer and the fuzz variant (root for some)'
	@echo 'make bench      measure; results are printed and kept as JSON (root)'
	@echo 'make install    install into PREFIX ($(PREFIX)), below DESTDIR if given'
	@echo 'make uninstall  remove exactly what install put there'
	@echo 'make clean      remove the build directories'

deps:
	@pkg/deps

build: $(BUILD)/build.ninja
	@meson compile -C $(BUILD)

$(BUILD)/build.ninja:
	@meson setup $(BUILD) --prefix $(PREFIX)

demo: deps build
	@$(DEMO)

check: deps
	@tests/house/everything.py $(BUILD)

bench: deps build
	@$(BENCH)

install: build
	@meson configure $(BUILD) -Dprefix=$(PREFIX)
	@pkg/install $(BUILD) $(PREFIX) "$(DESTDIR)"

uninstall:
	@pkg/uninstall $(PREFIX) "$(DESTDIR)"

clean:
	@rm -rf $(BUILD) $(BUILD)-san $(BUILD)-fuzz
