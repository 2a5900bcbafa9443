package graph

import (
	"context"
	"errors"
	"net"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// dialTime bounds how long a connection may take to come about: the driver's own default.
const dialTime = 5 * time.Second

// wires are the store's open connections, which can be broken off while the driver reads from them. It has
// no means of its own for that but a deadline on the context, which costs a goroutine for every read.
type wires struct {
	network string
	mu      sync.Mutex
	open    map[*wire]struct{}
}

// wire is a connection that knows since when a read waits for the other end.
type wire struct {
	net.Conn
	all   *wires
	since atomic.Int64 // nanoseconds since 1970; 0 while no read waits
}

func newWires(uri string) *wires {
	network := "tcp"
	if strings.HasPrefix(uri, "bolt+unix:") {
		network = "unix"
	}
	return &wires{network: network, open: map[*wire]struct{}{}}
}

func (w *wires) dial(ctx context.Context, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{Timeout: dialTime}).DialContext(ctx, w.network, address)
	if err != nil {
		return nil, err
	}
	c := &wire{Conn: conn, all: w}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open[c] = struct{}{}
	return c, nil
}

// breakSilent closes the connections from which a read has waited for longer than that: whoever reads gets
// an error, and the driver makes others.
func (w *wires) breakSilent(silence time.Duration) {
	before := time.Now().Add(-silence).UnixNano()
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.open {
		if since := c.since.Load(); since != 0 && since < before {
			_ = c.Conn.Close() // its reader gets the error, and closes the wire
		}
	}
}

// Read implements net.Conn.
func (c *wire) Read(p []byte) (int, error) {
	c.since.Store(time.Now().UnixNano())
	defer c.since.Store(0)
	return c.Conn.Read(p)
}

// Close implements net.Conn.
func (c *wire) Close() error {
	c.all.mu.Lock()
	delete(c.all.open, c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}

// errNoDialer says that the driver is another than the one this was written for.
var errNoDialer = errors.New("the driver has no connector.SupplyConnection")

// dialBy makes the driver dial by the function. The driver keeps the place for it to itself, so that it is
// reached by name: TestDriverDialsByTheStore fails if a new version has moved it.
func dialBy(driver neo4j.DriverWithContext, dial func(context.Context, string) (net.Conn, error)) error {
	d := reflect.Indirect(reflect.ValueOf(driver))
	if d.Kind() != reflect.Struct {
		return errNoDialer
	}
	connector := d.FieldByName("connector")
	if connector.Kind() != reflect.Struct {
		return errNoDialer
	}
	place := connector.FieldByName("SupplyConnection")
	if !place.IsValid() || place.Type() != reflect.TypeOf(dial) {
		return errNoDialer
	}
	reflect.NewAt(place.Type(), place.Addr().UnsafePointer()).Elem().Set(reflect.ValueOf(dial))
	return nil
}
