# planflame. `make help` lists the targets; everything they make goes into build/, dist/ and Maven's
# target/ folders.
# Many recipes fetch into and build in the same folders.
.NOTPARALLEL:
SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

SPARK_NEWEST ?= 4.3.0
SPARK_OLD    ?= 3.5.7
SCALE        ?= 0.3
OVERHEAD_SCALE ?= 1
PAGE_SCALE   ?= 0.3
DEMO_SCALE   ?= 1
DEMO_QUERIES ?= 1,9,18
ALERT_SCALE  ?= 2
CHURN_SECONDS ?= 3600
SOAK_SECONDS ?= 3600
FAULTS       ?= 500
MATRIX       ?= ^Test(Matrix|PlainResults)$$
JAVAS        := 17 21 25
# release/set-version changes it here and in the files that repeat it.
VERSION      := $(shell cat VERSION)

NATIVE    := build/native/libplanflame.so
PLUGIN    := build/plugin/planflame-spark.jar
CLI       := build/planflame
COLLECTOR := build/planflame-collector
PYROSCOPE := build/tools/pyroscope
# Beside it promtool and alertmanager.
PROMETHEUS := build/tools/prometheus
RELEASE   := dist/SHA256SUMS
SPARK     := build/spark/$(SPARK_NEWEST)
TPCH      := build/tpch/sf$(SCALE)

say = @printf '== %s\n' $(1)

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

# ---- what users run

.PHONY: demo
demo: tools-demo $(CLI) ## three TPC-H queries on real Spark under the profiler, and the table of their operators
	$(call say,"Spark $(SPARK_NEWEST) and TPC-H data at scale $(DEMO_SCALE)")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-tpch $(DEMO_SCALE)
	@scripts/demo "$(SPARK)" "build/tpch/sf$(DEMO_SCALE)" "$(DEMO_QUERIES)"

.PHONY: build
build: tools-build $(CLI) $(COLLECTOR) ## the command line, the agent, the plugin and the Collector

.PHONY: release
release: tools-build $(CLI) $(COLLECTOR) ## dist/: wheel, archives, packages, image, chart, Maven repository, SBOMs and sums; the same bytes from the same commit
	$(call say,"release $(VERSION)")
	@scripts/build-release-tools
	@release/make-dist

.PHONY: release-check
release-check: tools-build ## make release in two clones under different paths, and compare every file
	$(call say,"release in two clones")
	@release/compare-clones

.PHONY: test
test: tools-build tools-page test-unit test-page test-identity test-hostile test-e2e ## every test: units of three languages, then end to end on real Spark, Collector and Pyroscope

.PHONY: check
check: fmt vet lint unit ## format, vet, lint and unit tests: no root, no JVM, under two minutes

# ---- parts

.PHONY: fmt
fmt: tools-check
	$(call say,"format")
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "gofmt needed: $$bad"; exit 1; }

# The tag embed, with another file in the place of the jar, which need not be built.
EMBED := -tags=embed -overlay=$(CURDIR)/scripts/tools/lint/overlay.json

.PHONY: vet
vet: tools-check
	$(call say,"vet")
	@go vet ./...
	@go vet -tags e2e,matrix,soak ./test/...
	@go vet $(EMBED) ./cmd/planflame

.PHONY: lint
lint: tools-check build/tools/staticcheck build/tools/depguard build/tools/functions build/tools/comments
	$(call say,"lint (language of comments, circles of includes, staticcheck, import rules; long functions are warnings)")
	@build/tools/comments $$(git ls-files)
	@scripts/check-includes
	@build/tools/functions $$(git ls-files '*.go' ':!*_test.go')
	@build/tools/staticcheck -tags e2e,matrix,soak $$(go list -tags e2e,matrix,soak ./... | grep -v '/metadatatest$$') # generated, without a doc
	@GOFLAGS="$(EMBED)" build/tools/staticcheck ./cmd/planflame
	@build/tools/depguard ./...

