# All commands for developers. Requirements: Python 3.11 or newer (with venv and pip), git, make; npm for `make lint`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt
# One worker per core, four at most. A test file stays on one worker, which reuses its servers and compiled kernels.
PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses=4 --dist=loadfile
# Packages checked by mypy.
TYPED  := $(wildcard src/awale benchmarks)

.DEFAULT_GOAL := help
.PHONY: help play test check lint format bench soak docs docs-serve setup constraints audit clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

play: $(VENV)/.stamp-play ## install and open the board in the browser (ARGS="..." is passed on)
	@$(BIN)/awale serve --open $(ARGS)

test: $(VENV)/.stamp-dev ## run the tests (ARGS="-k relay" selects some)
	@sh scripts/system-tools.sh $(VENV)
	$(PYTEST) $(ARGS)

check: lint test ## run all checks, then the tests

lint: $(VENV)/.stamp-dev ## check style, types, imports, messages and JavaScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(TYPED)
	$(BIN)/lint-imports --no-logo
	$(BIN)/python scripts/check_messages.py
	$(BIN)/python scripts/wire_types.py --check
	sh scripts/check-js.sh

format: $(VENV)/.stamp-dev ## fix the style automatically where possible
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.stamp-dev ## measure speed and strength against other programs (ARGS="..." is passed on)
	$(BIN)/python -m benchmarks $(ARGS)

soak: $(VENV)/.stamp-dev ## run the slow tests: minutes to hours
	@sh scripts/system-tools.sh $(VENV)
	HYPOTHESIS_PROFILE=thorough $(PYTEST) -m slow --timeout=0 $(ARGS)

docs: $(VENV)/.stamp-docs ## build the documentation in site/
	@# Without --quiet, which hides the warnings from --strict.
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "Ready: open site/index.html in a browser." >&2

docs-serve: $(VENV)/.stamp-docs ## serve the documentation while you write it (ARGS="-a localhost:8001" is passed on)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve $(ARGS)

setup: $(VENV)/.stamp-dev ## install everything that developers need
	@echo "Ready: $(BIN)/awale, $(BIN)/pytest and the other tools." >&2

constraints: ## pin the newest compatible versions in constraints.txt
	@$(PYTHON) scripts/pin.py

audit: ## look for published advisories about the pinned versions (needs the network)
	@$(PYTHON) -m venv $(VENV)-audit && $(VENV)-audit/bin/pip install -q pip-audit
	$(VENV)-audit/bin/pip-audit --requirement constraints.txt --no-deps --disable-pip

clean: ## remove the environment and all caches
	rm -rf $(VENV) $(VENV)-audit build dist site .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "awale needs Python 3.11 or newer, for example: make PYTHON=python3.12 play" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# The stamp files avoid a second installation until one of the two files changes.
$(VENV)/.stamp-play: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing the game (a minute, once) ..." >&2
	@$(PIP) -e '.[web,tui]'
	@touch $@

$(VENV)/.stamp-docs: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing the documentation tools (a minute, once) ..." >&2
	@$(PIP) -e '.[docs]'
	@touch $@

$(VENV)/.stamp-dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing the development tools (a minute or two, once) ..." >&2
	@$(PIP) -e '.[dev]'
	@touch $(VENV)/.stamp-play $(VENV)/.stamp-docs $@
