package neo4jd

import (
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// process is a running launcher.
type process struct {
	cmd *exec.Cmd
	// parent is our end of the child's standard input. The kernel closes it when we
	// die, whatever we die of, and the launcher stops at its end.
	parent io.Closer
	// report receives the launcher's one line on standard output.
	report chan string
	// exited is closed when the process is gone and its output is read.
	exited chan struct{}
	log    *tail
}

// spawn starts the launcher. The caller must wait for exited in the end.
//
// SECURITY: no server outlives its gateway. TestServerDiesWithKilledParent.
func spawn(java string, c Config) (*process, error) {
	p := &process{
		cmd:    exec.Command(java, javaArgs(c)...),
		report: make(chan string, 1),
		exited: make(chan struct{}),
		log:    &tail{},
	}
	p.cmd.Dir = c.Lib
	p.cmd.Env = childEnvironment(os.Environ())
	// Ctrl-C goes to the whole group of the terminal. In a group of its own the
	// server does not see it, and is still there while the gateway finishes its
	// requests.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Stdout = &lineWriter{each: p.first}
	p.cmd.Stderr = &lineWriter{each: func(line string) {
		p.log.add(line)
		c.Log.Debug(line, slog.String("from", "neo4j"))
	}}
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, &StartError{Kind: ErrDied, Cause: err}
	}
	p.parent = stdin
	if err := p.cmd.Start(); err != nil {
		return nil, &StartError{Kind: ErrDied, Subject: java, Cause: err}
	}
	go func() {
		defer close(p.exited)
		// The state says all there is to know, and is read after exited.
		_ = p.cmd.Wait()
	}()
	return p, nil
}

// first passes the first line on; the launcher promises that there is one only.
func (p *process) first(line string) {
	select {
	case p.report <- line:
	default:
	}
}

// kill ends the process without asking it, and returns when it is gone.
func (p *process) kill() {
	// It fails only if the process has gone already.
	_ = p.cmd.Process.Kill()
	<-p.exited
}

// childEnvironment leaves out what is not Java's concern, tokens and passwords of
// the gateway among it.
func childEnvironment(ours []string) []string {
	var theirs []string
	for _, entry := range ours {
		name, _, _ := strings.Cut(entry, "=")
		switch name {
		case "PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "JAVA_HOME", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS":
			theirs = append(theirs, entry)
		}
	}
	return theirs
}
