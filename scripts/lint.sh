#!/usr/bin/env bash
# Checks the form of the code. Every check runs, so that one run shows all there is
# to correct.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

max_lines=600
failed=0

# report NAME FOUND says how a check went.
report() {
	if [[ -z $2 ]]; then
		echo "lint: $1: ok"
	else
		printf 'lint: %s: FAILED\n' "$1"
		sed 's/^/  /' <<<"$2"
		failed=1
	fi
}

# succeeds NAME COMMAND... checks by a command that fails if something is wrong.
succeeds() {
	local name=$1 found
	shift
	if found=$("$@" 2>&1); then
		report "$name" ""
	else
		report "$name" "${found:-no explanation}"
	fi
}

# finds_none NAME FUNCTION checks by a function that prints what is wrong.
finds_none() {
	report "$1" "$("$2" 2>&1)"
}

# sources PATTERN... lists the files of the clone, also those not yet committed.
sources() {
	local file
	git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
		[[ -f $file ]] && echo "$file"
	done
	return 0
}

unformatted() {
	sources '*.go' | xargs -r gofmt -l
}

# Generated files say so in their first lines.
too_long() {
	local file lines
	sources '*.go' '*.graphqls' '*.java' '*.sh' '*.ts' '*.tsx' '*.css' Makefile .ci/run |
		grep -v -e '/testdata/' -e '^examples/' |
		while read -r file; do
			lines=$(wc -l <"$file")
			if ((lines > max_lines)) && ! head -n 5 "$file" | grep -qi 'generated.*do not edit'; then
				echo "$file has $lines lines, more than $max_lines: divide it"
			fi
		done
	return 0
}

# SECURITY: every query carries the condition of workspace and audience because
# only graph/ can reach the store.
driver_outside_graph() {
	sources '*.go' |
		grep -v -e '_test\.go$' -e '^graph/' -e '^bench/' -e '^internal/test' |
		xargs -r grep -ln '"github.com/neo4j/neo4j-go-driver' |
		sed 's/$/ imports the Neo4j driver: only graph\/ may/'
	return 0
}

# What tests share may reach past graph/, and so must not be in the binary.
test_code_in_binary() {
	go list -deps ./cmd/strata | grep "$(go list -m)/internal/test"
	return 0
}

# The executor and its library must be of one version.
gqlgen_versions() {
	local library tool
	library=$(awk '$1 == "github.com/99designs/gqlgen" { print $2 }' go.mod)
	tool=$(awk '$1 == "github.com/99designs/gqlgen" && NF > 1 { print $2 }' tools/go.mod)
	[[ $library == "$tool" ]] || echo "gqlgen is $library in go.mod and $tool in tools/go.mod"
}

shell_syntax() {
	local file
	for file in $(sources '*.sh' .ci/run); do
		bash -n "$file"
	done
}

finds_none gofmt unformatted
succeeds "go vet" go vet ./...
succeeds staticcheck go tool -modfile=tools/go.mod staticcheck ./...
finds_none "file sizes" too_long
finds_none "driver imports" driver_outside_graph
finds_none "test code in the binary" test_code_in_binary
finds_none "gqlgen versions" gqlgen_versions
finds_none "shell syntax" shell_syntax
exit "$failed"