.PHONY: unit
unit: tools-build ## Go and C unit tests that need neither root nor a JVM
	$(call say,"unit tests")
	@go test -short ./...
	@$(MAKE) --no-print-directory -C agent-jvmti/native test

.PHONY: test-unit
test-unit: fmt vet lint test-c test-java test-go # not unit: test-c and test-go run all of it

.PHONY: test-c
test-c: tools-build javas ## the agent's C tests under ASan and UBSan, on musl, and in real JVMs of each supported version
	$(call say,"C tests")
	@$(MAKE) --no-print-directory -C agent-jvmti/native test test-musl test-jvm

.PHONY: test-java
test-java: tools-build $(NATIVE) ## the plugin's JUnit tests and its link tests against each Spark line
	$(call say,"Java tests")
	@scripts/build-plugin test

# Rooms without a goroutine, whose simulations take five times as long under the race detector.
PURE := ./costmodel ./internal/window ./phase ./schedule ./shift/... ./skew ./tasksample ./trial
# Rooms whose tests start JVMs, Collectors or what looks like a JVM: a Collector under test takes
# the lease of every JVM that it finds.
ALONE := ./cmd/... ./collector-receiver/... ./config/... ./internal/pipeline ./sampler/...

.PHONY: test-go
test-go: tools-build $(CLI) $(PYROSCOPE) $(PROMETHEUS) $(COLLECTOR) build/tools/helm ## all Go tests, those with JVMs and servers too
	$(call say,"Go tests")
	@go build -race ./...
	@cd config/charttest && go test ./...
	@cd config/seccomp && go test ./...
	@go test $(PURE)
	@go test -race $$(go list ./... | grep -vxF "$$(go list $(PURE) $(ALONE))")
	@go test -race -p 1 -timeout 30m $(ALONE) # a package at a time

.PHONY: test-identity
test-identity: tools-demo $(NATIVE) ## the names of queries and operators on two lines of Spark, with other literals, paths and plans
	$(call say,"identity")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-spark $(SPARK_OLD)
	@scripts/fetch-tpch 0.01
	@scripts/test-identity $(SPARK_NEWEST) $(SPARK_OLD)

.PHONY: test-e2e
test-e2e: tools-demo tools-page javas $(CLI) $(COLLECTOR) $(RELEASE) $(PYROSCOPE) $(PROMETHEUS) build/tools/gotestsum ## end to end: real Spark, Collector, Pyroscope and Prometheus, as root and as an ordinary user
	$(call say,"end to end")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-spark $(SPARK_OLD)
	@scripts/fetch-connect
	@scripts/build-release-tools
	@cd release/tools && go test -count=1 ./packages
	@scripts/fetch-jre 11
	@scripts/fetch-tpch 0.01
	@scripts/fetch-tpch 0.1
	@scripts/fetch-tpch 0.3
	@[ -d page/node_modules ] || (cd page && npm ci --silent)
	@mkdir -p build/it
	@build/tools/gotestsum --format testname --jsonfile build/it/e2e.json --packages ./test/e2e/... -- -tags e2e -count=1 -timeout 100m -p 1 -parallel 2 # a line a test as it ends; all that was said is in the file

.PHONY: test-beside
test-beside: tools-demo $(PLUGIN) $(COLLECTOR) ## test-e2e beside another Collector, Spark jobs that it profiles and a busy core; 45 to 75 minutes
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-tpch 0.1
	@scripts/beside $(SPARK) build/tpch/sf0.1 $(MAKE) test-e2e

.PHONY: test-hostile
test-hostile: tools-build $(NATIVE) $(COLLECTOR) ## the Collector beside a good JVM and one that attacks it (docs/how-it-works/threats.md); as root, under four minutes
	$(call say,"hostile JVMs")
	@go test -tags e2e -count=1 -v ./test/hostile

.PHONY: fuzz
fuzz: tools-check ## every Go fuzz target for FUZZTIME (3s) each; all take about five minutes
	@scripts/fuzz $(or $(FUZZTIME),3s)

