package graph

import "github.com/strata-gateway/strata/fault"

// directoryKind is a kind of thing that admins name: groups and teams.
type directoryKind struct {
	kind Kind
	// forWrite locks one by $id and returns its name first, taken finds another of the $name, and put makes or
	// renames one.
	forWrite, taken, put string
}

// stored locks one of the workspace and returns its columns. Errors: NOT_FOUND.
func (e entered) stored(k directoryKind, id string) (row, error) {
	rows, err := e.runUnscoped(k.forWrite, map[string]any{"id": id, "workspace": e.Workspace})
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fault.NotFound(string(k.kind))
	}
	return rows[0], nil
}

// name makes or renames one: a new one has no id and no name before. It returns the id and the name that it
// has then. Errors: CONFLICT if the name is taken.
func (e entered) name(k directoryKind, id, before string, to *string) (newID, name string, err error) {
	if id == "" {
		id = e.store.ids.New(k.kind)
	}
	if to == nil || *to == before {
		return id, before, nil
	}
	params := map[string]any{"id": id, "name": *to, "workspace": e.Workspace, "at": e.store.nowMillis()}
	taken, err := e.runUnscoped(k.taken, params)
	if err != nil {
		return "", "", err
	}
	if len(taken) > 0 {
		return "", "", fault.New(fault.CodeConflict, "A "+string(k.kind)+" of this name exists already. Change that one, or choose another name.")
	}
	if _, err := e.runUnscoped(k.put, params); err != nil {
		return "", "", err
	}
	e.touch(FamilyDirectory, e.Workspace, id, visibleToAll)
	e.record(Event{Action: string(k.kind) + ".name", Resource: id, Before: named(before), After: named(*to)})
	return id, *to, nil
}

func named(name string) map[string]any {
	if name == "" {
		return nil
	}
	return map[string]any{"name": name}
}
