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

// optional bounds a text of one line that may be left out; where there is one, it must show. Errors:
// BAD_USER_INPUT.
func optional(field string, value *string, limit int) error {
	if value == nil || *value == "" {
		return nil
	}
	return named(field, *value, limit)
}

// prose bounds a text that may have several lines. Errors: BAD_USER_INPUT.
func prose(field string, value *string, limit int) error {
	if value != nil && (!utf8.ValidString(*value) || strings.ContainsFunc(*value, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t'
	})) {
		return fault.BadInput(field, field+" must have no control characters but line breaks and tabs.")
	}
	return bounded(field, value, limit)
}

// validTexts bounds a list of texts. Errors: BAD_USER_INPUT.
func validTexts(field string, values []string, most, limit int) error {
	if err := atMost(field, len(values), most); err != nil {
		return err
	}
	for _, v := range values {
		if err := named(field, v, limit); err != nil {
			return err
		}
	}
	return nil
}

// nonEmpty is a text, nil for an empty one: empty clears, as null does.
func nonEmpty(value *string) *string {
	if value == nil || strings.TrimSpace(*value) == "" {
		return nil
	}
	return value
}

// validTags bounds tags. Errors: BAD_USER_INPUT.
func validTags(field string, tags []string) error {
	return validTexts(field, tags, maxTags, maxTag)
}

// identified checks that ids are well-formed. Errors: BAD_USER_INPUT.
func identified(field string, ids ...string) error {
	for _, id := range ids {
		if graph.KindOf(id) == "" {
			return fault.NoID(field)
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
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || len(*value) > maxAssetName {
		return fault.BadInput(field, field+" must be an http or https link, without a password in it.")
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
