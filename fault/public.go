package fault

const internalMessage = "internal error"

// Public is what a client may see of a fault, ready to be marshalled.
type Public struct {
	Code       Code   `json:"code"`
	Message    string `json:"message"`
	Field      string `json:"field,omitempty"`
	Needs      string `json:"needs,omitempty"`
	HTTPStatus int    `json:"httpStatus"`
}

// Public returns the view for clients.
//
// SECURITY: no part of the cause is in it, and an INTERNAL fault always has the
// one fixed message, whatever it was made with. Held by TestPublicNeverLeaks.
func (e *Error) Public() Public {
	if e.Code == CodeInternal || !e.Code.known() {
		return Public{Code: CodeInternal, Message: internalMessage, HTTPStatus: CodeInternal.HTTPStatus()}
	}
	return Public{
		Code:       e.Code,
		Message:    e.Message,
		Field:      e.Field,
		Needs:      e.Needs,
		HTTPStatus: e.HTTPStatus(),
	}
}

// Extensions returns all but the message, as the extensions of a GraphQL error.
func (p Public) Extensions() map[string]any {
	out := map[string]any{"code": p.Code, "httpStatus": p.HTTPStatus}
	if p.Field != "" {
		out["field"] = p.Field
	}
	if p.Needs != "" {
		out["needs"] = p.Needs
	}
	return out
}
