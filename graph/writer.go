package graph

import "context"

// Writer is who asks for a change and by which rule it is decided. It is made only in package authz.
type Writer struct {
	Actor
	// Email is the caller's verified address, by which the transaction reads them anew.
	Email string
	// Enter says who the caller is now and what they see; FORBIDDEN if they left the workspace.
	Enter func(CallerFacts) (Scope, error)
	// Permit is the rule of the action. It returns FORBIDDEN with what is needed, or NOT_FOUND where the
	// existence of the object is secret.
	Permit func(Facts) (Right, error)
}

// Right says by what right a permitted change was made.
type Right struct {
	// AdminOverride is set if only being a workspace admin gave it.
	AdminOverride bool
	// ClampsPreviousOwner is set if the previous owner of a suite can keep no more than VIEW.
	ClampsPreviousOwner bool
}

// Facts are what a rule may look at. They are read inside the transaction that will write, before its
// first write.
type Facts struct {
	Caller CallerFacts
	// Datasources are those that the change touches; of an external node there is none.
	Datasources []DatasourceFacts
	// Suites are those that the change touches.
	Suites []SuiteFacts
	// Grantee is the member who would receive a right, GranteeEmail their address and Grants the right;
	// nil and "" if the change grants none.
	Grantee      *Membership
	GranteeEmail string
	Grants       SharePermission
	// PreviousOwner is the member who would lose a suite, PreviousOwnerEmail their address; nil and "" if
	// they are no member any more, or nobody would.
	PreviousOwner      *Membership
	PreviousOwnerEmail string
	// Curates is set if the change touches what only workspace admins curate.
	Curates bool
	// Edits is set if the change touches what an editor of the datasource may.
	Edits bool
	// ReadsRows is set if the change makes rows be read, as a check does.
	ReadsRows bool
}

// DatasourceFacts are what a datasource says of the caller's rights.
type DatasourceFacts struct {
	ID, Name string
	// Owner is the id of the user who created it.
	Owner string
	// TeamPermission is the highest over the caller's teams, "" for none.
	TeamPermission TeamPermission
}

// SuiteFacts are what a suite says of the caller's rights.
type SuiteFacts struct {
	ID string
	// Owner is the id of its owner.
	Owner string
	// Share is the highest that the caller holds by a share, of their own or of a group of theirs; "" for
	// none.
	Share SharePermission
}

// OfSuite makes whatever embeds them bound to the suite: gates look for it.
func (f SuiteFacts) OfSuite() SuiteFacts { return f }

// entered is a transaction whose caller was read and let in.
type entered struct {
	*tx
	Scope
	caller CallerFacts
	writer Writer
}

// enter reads the caller inside the transaction.
//
// SECURITY: no fact that was read before the transaction decides a write (TestDemotedBetweenReadAndWrite).
func (t *tx) enter(w Writer) (entered, error) {
	rows, err := t.runUnscoped(callerQuery(w.Workspace), map[string]any{"email": w.Email, "workspace": w.Workspace})
	if err != nil {
		return entered{}, err
	}
	facts := callerFacts(w.Email, w.Workspace, rows[0])
	scope, err := w.Enter(facts)
	if err != nil {
		return entered{}, err
	}
	return entered{tx: t, Scope: scope, caller: facts, writer: w}, nil
}

// permit asks the rule about the facts.
func (e entered) permit(f Facts) (Right, error) {
	f.Caller = e.caller
	return e.writer.Permit(f)
}

// runScoped runs a statement over what the caller may see and holds.
func (e entered) runScoped(statement string, params map[string]any) ([]row, error) {
	all, err := e.store.conditioned(statement, e.Audience, &e.Scope, params)
	if err != nil {
		return nil, unrunnable(err, statement)
	}
	return e.runUnscoped(e.store.text(statement), all)
}

// permitted runs a change that the rule decides by the caller alone.
func (s *Store) permitted(ctx context.Context, w Writer, change func(entered) error) error {
	return s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		if _, err := e.permit(Facts{}); err != nil {
			return err
		}
		return change(e)
	})
}
