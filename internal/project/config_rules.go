package project

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// sqlbuildRules are norn's rules by the numbers that SQLBuild has for them, in the family SQBRSQL. Three of its rules are no rules
// here, because norn reports what they find as a mistake: two columns of one name, sides of a set operation that do not fit, and
// unknown qualifiers.
var sqlbuildRules = map[string]string{
	"000": "", "001": "R001", "002": "R014", "003": "R002", "004": "R003", "005": "R004", "006": "R015", "007": "R005", "008": "R006",
	"009": "R011", "010": "", "011": "R016", "012": "R017", "013": "R018", "014": "R010", "015": "R042", "016": "R019", "017": "R020",
	"018": "R008", "019": "R007", "020": "", "021": "R021", "022": "R022", "023": "R023", "024": "R009", "025": "R024", "026": "R025",
	"027": "R026", "028": "R027", "029": "", "030": "R013", "031": "R028", "032": "R012", "033": "R029", "034": "R030", "035": "R031",
	"036": "R032", "037": "R033", "038": "R034", "039": "R035", "040": "R036", "041": "R037", "042": "R038", "043": "R039", "044": "R040",
	"045": "R041",
}

// RulesOf are norn's rules for a word of a SQLBuild project: the code of a rule, or the beginning of several. ok is false for words
// that mean rules of families that norn does not have.
func RulesOf(word string) (codes []string, ok bool) {
	for number, code := range sqlbuildRules {
		if word != "" && strings.HasPrefix("SQBRSQL"+number, word) {
			ok = true
			if code != "" && !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	slices.Sort(codes)
	return codes, ok
}

// sqlbuildRuleTable reads [rules] of a SQLBuild project: which rules, by their codes there or the beginnings of them, and where their
// findings are excused. Findings are warnings, as those of all rules are.
func (c *configReader) sqlbuildRuleTable(key Word, v *tomlValue) {
	if !c.want(key, v, tomlTable) {
		return
	}
	choice := &c.conf.Rules
	keys := tomlKeys{
		"select": func(key Word, v *tomlValue) { choice.Whole = true; c.ruleWords(&choice.Select)(key, v) },
		"ignore": c.ruleWords(&choice.Ignore),
		"thresholds": func(key Word, v *tomlValue) {
			if c.want(key, v, tomlTable) {
				c.table("[rules.thresholds]", v, tomlKeys{"max_literal_length": c.positive(&choice.LiteralLength),
					"max_ranking_order_by": c.positive(&choice.RankingOrderBy), "min_tests_per_model": c.ignored("rules.thresholds.")})
			}
		},
		"rule_exceptions": c.ruleExceptions("rule", "path"),
		"rule_ignores":    c.ruleExceptions("rules", "paths"),
	}
	for _, name := range []string{"allow_exceptions", "graph_edge_exceptions", "rule_options"} {
		keys[name] = c.ignored("rules.")
	}
	c.table("[rules]", v, keys)
}

// ruleWords reads a list of codes and beginnings of codes into norn's codes.
func (c *configReader) ruleWords(to *[]Word) func(Word, *tomlValue) {
	return func(key Word, v *tomlValue) {
		var words []Word
		c.words(&words)(key, v)
		for _, w := range words {
			codes, ok := RulesOf(w.Text)
			if !ok {
				p := diag.New("E0153", w.Span, "norn has no rules for %s", w.Text).
					WithHelp("rules of your own can be written in Starlark, in rules/; those of the family SQBRSQL are norn's own")
				p.Severity = diag.Remark
				c.r.add(p)
			}
			for _, code := range codes {
				*to = append(*to, Word{code, w.Span})
			}
		}
	}
}

// ruleExceptions reads [[rules.rule_exceptions]] and [[rules.rule_ignores]]. Those for parts of the graph have no paths and no effect.
func (c *configReader) ruleExceptions(rules, paths string) func(Word, *tomlValue) {
	return func(key Word, v *tomlValue) {
		if !c.want(key, v, tomlArray) {
			return
		}
		texts := func(v *tomlValue) []string {
			if v == nil {
				return nil
			}
			if v.kind == tomlString {
				return []string{v.text}
			}
			var out []string
			for _, item := range v.items {
				out = append(out, item.text)
			}
			return out
		}
		for _, item := range v.items {
			x := RuleException{Paths: texts(item.get(paths))}
			for _, word := range texts(item.get(rules)) {
				codes, _ := RulesOf(word)
				x.Rules = append(x.Rules, codes...)
			}
			if len(x.Paths) == 0 {
				c.r.ignore(Word{"rules." + key.Text, key.Span})
				continue
			}
			c.conf.Rules.Except = append(c.conf.Rules.Except, x)
		}
	}
}
