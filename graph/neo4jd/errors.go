package neo4jd

import (
	"errors"
	"strings"
)

// The reasons why Start fails. Each arrives wrapped in a *StartError that says
// what to do; test for one with errors.Is.
var (
	// ErrNoJava: there is no Java, neither in JAVA_HOME nor on the path.
	ErrNoJava = errors.New("no Java found")
	// ErrJavaTooOld: there is a Java, older than 17.
	ErrJavaTooOld = errors.New("the Java found is too old")
	// ErrLibMissing: the server's jars are not there, or not all of them.
	ErrLibMissing = errors.New("Neo4j is not installed")
	// ErrInUse: another server runs on this data folder.
	ErrInUse = errors.New("data folder in use")
	// ErrNotWritable: the data folder cannot be made or written.
	ErrNotWritable = errors.New("data folder not writable")
	// ErrPasswordLost: the folder holds data, but not the password that opens it.
	ErrPasswordLost = errors.New("password file missing")
	// ErrPortTaken: the configured port is in use.
	ErrPortTaken = errors.New("port taken")
	// ErrDied: the server ended before it was ready.
	ErrDied = errors.New("the server did not start")
)

// StartError is a failed start: what kind of failure, what it was about, how to
// mend it, and, if the server had begun to speak, its last lines.
type StartError struct {
	// Kind is one of the Err variables of this package.
	Kind error
	// Subject is the path, port or version that Kind is about.
	Subject string
	// Remedy is one imperative sentence.
	Remedy string
	// Cause is the error below, if there is one.
	Cause error
	// LogTail holds the server's last lines, oldest first.
	LogTail []string
}

// Error gives everything there is to say, over several lines if there is a log.
func (e *StartError) Error() string {
	var b strings.Builder
	b.WriteString("embedded Neo4j: " + e.Kind.Error())
	if e.Subject != "" {
		b.WriteString(": " + e.Subject)
	}
	if e.Cause != nil {
		b.WriteString(": " + e.Cause.Error())
	}
	if e.Remedy != "" {
		b.WriteString(". " + e.Remedy)
	}
	if len(e.LogTail) > 0 {
		b.WriteString("\nIts last lines:\n  " + strings.Join(e.LogTail, "\n  "))
	}
	return b.String()
}

// Unwrap yields the kind and the cause, so that errors.Is finds both.
func (e *StartError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}
