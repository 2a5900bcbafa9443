package neo4jd

import (
	"bytes"
	"slices"
	"sync"
)

// tailLines is how many of the server's last lines an error carries.
const tailLines = 20

// maxLine bounds what a line without an end can take of our memory.
const maxLine = 64 << 10

// tail keeps the last lines of a stream. Safe for concurrent use.
type tail struct {
	mu    sync.Mutex
	lines []string
}

func (t *tail) add(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.lines) == tailLines {
		t.lines = slices.Delete(t.lines, 0, 1)
	}
	t.lines = append(t.lines, line)
}

func (t *tail) last() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.lines)
}

// lineWriter calls each for every whole line written to it, without its end. Not
// safe for concurrent use; os/exec writes from one goroutine.
type lineWriter struct {
	each func(line string)
	part []byte
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.part = append(w.part, p...)
	for {
		end := bytes.IndexByte(w.part, '\n')
		if end < 0 && len(w.part) > maxLine {
			end = maxLine
		}
		if end < 0 {
			return len(p), nil
		}
		w.each(string(bytes.TrimRight(w.part[:end], "\r")))
		w.part = w.part[min(end+1, len(w.part)):]
	}
}
