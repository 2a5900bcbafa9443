#!/usr/bin/env bash
# Makes .cache/neo4j/, from which graph/neo4jd starts the embedded Neo4j:
#
#   jars/              the server and what it needs, from Maven
#   launcher.jar       deploy/neo4j/StrataNeo4j.java, compiled
#   jvm.args neo4j.conf  copies of those in deploy/neo4j/
#   classpath.args     the jars in a fixed order, relative to this folder
#   classes.jsa        the recorded classes of a start, for this Java only
#   stamp              the hash of all inputs
#
# The folder is built beside its place and moved there when it is complete.
set -euo pipefail
source scripts/setup/lib.sh

java=$(java_command) || give_up "There is no Java: the part \"packages\" should have installed it."
home=.cache/neo4j
inputs=$(hash_of deploy/neo4j/pom.xml deploy/neo4j/StrataNeo4j.java deploy/neo4j/jvm.args \
	deploy/neo4j/neo4j.conf scripts/setup/neo4j.sh "$("$java" -version 2>&1)")
is_stamped "$home/stamp" "$inputs" && exit 0

new=$PWD/.cache/neo4j.new
rm -rf "$new"
mkdir -p "$new"

version=$(sed -n 's:.*<neo4j.version>\(.*\)</neo4j.version>.*:\1:p' deploy/neo4j/pom.xml)
say "fetching Neo4j $version by Maven (about 120 MB, once)"
mvn -q -B -f deploy/neo4j/pom.xml package -Dlib.folder="$new/jars" ||
	give_up "Neo4j could not be fetched: see above. This needs the network, or a mirror named in ~/.m2/settings.xml."

cd "$new"
# Classes of a signed jar are not recorded, and each is checked again at every start. The signatures are
# Maven's to check, which has just compared the checksums.
for jar in $(grep -lE 'META-INF/[A-Za-z0-9_]+\.SF' jars/*.jar); do
	mkdir unsigned
	(cd unsigned && "$java" --module jdk.jartool/sun.tools.jar.Main --extract --file "../$jar" &&
		rm -f META-INF/*.{SF,RSA,DSA,EC} &&
		"$java" --module jdk.jartool/sun.tools.jar.Main --create --file "../$jar" --manifest META-INF/MANIFEST.MF .) ||
		give_up "$jar could not be packed anew by $java: see above. If it is a runtime without the module jdk.jartool, set JAVA_HOME to a JDK."
	rm -r unsigned
done

cp "$OLDPWD"/deploy/neo4j/{jvm.args,neo4j.conf} .
# The order matters to the archive below, and a folder lists its files in any.
jars=$(printf '%s\n' jars/*.jar | LC_ALL=C sort | paste -sd:)
printf -- '-cp\nlauncher.jar:%s\n' "$jars" >classpath.args

# A headless runtime has the compiler and the archiver, though not their commands,
# nor, since 21, the descriptions of older versions that --release needs.
"$java" --module jdk.compiler/com.sun.tools.javac.Main -Xlint:all,-options -Werror -proc:none -source 17 -target 17 \
	-cp "$jars" -d classes "$OLDPWD/deploy/neo4j/StrataNeo4j.java" &&
	"$java" --module jdk.jartool/sun.tools.jar.Main --create --file launcher.jar -C classes . ||
	give_up "The launcher could not be compiled by $java: see above. If it is a runtime without the modules jdk.compiler and jdk.jartool, set JAVA_HOME to a JDK."
rm -r classes

say "recording the classes Neo4j loads, for quick starts"
"$java" @jvm.args @classpath.args -XX:ArchiveClassesAtExit=classes.jsa StrataNeo4j --train ||
	give_up "Neo4j did not start on $java: see above."

echo "$inputs" >stamp
cd "$OLDPWD"
rm -rf "$home"
mv "$new" "$home"
