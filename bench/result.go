package bench

import (
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/strata-gateway/strata/bench/estate"
)

// Result is what a run saw. Times are in nanoseconds in its JSON.
type Result struct {
	Machine  Machine           `json:"machine"`
	Versions map[string]string `json:"versions"`
	Estate   estate.Report     `json:"estate"`
	Rounds   int               `json:"rounds"`
	Took     time.Duration     `json:"took"`
	Rows     []Row             `json:"rows"`
	// Sizes say how much an answer is, by work.
	Sizes map[string]Size `json:"sizes"`
	// Statements is the most Cypher statements of a request, by the operation's name.
	Statements map[string]int `json:"statements"`
}

// Row is one comparison.
type Row struct {
	Work    string `json:"work"`
	Against string `json:"against"`
	Ours    Times  `json:"ours"`
	Theirs  Times  `json:"theirs"`
	// Ratio is the median of ours over theirs, pair by pair.
	Ratio float64 `json:"ratio"`
	// Goal is the greatest ratio that is good, 0 for none, and Met whether it was reached, nil without a goal.
	Goal float64 `json:"goal,omitempty"`
	Met  *bool   `json:"met,omitempty"`
}

// Times are quantiles of the samples of a contender.
type Times struct {
	P50 time.Duration `json:"p50"`
	P95 time.Duration `json:"p95"`
}

func timesOf(samples []time.Duration) Times {
	return Times{P50: quantile(samples, 0.5), P95: quantile(samples, 0.95)}
}

// Size is how much an answer is. The edges of a page are the suites on it.
type Size struct {
	Nodes int `json:"nodes"`
	Edges int `json:"edges"`
	Bytes int `json:"bytes"`
}

// median is the median of each number. There must be a size.
func median(sizes []Size) Size {
	of := func(number func(Size) int) int {
		all := make([]int, len(sizes))
		for i, s := range sizes {
			all[i] = number(s)
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	return Size{
		Nodes: of(func(s Size) int { return s.Nodes }),
		Edges: of(func(s Size) int { return s.Edges }),
		Bytes: of(func(s Size) int { return s.Bytes }),
	}
}

// Machine is where it ran.
type Machine struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	OS    string `json:"os"`
	// Load is how many threads ran or waited in the last minute, on average, when it began: what others did
	// on the machine. 0 where it is not known.
	Load float64 `json:"load"`
}

// machine describes this one.
func machine() Machine {
	m := Machine{CPU: runtime.GOARCH, Cores: runtime.NumCPU(), OS: runtime.GOOS + "/" + runtime.GOARCH}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		lastMinute, _, _ := strings.Cut(string(load), " ")
		m.Load, _ = strconv.ParseFloat(lastMinute, 64) // 0 if it is written otherwise
	}
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return m // not a Linux: the architecture must do
	}
	for line := range strings.Lines(string(info)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			m.CPU = strings.TrimSpace(value)
		}
	}
	return m
}

// print writes the table.
func (r Result) print(out io.Writer) {
	c := r.Estate.Counts
	_, _ = fmt.Fprintf(out, "%d assets, %d edges, %d columns, %d suites; %s, %d cores, load %.1f; %d rounds in %s\n\n",
		c.Assets, c.Edges, c.Columns, c.Suites, r.Machine.CPU, r.Machine.Cores, r.Machine.Load, r.Rounds, r.Took.Round(time.Second))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "work\tagainst\tours p50\tours p95\ttheirs p50\ttheirs p95\tratio\tgoal\tmet")
	for _, row := range r.Rows {
		goal, met := "", ""
		if row.Met != nil {
			goal, met = fmt.Sprintf("≤ %.2f", row.Goal), map[bool]string{true: "yes", false: "NO"}[*row.Met]
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%.2f\t%s\t%s\n", row.Work, row.Against,
			millis(row.Ours.P50), millis(row.Ours.P95), millis(row.Theirs.P50), millis(row.Theirs.P95), row.Ratio, goal, met)
	}
	_ = w.Flush()
	_, _ = fmt.Fprintln(out)
	for _, work := range slices.Sorted(maps.Keys(r.Sizes)) {
		s := r.Sizes[work]
		_, _ = fmt.Fprintf(out, "%s: %d nodes, %d edges or suites, %d bytes\n", work, s.Nodes, s.Edges, s.Bytes)
	}
	for _, operation := range slices.Sorted(maps.Keys(r.Statements)) {
		_, _ = fmt.Fprintf(out, "%s: at most %d Cypher statements a request\n", operation, r.Statements[operation])
	}
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
}
