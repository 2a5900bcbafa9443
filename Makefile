# What there is to do in a clone. `make` alone lists it.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
TOOL := go tool -modfile=tools/go.mod
# Runs a command against a Neo4j of its own. Built, not `go run`, which does not
# pass signals on.
STACK := bin/teststack --

# Tests that wait for a server take long on a machine with few cores.
GOTEST := go test -count=1 -timeout=20m

# The race detector finds what a machine of one's own seldom shows, and takes
# three times as long: it is for CI, and for `make test-race`.
ifdef CI
TEST_PROFILE := race
GOTEST += -race
else
TEST_PROFILE := test
endif

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{ printf "  make %-16s %s\n", $$1, $$2 }'

.PHONY: setup
setup: ## Install and fetch what running and testing need, once
	scripts/setup.sh test

.PHONY: build
build: ## Build bin/strata, and fetch what it needs to serve
	scripts/setup.sh run
	CGO_ENABLED=0 go build -trimpath -ldflags='-X main.version=$(VERSION)' -o bin/strata ./cmd/strata

.PHONY: run
run: build ## Start everything embedded, with the demo estate
	bin/strata serve --demo

.PHONY: teststack
teststack:
	scripts/setup.sh $(TEST_PROFILE)
	go build -o bin/teststack ./internal/teststack/cmd/teststack

.PHONY: test
test: teststack ## Run every test against real servers (PACKAGES=./graph/... for some)
	$(STACK) $(GOTEST) $(or $(PACKAGES),./...)

.PHONY: test-race
test-race: ## The same under the race detector
	$(MAKE) test CI=true

.PHONY: lint
lint: ## Check form: gofmt, vet, staticcheck, file sizes, imports
	scripts/lint.sh

.PHONY: generate
generate: ## Generate the executor from the schema, and the table of permissions from the rules
	$(TOOL) gqlgen generate
	go run ./internal/matrix/cmd/matrix > docs/permissions.md

.PHONY: generate-check
generate-check: generate ## Fail if what is generated is not what is committed
	git diff --exit-code -- internal/gql resolvers docs/permissions.md
	@new=$$(git ls-files --others --exclude-standard -- internal/gql resolvers); \
	if [[ -n $$new ]]; then echo "generated, but not committed:"; echo "$$new"; exit 1; fi

.PHONY: fuzz-short
fuzz-short: ## Run each fuzz target for a few seconds (FUZZTIME=1m for longer)
	scripts/fuzz.sh $(or $(FUZZTIME),5s)

.PHONY: mutants
mutants: teststack ## Break each rule of authorization and see that a test notices
	$(STACK) go run ./internal/mutants/cmd/mutants

.PHONY: bench
bench: teststack ## Measure the gateway beside the bare driver (SIZE=full; PACKAGES=./x/... for Go benchmarks)
	$(if $(PACKAGES),$(STACK) go test -run='^$$' -bench=. -benchmem $(PACKAGES),go run ./bench/cmd/bench -size $(or $(SIZE),small) -json .strata/bench/$(or $(SIZE),small).json)

.PHONY: clean
clean: ## Remove what was built and fetched; data and the demo estate stay
	rm -rf bin .cache
