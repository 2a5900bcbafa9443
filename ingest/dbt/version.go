package dbt

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/strata-gateway/strata/fault"
)

// metadata is what every artifact says of itself.
type metadata struct {
	SchemaVersion string `json:"dbt_schema_version"`
	GeneratedAt   string `json:"generated_at"`
	InvocationID  string `json:"invocation_id"`
	AdapterType   string `json:"adapter_type"`
	ProjectName   string `json:"project_name"`
	ProjectID     string `json:"project_id"`
}

// support is which versions of an artifact are read.
type support struct {
	kind        string // as in the schema's address
	first, last int
	about       string
}

func supported(field string) support {
	switch field {
	case "catalog":
		return support{"catalog", 1, 1, "v1"}
	case "runResults":
		return support{"run-results", 4, 6, "v4 to v6, as dbt 1.5 and later write it"}
	}
	return support{"manifest", 9, 12, "v9 to v12, as dbt 1.5 and later write it"}
}

// check makes sure that the artifact is the expected one, of a supported version.
func (m metadata) check(field string) error {
	s := supported(field)
	parts := regexp.MustCompile(`/dbt/([a-z-]+)/v(\d+)(?:\.json)?$`).FindStringSubmatch(m.SchemaVersion)
	if parts == nil {
		return fault.BadInput(field, fmt.Sprintf("The file does not say that it is an artifact of dbt: it has no metadata.dbt_schema_version. Give the %s from dbt's target folder.", fileName(field)))
	}
	if parts[1] != s.kind {
		return fault.BadInput(field, fmt.Sprintf("This is dbt's %s, and %s is expected here. Give each file its own argument.", parts[1], fileName(field)))
	}
	version, err := strconv.Atoi(parts[2])
	if err != nil || version < s.first || version > s.last {
		return fault.BadInput(field, fmt.Sprintf("This is a %s of schema v%s, which is not supported. Supported is %s.", parts[1], parts[2], s.about))
	}
	return nil
}
