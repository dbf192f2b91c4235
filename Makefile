# make demo and make test need nothing done before them: each makes .venv and installs what it needs.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := pyproject.toml CMakeLists.txt $(wildcard kernel/*)

.PHONY: demo test test-engines check bench docs dist fuzz sanitise clean

demo: .venv/.run
	$(BIN)/mondegreen demo -o build/demo

test: check .venv/.programs
	$(BIN)/python -m pytest -n auto --dist loadfile --durations=20

# Spark (with Debian's Java) and Dask.
test-engines: .venv/.check
	@if command -v apt-get >/dev/null && test "$$(id -u)" = 0; then \
	  command -v java >/dev/null || { apt-get update -qq && \
	  apt-get install -y -qq default-jre-headless >/dev/null || true; }; fi
	$(BIN)/python -m pip install --quiet --group engines
	$(BIN)/python -m pytest -m engines tests

check: .venv/.check
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy

bench: .venv/.bench
	mkdir -p build
	$(BIN)/python bench/perturb.py
	$(BIN)/python bench/augment.py
	PYTHONPATH=scripts $(BIN)/python bench/tagger.py ../shared/data
	$(BIN)/python bench/synonyms.py
	$(BIN)/python bench/hearing.py
	$(BIN)/python bench/disfluency.py
	$(BIN)/python bench/score.py
	$(BIN)/python bench/slu.py
	$(BIN)/python bench/evaluate.py
	$(BIN)/python bench/viewer.py
	$(BIN)/python bench/memory.py
	$(BIN)/python bench/scale.py

# New random examples for the properties, random comparisons with the peers that are installed, then
# damaged input for everything that reads input: no foreign exception in 100,000.
fuzz: .venv/.check .venv/.programs
	MONDEGREEN_RANDOM_TESTS=1 $(BIN)/python -m pytest -n auto --dist loadfile $$(grep -l hypothesis tests/test_*.py)
	$(BIN)/python scripts/peers.py --seconds 120
	$(BIN)/python scripts/fuzz.py --inputs 100000
	$(BIN)/python scripts/attack.py

# The kernel with AddressSanitizer and UndefinedBehaviorSanitizer: its tests, and its fuzzing.
SANITISED := $(BIN)/python scripts/sanitised.py
sanitise: .venv/.check
	$(BIN)/python -m pip install --quiet cmake nanobind
	$(SANITISED) build
	$(SANITISED) run -m pytest -q -p no:cacheprovider -o timeout=1800 tests/test_kernel_safety.py tests/test_align.py \
	  tests/test_draw.py tests/test_edits.py tests/test_hearing.py tests/test_tagger.py \
	  tests/test_readings.py tests/test_typing.py tests/test_columnar.py tests/test_labelled.py tests/test_parquet.py \
	  tests/test_values_kernel.py
	$(SANITISED) run scripts/fuzz.py --only kernel --inputs 100000

# Brings the pages up to date, then builds the site into build/site; nothing is loaded from a network.
docs: .venv/.docs
	$(BIN)/python scripts/build_docs.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "open build/site/index.html"

# Builds the sdist and the wheel into dist, and tests both in new environments.
dist: .venv/.dist
	$(BIN)/python scripts/check_dist.py

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip

# The kernel wants a C++ compiler; without one the Python twin stands in, and says so.
.venv/.run: $(SOURCES) | .venv/bin/python
	@if ! command -v c++ >/dev/null && command -v apt-get >/dev/null && test "$$(id -u)" = 0; then \
	  apt-get update -qq && apt-get install -y -qq g++ || true; fi
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

# Debian programs that tests compare with or run: Chromium (the viewer) and SCTK (scores). Tests
# that need a program that is not installed are skipped with a reason.
PROGRAMS := chromium espeak-ng flite sctk
.venv/.programs: | .venv/bin/python
	@if command -v apt-get >/dev/null && test "$$(id -u)" = 0; then \
	  dpkg -s $(PROGRAMS) >/dev/null 2>&1 || { apt-get update -qq && \
	  apt-get install -y -qq $(PROGRAMS) >/dev/null || true; }; fi
	touch $@

# torch comes before what depends on it, so that it is this one and not one with gigabytes of CUDA.
.venv/.check: .venv/.run
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --group check
	$(BIN)/python -m pip install --quiet --no-deps bfcl-eval==2026.3.23
	touch $@

.venv/.docs: .venv/.check
	$(BIN)/python -m pip install --quiet --group docs
	touch $@

.venv/.dist: | .venv/bin/python
	$(BIN)/python -m pip install --quiet --group dist
	touch $@

.venv/.bench: .venv/.run
	$(BIN)/python -m pip install --quiet --group bench
	touch $@
