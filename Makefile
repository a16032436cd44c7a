# The verbs of the project; `make help` lists them. Needs GNU make and Python 3.11 to 3.13.
#
#   PYTHON=/path/to/python    which Python makes the virtual environment (default: the first that fits)
#   TORCH_INDEX=URL           the package index to take PyTorch from, for the small CPU build (README)
#   PORT=8501 ADDRESS=...     where the explorer listens
#   TESTS=tests/core          what `make test` and `make browser` run

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

VENV := .venv
LIGHT_VENV := .venv-light
BIN := $(VENV)/bin
# On a terminal pip shows how far it is; in a log it would be thousands of lines.
PIP := -m pip --disable-pip-version-check $$([ -t 2 ] || echo --quiet)
TESTS ?= tests
PORT ?= 8501
ADDRESS ?= localhost
SERVE := -m streamlit run app.py --server.port $(PORT) --server.address $(ADDRESS)

.PHONY: run
run: $(VENV)/.installed ## install what is needed and start the explorer
	@echo "Starting the explorer; stop it with Ctrl-C"
	@$(BIN)/python $(SERVE)

.PHONY: run-light
run-light: $(LIGHT_VENV)/.installed ## the same without PyTorch: smaller, with the multilingual encoder only
	@echo "Starting the light explorer; stop it with Ctrl-C"
	@$(LIGHT_VENV)/bin/python $(SERVE)

.PHONY: test
test: check ## checks, tests and browser tests
	@echo "Running the tests, those in a browser beside the others; they need Chromium"
	@$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder $(TESTS)

.PHONY: check
check: $(VENV)/.installed-dev ## format, lint, floors, types
	@echo "Checking format, lint, floors and types"
	@$(BIN)/ruff format --check --quiet . || { echo "Some files are not formatted: run make format" >&2; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/mypy

.PHONY: format
format: $(VENV)/.installed-dev ## put all files into their standard format
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

.PHONY: browser
browser: $(VENV)/.installed-dev ## only the tests in a real browser
	@$(BIN)/python -m pytest -m browser $(TESTS)

.PHONY: conformance
conformance: $(VENV)/.installed-dev ## what is promised elsewhere, case by case, with the count per section
	@$(BIN)/python -m pytest --quiet --numprocesses 2 --dist loadfile tests/conformance

.PHONY: savings
savings: $(VENV)/.installed-dev ## prompt tokens of a conversation against all tools up front
	@$(BIN)/python -m tests.measure.savings

.PHONY: bench
bench: $(VENV)/.installed-dev ## time of loading, indexing and searching on this machine
	@$(BIN)/python -m tests.measure.bench

.PHONY: clean
clean: ## remove both virtual environments and all caches
	@rm -rf $(VENV) $(LIGHT_VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Virtual environments. A stamp is renewed only when its requirements changed.

PYTHON_FITS := import sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))

$(VENV)/pyvenv.cfg $(LIGHT_VENV)/pyvenv.cfg:
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11 python; do \
		if "$$python" -c '$(PYTHON_FITS)' >/dev/null 2>&1; then found="$$python"; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "No Python 3.11 to 3.13 found (python3: $$(python3 --version 2>/dev/null || echo missing)). Install one, or name it: make PYTHON=/path/to/python ..." >&2; \
		exit 1; \
	fi; \
	echo "Making the virtual environment $(@D) with $$("$$found" --version)"; \
	if ! "$$found" -m venv $(@D); then \
		rm -rf $(@D); \
		echo "Python could not make $(@D). On Debian and Ubuntu, install the package python3-venv first." >&2; \
		exit 1; \
	fi

$(VENV)/.installed: requirements.txt requirements-light.txt $(VENV)/pyvenv.cfg
	$(call install,$(BIN)/python,requirements.txt)

$(VENV)/.installed-dev: requirements-dev.txt requirements.txt requirements-light.txt $(VENV)/pyvenv.cfg
	$(call install,$(BIN)/python,requirements-dev.txt)
	@touch $(VENV)/.installed

$(LIGHT_VENV)/.installed: requirements-light.txt $(LIGHT_VENV)/pyvenv.cfg
	$(call install,$(LIGHT_VENV)/bin/python,requirements-light.txt)

# PyTorch goes first and alone, so that an index given for it serves nothing else.
define install
	@if grep -qs '^torch' $(2) && ! $(1) -c 'import torch' >/dev/null 2>&1; then \
		if [ -n "$(TORCH_INDEX)" ]; then \
			echo "Installing PyTorch from the index you gave"; \
			$(1) $(PIP) install --index-url "$(TORCH_INDEX)" "$$(grep '^torch' $(2))"; \
		else \
			echo "Installing PyTorch"; \
			if [ "$$(uname -s)" = Linux ]; then \
				echo "  On Linux the standard build carries graphics-card libraries of several gigabytes. For the small"; \
				echo "  CPU build stop here (Ctrl-C) and pass TORCH_INDEX (README); without PyTorch: make run-light"; \
			fi; \
			$(1) $(PIP) install "$$(grep '^torch' $(2))"; \
		fi; \
	fi
	@echo "Installing what $(2) lists into $(@D); this takes a few minutes the first time"
	@$(1) $(PIP) install -r $(2)
	@touch $@
endef
