package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// localFile tells the clients of this machine about the gateway that runs on a data folder.
const localFile = "gateway.json"

// local is what it says.
type local struct {
	// URL is where the gateway listens.
	URL string `json:"url"`
	// Admin is the first admin, whom a client speaks for if it does not say; "" if there is none.
	Admin string `json:"admin,omitempty"`
}

// write leaves the file in a data folder, whole or not at all.
func (l local) write(data string) error {
	content, err := json.Marshal(l)
	if err != nil {
		return err
	}
	draft, err := os.CreateTemp(data, localFile+".*")
	if err != nil {
		return fmt.Errorf("tell clients where the gateway is: %w", err)
	}
	_, err = draft.Write(append(content, '\n'))
	if err = errors.Join(err, draft.Close()); err == nil {
		err = os.Rename(draft.Name(), filepath.Join(data, localFile))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("tell clients where the gateway is: %w", err), os.Remove(draft.Name()))
	}
	return nil
}

// readLocal reads the file; its zero value if no gateway runs on the folder.
func readLocal(data string) (local, error) {
	var l local
	content, err := os.ReadFile(filepath.Join(data, localFile))
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err == nil {
		err = json.Unmarshal(content, &l)
	}
	if err != nil {
		return local{}, fmt.Errorf("%s in %s: %w", localFile, data, err)
	}
	return l, nil
}

// removeLocal takes the file away when the gateway stops.
func removeLocal(data string) error {
	err := os.Remove(filepath.Join(data, localFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
