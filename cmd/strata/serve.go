package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-gateway/strata/server"
)

// drainTime is how long requests in flight may take when the gateway stops.
const drainTime = 10 * time.Second

func serveCommand() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the gateway",
		Long: "Run the gateway, with an embedded Neo4j under --data unless --neo4j names another. One line\n" +
			"`ready http://…` on standard output says that it serves, migrations and demo included; everything\n" +
			"else goes to standard error. SIGINT and SIGTERM stop it and all it started.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(os.LookupEnv); err != nil {
				return err
			}
			log, err := newLog(cmd.ErrOrStderr(), o.logLevel, o.logFormat)
			if err != nil {
				return err
			}
			return serve(cmd.Context(), o, log, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	o.bind(cmd.Flags())
	return cmd
}

// serve runs a gateway until the context ends, which is no error, or something it needs does. It listens
// before it starts anything, so that a taken port costs nothing, and is healthy but not ready until the
// gateway is there.
func serve(ctx context.Context, o serveOptions, log *slog.Logger, out, errOut io.Writer) error {
	listener, err := listen(o.listen, log)
	if err != nil {
		return err
	}
	metrics := newMetrics()
	stopMetrics, err := serveMetrics(o.metrics, metrics, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	door := new(server.Door)
	web := server.NewHTTP(door, log)
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	g, err := start(ctx, o, metrics, log)
	if err != nil {
		return errors.Join(unlessStopped(ctx, err), drain(web), stopMetrics())
	}
	door.Open(g.handler)
	cool := g.warm(ctx, log)
	err = g.welcome(o, baseURL(listener.Addr()), out, errOut)
	if err == nil {
		err = g.wait(ctx, served)
	}
	log.Info("stopping")
	cool()
	// In this order: requests in flight need the store.
	return errors.Join(err, g.leave(o), drain(web), stopMetrics(), g.cache.Close(), g.storage.close())
}

// warm has the store compile in the background what the first requests will run: the gateway is ready
// without, and a first walk is not cut for the time that takes. The function it returns ends that.
func (g *gateway) warm(ctx context.Context, log *slog.Logger) (cool func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		start := time.Now()
		switch err := g.storage.Warm(ctx); {
		case err == nil:
			log.Debug("the store is warm", "took", time.Since(start))
		case ctx.Err() == nil:
			log.Warn("the store could not be warmed: first requests may take longer", "error", err)
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// welcome tells people and clients that the gateway is there.
func (g *gateway) welcome(o serveOptions, url string, out, errOut io.Writer) error {
	if o.usesLocalKey() {
		if err := (local{URL: url, Admin: g.firstAdmin}).write(o.data); err != nil {
			return err
		}
	}
	return announce(out, errOut, url, o, g)
}

// leave takes back what welcome left for clients.
func (g *gateway) leave(o serveOptions) error {
	if o.usesLocalKey() {
		return removeLocal(o.data)
	}
	return nil
}

// wait returns when the context ends, without an error, or what the gateway needs does.
func (g *gateway) wait(ctx context.Context, served <-chan error) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-served:
		return fmt.Errorf("serve: %w", err)
	case <-g.storage.gone():
		return g.storage.embedded.Err()
	}
}

// unlessStopped forgets an error that is only the echo of a signal.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// drain stops to accept requests and waits for those in flight.
func drain(web *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	if err := web.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("stop: %w", err), web.Close())
	}
	return nil
}

// listen opens the address. Errors say what to do.
func listen(address string, log *slog.Logger) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is taken: stop what listens there, or choose another address by --listen or STRATA_LISTEN", address)
	case err != nil:
		return nil, fmt.Errorf("cannot listen: %w; choose another address by --listen or STRATA_LISTEN", err)
	}
	if !staysHere(listener.Addr()) {
		log.Warn("listening beyond this machine without TLS: put a proxy that ends TLS in front", "address", listener.Addr().String())
	}
	return listener, nil
}

// staysHere reports whether only this machine reaches a listener.
func staysHere(address net.Addr) bool {
	tcp, ok := address.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// baseURL is where a client of this machine reaches a listener.
func baseURL(address net.Addr) string {
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("http://127.0.0.1:%d", tcp.Port)
	}
	return "http://" + address.String()
}
