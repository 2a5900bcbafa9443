package neo4jd

import (
	"log/slog"
	"path/filepath"
)

// defaultHeapMB holds the caches and queries of an estate of 100,000 assets, and the transaction that loads
// a dbt project of thousands of models beside them. The Java machine takes of it what it needs.
const defaultHeapMB = 1024

// Config says where and how to start a server. Home is the only field that must
// be set.
type Config struct {
	// Home is the data folder. It is created if it does not exist, and closed to
	// all users but its owner.
	Home string

	// Lib is the folder that `make setup` fills with the server's jars. Empty
	// means the folder that FindLib finds.
	Lib string

	// Port is the Bolt port on the loopback interface. 0 lets the kernel choose,
	// which cannot collide with anything.
	Port int

	// HeapMB bounds the Java heap, in mebibytes. 0 means 1024. The page cache takes
	// a quarter of this besides, at least 64 MiB.
	HeapMB int

	// Log receives what the server says, at debug level, and when it starts and
	// stops, at info level. Nil means slog.Default.
	Log *slog.Logger

	// FastStart trades peak speed for half a second of start, for tests: the Java
	// machine keeps to its quick compiler.
	FastStart bool
}

// withDefaults fills what was left out and makes the paths absolute, because the
// server runs in a working directory of its own.
func (c Config) withDefaults() (Config, error) {
	if c.HeapMB == 0 {
		c.HeapMB = defaultHeapMB
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Lib == "" {
		lib, err := FindLib()
		if err != nil {
			return c, err
		}
		c.Lib = lib
	}
	var err error
	if c.Lib, err = filepath.Abs(c.Lib); err != nil {
		return c, &StartError{Kind: ErrLibMissing, Cause: err}
	}
	if c.Home, err = filepath.Abs(c.Home); err != nil {
		return c, &StartError{Kind: ErrNotWritable, Cause: err}
	}
	return c, nil
}

// pageCacheMB is the memory for cached store files, outside the heap. Neo4j's own
// default is half of the machine.
func (c Config) pageCacheMB() int {
	return max(64, c.HeapMB/4)
}
