# Everything a newcomer needs is two words: make demo, make test. "make help" lists the rest.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

VERSION ?= 0.1.0-dev
LDFLAGS := -s -w -X github.com/norn-data/norn/internal/cli.version=$(VERSION)

# The linter is pinned, so that two people see the same complaints.
GOLANGCI := v2.15.0
TOOLS := .tools

FUZZTIME ?= 10s

.PHONY: help demo test lint build bench fuzz fuzz-files oracle oracle-postgres metamorphic clean compiler

help: ## list these verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build ## build norn, make and build a project, predict a real table
	@examples/demo.sh

# Every package runs with the race detector: the slowest of them, the network, takes half a minute with it on two cores,
# because its inner loops are C. The house goes first, since what it finds is found in a second.
test: compiler ## go vet, the house tests and all Go tests, with the race detector
	go vet ./...
	go test ./internal/house
	@echo "go test -race (all packages but the house)"; \
	go test -race -v $$(go list ./... | grep -v '/internal/house$$') 2>&1 | awk -f .ci/tests.awk

lint: ## gofmt and golangci-lint (compiled once, about two minutes)
	@unformatted=$$(gofmt -l cmd internal predict); \
	if [ -n "$$unformatted" ]; then echo "not formatted, run gofmt -w on:"; echo "$$unformatted"; exit 1; fi
	@.ci/lint $(GOLANGCI) $(TOOLS)

build: compiler ## build bin/norn
	@go build -trimpath -ldflags "$(LDFLAGS)" -o bin/norn ./cmd/norn

bench: build ## print the figures of a first run: times and sizes, nothing passes or fails
	@bench/first-run.sh

fuzz: compiler ## run every fuzz target for FUZZTIME (10s)
	@grep -rHoE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' internal | sed 's/:func / /' | sort | while read -r file target; do \
		echo "$$target in $$(dirname "$$file")"; \
		go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "./$$(dirname "$$file")"; \
	done

# A number of inputs and not a time: a fuzz run that is stopped by its clock on a busy machine may call that a failure.
fuzz-files: compiler ## fuzz the readers of weights and of contexts, about a minute
	@go test -run '^$$' -fuzz '^FuzzSafetensors$$' -fuzztime 150000x -fuzzminimizetime 10x ./internal/tabular/weights
	@go test -run '^$$' -fuzz '^FuzzPickle$$' -fuzztime 150000x -fuzzminimizetime 10x ./internal/tabular/weights
	@go test -run '^$$' -fuzz '^FuzzTorch$$' -fuzztime 40000x -fuzzminimizetime 10x ./internal/tabular/weights
	@go test -run '^$$' -fuzz '^FuzzContextFile$$' -fuzztime 2000x -fuzzminimizetime 10x ./internal/fitted

N ?= 20000
SEED ?= 1

oracle: compiler ## norn's binder before DuckDB: N made-up queries from SEED, every function (GEN=generator of projects, REPORT=file.json)
	@go test -timeout 0 -run '^(TestOracle|TestCatalogue)$$' -v ./internal/analyze/referee \
		-functions -queries $(N) -seed $(SEED) -generator "$(GEN)" -report "$(REPORT)"

oracle-postgres: compiler ## the same before the PostgreSQL server that PGHOST, PGPORT and PGUSER name
	@NORN_SWEEP=1 NORN_QUERIES=$(N) go test -timeout 0 -run 'Sweep|Generated' -v ./internal/analyze/referee/postgres

metamorphic: compiler ## thousands of projects, edits, interruptions: schedules, caches, Ctrl-C change no byte; builds equal first builds
	@go test -timeout 0 -run TestSchedules ./internal/analyze -projects 4000
	@go test -timeout 0 -run 'TestOracle|TestPart$$' ./internal/analyze/recheck -edits 12000
	@go test -timeout 0 -run TestGrowth ./internal/analyze -steps
	@go test -timeout 0 -run InterruptedCheck ./cmd/norn -interrupts 300
	@go test -timeout 0 -run TestMetamorphic ./internal/run -worlds 200 -rounds 40

clean: ## remove what make built
	rm -rf bin demo $(TOOLS)

compiler:
	@.ci/compiler
