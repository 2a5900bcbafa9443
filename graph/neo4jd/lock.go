package neo4jd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	lockFile = "lock"
	// storeLock is what Neo4j itself locks while it runs.
	storeLock = "data/databases/store_lock"
	// orphanGrace is twice the five seconds after which the launcher ends by force
	// when its parent is gone: the machine may be busy.
	orphanGrace = 10 * time.Second
	orphanPoll  = 20 * time.Millisecond
)

// lockFolder claims a data folder for this process. It fails at once if another
// gateway has it. If only a server is left whose gateway was killed, that server
// is on its way out: lockFolder waits for it, so that a supervisor may start a
// killed gateway again at once.
func lockFolder(ctx context.Context, dir string) (*os.File, error) {
	path := filepath.Join(dir, lockFile)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, notWritable(path, err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		err = waitForOrphan(ctx, dir)
	} else if errors.Is(err, syscall.EWOULDBLOCK) {
		// Best effort: the number is for the message only.
		owner, _ := io.ReadAll(f)
		err = inUse(dir, strings.TrimSpace(string(owner)))
	}
	if err == nil {
		err = writeOwner(f)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// writeOwner leaves this process's number for the message of whoever is refused.
func writeOwner(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return notWritable(f.Name(), err)
	}
	if _, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0); err != nil {
		return notWritable(f.Name(), err)
	}
	return nil
}

func waitForOrphan(ctx context.Context, dir string) error {
	deadline := time.NewTimer(orphanGrace)
	defer deadline.Stop()
	poll := time.NewTicker(orphanPoll)
	defer poll.Stop()
	for {
		held, holder, err := storeHolder(dir)
		if err != nil || !held {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			return inUse(dir, strconv.Itoa(holder))
		case <-poll.C:
		}
	}
}

// storeHolder says whether a process has Neo4j's own lock, and which; its number
// is 0 if it lives in another container.
func storeHolder(dir string) (held bool, pid int, err error) {
	f, err := os.Open(filepath.Join(dir, storeLock))
	if errors.Is(err, os.ErrNotExist) {
		return false, 0, nil
	}
	if err != nil {
		return false, 0, notWritable(dir, err)
	}
	defer f.Close()
	probe := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &probe); err != nil {
		return false, 0, fmt.Errorf("embedded Neo4j: ask for the lock of %s: %w", dir, err)
	}
	return probe.Type != syscall.F_UNLCK, int(probe.Pid), nil
}

func inUse(dir, owner string) error {
	subject := dir
	if owner != "" {
		subject += ", by process " + owner
	}
	return &StartError{
		Kind:    ErrInUse,
		Subject: subject,
		Remedy:  "Stop the other gateway, or give this one a folder of its own with --data.",
	}
}
