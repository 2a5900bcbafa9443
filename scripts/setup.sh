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

# Parts run in process groups of their own (-m), so that an interrupted set-up takes
# with it what they have started.
set -m
stop_parts() {
	local group
	for group in $(jobs -p); do
		kill -- "-$group" 2>/dev/null || true
	done
}
trap stop_parts EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# failed PART shows why a part failed.
failed() {
	{
		echo
		echo "setup: the part \"$1\" failed. The end of $logs/$1.log:"
		tail -n 20 "$logs/$1.log" | sed 's/^/  | /'
	} >&2
}

# run PART runs one part. It keeps the lock: what outlives us still writes.
run() {
	"scripts/setup/$1.sh" "$profile" >"$logs/$1.log" 2>&1
}

# in_parallel PART... runs parts side by side and waits for all of them, so that one
# failure does not leave another part half done.
in_parallel() {
	local -A part_of=()
	local part pid result=0
	for part in "$@"; do
		run "$part" &
		part_of[$!]=$part
	done
	for pid in "${!part_of[@]}"; do
		wait "$pid" || {
			failed "${part_of[$pid]}"
			result=1
		}
	done
	return "$result"
}

# The packages come first, because the rest needs them, and in the foreground,
# because sudo may ask for a password.
if ! run packages; then
	failed packages
elif in_parallel modules neo4j; then
	exit 0
fi
echo "setup: correct this and start again; what is finished is not repeated" >&2
exit 1
