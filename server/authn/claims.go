package authn

import (
	"encoding/json"
	"errors"

	"github.com/go-jose/go-jose/v4/jwt"
)

// claims are the ones an identity is made of.
type claims struct {
	jwt.Claims
	Email         string   `json:"email"`
	EmailVerified verified `json:"email_verified"`
	Name          string   `json:"name"`
}

// identity requires a subject and a verified e-mail address.
//
// SECURITY: roles, shares and allow-lists are held by e-mail address, so one
// that its issuer has not verified must never become an identity. Held by
// TestRefusedTokens.
func (c claims) identity() (Identity, error) {
	email := NormalizeEmail(c.Email)
	switch {
	case c.Subject == "":
		return Identity{}, refuse(msgMalformed, errors.New("no sub claim"))
	case email == "":
		return Identity{}, refuse(msgNoEmail, nil)
	case !bool(c.EmailVerified):
		return Identity{}, refuse(msgEmail, nil)
	}
	return Identity{Issuer: c.Issuer, Subject: c.Subject, Email: email, Name: c.Name}, nil
}

// verified is the email_verified claim. Some providers send the string "true"
// where the specification has a boolean; anything but these two is false.
type verified bool

func (v *verified) UnmarshalJSON(b []byte) error {
	var value any
	if err := json.Unmarshal(b, &value); err != nil {
		return err
	}
	*v = value == true || value == "true"
	return nil
}
