package bench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/strata-gateway/strata/bench/estate"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/graph/neo4jd"
)

// reportFile stands in the data folder of an estate that is whole.
const reportFile = "estate.json"

// generation is part of an estate's name: raise it when the generator makes something else of the same
// parameters, so that what earlier runs made is not taken for it.
const generation = 1

// openEstate starts a Neo4j that holds the estate: one that an earlier run left, or a new one.
func openEstate(ctx context.Context, o Options) (*neo4jd.Server, estate.Report, error) {
	if err := o.Params.Validate(); err != nil {
		return nil, estate.Report{}, err
	}
	name, err := estateName(o.Params)
	if err != nil {
		return nil, estate.Report{}, err
	}
	home := filepath.Join(o.Data, name)
	report, err := readReport(home)
	if errors.Is(err, fs.ErrNotExist) {
		report, err = makeEstate(ctx, o, home)
	}
	if err != nil {
		return nil, estate.Report{}, err
	}
	server, err := neo4jd.Start(ctx, neo4jd.Config{Home: home, Log: o.Log})
	return server, report, err
}

// estateName names the folder of an estate by its parameters.
func estateName(p estate.Params) (string, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Append(text, generation))
	return fmt.Sprintf("estate-%d-%s", p.Assets, hex.EncodeToString(sum[:4])), nil
}

func readReport(home string) (estate.Report, error) {
	var report estate.Report
	content, err := os.ReadFile(filepath.Join(home, reportFile))
	if err == nil {
		err = json.Unmarshal(content, &report)
	}
	return report, err
}

// makeEstate makes it in a folder of another name, which gets its own when it is whole: a run that was
// cut short leaves nothing that a later one would take for an estate.
func makeEstate(ctx context.Context, o Options, home string) (report estate.Report, err error) {
	if err := os.MkdirAll(o.Data, 0o700); err != nil {
		return estate.Report{}, err
	}
	draft, err := os.MkdirTemp(o.Data, "draft-")
	if err != nil {
		return estate.Report{}, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(draft))
		}
	}()
	if report, err = loadInto(ctx, o, draft); err != nil {
		return estate.Report{}, err
	}
	content, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return estate.Report{}, err
	}
	if err := os.WriteFile(filepath.Join(draft, reportFile), append(content, '\n'), 0o600); err != nil {
		return estate.Report{}, err
	}
	return report, os.Rename(draft, home)
}

// loadInto loads the estate into an empty folder, whose server is gone when it returns.
func loadInto(ctx context.Context, o Options, home string) (report estate.Report, err error) {
	server, err := neo4jd.Start(ctx, neo4jd.Config{Home: home, Log: o.Log})
	if err != nil {
		return estate.Report{}, err
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	return estate.Load(ctx, graph.Config{URI: server.URI(), User: server.User(), Password: server.Password(), Log: o.Log}, o.Params)
}
