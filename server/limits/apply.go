package limits

import "github.com/99designs/gqlgen/graphql/handler"

// Apply puts the limits of cfg on srv: tokens, rules, cost, number of errors and
// the cache of documents, and turns suggestions off. Call it once, before other
// extensions are used: the first one added sees the response last.
func Apply(srv *handler.Server, cfg Config) error {
	if err := cfg.Validate(); err != nil {
		return err
	}
	cache, err := newQueryCache(cfg.QueryCache)
	if err != nil {
		return err
	}
	srv.Use(errorCap{most: cfg.Errors})
	srv.SetQueryCache(cache)
	srv.SetParserTokenLimit(cfg.Tokens)
	srv.SetValidationRulesFn(Rules(cfg))
	srv.SetDisableSuggestion(true)
	srv.Use(newCostLimit(cfg.Complexity))
	return nil
}
