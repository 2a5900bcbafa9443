package neo4jd

import (
	"context"
	"strconv"
	"strings"
)

// awaitReady returns the port that the launcher reports, or why there is none. In
// the second case the process is gone when it returns.
func awaitReady(ctx context.Context, p *process, c Config) (port string, err error) {
	select {
	case line := <-p.report:
		return readReport(line, p, c)
	case <-p.exited:
		// The line may have come with the end.
		select {
		case line := <-p.report:
			return readReport(line, p, c)
		default:
			return "", died(p, c, p.cmd.ProcessState.String())
		}
	case <-ctx.Done():
		p.kill()
		return "", ctx.Err()
	}
}

func readReport(line string, p *process, c Config) (port string, err error) {
	verb, rest, _ := strings.Cut(line, " ")
	if verb == "ready" {
		return rest, nil
	}
	kind, message, _ := strings.Cut(rest, " ")
	if verb != "failed" {
		kind, message = "other", line
	}
	// A launcher that failed is ending; its log is complete when it has.
	p.kill()
	switch kind {
	case "in-use":
		return "", inUse(c.Home, "")
	case "not-writable":
		return "", &StartError{Kind: ErrNotWritable, Subject: message, Remedy: "Give this user the right to write there."}
	case "port-taken":
		return "", &StartError{
			Kind:    ErrPortTaken,
			Subject: "127.0.0.1:" + strconv.Itoa(c.Port),
			Remedy:  "Stop what listens there, or leave the port to the kernel by configuring 0.",
		}
	default:
		return "", died(p, c, message)
	}
}

func died(p *process, c Config, how string) error {
	return &StartError{
		Kind:    ErrDied,
		Subject: how,
		Remedy:  "Read " + c.Home + "/logs/debug.log for Neo4j's own account.",
		LogTail: p.log.last(),
	}
}
