# make demo, make test: on a machine with Python 3.10 or newer and make, nothing else. Both set up .venv themselves.

# The first of these that runs and is new enough; or say `make PYTHON=/path/to/python`.
CANDIDATES = python3 python3.13 python3.12 python3.14 python3.11 python3.10
PYTHON ?= $(shell for python in $(CANDIDATES); do \
  $$python -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && echo $$python && break; done)

ENV = .venv
BIN = $(ENV)/bin
PIP = -m pip --disable-pip-version-check --quiet
PYTEST_FLAGS ?= -n 2

# Every other interpreter that the package supports.
PYTHONS = 3.10 3.11 3.12 3.13 3.14
# The path of the interpreter `python$(1)`: on PATH, or one of pyenv's; empty if there is none.
find_python = $(shell for python in python$(1) $$(ls -d $${PYENV_ROOT:-$$HOME/.pyenv}/versions/$(1).*/bin/python 2>/dev/null); do \
  $$python -c '' 2>/dev/null && echo $$python && break; done)

# Node 22.18 or newer runs the tests of the VS Code extension as they are. PyPI has it, beside the editors.
EDITORS = .venv-editors

.PHONY: help demo test nightly audit mutants lint format docs test-python test-pythons test-jax test-matrix test-scale test-vscode test-neovim test-editors screenshots vsix clean

help:
	@echo "make demo                        see it find and fix kernels, before and after, under JAX"
	@echo "make test                        format, lint, types and all tests"
	@echo "make nightly                     the tests that make their inputs at random, with twenty times as many"
	@echo "make mutants                     mistakes made in working programs: what JAX says, and what the rules say"
	@echo "make audit                       known vulnerabilities in what is installed"
	@echo "make lint | format | docs        only check | rewrite the layout | regenerate the rule pages"
	@echo "make test-python PY=3.12         the tests that need no JAX, on another Python"
	@echo "make test-pythons                the same on every other supported Python of this machine"
	@echo "make test-scale                  the example of docs/scale.md, run with Ray, which it installs"
	@echo "make test-editors                the extension and the other editors, driven for real; installs them"
	@echo "make test-neovim                 the configuration for Neovim, in a headless Neovim"
	@echo "make test-vscode                 the VS Code extension without an editor: types, lint, tests, package"
	@echo "make screenshots                 the pictures in docs/images, taken anew"
	@echo "make vsix                        the VS Code extension, as vscode-client/pallas-lsp.vsix"
	@echo "make bench | bench-smoke         how long an editor waits, beside other servers that are installed"
	@echo "make test-jax JAX=0.9.2 PY=3.13  the programs of tests/oracle, and tests/runtime, under another JAX"
	@echo "make test-matrix                 the same under each of JAX_RELEASES, as a table: docs/jax-releases.md"

demo: $(ENV)/installed
	@$(BIN)/python examples/demo.py

test: lint
	$(BIN)/python -m pytest $(PYTEST_FLAGS)

nightly: $(ENV)/installed
	$(BIN)/python -m pytest $(PYTEST_FLAGS) --hypothesis-profile=nightly $$(grep -rlE --include='test_*.py' '@given|@profile|number_of' tests)

mutants: $(ENV)/installed
	$(BIN)/python -m bench.recall

audit: $(ENV)/installed
	$(BIN)/python -m venv .venv-audit
	.venv-audit/bin/python $(PIP) install pip-audit
	.venv-audit/bin/pip-audit --path "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" --skip-editable

lint: $(ENV)/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(ENV)/installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(ENV)/installed
	$(BIN)/python scripts/generate_rule_pages.py
	$(BIN)/python scripts/generate_reference.py
	$(BIN)/python scripts/generate_editor_settings.py
	$(BIN)/python -m scripts.generate_schema
	$(BIN)/python scripts/generate_protocol.py

$(ENV)/installed: pyproject.toml
	@test -n "$(PYTHON)" || { echo "no Python 3.10 or newer found; say make PYTHON=/path/to/python"; exit 1; }
	@echo "setting up $(ENV) with $$($(PYTHON) --version), once; this takes a minute"
	@$(PYTHON) -m venv $(ENV)
	@$(BIN)/python $(PIP) install --upgrade pip
	@$(BIN)/python $(PIP) install --editable '.[ws]' --group dev --group jax
	@touch $@

test-python: .venv-$(PY)/installed
	.venv-$(PY)/bin/python -m pytest $(PYTEST_FLAGS) -m "not jax"

.venv-$(PY)/installed: pyproject.toml
	@test -n "$(call find_python,$(PY))" || { echo "no python$(PY) found"; exit 1; }
	@$(call find_python,$(PY)) -m venv .venv-$(PY)
	@.venv-$(PY)/bin/python $(PIP) install --upgrade pip
	@.venv-$(PY)/bin/python $(PIP) install --editable '.[ws]' --group dev
	@touch $@