.PHONY: test-churn
test-churn: tools-demo javas $(PLUGIN) $(COLLECTOR) ## JIT churn with class unloading on JDK 17 and the newest, sampled at 1,000 Hz (CHURN_SECONDS, an hour)
	$(call say,"churn")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@CHURN_SECONDS=$(CHURN_SECONDS) go test -tags e2e -count=1 -timeout $$(( $(CHURN_SECONDS) + 1800 ))s -v -run '^TestChurn$$' ./test/e2e

.PHONY: faults
faults: tools-demo $(PLUGIN) $(COLLECTOR) ## server and Collector that fail at random moments beside a job (FAULTS, 500: ten minutes); writes build/bench/faults.json
	$(call say,"faults")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-tpch 0.01
	@FAULTS=$(FAULTS) go test -tags e2e -count=1 -timeout 90m -v -run '^TestFaults$$' ./test/e2e

.PHONY: soak
soak: tools-demo javas $(PLUGIN) $(COLLECTOR) $(PYROSCOPE) ## an hour of JVMs that come and go beside one Collector (SOAK_SECONDS); writes build/bench/soak.json
	$(call say,"soak")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-spark $(SPARK_OLD)
	@scripts/fetch-tpch 0.01
	@SOAK_SECONDS=$(SOAK_SECONDS) go test -tags e2e,soak -count=1 -timeout $$(( $(SOAK_SECONDS) + 1800 ))s -v -run '^TestSoak$$' ./test/e2e

.PHONY: test-matrix
test-matrix: tools-demo javas $(CLI) ## both lines of Spark, JDK 17, 21 and 25, local and local-cluster; prints a table
	$(call say,"matrix")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-spark $(SPARK_OLD)
	@scripts/fetch-tpch 0.01
	@scripts/fetch-tpch 0.3
	@go test -tags e2e,matrix -count=1 -timeout 60m -parallel 2 -v -run '$(MATRIX)' ./test/e2e

# ---- benches: what the README promises, measured; each writes build/bench/NAME.json

.PHONY: bench-accuracy
bench-accuracy: tools-demo $(CLI) ## how far an operator's cost is from the truth (about four hours; BENCH_ARGS for less)
	$(call say,"accuracy of operators' cost")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-tpch $(SCALE)
	@go run ./bench/accuracy -spark $(SPARK) -data $(TPCH) -out build/bench/accuracy.json $(BENCH_ARGS)

.PHONY: bench-attribution
bench-attribution: tools-demo $(CLI) ## which share of CPU gets a plan node, and the right one (up to 20 minutes; BENCH_ARGS for less)
	$(call say,"attribution of lines and of CPU")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-tpch $(SCALE)
	@scripts/fetch-tpch 0.01
	@go run ./bench/lines -spark $(SPARK) -data $(TPCH) -out build/bench/attribution.json $(BENCH_ARGS)

.PHONY: bench-tasksample
bench-tasksample: tools-demo $(CLI) ## how far estimates from some of the samples are from all of them, and how sure they say they are (an hour; BENCH_ARGS for less)
	$(call say,"estimates from fewer samples")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-tpch $(SCALE)
	@go run ./bench/tasksample -spark $(SPARK) -data $(TPCH) -out build/bench/tasksample.json $(BENCH_ARGS)

.PHONY: bench-overhead
bench-overhead: tools-demo $(NATIVE) $(PLUGIN) $(COLLECTOR) ## what planflame costs, beside other profilers (hours; BENCH_ARGS for less)
	$(call say,"overhead")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-tpch $(OVERHEAD_SCALE)
	@scripts/fetch-peers
	@go run ./bench/overhead -spark $(SPARK) -data build/tpch/sf$(OVERHEAD_SCALE) -out build/bench/overhead.json $(BENCH_ARGS)

.PHONY: bench-shift
bench-shift: tools-demo $(NATIVE) $(PLUGIN) $(COLLECTOR) ## which shifts of an operator's cost are found, and what is told without one (more than an hour; BENCH_ARGS for less)
	$(call say,"shifts of operators' costs")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-tpch 1
	@mkdir -p build/bench/shift
	@go run ./shift/internal/simulate -part power -trials 300 -out build/bench/shift/simulated.json
	@go run ./bench/shift -spark $(SPARK) -data build/tpch/sf1 -out build/bench/shift.json $(BENCH_ARGS)

