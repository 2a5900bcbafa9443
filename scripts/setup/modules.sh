#!/usr/bin/env bash
# Fetches the Go modules, so that a build needs no network.
set -euo pipefail
source scripts/setup/lib.sh

command -v go >/dev/null || give_up "Go is not installed, or not on the path: see https://go.dev/doc/install, then start again."

stamp=.cache/modules.stamp
# The module cache belongs to the machine, not to the clone: it may have gone since.
inputs=$(hash_of go.mod go.sum "$(go env GOMODCACHE)")
is_stamped "$stamp" "$inputs" && [[ -d $(go env GOMODCACHE) ]] && exit 0

say "fetching the Go modules"
go mod download || give_up "The Go modules could not be fetched: see above. This needs the network, or a GOPROXY that answers."
echo "$inputs" >"$stamp"
