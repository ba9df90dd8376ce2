# Every target delegates to dev.py, which needs nothing but Python's standard library.
#
#   make test                          make test ARGS="-k mdav -x"
#   make demo PYTHON=python3.12        make bench-NAME
#   make fuzz SECONDS=600 SEED=1       make fuzz CASE=fuzz-cases/NAME.case

PYTHON ?= python3
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help demo test test-data test-long test-slow test-nojit test-browser test-spark lint format bench docs wheel \
	oldest clean faults fuzz attack mutants

help:
	@$(PYTHON) dev.py --help

demo test test-data test-long test-slow test-nojit test-browser test-spark lint format bench docs wheel oldest clean:
	@$(PYTHON) dev.py $@ $(ARGS)

# The environment's own SECONDS is no one's wish, so only what stands on the command line counts.
given = $(if $(filter command line,$(origin $(1))),--$(2) "$($(1))")

fuzz: # make fuzz SECONDS=600 SEED=1
	@$(PYTHON) dev.py fuzz $(call given,SECONDS,seconds) $(call given,SEED,seed) \
		$(call given,CASE,case) $(ARGS)

faults: # make faults SEED=1 COUNT=200
	@$(PYTHON) dev.py faults $(call given,SEED,seed) $(call given,COUNT,count) $(ARGS)

mutants: # make mutants ROOM=partitioning
	@$(PYTHON) dev.py mutants $(ROOM) $(ARGS)

attack: # make attack SEED=1 TABLES=300
	@$(PYTHON) dev.py attack $(call given,SEED,seed) $(call given,TABLES,tables) $(ARGS)

bench-%:
	@$(PYTHON) dev.py bench $* $(ARGS)