.PHONY: bench-alert
bench-alert: tools-demo $(NATIVE) $(PLUGIN) $(COLLECTOR) $(PROMETHEUS) ## which shifts alert within how many runs, with the shipped files (an hour; BENCH_ARGS for less)
	$(call say,"alerts of shifts as shipped")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-tpch $(ALERT_SCALE)
	@go run ./bench/alert -spark $(SPARK) -data build/tpch/sf$(ALERT_SCALE) -out build/bench/alert.json $(BENCH_ARGS)

.PHONY: bench-phases
bench-phases: tools-demo javas $(CLI) ## how far a trial of a few re-runs is from the truth, beside other ways to choose them (40 minutes; BENCH_ARGS for less)
	$(call say,"trials of a few re-runs")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-spark $(SPARK_OLD)
	@scripts/fetch-tpch $(SCALE)
	@go run ./bench/phases -spark $(SPARK) -old-spark build/spark/$(SPARK_OLD) -java "$$(scripts/find-java 17)" -new-java "$$(scripts/find-java 25)" \
	  -data $(TPCH) -out build/bench/phases.json $(BENCH_ARGS)

.PHONY: bench-page
bench-page: tools-demo tools-page $(CLI) ## what the page, the report and the comparison cost, and whether they agree (12 minutes; BENCH_ARGS for less)
	$(call say,"page of a million samples")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-tpch $(PAGE_SCALE)
	@[ -d page/node_modules ] || (cd page && npm ci --silent)
	@CHROMIUM=$$(scripts/fetch-chromium) go run ./bench/page -spark $(SPARK) -scale $(PAGE_SCALE) -out build/bench/page.json $(BENCH_ARGS)

.PHONY: bench-records
bench-records: tools-demo $(CLI) ## whether slow tasks get the right verdict and slow records their name, and what watching costs (40 minutes; BENCH_ARGS for less)
	$(call say,"slow tasks and records")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-tpch $(SCALE)
	@go run ./bench/records -spark $(SPARK) -data $(TPCH) -out build/bench/records.json $(BENCH_ARGS)

.PHONY: bench-capacity
bench-capacity: tools-demo $(CLI) ## how many executors a core of the Collector carries, from a recording that is made if missing (20 minutes; BENCH_ARGS='-executors 1,10' for less)
	$(call say,"executors a Collector carries")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-tpch $(SCALE)
	@go run ./bench/capacity -spark $(SPARK) -data $(TPCH) -out build/bench/capacity.json $(BENCH_ARGS)

.PHONY: bench-model
bench-model: tools-demo $(CLI) ## how right predictions of time and cost are (20 minutes; BENCH_ARGS='-parts schedule' for less)
	$(call say,"model of time and cost")
	@scripts/fetch-spark $(SPARK_NEWEST)
	@scripts/fetch-tpch 0.3
	@scripts/fetch-tpch 1
	@go run ./bench/model -spark $(SPARK) -out build/bench/model.json $(BENCH_ARGS)

.PHONY: page
page: tools-page ## the page's bundle from its sources (npm; the bundle is committed, and only tests of the page need npm beside this)
	$(call say,"page")
	@cd page && npm ci --silent && npm run --silent build

.PHONY: test-page
test-page: tools-page ## the page's unit tests, its bundle built again, and the page in a real browser
	$(call say,"page tests")
	@scripts/test-page

.PHONY: generate
generate: tools-check ## write the generated code again (component metadata)
	@go generate ./...

.PHONY: clean
clean: ## remove what was built (downloads stay; make distclean removes them too)
	@rm -rf build/native build/plugin build/planflame build/planflame-collector build/collector build/release dist cmd/planflame/assets

.PHONY: distclean
distclean:
	@rm -rf build dist cmd/planflame/assets

