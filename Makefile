# Every target delegates to dev.py, which needs nothing but Python's standard library.
#
#   make test                          make test ARGS="-k mdav -x"
#   make demo PYTHON=python3.12        make bench-NAME

PYTHON ?= python3
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help faults demo test test-slow test-nojit lint format bench docs clean

help:
	@$(PYTHON) dev.py --help

demo test test-slow test-nojit lint format bench docs clean:
	@$(PYTHON) dev.py $@ $(ARGS)

faults:  # make faults SEED=1 COUNT=200
	@$(PYTHON) dev.py faults $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT)) $(ARGS)

bench-%:
	@$(PYTHON) dev.py bench $* $(ARGS)
