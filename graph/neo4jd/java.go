package neo4jd

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// minJava is the oldest Java that Neo4j 5 runs on.
const minJava = 17

const installJava = "Run `make setup`, or install Java 17 or newer and set JAVA_HOME to it."

// javaVersion matches the first line of `java -version`: 17.0.15, 21, 25-ea, and
// 1.8.0_302 of the time when the major version came second.
var javaVersion = regexp.MustCompile(`version "(?:1\.)?(\d+)`)

// findJava returns the path of a Java that is new enough: the one of JAVA_HOME if
// there is one, else the first on the path. scripts/setup/lib.sh looks in the same
// order.
func findJava(ctx context.Context) (string, error) {
	java, err := javaPath()
	if err != nil {
		return "", &StartError{Kind: ErrNoJava, Cause: err, Remedy: installJava}
	}
	// Java of every age writes its version to standard error.
	out, err := exec.CommandContext(ctx, java, "-version").CombinedOutput()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	version := javaVersion.FindSubmatch(out)
	if version == nil {
		return "", &StartError{Kind: ErrNoJava, Subject: java + " does not tell its version", Cause: err, Remedy: installJava}
	}
	major, err := strconv.Atoi(string(version[1]))
	if err != nil || major < minJava {
		return "", &StartError{Kind: ErrJavaTooOld, Subject: fmt.Sprintf("%s is version %s", java, version[1]), Remedy: installJava}
	}
	return java, nil
}

func javaPath() (string, error) {
	if home := os.Getenv("JAVA_HOME"); home != "" {
		if java, err := exec.LookPath(filepath.Join(home, "bin", "java")); err == nil {
			return java, nil
		}
	}
	return exec.LookPath("java")
}
