package resolvers

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// Bounds of arguments, in characters or entries, as the schema states them.
const (
	maxName        = 200
	maxAssetName   = 1000
	maxDescription = 10_000
	maxEmail       = 320
	maxTag         = 100
	maxTags        = 50
	maxChecks      = 500
	maxList        = 200
	maxSearchWords = 10
	maxConditions  = 50
	maxNesting     = 5
)

// atMost bounds a list. Errors: BAD_USER_INPUT.
func atMost(field string, n, limit int) error {
	if n > limit {
		return fault.BadInput(field, fmt.Sprintf("%s takes at most %d entries.", field, limit))
	}
	return nil
}

// named bounds a required text and refuses what would not show as one: names are compared, printed to
// terminals and typed again. Errors: BAD_USER_INPUT.
func named(field, value string, limit int) error {
	if n := utf8.RuneCountInString(value); n < 1 || n > limit || !utf8.ValidString(value) {
		return fault.BadInput(field, fmt.Sprintf("%s must have 1 to %d characters.", field, limit))
	}
	if strings.TrimSpace(value) == "" || strings.ContainsFunc(value, invisible) {
		return fault.BadInput(field, field+" must have visible characters, and no control or formatting characters.")
	}
	return nil
}

// invisible reports whether a character shows as nothing: a control or formatting character.
func invisible(r rune) bool { return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) }

// bounded bounds an optional text. Errors: BAD_USER_INPUT.
func bounded(field string, value *string, limit int) error {
	if value != nil && utf8.RuneCountInString(*value) > limit {
		return fault.BadInput(field, fmt.Sprintf("%s must have at most %d characters.", field, limit))
	}
	return nil
}

// validTags bounds tags. Errors: BAD_USER_INPUT.
func validTags(field string, tags []string) error {
	if err := atMost(field, len(tags), maxTags); err != nil {
		return err
	}
	for _, t := range tags {
		if err := named(field, t, maxTag); err != nil {
			return err
		}
	}
	return nil
}

// identified checks that an id is well-formed. Errors: BAD_USER_INPUT; a well-formed id is either an
// object's or nothing's, and which of the two is not said here.
func identified(field string, ids ...string) error {
	for _, id := range ids {
		if graph.KindOf(id) == "" {
			return fault.BadInput(field, field+" is no id. Pass one as another query returned it, for example an asset's from assets.")
		}
	}
	return nil
}

// link checks a link that is shown and never fetched. Errors: BAD_USER_INPUT.
func link(field string, value *string) error {
	if value == nil {
		return nil
	}
	u, err := url.Parse(*value)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || len(*value) > maxAssetName {
		return fault.BadInput(field, field+" must be an http or https link.")
	}
	return nil
}

// firstError returns the first of the errors that is one.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
