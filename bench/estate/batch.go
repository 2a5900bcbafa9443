package estate

import (
	"context"
	"iter"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// batchSize is how many rows a statement writes.
const batchSize = 5_000

// record is one row of a batch.
type record = map[string]any

// writeAll runs a statement over all rows, a batch at a time: no more than one is in memory.
func (l *loader) writeAll(ctx context.Context, statement string, rows iter.Seq[record]) error {
	batch := make([]any, 0, batchSize)
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		_, err := l.run(ctx, statement, record{"rows": batch, "workspace": l.params.Workspace, "at": base().UnixMilli()})
		batch = batch[:0]
		return err
	}
	for row := range rows {
		if batch = append(batch, row); len(batch) == batchSize {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// run runs a statement in a transaction of its own.
func (l *loader) run(ctx context.Context, statement string, params record) ([]*neo4j.Record, error) {
	session := l.driver.NewSession(ctx, neo4j.SessionConfig{})
	defer func() { _ = session.Close(ctx) }()
	result, err := session.Run(ctx, statement, params)
	if err != nil {
		return nil, err
	}
	return result.Collect(ctx)
}

// orAbsent is a text as a property: "" is none.
func orAbsent(s string) any {
	if s == "" {
		return nil
	}
	return s
}
