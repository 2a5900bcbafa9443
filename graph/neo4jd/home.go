package neo4jd

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	passwordFile = "password"
	// systemStore exists from the moment Neo4j has made its user, and with it the
	// password, permanent.
	systemStore = "data/databases/system/neostore"
)

// home is a data folder that this process has claimed: no other gateway uses it
// until release.
type home struct {
	dir      string
	password string
	lock     *os.File
}

// claimHome makes the folder ready for a server and keeps others off it.
func claimHome(ctx context.Context, c Config) (*home, error) {
	// SECURITY: the store's files are readable by whoever may enter the folder, so
	// only its owner may. TestDataFolderIsPrivate.
	if err := errors.Join(os.MkdirAll(filepath.Join(c.Home, "logs"), 0o700), os.Chmod(c.Home, 0o700)); err != nil {
		return nil, notWritable(c.Home, err)
	}
	lock, err := lockFolder(ctx, c.Home)
	if err != nil {
		return nil, err
	}
	h := &home{dir: c.Home, lock: lock}
	if h.password, err = h.readOrMakePassword(); err == nil {
		err = h.writeSettings(c)
	}
	if err != nil {
		h.release()
		return nil, err
	}
	return h, nil
}

// release lets others claim the folder.
func (h *home) release() {
	// Closing the file drops the lock; there is nothing to lose in it.
	_ = h.lock.Close()
}

// readOrMakePassword returns the password of the user neo4j. At the first start it
// makes one: the launcher reads it from the same file.
//
// SECURITY: the file is the only place of the password, and is its owner's alone.
// TestPasswordIsRandomAndPrivate.
func (h *home) readOrMakePassword() (string, error) {
	path := filepath.Join(h.dir, passwordFile)
	content, err := os.ReadFile(path)
	if err == nil {
		if err := os.Chmod(path, 0o600); err != nil {
			return "", notWritable(path, err)
		}
		return strings.TrimSpace(string(content)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", notWritable(path, err)
	}
	if _, err := os.Stat(filepath.Join(h.dir, systemStore)); err == nil {
		return "", &StartError{
			Kind:    ErrPasswordLost,
			Subject: path,
			Remedy:  "Restore the file from a backup, or move " + h.dir + " away to start with an empty store.",
		}
	}
	// Hexadecimal: it can never begin with the dash of an option.
	random := make([]byte, 32)
	if _, err := rand.Read(random); err != nil {
		return "", fmt.Errorf("embedded Neo4j: make a password: %w", err)
	}
	password := hex.EncodeToString(random)
	if err := replaceFile(path, []byte(password+"\n")); err != nil {
		return "", notWritable(path, err)
	}
	return password, nil
}

// writeSettings writes the server's settings anew, so that those of an older
// version do not linger.
func (h *home) writeSettings(c Config) error {
	common, err := os.ReadFile(filepath.Join(c.Lib, settingsFile))
	if err != nil {
		return &StartError{Kind: ErrLibMissing, Cause: err, Remedy: runSetup}
	}
	var own strings.Builder
	for line := range strings.Lines(string(common)) {
		// A setting given twice stops the server.
		if !strings.HasPrefix(line, "server.bolt.listen_address=") {
			own.WriteString(line)
		}
	}
	fmt.Fprintf(&own, "\nserver.bolt.listen_address=127.0.0.1:%d\n", c.Port)
	fmt.Fprintf(&own, "server.memory.pagecache.size=%dm\n", c.pageCacheMB())
	path := filepath.Join(h.dir, settingsFile)
	if err := replaceFile(path, []byte(own.String())); err != nil {
		return notWritable(path, err)
	}
	return nil
}

// replaceFile writes a file of mode 0600 so that a crash leaves the old content or
// the new, never a part.
func replaceFile(path string, content []byte) error {
	// CreateTemp's files have mode 0600.
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func notWritable(path string, cause error) error {
	return &StartError{
		Kind:    ErrNotWritable,
		Subject: path,
		Cause:   cause,
		Remedy:  "Give this user the right to write there, or choose another folder with --data.",
	}
}
