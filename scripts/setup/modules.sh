#!/usr/bin/env bash
# Fetches the Go modules, so that a build needs no network; for tests those of the
# tools, too.
set -euo pipefail
source scripts/setup/lib.sh
profile=$1

command -v go >/dev/null || give_up "Go is not installed, or not on the path: see https://go.dev/doc/install, then start again."
cache=$(go env GOMODCACHE)

# fetch WHAT FOLDER fetches what the go.mod of a folder names.
fetch() {
	local stamp=.cache/$1.stamp inputs
	inputs=$(hash_of "$2/go.mod" "$2/go.sum" "$cache")
	# The modules are the machine's, not the clone's: they may have gone since.
	if is_stamped "$stamp" "$inputs" && [[ -d $cache ]]; then
		return
	fi
	say "fetching the Go modules ($1)"
	go mod download -modfile="$2/go.mod" ||
		give_up "The Go modules could not be fetched: see above. This needs the network, or a GOPROXY that answers."
	echo "$inputs" >"$stamp"
}

fetch modules .
[[ $profile == run ]] || fetch tools tools
