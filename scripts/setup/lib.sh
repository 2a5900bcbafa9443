# Shared by the parts in this folder, which source it from the top of the clone.
# shellcheck shell=bash

# say tells the person who waits what is going on.
say() {
	echo "setup: $*" >&3
	echo "$*"
}

# give_up says why and what to do, and ends the part.
give_up() {
	echo "$*" >&2
	exit 1
}

# java_command prints the path of the Java that graph/neo4jd will choose: the one
# of JAVA_HOME, else the one on the path.
java_command() {
	if [[ -n ${JAVA_HOME:-} && -x $JAVA_HOME/bin/java ]]; then
		echo "$JAVA_HOME/bin/java"
	else
		command -v java
	fi
}

# java_major prints the major version of a Java: 8 for "1.8.0_302", 17 for "17.0.15".
java_major() {
	"$1" -version 2>&1 | sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1
}

# hash_of prints one hash over the files and words given.
hash_of() {
	local input
	for input in "$@"; do
		if [[ -f $input ]]; then cat "$input"; else echo "$input"; fi
	done | sha256sum | cut -d' ' -f1
}

# is_stamped FILE HASH: whether the part was finished with just these inputs.
is_stamped() {
	[[ -f $1 && $(<"$1") == "$2" ]]
}
