package neo4jd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// LibVariable names the environment variable that says where the server's jars
// are.
const LibVariable = "STRATA_NEO4J_LIB"

// The files that scripts/setup/neo4j.sh makes in the lib folder.
const (
	jvmArgsFile      = "jvm.args"
	classpathFile    = "classpath.args"
	settingsFile     = "neo4j.conf"
	classArchiveFile = "classes.jsa"
	launcherClass    = "StrataNeo4j"
)

const runSetup = "Run `make setup`."

// FindLib returns the folder with the server's jars: the one that STRATA_NEO4J_LIB
// names, else .cache/neo4j beside the folder of this binary (bin/strata in a
// clone), else .cache/neo4j in the working directory.
func FindLib() (string, error) {
	if lib := os.Getenv(LibVariable); lib != "" {
		return lib, nil
	}
	var places []string
	if binary, err := os.Executable(); err == nil {
		places = append(places, filepath.Join(filepath.Dir(binary), "..", ".cache", "neo4j"))
	}
	if wd, err := os.Getwd(); err == nil {
		places = append(places, filepath.Join(wd, ".cache", "neo4j"))
	}
	for _, place := range places {
		if _, err := os.Stat(filepath.Join(place, classpathFile)); err == nil {
			return place, nil
		}
	}
	return "", &StartError{
		Kind:    ErrLibMissing,
		Subject: "looked in " + strings.Join(places, " and "),
		Remedy:  runSetup + " If Neo4j's jars are elsewhere, say so by " + LibVariable + ".",
	}
}

// checkLib makes sure that every jar is there. The server would start without
// some of them, and fail at the first use of one.
func checkLib(lib string) error {
	missing := func(file string, cause error) error {
		return &StartError{Kind: ErrLibMissing, Subject: "no " + filepath.Join(lib, file), Cause: cause, Remedy: runSetup}
	}
	for _, file := range []string{jvmArgsFile, settingsFile} {
		if _, err := os.Stat(filepath.Join(lib, file)); err != nil {
			return missing(file, err)
		}
	}
	args, err := os.ReadFile(filepath.Join(lib, classpathFile))
	if err != nil {
		return missing(classpathFile, err)
	}
	_, classpath, ok := strings.Cut(strings.TrimSpace(string(args)), "-cp\n")
	if !ok {
		return missing(classpathFile, errors.New("it holds no class path"))
	}
	for _, jar := range filepath.SplitList(classpath) {
		if _, err := os.Stat(filepath.Join(lib, jar)); err != nil {
			return missing(jar, err)
		}
	}
	return nil
}

// javaArgs is the command line of the launcher, relative to the lib folder. The
// password is not on it: other users of the machine can read it there.
func javaArgs(c Config) []string {
	args := []string{
		"@" + jvmArgsFile,
		"@" + classpathFile,
		fmt.Sprintf("-Xmx%dm", c.HeapMB),
		"-XX:ErrorFile=" + filepath.Join(c.Home, "logs", "java_crash_%p.log"),
	}
	// An archive of another Java is no error: the machine does not use it then.
	if _, err := os.Stat(filepath.Join(c.Lib, classArchiveFile)); !errors.Is(err, fs.ErrNotExist) {
		args = append(args, "-XX:SharedArchiveFile="+classArchiveFile)
	}
	if c.FastStart {
		args = append(args, "-XX:TieredStopAtLevel=1")
	}
	return append(args, launcherClass, c.Home)
}
