package neo4jd

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refuse starts a server that must not start, and checks that the error has the
// kind, and says each of the words.
func refuse(t *testing.T, c Config, kind error, words ...string) *StartError {
	t.Helper()
	s, err := Start(context.Background(), c)
	if err == nil {
		stop(t, s)
	}
	require.ErrorIs(t, err, kind)
	var failed *StartError
	require.ErrorAs(t, err, &failed)
	for _, word := range words {
		assert.Contains(t, err.Error(), word)
	}
	assert.True(t, strings.HasSuffix(failed.Remedy, "."), "the remedy is a sentence: %q", failed.Remedy)
	return failed
}

func TestNoJava(t *testing.T) {
	c := config(t)
	t.Setenv("JAVA_HOME", "")
	t.Setenv("PATH", t.TempDir())
	refuse(t, c, ErrNoJava, "make setup", "Java 17")
}

func TestJavaThatIsNone(t *testing.T) {
	c := config(t)
	fakeJava(t, "echo this is coffee >&2")
	refuse(t, c, ErrNoJava, "does not tell its version", "make setup")
}

func TestJavaTooOld(t *testing.T) {
	for version, major := range map[string]string{"1.8.0_302": "8", "11.0.22": "11", "16": "16"} {
		t.Run(version, func(t *testing.T) {
			c := config(t)
			java := fakeJava(t, `echo 'openjdk version "`+version+`" 2021-07-20' >&2`)
			refuse(t, c, ErrJavaTooOld, java, "version "+major, "make setup")
		})
	}
}

func TestJavaVersionsThatDo(t *testing.T) {
	for _, version := range []string{"17.0.15", "21", "25-ea", "100.1"} {
		java := fakeJava(t, `echo 'openjdk version "`+version+`" 2025-09-16' >&2`)
		got, err := findJava(context.Background())
		require.NoError(t, err, version)
		assert.Equal(t, java, got, "JAVA_HOME goes before the path")
	}
}

// fakeJava makes JAVA_HOME hold a java that runs the given shell command.
func fakeJava(t *testing.T, command string) string {
	t.Helper()
	home := t.TempDir()
	java := filepath.Join(home, "bin", "java")
	require.NoError(t, os.Mkdir(filepath.Dir(java), 0o755))
	require.NoError(t, os.WriteFile(java, []byte("#!/bin/sh\n"+command+"\n"), 0o755))
	t.Setenv("JAVA_HOME", home)
	return java
}

func TestLibMissing(t *testing.T) {
	c := config(t)
	complete := c.Lib

	c.Lib = t.TempDir()
	refuse(t, c, ErrLibMissing, c.Lib, "make setup")

	// All that is needed, but for one jar in the middle.
	require.NoError(t, os.Mkdir(filepath.Join(c.Lib, "jars"), 0o755))
	jars, err := filepath.Glob(filepath.Join(complete, "jars", "*.jar"))
	require.NoError(t, err)
	lost := len(jars) / 2
	for i, jar := range jars {
		if i != lost {
			require.NoError(t, os.Symlink(jar, filepath.Join(c.Lib, "jars", filepath.Base(jar))))
		}
	}
	for _, file := range []string{jvmArgsFile, classpathFile, settingsFile, "launcher.jar"} {
		require.NoError(t, os.Symlink(filepath.Join(complete, file), filepath.Join(c.Lib, file)))
	}
	refuse(t, c, ErrLibMissing, filepath.Base(jars[lost]), "make setup")
}

func TestLibIsFoundByVariableOrWorkingDirectory(t *testing.T) {
	t.Setenv(LibVariable, "")
	t.Chdir(t.TempDir())
	_, err := FindLib()
	require.ErrorIs(t, err, ErrLibMissing)
	assert.ErrorContains(t, err, "make setup")
	assert.ErrorContains(t, err, LibVariable)

	here := filepath.Join(".cache", "neo4j")
	require.NoError(t, os.MkdirAll(here, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(here, classpathFile), nil, 0o644))
	got, err := FindLib()
	require.NoError(t, err)
	assert.True(t, strings.HasSuffix(got, here), got)

	t.Setenv(LibVariable, "/elsewhere")
	got, err = FindLib()
	require.NoError(t, err)
	assert.Equal(t, "/elsewhere", got)
}

func TestSecondStartIsRefused(t *testing.T) {
	c := config(t)
	s := start(t, c)
	begin := time.Now()
	refuse(t, c, ErrInUse, c.Home, "by process", "--data")
	assert.Less(t, time.Since(begin), orphanGrace, "waited for a gateway that lives")

	_, line := startGateway(t, "serve", c.Home)
	assert.Contains(t, line, "refused")
	assert.Contains(t, line, "data folder in use")

	// A server that no gateway owns has Neo4j's lock, but not ours.
	require.NoError(t, os.Remove(filepath.Join(c.Home, lockFile)))
	refuse(t, c, ErrInUse, c.Home, "by process")

	// Nor would a race past our own checks start two: Neo4j itself refuses.
	java, err := findJava(context.Background())
	require.NoError(t, err)
	p, err := spawn(java, c)
	require.NoError(t, err)
	_, err = awaitReady(context.Background(), p, c)
	require.ErrorIs(t, err, ErrInUse)

	_, err = ask(t, s.URI(), s.Password(), "RETURN 1")
	assert.NoError(t, err, "the refused ones must not have touched the first")
}

func TestPortTaken(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	c := config(t)
	c.Port = listener.Addr().(*net.TCPAddr).Port
	refuse(t, c, ErrPortTaken, listener.Addr().String())

	require.NoError(t, listener.Close())
	s := start(t, c)
	assert.Equal(t, "bolt://"+listener.Addr().String(), s.URI())
	testStopByForce(t, s)
}

func TestDiedAtStart(t *testing.T) {
	c := config(t)
	c.HeapMB = 1
	failed := refuse(t, c, ErrDied, c.Home, "debug.log")
	assert.NotEmpty(t, failed.LogTail)
	assert.Contains(t, failed.Error(), failed.LogTail[0])
}

func TestDamagedStoreIsReported(t *testing.T) {
	c := config(t)
	stop(t, start(t, c))
	store := filepath.Join(c.Home, "data", "databases", "neo4j", "neostore")
	require.NoError(t, os.WriteFile(store, []byte("damaged"), 0o600))
	failed := refuse(t, c, ErrDied, "debug.log")
	assert.NotEmpty(t, failed.LogTail)
}
