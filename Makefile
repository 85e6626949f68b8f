# Everything starts from `make`. Needed before it: Python 3.11 or newer (with venv and pip), git and make.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt
# A worker a core, four at most; a file stays on one worker, so that what it compiled or started is used again.
PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses=4 --dist=loadfile
# The packages under type checking, where they exist.
TYPED  := $(wildcard src/awale benchmarks)

.DEFAULT_GOAL := help
.PHONY: help play test check lint format bench soak docs docs-serve setup constraints clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

play: $(VENV)/.stamp-play ## set up and open the board in the browser (ARGS="..." is passed on)
	@$(BIN)/awale serve --open $(ARGS)

test: $(VENV)/.stamp-dev ## set up and run the tests (ARGS="-k relay" narrows them down)
	@sh scripts/system-tools.sh $(VENV)
	$(PYTEST) $(ARGS) || { echo 'once more, alone: what failed beside the others'; $(BIN)/python -m pytest --last-failed --last-failed-no-failures=none $(ARGS); }

check: lint test ## style, types, who imports whom, then the tests

lint: $(VENV)/.stamp-dev ## style, types and who imports whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(TYPED)
	$(BIN)/lint-imports --no-logo
	$(BIN)/python scripts/wire_types.py --check
	sh scripts/check-js.sh

format: $(VENV)/.stamp-dev ## mend what style can be mended by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.stamp-dev ## measure speed and strength beside named peers (ARGS="..." is passed on)
	$(BIN)/python -m benchmarks $(ARGS)

soak: $(VENV)/.stamp-dev ## the slow tests: minutes to hours
	@sh scripts/system-tools.sh $(VENV)
	HYPOTHESIS_PROFILE=thorough $(PYTEST) -m slow --timeout=0 $(ARGS)

docs: $(VENV)/.stamp-docs ## build the site in site/, to be read from there: no server, no network
	@# Not --quiet: it would swallow the warnings before --strict counts them.
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "Ready: open site/index.html in a browser." >&2

docs-serve: $(VENV)/.stamp-docs ## show the site while you write it (ARGS="-a localhost:8001" is passed on)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve $(ARGS)

setup: $(VENV)/.stamp-dev ## set up all that developers need, and run nothing
	@echo "Ready: $(BIN)/awale, $(BIN)/pytest and the rest." >&2

constraints: ## take the newest versions that fit and pin them in constraints.txt
	@$(PYTHON) scripts/pin.py

clean: ## remove the environment and every cache
	rm -rf $(VENV) build dist site .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "awale needs Python 3.11 or newer; name one like this: make PYTHON=python3.12 play" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# The stamps make a second call instant, and a change of either file a new set-up.
$(VENV)/.stamp-play: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Setting up what playing needs (a minute, once) ..." >&2
	@$(PIP) -e '.[web,tui]'
	@touch $@

$(VENV)/.stamp-docs: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Setting up what the site needs (a minute, once) ..." >&2
	@$(PIP) -e '.[docs]'
	@touch $@

$(VENV)/.stamp-dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Setting up what developers need (a minute or two, once) ..." >&2
	@$(PIP) -e '.[dev]'
	@touch $(VENV)/.stamp-play $(VENV)/.stamp-docs $@
