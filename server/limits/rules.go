package limits

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// Rules returns what handler.Server.SetValidationRulesFn takes: the limits of
// cfg, then the rules of the specification, without suggestions.
//
// SECURITY: the specification's rules run on documents within the limits only,
// because their cost is what the limits are for. The validator knows no order
// between rules, so there is one rule here, which runs the others in a walk of
// their own. Held by TestOverLimitIsNotValidated.
func Rules(cfg Config) func() *rules.Rules {
	specified := specification()
	nothing := func(*core.Events, core.AddErrFunc) {}
	return func() *rules.Rules {
		return rules.NewRules(
			core.Rule{Name: "Limits", RuleFunc: limitsThen(cfg, specified)},
			// The executor adds these two by name unless they are there already;
			// they are among specified.
			core.Rule{Name: rules.FieldsOnCorrectTypeRuleWithoutSuggestions.Name, RuleFunc: nothing},
			core.Rule{Name: rules.ScalarLeafsRuleWithoutSuggestions.Name, RuleFunc: nothing},
		)
	}
}

// limitsThen is a rule that checks the limits and then runs specified.
func limitsThen(cfg Config, specified []core.Rule) core.RuleFunc {
	return func(outer *core.Events, addError core.AddErrFunc) {
		done := false
		outer.OnOperation(func(w *core.Walker, _ *ast.OperationDefinition) {
			if done {
				return
			}
			done = true
			if !check(cfg, w.Document, addError) {
				return
			}
			inner := &core.Events{}
			for _, rule := range specified {
				rule.RuleFunc(inner, atMost(cfg.Errors, addError, rule.Name))
			}
			core.Walk(w.Schema, w.Document, inner)
		})
	}
}

// atMost passes the first errors of a rule on, under its name. Options are
// functions, so that the message of an error that is dropped is never written.
func atMost(most int, addError core.AddErrFunc, rule string) core.AddErrFunc {
	count := 0
	return func(options ...core.ErrorOption) {
		if count == most {
			return
		}
		count++
		addError(append(options, func(err *gqlerror.Error) {
			err.Rule = rule
			err.Message = shortened(err.Message)
		})...)
	}
}

// specification is the default set of rules, by name, with every rule that
// suggests names exchanged for its twin that does not. Suggestions tell the
// schema to those who may not read it, and cost an edit distance each.
func specification() []core.Rule {
	set := rules.NewDefaultRules()
	for suggesting, silent := range map[string]core.Rule{
		rules.FieldsOnCorrectTypeRule.Name: rules.FieldsOnCorrectTypeRuleWithoutSuggestions,
		rules.KnownArgumentNamesRule.Name:  rules.KnownArgumentNamesRuleWithoutSuggestions,
		rules.KnownTypeNamesRule.Name:      rules.KnownTypeNamesRuleWithoutSuggestions,
		rules.ScalarLeafsRule.Name:         rules.ScalarLeafsRuleWithoutSuggestions,
		rules.ValuesOfCorrectTypeRule.Name: rules.ValuesOfCorrectTypeRuleWithoutSuggestions,
	} {
		set.RemoveRule(suggesting)
		set.AddRule(silent.Name, silent.RuleFunc)
	}
	var specified []core.Rule
	for name, f := range set.GetInner() {
		specified = append(specified, core.Rule{Name: name, RuleFunc: f})
	}
	slices.SortFunc(specified, func(a, b core.Rule) int { return strings.Compare(a.Name, b.Name) })
	return specified
}
