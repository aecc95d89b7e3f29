# SPDX-License-Identifier: MIT
#
# For people. CMake does the work (CMakeLists.txt, CMakePresets.json); this
# file only spares them its command lines.

JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
SOAK_ROUNDS  ?= 10
BENCH_MODE   ?=
DIR          ?= build/experiments
OPTIONS      ?=

build_with = cmake --preset $(1) $(2) >/dev/null && cmake --build --preset $(1) -j $(JOBS) -- --no-print-directory

.PHONY: all demo check full soak bench experiments install lint docs fuzz coverage clean help

all: ## build the program and the libraries into build/
	@$(call build_with,release,-DBUILD_TESTING=OFF -DOMEGAPAC_BENCH=OFF)
	@echo "built: build/omegapac build/libomegapac.so build/libomegapac.a"

demo: ## show what it does (installs what the build needs)
	@scripts/bootstrap build
	@[ -x build/omegapac ] || echo "building build/omegapac; this takes half a minute to a minute on two cores"
	@$(call build_with,release,-DBUILD_TESTING=OFF -DOMEGAPAC_BENCH=OFF) >/dev/null
	@scripts/demo build/omegapac

check: ## run the quick tests (installs what they need)
	@scripts/bootstrap check
	@$(call build_with,release,-DBUILD_TESTING=ON)
	@ctest --preset quick -j $$(($(JOBS) + 1)) # some only wait

full: ## run the heavier tests
	@scripts/bootstrap check
	@$(call build_with,release,-DBUILD_TESTING=ON)
	@ctest --preset full -j $(JOBS)

soak: ## run the random and statistical tests again and again with fresh seeds
	@scripts/bootstrap check
	@$(call build_with,release,-DBUILD_TESTING=ON) >/dev/null
	@scripts/soak build $(SOAK_ROUNDS)

bench: ## print how costs compare, each ratio measured within this run
	@scripts/bootstrap build
	@$(call build_with,release,-DOMEGAPAC_BENCH=ON) >/dev/null
	@scripts/bench $(BENCH_MODE) build

experiments: ## run the experiments of docs/experiments.md into DIR (build/experiments), with OPTIONS
	@scripts/bootstrap experiments
	@$(call build_with,release,-DBUILD_TESTING=OFF -DOMEGAPAC_PYTHON=ON) >/dev/null
	@scripts/experiments build "$(DIR)" $(OPTIONS)

install: all ## install into PREFIX (default /usr/local); DESTDIR is respected
	@cmake --install build --prefix "$(PREFIX)"
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" -ne 0 ] || ldconfig # the loader's list of libraries

lint: ## check format, warnings of the other compiler, static analysis, scripts, man pages
	@scripts/bootstrap lint
	@scripts/lint

docs: ## write the reference of the C interface, build/docs/html, from the headers
	@scripts/bootstrap build docs
	@cmake --preset release >/dev/null
	@scripts/docs build

fuzz: ## fuzz every reader for FUZZ_SECONDS in all (default 60)
	@scripts/bootstrap fuzz
	@$(call build_with,fuzz) >/dev/null
	@scripts/fuzz build/libfuzzer $(FUZZ_SECONDS)

coverage: ## which lines the quick and full tests reach
	@scripts/bootstrap coverage
	@$(call build_with,coverage) >/dev/null
	@scripts/coverage build/coverage

clean: ## remove everything that was built
	@rm -rf build

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
