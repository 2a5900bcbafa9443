package server

import (
	"bytes"
	"encoding/csv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNoCellIsAFormula(t *testing.T) {
	for cell, want := range map[string]string{
		"": "", "orders": "orders", "=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1",
		"a=1": "a=1", "'=1": "'=1", "ä": "ä", "é=1": "é=1",
	} {
		assert.Equal(t, want, inert(cell), "%q", cell)
	}
	var out bytes.Buffer
	rows := csvFormat().begin(&out)
	rows.write(exportRow{Degree: 1, ID: "=id", Kind: "@", Name: "=HYPERLINK(\"http://x\",\"y\"),\n\"z\"", Datasource: "+d", System: "-s", Type: "\tt", Owner: "=o", WorstSeverity: "=w"})
	require.NoError(t, rows.flush())
	read, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	require.Len(t, read, 2)
	for _, cell := range read[1][1:] {
		assert.Equal(t, "'", cell[:1], "every cell of somebody's text")
	}
}
