#!/usr/bin/env bash
# Runs every fuzz target of the module for the time given: scripts/fuzz.sh 5s
#
# `go test -fuzz` takes one target of one package at a time, so they are looked for.
set -euo pipefail
cd "$(dirname "$0")/.."

time=${1:?usage: scripts/fuzz.sh TIME}
count=0
while IFS=: read -r file name; do
	echo "fuzz: $name in $(dirname "$file") for $time"
	go test -run='^$' -fuzz="^$name\$" -fuzztime="$time" "./$(dirname "$file")"
	count=$((count + 1))
done < <(git grep --untracked -E --no-color -o '^func Fuzz[A-Za-z0-9_]*' -- '*_test.go' | sed 's/:func /:/')
echo "fuzz: $count targets, nothing found"
