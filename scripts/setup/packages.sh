#!/usr/bin/env bash
# Installs by apt what the machine lacks: a Java runtime of at least 17, for the
# embedded Neo4j, Maven, to fetch it, and the certificates by which a registry is
# known; for tests Redis, and for the race detector a C compiler.
# Whatever is there already is left alone.
set -euo pipefail
source scripts/setup/lib.sh
profile=$1

have_java() {
	local java major
	java=$(java_command) && major=$(java_major "$java") && ((${major:-0} >= 17))
}

have_certificates() {
	[[ -e /etc/ssl/certs/ca-certificates.crt || ! -e /etc/debian_version ]]
}

have_redis() {
	[[ $profile == run ]] || command -v redis-server >/dev/null
}

have_compiler() {
	[[ $profile != race ]] || command -v "$(go env CC)" >/dev/null
}

# java_package prints the first Java runtime that this release of the system has.
java_package() {
	local version
	for version in 17 21 25; do
		# madison, because show knows packages that others only mention.
		if [[ -n $(apt-cache madison "openjdk-$version-jre-headless" 2>/dev/null) ]]; then
			echo "openjdk-$version-jre-headless"
			return
		fi
	done
	give_up "This system has no package of Java 17 or newer: install one, and set JAVA_HOME to it."
}

as_root() {
	if ((EUID == 0)); then
		"$@"
	else
		sudo "$@"
	fi
}

missing=()
have_java || missing+=("Java 17 or newer")
command -v mvn >/dev/null || missing+=("Maven")
have_certificates || missing+=("root certificates")
have_redis || missing+=("Redis")
have_compiler || missing+=("a C compiler")
((${#missing[@]})) || exit 0

wanted=$(printf '%s, ' "${missing[@]}")
wanted=${wanted%, }
if ! command -v apt-get >/dev/null; then
	give_up "Missing: $wanted. This system has no apt-get: install them by its own means, then start again."
fi
if ((EUID != 0)) && ! command -v sudo >/dev/null; then
	give_up "Missing: $wanted. Installing them takes root. Run this as root, then start again:
  apt-get update && apt-get install -y --no-install-recommends openjdk-17-jre-headless maven ca-certificates redis-server gcc libc6-dev
(where the system has no Java 17, take openjdk-21-jre-headless)"
fi

say "installing $wanted by apt-get"
as_root apt-get update -q || give_up "The lists of packages could not be fetched: see above. This needs the network."
packages=()
if ! have_java; then
	java_package=$(java_package)
	packages+=("$java_package")
fi
command -v mvn >/dev/null || packages+=(maven)
have_certificates || packages+=(ca-certificates)
have_redis || packages+=(redis-server)
have_compiler || packages+=(gcc libc6-dev)
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${packages[@]}" ||
	give_up "apt-get could not install ${packages[*]}: see above."

have_java || give_up "Installed ${packages[*]}, and yet \"$(java_command || echo java)\" is older than 17: set JAVA_HOME to the new one."
