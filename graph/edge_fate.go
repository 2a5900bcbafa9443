package graph

// ComesBackWhen says what would bring an edge of the category back after it was deleted; nil: only
// drawing it again.
func (c EdgeCategory) ComesBackWhen() *string {
	var when string
	switch c {
	case EdgeDataCatalog:
		when = "the next sync of the data catalog"
	case EdgeCollected:
		when = "the next time a collector observes it"
	case EdgeManaged:
		when = "the next save or write of the computed container"
	case EdgeOpenLineage:
		when = "the next event in which a job asserts it"
	case EdgeDBT:
		when = "the next dbt ingest while its manifest has it"
	default:
		return nil
	}
	return &when
}

// Retires reports whether deleting an edge of the category, or taking back its last assertion, keeps it with
// its attribution, retired.
func (c EdgeCategory) Retires() bool { return c == EdgeOpenLineage }

// OnDelete says what deleting an edge of the category will mean.
func (c EdgeCategory) OnDelete() string {
	when := c.ComesBackWhen()
	switch {
	case c.Retires():
		return "It is retired: kept with who asserted it, not walked. It comes back with " + *when + "."
	case when != nil:
		return "It comes back with " + *when + "."
	}
	return "It stays gone until someone draws it again."
}