test-pythons: $(ENV)/installed
	@$(foreach version,$(PYTHONS),$(if $(call find_python,$(version)),\
	  $(BIN)/python -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] != "$(version)")' \
	    || $(MAKE) --no-print-directory test-python PY=$(version) || exit 1;)) true

# Releases of JAX, each with a Python that it installs on.
JAX_RELEASES = 0.4.35@3.10 0.4.38@3.10 0.5.3@3.11 0.6.2@3.11 0.7.2@3.11 0.8.3@3.11 0.9.2@3.12 0.10.2@3.12 0.11.2@3.12 0.12.0.1@3.12
JAX_TESTS = tests/oracle/test_jax.py tests/rules/test_missing_name.py tests/runtime -m jax

test-jax: .venv-jax-$(JAX)/installed
	.venv-jax-$(JAX)/bin/python -m pytest $(JAX_TESTS)

# Goes on after a release that fails or does not install, and fails at the end.
test-matrix: $(ENV)/installed
	@rm -rf .matrix && mkdir .matrix
	@$(foreach release,$(JAX_RELEASES),$(MAKE) --no-print-directory test-jax JAX=$(firstword $(subst @, ,$(release))) \
	  PY=$(lastword $(subst @, ,$(release))) PYTEST_ADDOPTS=--junitxml=$(CURDIR)/.matrix/$(release).xml;) true
	@$(BIN)/python -m scripts.jax_releases .matrix $(JAX_RELEASES)

.venv-jax-$(JAX)/installed:
	@test -n "$(call find_python,$(PY))" || { echo "no python$(PY) found"; exit 1; }
	@$(call find_python,$(PY)) -m venv .venv-jax-$(JAX)
	@.venv-jax-$(JAX)/bin/python $(PIP) install --upgrade pip
	@.venv-jax-$(JAX)/bin/python $(PIP) install jax==$(JAX) absl-py pytest hypothesis packaging click tomli
	@touch $@

test-scale: .venv-scale/installed
	.venv-scale/bin/python -m pytest tests/scale

.venv-scale/installed: pyproject.toml
	@test -n "$(PYTHON)" || { echo "no Python 3.10 or newer found; say make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -m venv .venv-scale
	@.venv-scale/bin/python $(PIP) install --upgrade pip
	@.venv-scale/bin/python $(PIP) install --editable . --group dev --group scale
	@touch $@

NODE = cd vscode-client && PATH="$(abspath $(EDITORS))/bin:$$PATH"

test-vscode: vsix
	$(NODE) npm run check
	$(NODE) npm test

test-editors: test-vscode $(EDITORS)/installed
	cd editors/tests && $(abspath $(EDITORS))/bin/python -m pytest --timeout 180 --durations 5

test-neovim: $(EDITORS)/neovim
	cd editors/tests && $(abspath $(EDITORS))/bin/python -m pytest --timeout 180 test_neovim.py

screenshots: vsix $(EDITORS)/installed
	cd editors/tests && SCREENSHOTS=1 $(abspath $(EDITORS))/bin/python -m pytest --timeout 180 test_vscode.py test_jupyterlab.py

vsix: vscode-client/node_modules/installed
	$(NODE) PYTHON="$(abspath $(EDITORS))/bin/python" npm run package

vscode-client/node_modules/installed: vscode-client/package-lock.json $(EDITORS)/node
	$(NODE) npm ci --silent
	@touch $@

$(EDITORS)/node: editors/tests/install.sh
	@test -n "$(PYTHON)" || { echo "no Python 3.10 or newer found; say make PYTHON=/path/to/python"; exit 1; }
	PYTHON="$(PYTHON)" editors/tests/install.sh $(EDITORS) node
	@touch $@

$(EDITORS)/neovim: editors/tests/install.sh
	@test -n "$(PYTHON)" || { echo "no Python 3.10 or newer found; say make PYTHON=/path/to/python"; exit 1; }
	PYTHON="$(PYTHON)" editors/tests/install.sh $(EDITORS) neovim
	@touch $@

$(EDITORS)/installed: $(EDITORS)/node
	editors/tests/install.sh $(EDITORS)
	@touch $@

bench: $(ENV)/installed
	$(BIN)/python bench/latency.py

bench-smoke: $(ENV)/installed
	$(BIN)/python bench/latency.py --smoke

clean:
	rm -rf .venv .venv-* vscode-client/node_modules vscode-client/dist vscode-client/bundled/libs vscode-client/*.vsix .mypy_cache .ruff_cache .pytest_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
