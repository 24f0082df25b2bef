# All set-up happens here, in this folder and without root: .venv (Python), .jdk (Java, if need be),
# .chromium (for the tests, if need be; root gets the system's package), .venv-pywb, .venv-wacz, .venv-nu, .venv-corpora,
# .venv-docs and .venv-release (tools that tests hold our output against, and that the site and a release are made with).
.DEFAULT_GOAL := help
.PHONY: help demo test test-all acceptance lint check format docs train ablation transfer evaluate notebook bench growth fuzz search dist dist-env release try-release clean
.DELETE_ON_ERROR:

# The environment's own Spark runs, whatever Spark the shell that calls make is set up for.
unexport SPARK_HOME PYTHONPATH PYSPARK_PYTHON PYSPARK_DRIVER_PYTHON
# What is compiled is kept: tests and Spark start hundreds of Pythons that import the same.
unexport PYTHONDONTWRITEBYTECODE
export SPARK_CONF_DIR := $(CURDIR)/conf
export PYTHON MAKECMDGOALS

BIN := .venv/bin
# Experiments are listed in scripts/experiments/README.md.
EXPERIMENT := $(BIN)/python -m scripts.experiments
# A worker that has done its share takes over half of what another has still to do; neighbours stay together.
PYTEST := $(BIN)/pytest -n logical --maxprocesses 4 --dist worksteal
# Setuptools warns of every editable installation.
# Modules are compiled when they are first imported: to compile all, most of which nobody imports, takes twice as long as the rest.
INSTALL := PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --editable
DBCE_DATA ?= ../shared/data
SET = $(DBCE_DATA)/$(1)/$(1).warc.gz $(DBCE_DATA)/$(1)/$(1).gold.jsonl
SECONDS ?= 300
DEMO_URL := http://www.lanternandledger.example/essays/the-last-hand-ferry.html
HELD_OUT := build/held-out.jsonl
HELD_OUT_FORUMS := build/held-out-forums.jsonl
# What the model that ships learns from; gold that follows other rules than the rest, or knows of parts alone, has a
# weight.
TRAINING = $(foreach set,dragnet-sites sites dragnet wcxb timelines fundus misinfo chinese,--data $(call SET,$(set))) \
	--data $(call SET,cleaneval) 0.4 --data $(call SET,trafeval) 0.5 --data $(call SET,recipes) 0.3
WITH_JAVA := set -e; JAVA_HOME=$$(scripts/setup/java.sh); export JAVA_HOME

# Tests start Spark dozens of times; a seventh of the CPU of a small run is Java verifying the classes of Spark.
test test-all: export SPARK_SUBMIT_OPTS := -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote

WITH_CHROMIUM := CHROMIUM=$$(scripts/setup/chromium.sh); export CHROMIUM

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST)

demo: .venv/installed-spark ## run everything on the sample archive and leave a page to look at
	@$(WITH_JAVA); \
	echo "writing the sample archive to demo/archive ..."; \
	$(BIN)/dbce sample demo/archive; \
	echo "running dbce on it, results to demo/out ..."; \
	$(BIN)/dbce run demo/archive --out demo/out --overwrite --master 'local[*]'; \
	$(BIN)/dbce report demo/out; \
	$(BIN)/dbce view demo/out --archive demo/archive --export demo/pages > /dev/null; \
	echo "Open $(CURDIR)/demo/pages/index.html in a browser to see every page with its content and boilerplate coloured."; \
	echo "Or browse it: $(BIN)/dbce view demo/out --archive demo/archive"; \
	echo; echo "The main text of one of the pages:"; echo; \
	$(BIN)/dbce text demo/out --format txt --url $(DEMO_URL) | head -n 9

test: .venv/installed-dev ## run the gate: all tests but the nightly ones
	@$(WITH_JAVA); $(WITH_CHROMIUM); $(PYTEST) -m "not nightly"

test-all: test ## run the gate, then the nightly tests: every night, and before a release
	@$(WITH_JAVA); $(WITH_CHROMIUM); $(PYTEST) -m nightly

acceptance: .venv/installed-dev ## hold what we read and write against warcio, FastWARC, pywb, py-wacz, datatrove and datasets
	@$(BIN)/python -m tests.acceptance
	@$(WITH_CHROMIUM); $(BIN)/pytest -q tests/acceptance

lint: .venv/installed-dev ## format, lint and types
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

check: lint ## the fast gate: format, lint, types, tests without Spark
	@$(PYTEST) -m "not spark and not slow and not browser and not tools and not nightly"

format: .venv/installed-dev ## format the code and repair what the linter can
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

docs: .venv/installed-dev ## build the documentation as a site in build/site, to be read without a network
	@PYTHON=$(BIN)/python scripts/setup/docs.sh
	@echo "Open $(CURDIR)/build/site/index.html in a browser."