.PHONY: javas
javas: # each supported Java that this machine lacks
	@for java in $(JAVAS); do scripts/find-java $$java >/dev/null 2>&1 || scripts/fetch-jre $$java; done

.PHONY: native plugin
native: tools-build $(NATIVE) ## the agent's library
plugin: tools-build $(PLUGIN) ## the Spark plugin's jar, the agent inside

# ---- tools that must be there

.PHONY: tools-check tools-build tools-demo tools-page
tools-check:
	@scripts/check-tools git go c
tools-build tools-demo:
	@scripts/check-tools linux git go c java python
tools-page:
	@scripts/check-tools go node

# ---- files

build/tools/staticcheck: scripts/tools/lint/go.mod
	$(call say,"building staticcheck")
	@cd scripts/tools/lint && go build -o ../../../$@ honnef.co/go/tools/cmd/staticcheck

build/tools/depguard: scripts/tools/lint/go.mod
	$(call say,"building depguard")
	@cd scripts/tools/lint && go build -o ../../../$@ github.com/OpenPeeDeeP/depguard/v2/cmd/depguard

build/tools/functions: scripts/tools/lint/go.mod $(wildcard scripts/tools/lint/functions/*.go)
	$(call say,"building functions")
	@cd scripts/tools/lint && go build -o ../../../$@ ./functions

build/tools/comments: scripts/tools/lint/go.mod $(wildcard scripts/tools/lint/comments/*.go)
	$(call say,"testing and building comments")
	@cd scripts/tools/lint && go test ./comments && go build -o ../../../$@ ./comments

# Says all that failed once more at the end: the log of the end-to-end tests is long.
build/tools/gotestsum: scripts/tools/test/go.mod
	$(call say,"building gotestsum")
	@cd scripts/tools/test && go build -o ../../../$@ gotest.tools/gotestsum

build/tools/helm: release/tools/go.mod
	@scripts/build-release-tools helm

$(NATIVE): $(wildcard agent-jvmti/native/*.c agent-jvmti/native/*.h agent-jvmti/native/Makefile) scripts/fetch-zig | tools-build
	$(call say,"building the agent")
	@$(MAKE) --no-print-directory -C agent-jvmti/native

$(PLUGIN): $(NATIVE) scripts/build-plugin agent-jvmti/spark/pom.xml LICENSE $(shell find agent-jvmti/spark -path '*/src/main/*' -type f 2>/dev/null)
	$(call say,"building the Spark plugin")
	@scripts/build-plugin package

GO_SOURCES := $(shell git ls-files -co --exclude-standard '*.go' 2>/dev/null) go.mod go.sum

# What is embedded (go:embed) beside the plugin.
EMBEDDED := page/dist/index.html page/dist/licenses.txt internal/usualcost/model.json cmd/planflame/internal/sparkconf/python/sitecustomize.py

$(CLI): $(PLUGIN) $(GO_SOURCES) $(EMBEDDED) VERSION | tools-build
	$(call say,"building planflame")
	@mkdir -p cmd/planflame/assets
	@cp $(NATIVE) $(PLUGIN) cmd/planflame/assets/
	@CGO_ENABLED=0 go build -tags embed -trimpath -buildvcs=false -ldflags '-s -w -X main.version=$(VERSION)' -o $@ ./cmd/planflame

$(COLLECTOR): otelcol-builder.yaml scripts/build-collector scripts/tools/otel/go.mod $(GO_SOURCES) internal/usualcost/model.json | tools-build
	$(call say,"building the Collector")
	@scripts/build-collector

$(RELEASE): $(CLI) $(COLLECTOR) scripts/build-release-tools VERSION CHANGELOG.md LICENSE agent-jvmti/spark/pom.xml $(shell git ls-files -co --exclude-standard release config 2>/dev/null)
	$(call say,"making dist/")
	@scripts/build-release-tools
	@release/make-dist

$(PYROSCOPE): $(wildcard scripts/tools/pyroscope/go.*)
	@scripts/build-pyroscope

$(PROMETHEUS): $(wildcard scripts/tools/prometheus/go.*) scripts/build-prometheus
	@scripts/build-prometheus
