#!/usr/bin/env bash
# Installs and fetches what the gateway needs to run, once.
#
#   scripts/setup.sh run     what `strata serve` needs
#   scripts/setup.sh test    what the tests need besides
#   scripts/setup.sh race    what the race detector needs besides
#
# Each part is a script in scripts/setup/. A part that has nothing to do returns
# at once, so this may be called before every build. Parts that do not need each
# other work at the same time, each with its log in .cache/logs/.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${1:-run}
case $profile in
run | test | race) ;;
*)
	echo "usage: scripts/setup.sh run|test|race" >&2
	exit 2
	;;
esac

logs=.cache/logs
mkdir -p "$logs"

# Two set-ups of one clone would write over each other.
exec 9>.cache/setup.lock
if ! flock --nonblock 9; then
	echo "setup: another set-up of this clone is running; waiting for it"
	flock 9
fi

# What a part says on descriptor 3 is for the person who waits; the rest is for its log.
exec 3>&1

trap 'kill $(jobs -p) 2>/dev/null || true' EXIT

# in_parallel PART... runs the parts side by side and waits for all of them, so
# that one failure does not leave another part half done.
in_parallel() {
	local -A part_of=()
	local failed=() part pid
	for part in "$@"; do
		"scripts/setup/$part.sh" "$profile" >"$logs/$part.log" 2>&1 9>&- &
		part_of[$!]=$part
	done
	for pid in "${!part_of[@]}"; do
		wait "$pid" || failed+=("${part_of[$pid]}")
	done
	((${#failed[@]} == 0)) && return
	for part in "${failed[@]}"; do
		{
			echo
			echo "setup: the part \"$part\" failed. The end of $logs/$part.log:"
			tail -n 20 "$logs/$part.log" | sed 's/^/  | /'
		} >&2
	done
	echo "setup: correct this and start again; what is finished is not repeated" >&2
	return 1
}

in_parallel packages
in_parallel modules neo4j
