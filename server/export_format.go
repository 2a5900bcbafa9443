package server

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
)

// exportEdge is a result as the executor answers with it.
type exportEdge struct {
	Degree int
	Node   *struct {
		ID, Kind, Label string
		System, Model   *string
		Asset           *struct {
			Name, Type   string
			OwnerEmail   *string
			SourceOwners []string
			Datasource   struct{ Name string }
			Verdict      struct{ WorstSeverity *string }
		}
	}
}

// exportRow is a row of the file. Of a result that is gone since the first page only the degree is known.
type exportRow struct {
	Degree        int    `json:"degree"`
	ID            string `json:"id"`
	Kind          string `json:"kind"`
	Name          string `json:"name"`
	Datasource    string `json:"datasource"`
	System        string `json:"system"`
	Type          string `json:"type"`
	Owner         string `json:"owner"`
	WorstSeverity string `json:"worstSeverity"`
}

func (e exportEdge) row() exportRow {
	row := exportRow{Degree: e.Degree}
	n := e.Node
	if n == nil {
		return row
	}
	row.ID, row.Kind, row.Name = n.ID, n.Kind, n.Label
	if n.System != nil && n.Model != nil {
		row.System, row.Name = *n.System, *n.Model
	}
	a := n.Asset
	if a == nil {
		return row
	}
	row.Name, row.Type, row.Datasource = a.Name, a.Type, a.Datasource.Name
	switch {
	case a.OwnerEmail != nil:
		row.Owner = *a.OwnerEmail
	case len(a.SourceOwners) > 0:
		row.Owner = a.SourceOwners[0]
	}
	if a.Verdict.WorstSeverity != nil {
		row.WorstSeverity = *a.Verdict.WorstSeverity
	}
	return row
}

// format is a kind of file.
type format struct {
	extension, media string
	begin            func(io.Writer) rowWriter
}

// rowWriter writes rows. The first error holds, and flush returns it.
type rowWriter interface {
	write(exportRow)
	flush() error
}

func csvFormat() format {
	return format{"csv", "text/csv; charset=utf-8", func(w io.Writer) rowWriter {
		rows := csvRows{csv.NewWriter(w)}
		_ = rows.Write([]string{"degree", "id", "kind", "name", "datasource", "system", "type", "owner", "worst_severity"}) // flush has the error
		return rows
	}}
}

type csvRows struct{ *csv.Writer }

func (c csvRows) write(r exportRow) {
	cells := []string{strconv.Itoa(r.Degree)}
	for _, text := range []string{r.ID, r.Kind, r.Name, r.Datasource, r.System, r.Type, r.Owner, r.WorstSeverity} {
		cells = append(cells, inert(text))
	}
	_ = c.Write(cells) // flush has the error
}

func (c csvRows) flush() error {
	c.Flush()
	return c.Error()
}

// inert is a cell that no spreadsheet takes for a formula: one that begins like one gets an apostrophe in front.
//
// SECURITY: names are their writers' text (TestNoCellIsAFormula).
func inert(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

func ndjsonFormat() format {
	return format{"ndjson", "application/x-ndjson", func(w io.Writer) rowWriter {
		rows := &jsonRows{encoder: json.NewEncoder(w)}
		rows.encoder.SetEscapeHTML(false)
		return rows
	}}
}

type jsonRows struct {
	encoder *json.Encoder
	err     error
}

func (j *jsonRows) write(r exportRow) {
	if j.err == nil {
		j.err = j.encoder.Encode(r)
	}
}

func (j *jsonRows) flush() error { return j.err }
