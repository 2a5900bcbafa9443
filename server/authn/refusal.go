package authn

import "github.com/strata-gateway/strata/fault"

// The reasons a client may be told. They say nothing about which keys, issuers
// or audiences the gateway knows.
const (
	msgMissing   = "The token is missing. " + msgSend
	msgMalformed = "The token is malformed. " + msgSend
	msgSend      = "Send Authorization: Bearer <token>; in embedded mode make one with `strata token --email …`."
	msgRepeated  = "There are several Authorization headers. Send one."
	msgTooLong   = "The token is malformed: it is longer than 8 KiB."
	msgExpired   = "The token has expired. Get a new one."
	msgNotYet    = "The token is not valid yet. Check the clocks of the issuer and of the gateway."
	msgAudience  = "The token is not for this audience. Ask the issuer for one that is made for this gateway."
	msgIssuer    = "The token is from an unknown issuer. Use one that this gateway is configured for."
	msgSignature = "The token has a bad signature. Get a new one."
	msgNoEmail   = "The token has no e-mail address. Ask the issuer for the scope email."
	msgEmail     = "The token's e-mail address is not verified. Verify it with the issuer, then get a new token."
	msgDown      = "The token cannot be verified now, because its issuer does not answer. Try again shortly."
)

func refuse(message string, cause error) *fault.Error {
	return fault.Wrap(fault.CodeUnauthenticated, message, cause)
}
