package project

import (
	"regexp"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// A ParameterType is the type of a parameter of a unit test.
type ParameterType uint8

// The types of parameters. A decimal is written in quotes, because its digits are meant as they stand.
const (
	StringParameter ParameterType = iota
	IntegerParameter
	BooleanParameter
	FloatParameter
	DecimalParameter
)

// parameterTypes are the words of the types, in their order.
var parameterTypes = []string{"string", "integer", "boolean", "float", "decimal"}

// A TestParameter is a name that stands in a test as @param("name") and has another value in each case.
type TestParameter struct {
	Name Word
	Type ParameterType
}

// A TestCase is one set of values for the parameters of a test. Constants are SQL, in the order of the parameters.
type TestCase struct {
	Name      Word
	Constants []string
}

// Constant is the SQL that stands for a parameter in the case; "" when the test has no parameter of that name.
func (t *Test) Constant(c *TestCase, name string) string {
	for i, p := range t.Parameters {
		if fold(p.Name.Text) == fold(name) {
			return c.Constants[i]
		}
	}
	return ""
}

// testKeys are the keys of TEST and SCENARIO headers. Cases need the parameters, which may stand behind them, so they are put
// aside.
func testKeys(t *Test, cases *Entry) keyTable {
	return keyTable{
		"description": func(d *decoder, e Entry) { t.Description = d.text(e) },
		"tags":        func(d *decoder, e Entry) { d.names(e, "a list of words") },
		"enabled":     func(d *decoder, e Entry) { t.Disabled = d.truth(e) == No },
		"parameters":  func(d *decoder, e Entry) { t.Parameters = d.parameters(e) },
		"cases":       func(_ *decoder, e Entry) { *cases = e },
		"mode":        func(d *decoder, e Entry) { t.mode = fold(d.name(e, "macro, udf or table_fn").Text) },
		// The window of a cursor has no effect while the tests of models with one are not run.
		"cursor_start": kept, "cursor_end": kept,
	}
}

// testHeader decodes the header of a test.
func testHeader(t *Test, header *Header, r *report) {
	d := &decoder{r: r}
	var cases Entry
	problems := len(r.problems)
	d.block(header.Kind, header.Entries, testKeys(t, &cases))
	switch {
	case cases.Key.Given():
		if len(t.Parameters) == 0 && len(r.problems) == problems {
			r.add(diag.New("E0106", cases.Key.Span, "there are cases and no parameters").
				WithHelp("declare what differs between them: parameters (amount integer)"))
			return
		}
		t.Cases = d.cases(cases, t.Parameters)
	case len(t.Parameters) > 0:
		r.add(diag.New("E0106", t.Parameters[0].Name.Span, "there are parameters and no cases").
			WithHelp("give them values: cases (one (%s 1), two (%s 2))", t.Parameters[0].Name.Text, t.Parameters[0].Name.Text))
	}
}

// parameters reads parameters (amount integer, label string).
func (d *decoder) parameters(e Entry) []TestParameter {
	if e.Value.Kind != BlockValue {
		d.wrong(e, "a block of names and types")
		return nil
	}
	var list []TestParameter
	d.each("parameters", e.Value.Items, func(item Entry) {
		// A parameter whose type is wrong still has its name, so that the cases are not wrong as well.
		list = append(list, TestParameter{item.Key, ParameterType(max(0, d.choice(item, "type of a parameter", parameterTypes...)))})
	})
	return list
}

// each hands over every entry of a block whose keys are the author's own; a key without a value, or given twice, is a problem.
func (d *decoder) each(noun string, items []Entry, read func(Entry)) {
	d.fields(noun, items, func() []string { return nil }, func(_ string, e Entry) bool {
		if e.Value.Kind != NoValue {
			read(e)
		}
		return true
	})
}

// cases reads cases (one (amount 1, label 'x'), two (amount 2, label null)). Every case gives every parameter a value.
func (d *decoder) cases(e Entry, parameters []TestParameter) []TestCase {
	if e.Value.Kind != BlockValue {
		d.wrong(e, "a block of cases")
		return nil
	}
	var names []string
	for _, p := range parameters {
		names = append(names, p.Name.Text)
	}
	var list []TestCase
	d.each("cases", e.Value.Items, func(item Entry) {
		if item.Value.Kind != BlockValue {
			d.wrong(item, "a block of values")
			return
		}
		c, given := TestCase{Name: item.Key, Constants: make([]string, len(parameters))}, make([]bool, len(parameters))
		d.each("case "+item.Key.Text, item.Value.Items, func(v Entry) {
			i := slices.IndexFunc(parameters, func(p TestParameter) bool { return fold(p.Name.Text) == fold(v.Key.Text) })
			if i < 0 {
				d.unknown("E0105", v.Key, "parameter", names)
				return
			}
			given[i] = true
			c.Constants[i] = d.constant(v, parameters[i].Type)
		})
		for i, p := range parameters {
			if !given[i] {
				d.r.add(diag.New("E0106", item.Key.Span, "the case %s gives %s no value", item.Key.Text, p.Name.Text).
					WithHelp("add %s and a value, or null", p.Name.Text))
			}
		}
		list = append(list, c)
	})
	if len(list) == 0 && len(e.Value.Items) == 0 {
		d.r.add(diag.New("E0106", e.Value.Span, "there are no cases in cases").WithHelp("write cases (one (%s 1))", names[0]))
	}
	return list
}

// decimalText holds for the digits of a decimal.
var decimalText = regexp.MustCompile(`^[+-]?(\d+(\.\d*)?|\.\d+)$`)

// constant reads the value of a parameter and writes it as SQL.
func (d *decoder) constant(e Entry, t ParameterType) string {
	v := e.Value
	if v.Kind == WordValue && fold(v.Text) == "null" {
		return "CAST(NULL AS " + []string{"VARCHAR", "BIGINT", "BOOLEAN", "DOUBLE", "DECIMAL(38, 10)"}[t] + ")"
	}
	switch t {
	case StringParameter:
		if v.Kind == StringValue {
			return sql.QuoteText(v.Text)
		}
		d.wrong(e, "text in quotes")
	case IntegerParameter:
		if v.Kind == NumberValue && !strings.ContainsAny(v.Text, ".eE") {
			return "(" + strings.TrimPrefix(strings.ReplaceAll(v.Text, "_", ""), "+") + ")"
		}
		d.wrong(e, "a whole number")
	case BooleanParameter:
		if word := fold(v.Text); v.Kind == WordValue && (word == "true" || word == "false") {
			return word
		}
		d.wrong(e, "true or false")
	case FloatParameter:
		if _, ok := d.number(e); ok {
			return "CAST(" + strings.ReplaceAll(v.Text, "_", "") + " AS DOUBLE)"
		}
	case DecimalParameter:
		if v.Kind == StringValue && decimalText.MatchString(v.Text) {
			return "(" + strings.TrimPrefix(v.Text, "+") + ")"
		}
		d.r.add(diag.New("E0104", v.Span, "%s expects the digits of a decimal in quotes, found %s", e.Key.Text, describe(v)).
			WithHelp(`write %s "12.50"`, e.Key.Text))
	}
	return "NULL"
}

// checkParameters holds the @param("…") of a test's query to the parameters that its header declares. A parameter written as
// other templates are, such as @amount, is one problem however often it stands there. named is as in scanReferences.
func (t *Test) checkParameters(named bool, r *report) {
	if t.Query == nil || t.Query.Query == nil {
		return
	}
	var names []string
	for _, p := range t.Parameters {
		names = append(names, p.Name.Text)
	}
	used, unknown, bare := map[string]bool{}, false, map[string]*diag.Problem{}
	sql.Inspect(t.Query.Query, func(n sql.Node) bool {
		p, ok := n.(*sql.Template)
		if !ok || p.Kind == sql.TemplateMacro || named && isNamed(p) {
			return true
		}
		if p.Kind != sql.TemplateParam {
			t.otherTemplate(p, names, bare, r)
			used[fold(p.Name)] = true
			return true
		}
		used[fold(p.Name)] = true
		if slices.ContainsFunc(names, func(name string) bool { return fold(name) == fold(p.Name) }) {
			return true
		}
		unknown = true
		at := p.Span(t.Query.File)
		problem := diag.New("E0105", at, "unknown parameter %s", p.Name)
		if near := diag.Nearest(p.Name, names); near != "" {
			problem.WithHelp("did you mean %s?", near).WithFix(at, `@param("`+near+`")`)
		} else {
			problem.WithHelp("declare it in the header: TEST (parameters (%s integer), cases (one (%s 1)))", plainName(p.Name), plainName(p.Name))
		}
		r.add(problem)
		return true
	})
	for _, p := range t.Parameters {
		if !used[fold(p.Name.Text)] && !unknown { // a misspelt one is what its place wants to be
			r.add(diag.New("E0106", p.Name.Span, `the test does not use the parameter %s`, p.Name.Text).
				WithHelp(`write @param("%s") where its value belongs, or remove it`, p.Name.Text))
		}
	}
}

// otherTemplate says what is wrong with a template that is no @param("…"). Those that name a parameter are in bare, by folded name.
func (t *Test) otherTemplate(p *sql.Template, names []string, bare map[string]*diag.Problem, r *report) {
	file := t.Query.File
	i := slices.IndexFunc(names, func(name string) bool { return fold(name) == fold(p.Name) })
	switch at := p.Span(file); {
	case i < 0:
		r.add(unsupportedTemplate(file, p))
	case bare[fold(p.Name)] != nil:
		bare[fold(p.Name)].WithNote(at, "also here")
	default:
		right := `@param("` + names[i] + `")`
		problem := diag.New("E0108", at, "the parameter %s is not written %s", names[i], at.Text()).WithHelp("write %s", right).WithFix(at, right)
		bare[fold(p.Name)] = problem
		r.add(problem)
	}
}
