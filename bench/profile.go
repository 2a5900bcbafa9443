package bench

import (
	"context"
	"errors"
	"os"
	"runtime/pprof"
)

// profiledRounds is how many requests a profile is of.
const profiledRounds = 500

// profile writes a CPU profile of the process while a contender works and nothing else. The client is in
// it, too.
func profile(ctx context.Context, path string, c contender) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	_, err = measure(ctx, []contender{c}, 0, profiledRounds)
	return err
}
