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

.PHONY: help demo test lint build bench fuzz clean compiler

help: ## list these verbs
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

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
	@unformatted=$$(gofmt -l cmd internal); \
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

clean: ## remove what make built
	rm -rf bin demo $(TOOLS)

compiler:
	@.ci/compiler
