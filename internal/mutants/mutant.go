// Package mutants breaks the rules of authorization one at a time and sees whether a test notices: a rule
// that can be broken unnoticed is not tested. `make mutants` runs it; docs/contributing.md says when.
package mutants

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Mutant is one way to break a rule: a text of a file that stands there once, and what is put in its place.
type Mutant struct {
	// Name says what is broken.
	Name string
	// File is relative to the root of the module.
	File     string
	From, To string
}

// Write writes the broken file into a folder and returns its path.
// Errors: the text does not stand in the file exactly once, so the mutant has to follow the code.
func (m Mutant) Write(root, folder string) (string, error) {
	source, err := os.ReadFile(filepath.Join(root, m.File))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(source), m.From); n != 1 {
		return "", fmt.Errorf("mutants: %s: the text to break stands in %s %d times", m.Name, m.File, n)
	}
	path := filepath.Join(folder, filepath.Base(m.File))
	return path, os.WriteFile(path, []byte(strings.Replace(string(source), m.From, m.To, 1)), 0o600)
}
