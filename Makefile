# make report   the report of the bundled evaluation times, in out/
# make test     lint, types, import rules, tests, doctests, README and notebooks
# make test-processors   what is shown and stored, as two other processors would compute it, and the
#               recipe that takes longest
# make fuzz     10,000 drawn calls of every command with files sound and damaged; kills, full disks
# make golden   what every command answers on some problems, compared with what is stored;
#               make golden-record writes it anew
# make mutants  changes the source in one place at a time: the tests that mirror it must notice
# make properties   10,000 drawn problems against every law, with the tightest place of each
# make proofs   the proof assistant (Coq) compiles every theorem and compares with the record
# make checker  the proved checker of numbers is compiled, extracted and asked
# make proofs-record   the same, and writes the record
# make bench    speed against peers and growth, in docs/benchmarks.md
# make release-check   wheel and sdist installed elsewhere, lowest and newest dependencies, size, types
# make lock     requirements.lock, the development environment with hashes; make licences: docs/licences.md
# make docs     the documentation, in out/docs
# make preprint the preprint, in out/preprint.pdf (needs pdflatex)
# make readme   what commands print, in README.md and docs/recipes.md; make pictures: docs/img;
#               make notebooks: what notebooks show
# All create the environment in .venv when it is missing or pyproject.toml is newer.

PYTHON ?= $(shell for p in python3 python3.15 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PACKAGES := bounds simulation proofs_check ctv own_runs
EXAMPLE := ctv/data/gradient_boosting_digits.csv
DRAWN := --times $(EXAMPLE) --epsilon 1e-4
BRACKETS := --times ctv/data/hyperband_digits.csv --epsilon 0.04 --dimension 1 --lengthscale 1 \
	--noise-variance 0.1

.DELETE_ON_ERROR:
.PHONY: report test tests lint test-slow test-processors fuzz golden golden-record mutants properties \
	proofs proofs-record checker format readme pictures \
	notebooks docs preprint bench release-check lock licences clean

report: $(VENV)/.installed
	$(BIN)/ctv report --times $(EXAMPLE) --epsilon 1e-4 --out out

test: $(VENV)/.installed-dev
	$(MAKE) --no-print-directory --jobs=2 lint tests

tests: $(VENV)/.installed-dev
	$(BIN)/python -m pytest --numprocesses auto --dist loadgroup --no-loadscope-reorder --doctest-modules $(PACKAGES) tests

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-slow: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m slow tests

test-processors: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m slow --numprocesses auto --dist loadgroup tests/test_processors.py tests/test_readme.py
	$(BIN)/python -m tests.processors --numprocesses auto --dist loadgroup tests

fuzz: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m slow --numprocesses auto tests/fuzz tests/bounds/partitions/test_extremes.py

golden: $(VENV)/.installed-dev
	$(BIN)/python -m tests.golden.golden compare

golden-record: $(VENV)/.installed-dev
	$(BIN)/python -m tests.golden.golden record

mutants: $(VENV)/.installed-dev
	$(BIN)/python -m tests.mutants

properties: $(VENV)/.installed-dev
	$(BIN)/python -m tests.laws.properties --problems 10000 --processes 2

proofs: $(VENV)/.installed-dev
	$(BIN)/python -m proofs_check.prover.record compare

checker: $(VENV)/.installed-dev
	$(BIN)/python -m proofs_check.checker.program
	$(BIN)/python -m pytest -m slow --numprocesses 2 --dist load tests/proofs_check/test_checker_asked.py

proofs-record: $(VENV)/.installed
	$(BIN)/python -m proofs_check.prover.record write

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

readme: $(VENV)/.installed-dev
	$(BIN)/python -m tests.test_readme
	$(BIN)/python docs/make_logs.py
	$(BIN)/python docs/make_options.py
	$(BIN)/python docs/make_stub.py

notebooks: $(VENV)/.installed-dev
	$(BIN)/python -m tests.test_notebooks

pictures: $(VENV)/.installed
	$(BIN)/ctv figure bounds $(DRAWN) --out docs/img/bounds.png
	$(BIN)/ctv figure bound-vs-regret $(DRAWN) --out docs/img/bound_vs_regret.png
	$(BIN)/ctv figure ladder $(DRAWN) --out docs/img/ladder.png
	$(BIN)/ctv figure certificates --out docs/img/certificates.png
	$(BIN)/ctv figure regret-biased --out docs/img/regret_biased.png
	$(BIN)/ctv figure partition $(BRACKETS) --out docs/img/partition.png

docs: $(VENV)/.installed-dev
	$(BIN)/python docs/draw_architecture.py
	$(BIN)/python docs/make_formulas.py
	$(BIN)/python docs/make_glossary.py
	$(BIN)/ctv verify --out docs/annotated.html >/dev/null
	$(BIN)/sphinx-build -W --keep-going -q -b html docs out/docs

preprint: $(VENV)/.installed
	@command -v pdflatex >/dev/null || { echo "pdflatex is missing: on Debian, apt install" \
		"texlive-latex-base texlive-latex-recommended texlive-fonts-recommended lmodern" >&2; exit 1; }
	$(BIN)/python docs/make_preprint.py
	mkdir -p out
	cd docs/preprint && for pass in 1 2 3; do \
		pdflatex -halt-on-error -interaction=batchmode -output-directory=../../out preprint.tex || exit 1; done

bench: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[peers]' || \
		echo "not every peer can be had here: those that are missing are left out" >&2
	$(BIN)/python -m benchmarks.bench

release-check: $(VENV)/.installed-release
	$(BIN)/python -m pytest -m release tests/test_release.py

lock: $(VENV)/.installed-release
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --generate-hashes --upgrade \
		--quiet --output-file requirements.lock

licences: $(VENV)/.installed
	$(BIN)/python docs/make_licences.py

clean:
	rm -rf $(VENV) out docs/api docs/architecture.svg docs/formulas.md docs/annotated.html .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache *.egg-info

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer was not found: name one with" \
		"make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) cannot create an environment:" \
		"install its venv module (Debian, Ubuntu: apt-get install python3-venv)" >&2; exit 1; }

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-release: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[release]'
	@touch $@
