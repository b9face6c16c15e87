# Everything a contributor types. `make` alone lists it.

PREFIX ?= /usr/local
DESTDIR ?=
INSTALL = $(DESTDIR)$(PREFIX)

JISUI := .build/release/jisui
# For development only: a warning that a later compiler adds must not stop a user from building a release.
STRICT := -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error
# Optimized, because tests decode and compare pixels by the million. Folders of their own leave .build to `make build` and
# to the editor. `make check` compiles file by file, so that an edit costs seconds: whole modules take minutes.
# JISUI_FAULTS adds `FaultInjection`, as every debug build does.
TESTED := -c release -Xswiftc -enable-testing -Xswiftc -DJISUI_FAULTS
TESTING := $(TESTED) --scratch-path .build-tests
# Names of functions are enough for a leak; debugging symbols would take a tenth of the build's time.
SANITIZING := $(TESTED) -Xswiftc -gnone --sanitize=address --scratch-path .build-sanitized
CHECKING := -Xswiftc -O --scratch-path .build-check
test_program = "$$(swift build --show-bin-path $(1))/jisuiPackageTests.xctest"
# SwiftPM passes several --sanitize in any order, and the compiler takes the last: so both are named in one flag.
FUZZING := -c release --product Fuzz --scratch-path .build-fuzz --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address \
  -Xcc -fsanitize=address -Xcxx -fsanitize=address -Xswiftc -enable-testing -Xswiftc -parse-as-library
TIME ?= 60
# The release without the plug-ins that this machine can have next to it, so that tests print the same everywhere.
PLAIN := .build/plain/jisui
SOURCES := Package.swift Sources Plugins Tests

# The packages have no debugging symbols either. Without them the build takes a tenth less time, and the program has 42 MB
# instead of 71. `make build SYMBOLS=` keeps them.
SYMBOLS := -Xswiftc -gnone
# Without optimization and debugging symbols: that takes a quarter of the time of a release.
QUICK := -c release -Xswiftc -Onone -Xswiftc -gnone --static-swift-stdlib --product jisui --scratch-path .build-quick
DEMO := Fixtures/good/PDFSource/real-bobby-make-believe.pdf
DEMO_OUT := .build-demo/bobby-make-believe.cbz

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup deps deps-plugins deps-bench swift build plugins plugins-beside plain demo check test \
  test-sanitized test-release test-plugins faults fuzz fuzz-hours install install-built install-program install-plugins install-texts \
  uninstall bench format lint clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

deps: ## install the Debian packages that are missing (dependencies.txt)
	@$(call install_missing,build test)

# Quiet when nothing is missing. The package lists are fetched only when installing from the ones at hand fails,
# as it does on a bare machine (there are none) and on a stale one (they name versions that are gone).
define install_missing
	missing=$$(awk -v wanted=" $(1) " ' \
	    /^\[/ { section = substr($$1, 2, length($$1) - 2); next } \
	    NF && !/^#/ && index(wanted, " " section " ") { print $$1, $$2 }' dependencies.txt | \
	  while read -r package program; do \
	    [ -n "$$program" ] && command -v "$$program" >/dev/null && continue; \
	    dpkg-query -W -f '$${db:Status-Status}' "$$package" 2>/dev/null | grep -qx installed || echo "$$package"; \
	  done); \
	[ -n "$$missing" ] || exit 0; \
	echo "Installing:" $$missing; \
	as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	apt="$$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0"; \
	$$apt install -y --no-install-recommends $$missing >/dev/null 2>&1 || \
	  { $$apt update && $$apt install -y --no-install-recommends $$missing; }
endef

swift:
	@command -v swift >/dev/null || \
	  { echo "jisui is built with Swift 6.1 or later; get it from https://www.swift.org/install/linux/" >&2; exit 1; }

build: swift ## build the release: .build/release/jisui, and next to it the plug-ins whose programs are installed
	swift build -c release --static-swift-stdlib --product jisui $(SYMBOLS)
	@$(MAKE) --no-print-directory plugins-beside

