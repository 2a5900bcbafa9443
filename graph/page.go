package graph

// Position says where a page starts and how long it is: keyset paging over a sort key, then the id.
type Position struct {
	// First is the size of the page.
	First int
	// After is set if the page starts behind an entry; Text or Number is that entry's key.
	After  bool
	Text   string
	Number int64
	ID     string
	// Total asks for the count of the whole list.
	Total bool
}

// Page is one page of a list: what the store found, before cursors are made of it.
type Page[T any] struct {
	Items []T
	// Total is the length of the whole list, if it was asked for.
	Total int
	// HasNext says whether more follow.
	HasNext bool
	// HasPrevious says whether the page starts behind an entry.
	HasPrevious bool
	// Scope is what the list was filtered by; a gated list without it is refused.
	Scope Scope
}

// trim cuts the one entry that was read beyond the page to see whether more follow.
func (p Page[T]) trim(at Position) Page[T] {
	p.HasPrevious = at.After
	if len(p.Items) > at.First {
		p.Items, p.HasNext = p.Items[:at.First], true
	}
	return p
}

// Node is an object with a global id.
type Node interface{ IsNode() }
