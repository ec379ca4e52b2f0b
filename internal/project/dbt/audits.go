package dbt

import (
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// An audit is a generic test as norn calls it.
type audit struct {
	name string
	args []auditArg
}

// An auditArg is key and value; a list where there is no word.
type auditArg struct {
	key, word string
	list      []string // written as in a header: 'text', 1, true
}

// call writes the audit for a header.
func (a audit) call() string {
	if len(a.args) == 0 {
		return a.name
	}
	var args []string
	for _, arg := range a.args {
		if arg.list != nil {
			args = append(args, arg.key+" ["+strings.Join(arg.list, ", ")+"]")
		} else {
			args = append(args, arg.key+" "+word(arg.word))
		}
	}
	return a.name + "(" + strings.Join(args, ", ") + ")"
}

// yaml writes the audit for a YAML file.
func (a audit) yaml() string {
	if len(a.args) == 0 {
		return a.name
	}
	var args []string
	for _, arg := range a.args {
		if arg.list != nil {
			args = append(args, arg.key+": ["+strings.Join(arg.list, ", ")+"]")
		} else {
			args = append(args, arg.key+": "+yamlText(arg.word))
		}
	}
	return a.name + ": {" + strings.Join(args, ", ") + "}"
}

func auditList(list []audit) string {
	calls := make([]string, len(list))
	for i, a := range list {
		calls[i] = a.call()
	}
	return "[" + strings.Join(calls, ", ") + "]"
}

// A genericTest is one entry of tests: or data_tests:, its arguments in one place wherever dbt lets them stand.
type genericTest struct {
	name string
	at   diag.Span
	args map[string]project.Value
}

// genericTest takes an entry apart. dbt reads a name, a mapping from a name to arguments, and a mapping with test_name.
func readGenericTest(v project.Value) (genericTest, bool) {
	t := genericTest{at: v.Span, args: map[string]project.Value{}}
	if name := scalar(v); name != "" {
		t.name = name
		return t, true
	}
	if v.Kind != project.BlockValue || len(v.Items) == 0 {
		return t, false
	}
	args := v.Items
	if named := get(v, "test_name"); named.Kind != project.NoValue {
		t.name, t.at = scalar(named), named.Span
	} else {
		t.name, t.at = v.Items[0].Key.Text, v.Items[0].Key.Span
		// The arguments stand below the name, or, by a slip of indentation that dbt forgives, beside it.
		args = append(append([]project.Entry{}, v.Items[0].Value.Items...), v.Items[1:]...)
	}
	var fill func(list []project.Entry)
	fill = func(list []project.Entry) {
		for _, e := range list {
			if e.Value.Kind == project.BlockValue && (e.Key.Text == "arguments" || e.Key.Text == "config") {
				fill(e.Value.Items)
				continue
			}
			t.args[configKey(e.Key.Text)] = e.Value
		}
	}
	fill(args)
	return t, t.name != ""
}

// testDefaults fills in what dbt_project.yml says about all tests.
func (r *reader) testDefaults(t genericTest) {
	for key, e := range r.folderConfig("data_tests", nil) {
		if _, given := t.args[key]; !given {
			t.args[key] = e.Value
		}
	}
}

// audits converts the generic tests of a node, or of one of its columns. Those without a counterpart are listed one by one.
func (r *reader) audits(list []project.Entry, owner, column string) []audit {
	var found []audit
	for _, item := range list {
		t, ok := readGenericTest(item.Value)
		if !ok {
			r.note(item.Value.Span, "an entry of tests that is no test is left out")
			continue
		}
		r.testDefaults(t)
		enabled, s := r.constant(t.args["enabled"])
		if yes, given := truth(enabled); s == nil && given && !yes {
			r.note(t.at, "a disabled test is left out")
			continue
		}
		a, why := r.audit(t, owner, column)
		if why != nil {
			r.leave("test", t.name+" on "+describedAs(owner, column), "", *why)
			continue
		}
		found = append(found, a)
	}
	return found
}

// narrowing are settings that change which rows a test counts, and when it fails.
var narrowing = []string{"where", "error_if", "warn_if", "fail_calc"}

// audit converts one generic test.
func (r *reader) audit(t genericTest, owner, column string) (audit, *spot) {
	fail := func(at diag.Span, message, help string) (audit, *spot) {
		s := noCounterpart(at, message, help)
		return audit{}, &s
	}
	byHand := "write audits/NAME.sql, a query whose rows are the failures"
	for _, key := range narrowing {
		if v, given := t.args[key]; given {
			return fail(v.Span, "norn's audits have no "+key, byHand)
		}
	}
	var a audit
	known := []string{"enabled", "severity", "name", "description", "tags", "meta", "limit", "store_failures", "store_failures_as", "test_name", "column_name", "docs"}
	needsColumn := true
	switch t.name {
	case "unique", "not_null":
		a.name = t.name
	case "accepted_values":
		a.name = t.name
		known = append(known, "values", "quote")
		values, s := r.values(t)
		if s != nil {
			return audit{}, s
		}
		a.args = append(a.args, auditArg{key: "values", list: values})
	case "relationships":
		a.name = t.name
		known = append(known, "to", "field")
		to, s := r.relationship(t, owner)
		if s != nil {
			return audit{}, s
		}
		field := scalar(t.args["field"])
		if field == "" {
			return fail(t.at, "it does not name a field", "add field")
		}
		a.args = append(a.args, auditArg{key: "to", word: to}, auditArg{key: "field", word: field})
	case "dbt_utils.unique_combination_of_columns":
		a.name, needsColumn = "unique", false
		known = append(known, "combination_of_columns", "quote_columns")
		var columns []string
		for _, item := range listed(t.args["combination_of_columns"]) {
			columns = append(columns, scalar(item.Value))
		}
		if len(columns) == 0 || slices.ContainsFunc(columns, func(c string) bool { return !headerWord().MatchString(c) }) {
			return fail(t.at, "its columns are no plain names", byHand)
		}
		a.args = append(a.args, auditArg{key: "columns", list: columns})
	case "dbt_utils.expression_is_true":
		if e := scalar(t.args["expression"]); e != "" && column == "" && len(tags(e)) == 0 {
			return fail(t.at, "norn has no audit of an expression", "write audits/NAME.sql: SELECT * FROM "+owner+" WHERE NOT ("+strings.Join(strings.Fields(e), " ")+")")
		}
		return fail(t.at, "norn has no audit of an expression", byHand)
	default:
		what := "it is a test of the project's own"
		if of, _, dotted := strings.Cut(t.name, "."); dotted {
			what = "it is a test of the package " + of
		}
		return fail(t.at, what, byHand)
	}
	for key, v := range t.args {
		if !slices.Contains(known, key) {
			r.note(orPlace(v.Span, t.at), "%s of the test %s: no counterpart, dropped", key, t.name)
		}
	}
	if needsColumn && column == "" {
		name := scalar(t.args["column_name"])
		if !headerWord().MatchString(name) {
			return fail(t.at, "it is about an expression, not about a column", byHand)
		}
		key := "column"
		if a.name == "unique" || a.name == "not_null" {
			key = "columns"
		}
		a.args = append([]auditArg{{key: key, list: []string{name}}}, a.args...)
		if key == "column" {
			a.args[0] = auditArg{key: key, word: name}
		}
	}
	severity, s := r.constant(t.args["severity"])
	if s != nil {
		return audit{}, s
	}
	if strings.EqualFold(scalar(severity), "warn") {
		a.args = append(a.args, auditArg{key: "severity", word: "warn"})
	}
	return a, nil
}

func orPlace(at, otherwise diag.Span) diag.Span {
	if at.IsZero() {
		return otherwise
	}
	return at
}

// values are those of accepted_values. dbt compares texts unless quote is false; a number in quotes means the same number to a
// column of numbers, so numbers stay what they are in YAML.
func (r *reader) values(t genericTest) ([]string, *spot) {
	var list []string
	for _, item := range listed(t.args["values"]) {
		v, s := r.constant(item.Value)
		if s != nil {
			return nil, s
		}
		text := scalar(v)
		yes, isBool := truth(v)
		switch {
		case v.Kind == project.WordValue && isBool:
			list = append(list, strconv.FormatBool(yes))
		case v.Kind == project.NumberValue:
			list = append(list, text)
		case v.Kind == project.WordValue || v.Kind == project.StringValue:
			list = append(list, "'"+strings.ReplaceAll(text, "'", "''")+"'")
		default:
			s := noCounterpart(item.Value.Span, "a value is no text, number, true or false", "write audits/NAME.sql, a query whose rows are the failures")
			return nil, &s
		}
	}
	if list == nil {
		s := noCounterpart(t.at, "it does not say which values", "add values")
		return nil, &s
	}
	return list, nil
}

// relationship resolves the to of a relationships test: ref('x'), source('a', 'b'), in braces or not.
func (r *reader) relationship(t genericTest, owner string) (string, *spot) {
	v := t.args["to"]
	text := strings.TrimSpace(scalar(v))
	if list := tags(text); len(list) == 1 && list[0].kind == expressionTag && list[0].start == 0 && list[0].end == len(text) {
		text = text[list[0].from:list[0].to]
	}
	e := readExpr(text, 0, len(text))
	if e.kind != call || e.name != "ref" && e.name != "source" || !texts(e) || len(e.args) == 0 || e.name == "source" && len(e.args) != 2 {
		s := noCounterpart(orPlace(v.Span, t.at), "its to is neither ref('…') nor source('…', '…')", "name a model, a seed or a source")
		return "", &s
	}
	if s := r.foreign(e, v.Span); s != nil {
		return "", s
	}
	to := r.target(e)
	if to.open != "" {
		r.openReference("a test of "+owner, v.Span, to)
	}
	return to.name, nil
}
