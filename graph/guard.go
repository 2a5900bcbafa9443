package graph

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

const (
	// ownEnd is how long the server may take to end by itself what ran out of time.
	ownEnd = time.Second
	// orderTime bounds an order to end something. A server that does not answer one in this time hangs: it is
	// longer than a collection of garbage, and Warm has had the order compiled.
	orderTime = 5 * time.Second
	// Orders are repeated: the first may come before what it is to end has begun.
	orderPauseMin, orderPauseMax = 50 * time.Millisecond, time.Second
)

// guard stands beside a statement or transaction. When the context of who asked ends, it ends on the server
// too what nobody waits for any more, and breaks the connection off if the server does not answer at all.
type guard struct {
	store *Store
	// mark tells the transaction on the server from all others.
	mark  string
	ended chan struct{}
	off   func() bool
}

// guard begins to stand beside what the context is for; end must be called.
func (s *Store) guard(ctx context.Context) *guard {
	g := &guard{store: s, mark: s.mark + strconv.FormatUint(s.marks.Add(1), 36), ended: make(chan struct{})}
	g.off = context.AfterFunc(ctx, func() { g.stop(ctx) })
	return g
}

func (g *guard) end() {
	g.off()
	close(g.ended)
}

// options are what the transaction on the server is started with.
func (g *guard) options(limit time.Duration) []func(*neo4j.TransactionConfig) {
	return []func(*neo4j.TransactionConfig){neo4j.WithTxTimeout(limit), neo4j.WithTxMetadata(map[string]any{"strata": g.mark})}
}

// endsWithin waits, and reports whether what is guarded ended meanwhile.
func (g *guard) endsWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-g.ended:
		return true
	case <-timer.C:
		return false
	}
}

// stop ends what is guarded. The server knows the deadline itself, and ends what reaches it with an error
// that says so.
func (g *guard) stop(ctx context.Context) {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && g.endsWithin(ownEnd) {
		return
	}
	for pause := orderPauseMin; ; pause = min(2*pause, orderPauseMax) {
		hangs, err := g.order(context.WithoutCancel(ctx))
		switch {
		case hangs:
			g.store.wires.breakSilent(orderTime)
		case err != nil:
			g.store.log.WarnContext(ctx, "the store does not end transactions by order", slog.Any("error", err))
			return
		}
		if g.endsWithin(pause) {
			return
		}
	}
}

const endTransactionQuery = `
SHOW TRANSACTIONS YIELD transactionId AS id, metaData
WHERE metaData.strata = $mark
TERMINATE TRANSACTIONS id YIELD message
RETURN message`

// order tells the server to end the transaction. It reports whether the server hangs.
func (g *guard) order(ctx context.Context) (hangs bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, orderTime)
	defer cancel()
	session := g.store.driver.NewSession(ctx, neo4j.SessionConfig{AccessMode: readMode})
	defer func() { _ = session.Close(ctx) }()
	result, err := session.Run(ctx, endTransactionQuery, map[string]any{"mark": g.mark})
	if err == nil {
		_, err = result.Consume(ctx)
	}
	// A server that is gone breaks the connections itself.
	if neo4j.IsConnectivityError(err) && ctx.Err() == nil {
		err = nil
	}
	return err != nil && ctx.Err() != nil, err
}
