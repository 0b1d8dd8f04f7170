# Two commands are all you need: `make serve` and `make test`. Both set up everything themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Where the tables of `make serve` are kept; they go on where they were.
ROOM ?= room.db
PORT ?= 8777

.DEFAULT_GOAL := help
.PHONY: help serve test check lint format bench docs lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: $(READY) ## open the room (PORT=8777 ROOM=room.db)
	@$(BIN)/queenhigh serve --db $(ROOM) --port $(PORT) || test $$? -eq 130

test: $(READY) ## run the whole suite (CI=true: at full size)
	$(BIN)/pytest -n auto

lint: $(READY) ## format, lint and strict types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

check: lint test ## everything: format, lint, types, tests with warnings as errors, docs

format: $(READY) ## rewrite the sources in the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY) ## run the benchmarks
	@for b in bench/*.py; do echo "== $$b"; $(BIN)/python $$b || exit 1; done

docs: $(READY) ## rewrite the generated parts of docs/
	$(BIN)/python docs/generate.py

lock: ## resolve requirements.lock anew (takes uv into a place of its own)
	$(PYTHON) -m venv .uv && .uv/bin/pip install --quiet uv
	.uv/bin/uv pip compile pyproject.toml --group dev --extra sim --extra cluster --universal --python-version 3.11 \
	  --generate-hashes --no-header --no-annotate --no-emit-index-url --upgrade \
	  --output-file requirements.lock
	rm -rf .uv

clean: ## remove what the other targets made
	rm -rf $(VENV) .uv .mypy_cache .pytest_cache .ruff_cache .hypothesis dist

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Queenhigh needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@
