// Command matrix prints docs/permissions.md: `make generate`.
package main

import (
	"fmt"

	"github.com/strata-gateway/strata/internal/matrix"
)

func main() { fmt.Print(matrix.Page()) }
