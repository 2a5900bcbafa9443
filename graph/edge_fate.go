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

// OnDelete says what deleting an edge of the category will mean.
func (c EdgeCategory) OnDelete() string {
	if when := c.ComesBackWhen(); when != nil {
		return "It comes back with " + *when + "."
	}
	return "It stays gone until someone draws it again."
}
