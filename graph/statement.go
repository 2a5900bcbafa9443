package graph

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"github.com/strata-gateway/strata/fault"
)

// The parts that statements share. A statement writes them as $VISIBLE(n), $LADDER(s) and $HELD(s), with
// the name of its own variable.
const (
	// visibleCondition holds where a dataset, datasource or team n is in the audience.
	//
	// SECURITY: this is the only place that says what an audience sees, and no statement about a
	// workspace runs without it (TestEveryStatementIsConditioned, TestStatementWithoutConditionIsRefused).
	visibleCondition = `(n.workspace IN $workspaces AND coalesce(n.hiddenRank, 0) < $hiddenFrom)`

	// ladderCondition holds where the caller has at least VIEW on suite n. It stands a second time, as a
	// function, in authz (SuiteLevel).
	//
	// SECURITY: the two agree (TestLadderInCypherAndInGoAgree).
	ladderCondition = `($allSuites OR n.owner = $user OR EXISTS { (holder)-[:SHARE]->(n) WHERE holder.id IN $principals })`

	// heldShares are the permissions that the caller holds on suite n by shares, their own and those of
	// their groups.
	heldShares = `[(holder)-[held:SHARE]->(n) WHERE holder.id IN $principals | held.permission]`
)

const placeholderPattern = `\$(VISIBLE|LADDER|HELD)\((\w+)\)`

// errUnconditioned is returned for a statement that lacks the workspace-and-class condition.
var errUnconditioned = errors.New("statement without the workspace-and-class condition")

// text is the statement with its conditions written out.
func (s *Store) text(statement string) string {
	if t, ok := s.texts.Load(statement); ok {
		return t.(string)
	}
	t := regexp.MustCompile(placeholderPattern).ReplaceAllStringFunc(statement, func(p string) string {
		name, variable, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(p, "$"), ")"), "(")
		return renameVariable(map[string]string{"VISIBLE": visibleCondition, "LADDER": ladderCondition, "HELD": heldShares}[name], variable)
	})
	s.texts.Store(statement, t)
	return t
}

// renameVariable puts variable in the place of n.
func renameVariable(condition, variable string) string {
	return strings.NewReplacer("(n.", "("+variable+".", " n.", " "+variable+".", "(n)", "("+variable+")").Replace(condition)
}

// conditioned checks that the statement carries the condition of what its parameters are about, and
// returns the parameters with the audience's, and the scope's if there is one.
func (s *Store) conditioned(statement string, audience Audience, scope *Scope, params map[string]any) (map[string]any, error) {
	if !strings.Contains(statement, "$VISIBLE(") {
		return nil, errUnconditioned
	}
	aboutRights := strings.Contains(statement, "$LADDER(") || strings.Contains(statement, "$HELD(")
	if aboutRights && scope == nil {
		return nil, errors.New("statement with the suite ladder, but no scope")
	}
	all := make(map[string]any, len(params)+8)
	maps.Copy(all, params)
	all["workspaces"], all["hiddenFrom"] = audience.workspaces(s.organization), audience.Class.hiddenFrom()
	if scope != nil {
		all["user"], all["allSuites"] = scope.User, scope.AllSuites
		all["teams"], all["allDatasources"] = orEmpty(scope.Teams), scope.AllDatasources
		all["maxDatasource"] = scope.MaxDatasource.Rank()
	}
	if aboutRights {
		principals, err := scope.principals()
		if err != nil {
			return nil, err
		}
		all["principals"] = principals
	}
	return all, nil
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// read runs a statement over what the audience may see, in auto-commit, and returns its rows.
func (s *Store) read(ctx context.Context, audience Audience, statement string, params map[string]any) ([]row, error) {
	all, err := s.conditioned(statement, audience, nil, params)
	if err != nil {
		return nil, unrunnable(err, statement)
	}
	return s.autoCommit(ctx, readMode, s.text(statement), all)
}

// unrunnable names the statement in an error that is a defect of it; a fault is the caller's to know.
func unrunnable(err error, statement string) error {
	if fault.Of(err) != nil {
		return err
	}
	return fmt.Errorf("%w: %s", err, statement)
}

// readScoped runs a statement over what one caller may see.
func (s *Store) readScoped(ctx context.Context, scope Scope, statement string, params map[string]any) ([]row, error) {
	all, err := s.conditioned(statement, scope.Audience, &scope, params)
	if err != nil {
		return nil, unrunnable(err, statement)
	}
	return s.autoCommit(ctx, readMode, s.text(statement), all)
}

// readUnscoped runs a statement that is about no workspace's content: the caller, epochs, migrations.
//
// SECURITY: the functions that may call it are listed in TestEveryStatementIsConditioned.
func (s *Store) readUnscoped(ctx context.Context, statement string, params map[string]any) ([]row, error) {
	return s.autoCommit(ctx, readMode, statement, params)
}