train: .venv/installed-dev ## train the models that come with dbce, on the shared data sets
	@mkdir -p build
	@$(BIN)/dbce train --out dbce/boilerplate/models/default.npz --held-out $(HELD_OUT) --folds 3 $(TRAINING)
	@$(BIN)/dbce train --out dbce/boilerplate/models/forums.npz --held-out $(HELD_OUT_FORUMS) --folds 3 \
		$(foreach set,forums wcxb,--data $(call SET,$(set)))

ablation: .venv/installed-dev ## what each kind of evidence is worth, on the shared data sets
	@$(EXPERIMENT).ablation \
		$(foreach set,dragnet-sites sites,--data $(call SET,$(set))) \
		$(foreach set,cleanportaleval flink,--test $(call SET,$(set)))

transfer: .venv/installed-peers ## leave each shared data set out of training in turn, and score on it
	@$(EXPERIMENT).transfer --folds 2 $(TRAINING)

evaluate: .venv/installed-peers ## score the methods on the shared data sets (DBCE_DATA)
	@$(EXPERIMENT).scoreboard $(if $(wildcard $(HELD_OUT)),--held-out $(HELD_OUT))

notebook: .venv/installed-dev ## execute docs/first-hour.ipynb and docs/three-figures.ipynb and keep their outputs
	@$(WITH_CHROMIUM); $(BIN)/python scripts/setup/notebook.py

bench: .venv/installed-peers ## what each step costs, in milliseconds of CPU a page
	@$(WITH_JAVA); $(EXPERIMENT).benchmark

growth: .venv/installed-dev ## what a run costs at 1,000, 10,000 and 100,000 captures
	@$(WITH_JAVA); $(EXPERIMENT).growth

fuzz: .venv/installed-fuzz ## look for input that breaks the readers or dbce view, SECONDS=300 for each of four targets
	@mkdir -p build/fuzz
	@$(BIN)/python -m tests.fuzz pages build/fuzz -max_total_time=$(SECONDS)
	@$(BIN)/python -m tests.fuzz containers build/fuzz -max_total_time=$(SECONDS)
	@$(BIN)/python -m tests.fuzz frames build/fuzz -max_total_time=$(SECONDS)
	@$(WITH_CHROMIUM); $(BIN)/python -m tests.fuzz.chromium build/fuzz $(SECONDS)

search: .venv/installed-dev ## run the properties that need no Spark and no browser with new examples
	@$(PYTEST) -m "hypothesis and not spark and not browser and not tools" --hypothesis-profile=search

dist: .venv/installed-dev ## build the wheel for this system into dist/
	@scripts/setup/dist.sh dist
	@ls dist/*.whl

dist-env: dist ## pack a Python with dbce and all it needs for spark-submit --archives; WITH=s3fs adds more
	@echo "packing dist/dbce-env.tar.gz, which takes a minute or two ..."
	@$(BIN)/python scripts/setup/dist_env.py dist/dbce-env.tar.gz dist/*.whl $(WITH)

release: .venv/installed-dev ## build all that is published into dist/: wheel, sources, SBOM, licences, digests
	@$(BIN)/python scripts/setup/release.py dist
	@cat dist/SHA256SUMS

try-release: ## install the wheel of dist/ into empty environments of every Python from 3.11 to 3.13 found, and run it
	@scripts/setup/try_wheels.sh dist

clean: ## remove what was made, except .venv
	@rm -rf build dist demo .jdk .chromium .venv-pywb .venv-wacz .venv-nu .venv-corpora .venv-docs .venv-release *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@rm -rf spark-warehouse metastore_db derby.log
	@find . -name .venv -prune -o -name __pycache__ -exec rm -rf {} +

# Installed again only when these change or the interpreter does, or has gone. Installing compiles what is to
# be compiled, with a compiler from PyPI where there is none (setup.py). The version is that of dbce/__init__.py.
INSTALLED := pyproject.toml setup.py dbce/__init__.py $(wildcard dbce/kernel/*.p*)
.venv/bin/python: ;

.venv/installed-spark: $(INSTALLED) .venv/bin/python
	@scripts/setup/venv.sh
	@echo "installing dbce with Spark and its web page (0.6 GB to download; a few minutes the first time) ..."
	@$(INSTALL) '.[spark,view]'
	@touch $@

.venv/installed-dev: $(INSTALLED) .venv/bin/python
	@scripts/setup/venv.sh
	@echo "installing dbce with Spark and the development tools (0.6 GB to download; a few minutes the first time) ..."
	@$(INSTALL) '.[dev]'
	@touch $@ .venv/installed-spark

.venv/installed-fuzz: .venv/installed-dev
	@echo "installing the fuzzer ..."
	@$(INSTALL) '.[dev,fuzz]'
	@touch $@

.venv/installed-peers: .venv/installed-dev
	@echo "installing the other extractors to compare with ..."
	@$(INSTALL) '.[dev,peers]'
	@touch $@