# Programs of their own, which jisui runs (docs/dev/plugin-protocol.md).
PLUGINS := .build/plugins
SHIPPED := jisui-source-djvu jisui-source-unar jisui-transform-ocr
BESIDE := .build/release/plugins

# Those whose libraries or programs are missing are left out: `make plugins` installs what they need.
plugins-beside:
	@rm -rf $(BESIDE) && install -d -m 755 $(BESIDE)
	@if pkg-config --exists ddjvuapi jansson 2>/dev/null; then \
	  make --no-print-directory -C Plugins/DjVuSource && \
	  install -m 755 $(PLUGINS)/jisui-source-djvu $(BESIDE) && \
	  install -m 644 $(PLUGINS)/jisui-source-djvu.json $(BESIDE); fi
	@if command -v unar >/dev/null; then \
	  install -m 755 Plugins/UnarSource/jisui-source-unar $(BESIDE) && \
	  install -m 644 Plugins/UnarSource/jisui-source-unar.json $(BESIDE); fi
	@if command -v tesseract >/dev/null; then \
	  install -m 755 Plugins/OCRTransform/jisui-transform-ocr $(BESIDE) && \
	  install -m 644 Plugins/OCRTransform/*.json $(BESIDE); fi

deps-plugins:
	@$(call install_missing,plugins)

plugins: deps-plugins ## build the plug-ins that are programs of their own, into .build/plugins
	@$(MAKE) --no-print-directory -C Plugins/DjVuSource BUILD=$(abspath $(PLUGINS))
	@install -m 755 Plugins/OCRTransform/jisui-transform-ocr Plugins/UnarSource/jisui-source-unar $(PLUGINS)
	@install -m 644 Plugins/OCRTransform/*.json Plugins/UnarSource/*.json $(PLUGINS)

PYTEST := cd Tests/Programs/Plugins && /usr/bin/python3 -B -m pytest --basetemp=$(abspath .build-pytest)

test-plugins: deps plugins ## test those plug-ins, without and with the sanitizers
	$(PYTEST) djvu*_tests.py ocr_tests.py unar_tests.py examples_tests.py
	@$(MAKE) --no-print-directory -C Plugins/DjVuSource BUILD=$(abspath .build-plugins) STRICT=-Werror \
	  CFLAGS="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
	export JISUI_SANITIZED=1 ASAN_OPTIONS=allocator_may_return_null=1; $(PYTEST) djvu*_tests.py

demo: deps swift ## build quickly and convert a scanned comic from Fixtures, showing the plan and the result
	swift build $(QUICK)
	@rm -rf .build-demo && mkdir .build-demo
	@show() { printf '\n$$ %s\n' "$$*"; "$$@"; }; \
	set -e; PATH="$(abspath .build-quick/release):$$PATH"; \
	show jisui info $(DEMO); \
	show jisui $(DEMO) -o $(DEMO_OUT) --dry-run; \
	show jisui $(DEMO) -o $(DEMO_OUT); \
	show unzip -v $(DEMO_OUT)

# How long a target takes on two cores of which nothing else runs.
usually-check := a few minutes, and 10 for the first build
usually-test := 10 minutes, and 20 with the first build
usually-test-sanitized := 15 minutes, and 30 with the first build
usually-%:
	@echo "==> make $* usually takes $(usually-$*)"

check: usually-check lint ## check format, style and the suites of the modules that changed, between two edits
	@set -e; suites=$$(Tests/Programs/changed_suites.py); \
	echo "==> Suites of the modules that changed: $${suites:-none}"; \
	[ -n "$$suites" ] || exit 0; \
	swift build --build-tests $(CHECKING) $(STRICT); \
	Tests/Programs/run --quick $(call test_program,$(CHECKING)) $$suites

# XCTest is left out: all the tests are Swift Testing's. With SANITIZE=1, which continuous integration sets, the tests
# are built once, with the address sanitizer: that saves it a build. They run the program of that build, then the release.
ifdef SANITIZE
test: test-sanitized test-release
else
test: usually-test deps build ## run every test with the release, or PARTS="ImagingTests Faults" (see Tests/Programs/run)
	@echo "==> Building the tests"
	swift build --build-tests $(TESTING) $(STRICT)
	@$(MAKE) --no-print-directory plain
	@Tests/Programs/run --jisui $(PLAIN) $(call test_program,$(TESTING)) $(PARTS)
endif

test-sanitized: usually-test-sanitized deps swift ## run every test under the address sanitizer, with leak checking
	@echo "==> Building the tests with the address sanitizer"
	swift build --build-tests $(SANITIZING) $(STRICT)
	@Tests/Programs/run $(call test_program,$(SANITIZING)) $(PARTS)

# Only the parts that run the release, from the tests of test-sanitized.
test-release: build
	swift build --build-tests $(SANITIZING) $(STRICT)
	@$(MAKE) --no-print-directory plain
	@Tests/Programs/run --jisui $(PLAIN) $(call test_program,$(SANITIZING)) CommandTests WebTests.ReaderTests \
	  OracleTests.BrowserTests ExternalAdaptersTests.PluginTests Faults Documentation Jobs Queue Compare

plain:
	@install -D -m 755 $(JISUI) $(PLAIN)

# The targets are in Tests/Swift/FuzzTests; TARGETS="zip xml" runs only some. What is learnt stays in .build-fuzz.
fuzz: deps swift ## give every parser inputs that a fuzzer makes up, for TIME=60 seconds each
	JISUI_FUZZ=1 swift build $(FUZZING)
	@Tests/Programs/Fuzz/run .build-fuzz/release/Fuzz $(TIME) $(TARGETS)

fuzz-hours: deps swift ## give every parser an hour of that, going on where the last run stopped
	JISUI_FUZZ=1 swift build $(FUZZING)
	@Tests/Programs/Fuzz/hours.py .build-fuzz/release/Fuzz

# Every point of the system calls that are few, an even sample of the others; `make faults ALL=1` takes every point.
faults: deps build ## make system calls fail, kill and crash jisui, and look at what it leaves
	@$(MAKE) --no-print-directory plain
	@Tests/Programs/Faults/faults.py $(PLAIN) $(if $(ALL),--all)

COMPLETIONS := bash-completion/completions/jisui zsh/site-functions/_jisui fish/vendor_completions.d/jisui.fish
MANUAL := man/man1/jisui.1

install: build plugins install-built ## install the command, its plug-ins, completions and manual into PREFIX=/usr/local

install-built: install-plugins install-texts

install-program:
	install -D -m 755 $(JISUI) $(INSTALL)/bin/jisui

install-plugins:
	@install -d $(INSTALL)/lib/jisui/plugins
	install -m 755 $(addprefix $(PLUGINS)/,$(SHIPPED)) $(INSTALL)/lib/jisui/plugins
	install -m 644 $(SHIPPED:%=$(PLUGINS)/%.json) $(INSTALL)/lib/jisui/plugins

# The installed program prints its completions and manual: it finds the plug-ins that were installed with it. Those that
# a user added are left out.
PRINT = env -u JISUI_PLUGIN_PATH -u XDG_DATA_HOME HOME= $(INSTALL)/bin/jisui

install-texts: install-program
	@$(check_plugins)
	@set -e; for file in $(COMPLETIONS); do \
	  install -d "$(INSTALL)/share/$${file%/*}"; \
	  $(PRINT) completions "$${file%%[/-]*}" > "$(INSTALL)/share/$$file"; \
	done
	@install -d $(INSTALL)/share/man/man1 && $(PRINT) manual > $(INSTALL)/share/$(MANUAL)

# The options of a plug-in that jisui refuses would be missing. A packer's jisui also searches /usr/local and /usr: a
# package must not have the options of plug-ins from there.
define check_plugins
	set -e; report=$$($(PRINT) --version --verbose); \
	printf '%s\n' "$$report" | awk -v folder="$$(cd $(INSTALL) && pwd -P)/lib/jisui/plugins/" -v packing="$(DESTDIR)" ' \
	    function fail(text) { print "make: " path ": " text > "/dev/stderr"; failed = 1 } \
	    /^Plug-ins:/ { listed = 1; next } \
	    !listed { next } \
	    { path = $$0; sub(/^  [^ ]+ /, "", path) } \
	    sub(/ \(refused\)$$/, "", path) { if (index(path, folder) == 1) fail("jisui refuses it; see jisui plugin list"); next } \
	    path ~ / \(not used\)$$/ || $$1 == "none" { next } \
	    packing != "" && index(path, folder) != 1 { fail("move it away while you make packages") } \
	    END { exit failed }'
endef

uninstall: ## remove what install put into PREFIX
	rm -f $(INSTALL)/bin/jisui $(addprefix $(INSTALL)/share/,$(COMPLETIONS) $(MANUAL)) \
	  $(foreach file,$(SHIPPED),$(INSTALL)/lib/jisui/plugins/$(file) $(INSTALL)/lib/jisui/plugins/$(file).json)

deps-bench:
	@$(call install_missing,build test bench)

# The workloads (1 GB) are made once, outside git.
bench: deps-bench build ## compare with the peers: speed and memory, as ratios
	@[ -x .build-bench/venv/bin/python ] || python3 -m venv .build-bench/venv
	@.build-bench/venv/bin/pip install --quiet --disable-pip-version-check -r Benchmarks/requirements.txt
	@.build-bench/venv/bin/pip install --quiet --disable-pip-version-check --no-deps mokuro==0.2.5
	.build-bench/venv/bin/python Benchmarks/make_workloads.py --out .build-bench/data
	python3 Benchmarks/bench.py --jisui $(JISUI) --data .build-bench/data
	.build-bench/venv/bin/python Benchmarks/isolation.py --jisui $(JISUI) --data .build-bench/data
	python3 Benchmarks/many_books.py --jisui $(JISUI)
	.build-bench/venv/bin/python Benchmarks/reader.py --jisui $(JISUI)
	.build-bench/venv/bin/python Benchmarks/shelf.py --jisui $(JISUI) --books 1000 --pages 200
	.build-bench/venv/bin/python Benchmarks/trim_accuracy.py --jisui $(JISUI)

format: swift ## format the sources in place
	swift format --in-place --recursive $(SOURCES)

setup: ## install the hook that checks commit messages
	git config core.hooksPath .githooks

lint: swift ## check the sources' format and style
	swift format lint --strict --parallel --recursive $(SOURCES)
	@Tests/Programs/bare_conversions.py Sources Plugins Examples
	@Tests/Programs/Documentation/prose.py
	@Tests/Programs/Documentation/links.py
	@Tests/Programs/Documentation/translations.py
	@Tests/Programs/Documentation/keys.py
	@Tests/Programs/Documentation/inline_numbers.py --quiet --at-most 60 Plugins/Trim
	@Tests/Programs/Documentation/inline_numbers.py --quiet --at-most 20 Plugins/Spreads Plugins/Flatten
	@Tests/Programs/Documentation/long_functions.py Sources Plugins
	@Tests/Programs/Documentation/line_count.py --at-most 2000 Sources/AdapterKit
	@Tests/Programs/Documentation/line_count.py --at-most 4000 Sources/Conversion
	@Tests/Programs/Documentation/inline_numbers.py --quiet --at-most 10 Sources/LayoutAnalysis
	@Benchmarks/seam_evidence.py check

include packaging/package.mk

clean: ## remove everything that was built
	rm -rf .build .build-*
