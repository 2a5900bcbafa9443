package authn

import "strings"

// PlausibleEmail reports whether a normalized text looks like one address: whose it is, an issuer verifies.
func PlausibleEmail(email string) bool {
	local, domain, ok := strings.Cut(email, "@")
	return ok && local != "" && domain != "" && !strings.ContainsAny(email, " \t\r\n,<>") && !strings.Contains(domain, "@")
}
