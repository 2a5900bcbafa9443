package fault_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
)

func TestConstructors(t *testing.T) {
	cause := errors.New("dial tcp 10.0.0.7:7687: refused")
	tests := []struct {
		name string
		got  *fault.Error
		want fault.Error
		text string
	}{
		{"new", fault.New(fault.CodeConflict, "The name is taken."),
			fault.Error{Code: "CONFLICT", Message: "The name is taken."},
			"CONFLICT: The name is taken."},
		{"wrap", fault.Wrap(fault.CodeUnavailable, "Try again.", cause),
			fault.Error{Code: "UNAVAILABLE", Message: "Try again.", Cause: cause},
			"UNAVAILABLE: Try again.: dial tcp 10.0.0.7:7687: refused"},
		{"bad input", fault.BadInput("first", "Use at most 200."),
			fault.Error{Code: "BAD_USER_INPUT", Message: "Use at most 200.", Field: "first"},
			"BAD_USER_INPUT: Use at most 200."},
		{"forbidden", fault.Forbidden("EDITOR on the datasource"),
			fault.Error{Code: "FORBIDDEN", Message: "You need EDITOR on the datasource.", Needs: "EDITOR on the datasource"},
			"FORBIDDEN: You need EDITOR on the datasource."},
		{"not found", fault.NotFound("suite"),
			fault.Error{Code: "NOT_FOUND", Message: "There is no such suite."},
			"NOT_FOUND: There is no such suite."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, *tt.got)
			assert.Equal(t, tt.text, tt.got.Error())
			assert.Equal(t, tt.want.Cause, errors.Unwrap(tt.got))
		})
	}
}

func TestCodeOf(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want fault.Code
	}{
		{"nil", nil, ""},
		{"fault", fault.NotFound("suite"), fault.CodeNotFound},
		{"wrapped fault", fmt.Errorf("load: %w", fault.NotFound("suite")), fault.CodeNotFound},
		{"outermost fault wins", fault.Wrap(fault.CodeUnavailable, "m", fault.NotFound("suite")), fault.CodeUnavailable},
		{"deadline", fmt.Errorf("read: %w", context.DeadlineExceeded), fault.CodeTimeout},
		{"cancelled", context.Canceled, fault.CodeTimeout},
		{"fault over a deadline keeps its code", fault.Wrap(fault.CodeUnavailable, "m", context.DeadlineExceeded), fault.CodeUnavailable},
		{"foreign", errors.New("boom"), fault.CodeInternal},
		{"code not on the list", fault.New("TEAPOT", "m"), fault.CodeInternal},
		{"zero value", &fault.Error{}, fault.CodeInternal},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, fault.CodeOf(tt.err))
		})
	}
}

func TestOfAndFrom(t *testing.T) {
	f := fault.NotFound("suite")
	assert.Same(t, f, fault.Of(fmt.Errorf("a: %w", f)))
	assert.Same(t, f, fault.From(fmt.Errorf("a: %w", f)))

	foreign := errors.New("boom")
	assert.Nil(t, fault.Of(foreign))
	assert.Nil(t, fault.Of(nil))
	assert.Nil(t, fault.From(nil))

	got := fault.From(foreign)
	assert.Equal(t, fault.CodeInternal, got.Code)
	assert.ErrorIs(t, got, foreign)

	got = fault.From(context.DeadlineExceeded)
	assert.Equal(t, fault.CodeTimeout, got.Code)
	assert.ErrorIs(t, got, context.DeadlineExceeded)
}

func TestHTTPStatus(t *testing.T) {
	want := map[fault.Code]int{
		"UNAUTHENTICATED": 401, "FORBIDDEN": 403, "NOT_FOUND": 404, "BAD_USER_INPUT": 400,
		"CONFLICT": 409, "CURSOR_EXPIRED": 410, "UNAVAILABLE": 503, "TIMEOUT": 504,
		"LIMIT_EXCEEDED": 422, "INTERNAL": 500,
	}
	got := map[fault.Code]int{}
	for _, c := range fault.Codes() {
		got[c] = c.HTTPStatus()
	}
	assert.Equal(t, want, got)
	assert.Equal(t, 500, fault.Code("TEAPOT").HTTPStatus())
}

func TestPublicNeverLeaks(t *testing.T) {
	const secret = "MATCH (n) at bolt://10.0.0.7:7687"
	cause := errors.New(secret)
	codes := append(fault.Codes(), "TEAPOT", "")
	for _, code := range codes {
		t.Run(string(code), func(t *testing.T) {
			out, err := json.Marshal(fault.Wrap(code, "Try again.", cause).Public())
			require.NoError(t, err)
			assert.NotContains(t, string(out), secret)
			assert.NotContains(t, string(out), "10.0.0.7")
		})
	}
	for _, code := range []fault.Code{fault.CodeInternal, "TEAPOT", ""} {
		got := fault.New(code, secret).Public()
		assert.Equal(t, fault.Public{Code: "INTERNAL", Message: "internal error", HTTPStatus: 500}, got)
	}
	assert.Equal(t, "internal error", fault.From(cause).Public().Message)
}

func TestExtensions(t *testing.T) {
	assert.Equal(t, map[string]any{"code": fault.CodeConflict, "httpStatus": 409},
		fault.New(fault.CodeConflict, "The name is taken.").Public().Extensions())
	assert.Equal(t, map[string]any{"code": fault.CodeBadUserInput, "httpStatus": 400, "field": "first"},
		fault.BadInput("first", "Use at most 200.").Public().Extensions())
	assert.Equal(t, map[string]any{"code": fault.CodeForbidden, "httpStatus": 403, "needs": "the role ADMIN"},
		fault.Forbidden("the role ADMIN").Public().Extensions())
}

func TestPublicView(t *testing.T) {
	out, err := json.Marshal(fault.BadInput("input.name", "Give a name.").Public())
	require.NoError(t, err)
	assert.JSONEq(t, `{"code":"BAD_USER_INPUT","message":"Give a name.","field":"input.name","httpStatus":400}`, string(out))

	tooLarge := fault.Error{Code: fault.CodeLimitExceeded, Message: "Send less.", Status: 413}
	out, err = json.Marshal(tooLarge.Public())
	require.NoError(t, err)
	assert.JSONEq(t, `{"code":"LIMIT_EXCEEDED","message":"Send less.","httpStatus":413}`, string(out))

	out, err = json.Marshal(fault.Forbidden("the role ADMIN").Public())
	require.NoError(t, err)
	assert.JSONEq(t, `{"code":"FORBIDDEN","message":"You need the role ADMIN.","needs":"the role ADMIN","httpStatus":403}`, string(out))
}
