# Every target does its own set-up: it needs Python 3.11 or newer and make, nothing else.
# Another Python: make PYTHON=python3.12 demo

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
APP := $(VENV)/.app
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
PYTEST := $(BIN)/python -m pytest
SERVER := tests/editor/node_modules/.package-lock.json
AXE := tests/browser/node_modules/.package-lock.json
INSPECT := $(VENV)/.inspect

.DEFAULT_GOAL := help
.PHONY: help demo test check test-all bench fmt clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

demo: $(APP) ## score the shipped sample runs: the table, one run's account, the summary
	$(BIN)/outscore score rulesets/ rulesets/*.runs.jsonl --account r-0021

test: $(READY) ## run the Python tests
	$(PYTEST) -n auto -m "not needs_programs"

check: $(READY) ## lint, format, strict types, the Python tests, and our own rulesets
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(PYTEST) -n auto -m "not needs_programs"
	$(BIN)/outscore validate --strict rulesets/
	$(BIN)/outscore test rulesets/

# pytest ends with 5 where a marker selects no test, which is no failure here.
test-all: $(READY) $(SERVER) $(AXE) $(INSPECT) ## the suites that need other programs: installs in empty environments and the like
	$(PYTEST) -m needs_programs || test $$? -eq 5

bench: $(READY) ## measure the benchmarks; only some: make bench ONLY="score load"
	$(BIN)/python -m tests.benchmarks $(ONLY)

fmt: $(READY) ## format the code and mend what lint can mend
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

clean: ## remove the environment, caches and builds
	rm -rf $(VENV) build dist tests/editor/node_modules tests/browser/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find engine tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The language server of the editor's suite; without npm that suite is skipped, and says so.
$(SERVER): tests/editor/package-lock.json
	@if command -v npm >/dev/null; then cd tests/editor && npm ci --no-audit --no-fund --silent; fi

# What looks for faults in a report; without Chromium and its driver that suite is skipped, and says so.
$(AXE): tests/browser/package-lock.json
	@if command -v npm >/dev/null; then cd tests/browser && npm ci --no-audit --no-fund --silent; fi

# The environment is made where it is absent and updated where pyproject.toml is newer; a half-made one is made again.
# The demo needs the package alone; the tools are installed when they are first wanted.
$(APP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Python 3.11 or newer is needed; name it: make PYTHON=python3.11 ...' >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { echo 'Making $(VENV) ...'; $(PYTHON) -m venv --clear $(VENV); }
	@echo 'Installing outscore into $(VENV) ...'
	@$(PIP) install --editable .
	@touch $@

$(READY): $(APP)
	@echo 'Installing the tools of its tests into $(VENV) ...'
	@$(PIP) install --editable '.[dev]'
	@touch $@

# Heavy, and only its own tests need it.
$(INSPECT): $(READY)
	@echo 'Installing Inspect AI into $(VENV) ...'
	@$(PIP) install --editable '.[inspect]'
	@touch $@
