package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// suites are the tests that are asked, the quickest first: the next is asked only if one noticed nothing.
func suites() [][]string {
	return [][]string{
		{"./authz"},
		{"./graph", "-run=Ladder|Rank|Restrict|Hidden|Group|Demoted|Scope|Condition|Class|Audience|Assert"},
		{"./server", "-run=Read|Recorded|Shown|Revocation|Enrol"},
		{"./lineage", "-run=Impact|Pin|Canvas", "-rapid.checks=30"},
		{"./internal/agreement", "-rapid.checks=8"},
	}
}

// errSurvived is returned if some mutant was not noticed.
var errSurvived = errors.New("mutants: a rule can be broken without a test noticing")

// Run tries every mutant and prints what noticed it. The tests find their servers as any others do.
func Run(ctx context.Context, root string, all []Mutant, out io.Writer) error {
	survived := 0
	var broken []error
	for _, m := range all {
		noticed, err := try(ctx, root, m)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			broken = append(broken, err)
			continue
		}
		if noticed == "" {
			survived++
			noticed = "NOBODY"
		}
		_, _ = fmt.Fprintf(out, "%-55s noticed by %s\n", m.Name, noticed)
	}
	_, _ = fmt.Fprintf(out, "%d mutants, %d survived\n", len(all), survived)
	if survived > 0 {
		broken = append(broken, errSurvived)
	}
	return errors.Join(broken...)
}

// try returns the package whose tests notice a mutant, "" if none does.
func try(ctx context.Context, root string, m Mutant) (noticed string, err error) {
	folder, err := os.MkdirTemp("", "strata-mutant")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	overlay, err := m.overlay(root, folder)
	if err != nil {
		return "", err
	}
	for _, s := range suites() {
		output, err := goTool(ctx, root, append([]string{"test", "-vet=off", "-count=1", "-overlay=" + overlay}, s...)...)
		if bytes.Contains(output, []byte("[build failed]")) {
			return "", fmt.Errorf("mutants: %s does not build:\n%s", m.Name, output)
		}
		if err != nil {
			return s[0], ctx.Err()
		}
	}
	return "", nil
}

// overlay writes the broken file and what tells the go command to read it instead of the good one.
func (m Mutant) overlay(root, folder string) (string, error) {
	broken, err := m.Write(root, folder)
	if err != nil {
		return "", err
	}
	content, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, m.File): broken}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "overlay.json")
	return path, os.WriteFile(path, content, 0o600)
}

func goTool(ctx context.Context, root string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	return cmd.CombinedOutput()
}
