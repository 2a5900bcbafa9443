package graph

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/strata-gateway/strata/fault"
)

const (
	// attempts bounds the tries of one statement or transaction.
	attempts = 8
	// Deadlocks are over in milliseconds; the driver's own retry would sleep a second.
	deadlockPauseMin, deadlockPauseMax = 2 * time.Millisecond, 20 * time.Millisecond
	// A leader switch takes longer.
	clusterPauseMin, clusterPauseMax = 50 * time.Millisecond, 500 * time.Millisecond
)

// retry runs work until it succeeds, fails for good, or is out of tries or time, and translates what
// the driver returned into a fault.
func (s *Store) retry(ctx context.Context, work func() error) error {
	var err error
	for range attempts {
		if err = work(); err == nil {
			return nil
		}
		if ctx.Err() != nil && ended(err) {
			return translate(ctx.Err())
		}
		pause := retryPause(err)
		if pause == 0 {
			break
		}
		select {
		case <-ctx.Done():
			return translate(ctx.Err())
		case <-time.After(pause):
		}
	}
	return translate(err)
}

// ended reports whether an error may be that of something which its guard ended.
func ended(err error) bool {
	code := fault.CodeOf(translate(err))
	return code == fault.CodeUnavailable || code == fault.CodeInternal
}

// retryPause is how long to wait before a try that may fare better, 0 if none will.
func retryPause(err error) time.Duration {
	var ne *neo4j.Neo4jError
	switch {
	case fault.Of(err) != nil:
		return 0
	case errors.As(err, &ne) && strings.Contains(ne.Code, "DeadlockDetected"):
		return between(deadlockPauseMin, deadlockPauseMax)
	case errors.As(err, &ne) && isConstraint(ne):
		return 0
	case neo4j.IsRetryable(err):
		return between(clusterPauseMin, clusterPauseMax)
	}
	return 0
}

func between(low, high time.Duration) time.Duration {
	return low + rand.N(high-low)
}

func isConstraint(err *neo4j.Neo4jError) bool {
	return strings.Contains(err.Code, "ConstraintValidationFailed")
}

// translate turns a driver's error into a fault: CONFLICT, TIMEOUT or UNAVAILABLE. Faults and defects,
// such as a syntax error, pass as they are.
func translate(err error) error {
	var ne *neo4j.Neo4jError
	switch {
	case err == nil || fault.Of(err) != nil:
		return err
	case errors.As(err, &ne) && isConstraint(ne):
		return fault.Wrap(fault.CodeConflict, "Someone made the same thing at the same time, or it exists already. Look it up, or try again.", err)
	case errors.As(err, &ne) && strings.Contains(ne.Code, "TransactionTimedOut"):
		return fault.Wrap(fault.CodeTimeout, "The graph store took too long. Ask for less, or try again.", err)
	case neo4j.IsConnectivityError(err) || neo4j.IsRetryable(err):
		return fault.Wrap(fault.CodeUnavailable, "The graph store does not answer. Try again in a moment.", err)
	case errors.As(err, &ne) && strings.Contains(ne.Code, "Security"):
		return fault.Wrap(fault.CodeUnavailable, "The graph store refuses the gateway. Its operator must check the credentials.", err)
	}
	return err
}
