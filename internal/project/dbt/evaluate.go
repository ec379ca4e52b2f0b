package dbt

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// compiled is the way out of Jinja that always works: dbt itself writes what a file becomes.
const compiled = "write the SQL that it makes: dbt compile puts it below target/compiled/"

// blockNames says what the first word of a block is.
var blockNames = map[string]string{
	"if": "a condition", "for": "a loop", "set": "a variable of Jinja", "macro": "a macro", "call": "a call of a macro",
	"snapshot": "a snapshot", "raw": "raw text of Jinja", "do": "a statement of Jinja", "test": "a generic test",
	"materialization": "a materialization", "filter": "a filter of Jinja",
}

// blockSpot says why a block keeps a file from being converted. Ends of blocks are no reasons of their own.
func blockSpot(text string, t tag, at diag.Span) (spot, bool) {
	word, _, _ := strings.Cut(strings.TrimSpace(text[t.from:t.to])+" ", " ")
	word = strings.TrimSpace(word)
	if strings.HasPrefix(word, "end") || word == "else" || word == "elif" {
		return spot{}, false
	}
	what, known := blockNames[word]
	if !known {
		what = "a block of Jinja"
	}
	return spot{CodeJinja, at, fmt.Sprintf("{%% %s %%} is %s", word, what), compiled}, true
}

// unread says why an expression keeps a file from being converted.
func (r *reader) unread(e expr, at diag.Span) spot {
	s := spot{code: CodeJinja, span: at, help: compiled}
	first, _, dotted := strings.Cut(e.name, ".")
	// A call whose arguments could not be read is still the call of a name.
	called := e.kind == call || e.name != "" && strings.Contains(at.Text(), e.name+"(")
	switch {
	case e.name == "var" && e.kind == call && len(e.args) > 0:
		name := e.args[0].value.Text
		s.message = fmt.Sprintf("var('%s') has no value that can be written down", name)
		s.help = fmt.Sprintf("give it one with --var %s=VALUE, or below vars: in %s", name, ConfigFile)
	case e.name == "env_var":
		s.message = "env_var reads the environment of a run"
		s.help = "write the value into the SQL, or keep it in the configuration of a target"
	case e.name == "this" || first == "this":
		s.message = "{{ this }} is the model's own table, which norn's models do not read"
		s.help = "write the query over all rows, without looking at those of the run before"
	case first == "target":
		s.message = e.name + " is known to dbt only when it runs"
		s.help = "write the SQL for one target: dbt compile puts it below target/compiled/"
	case e.name == "is_incremental":
		s.message = "is_incremental() asks whether the table stands already"
		s.help = "write the query over all rows"
	case e.name == "ref" || e.name == "source" || e.name == "config" || e.name == "doc":
		s.message = e.name + "(…) has arguments that only Jinja can read"
		s.help = "write texts in quotes as its arguments"
	case called && dotted:
		s.message = fmt.Sprintf("%s(…) is a macro of %s", e.name, orPackage(first))
	case called:
		s.message = fmt.Sprintf("%s(…) is a macro or a function of Jinja", e.name)
	default:
		s.message = fmt.Sprintf("%s is an expression of Jinja", orWord(e.name, "this"))
	}
	return s
}

func orWord(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func orPackage(name string) string {
	switch name {
	case "dbt", "adapter", "api", "modules", "exceptions":
		return "dbt"
	}
	return "the package " + name
}

// evaluate gives an expression its value, when it has one before a run.
func (r *reader) evaluate(e expr, at diag.Span) (project.Value, *spot) {
	no := func() (project.Value, *spot) {
		s := r.unread(e, at)
		return project.Value{}, &s
	}
	switch {
	case e.kind == literal:
		v := e.value
		v.Span = at
		return v, nil
	case e.kind != call || len(e.named) > 0:
		return no()
	}
	for i, a := range e.args {
		if a.kind == literal {
			continue
		}
		// The default of a variable may be another variable. It matters only where the first has no value.
		if _, given := r.variable(e); i == 1 && !given && a.name == "var" && a.kind == call {
			return r.evaluate(a, at)
		} else if i != 1 || !given {
			return no()
		}
	}
	switch {
	case e.name == "var" && (len(e.args) == 1 || len(e.args) == 2) && e.args[0].value.Kind == project.StringValue:
		v, ok := r.variable(e)
		if !ok && len(e.args) == 2 {
			v, ok = e.args[1].value, true
		}
		// dbt does not look for Jinja in values of variables, so braces in them are text, and text that norn would stumble over.
		if !ok || len(tags(scalar(v))) > 0 {
			return no()
		}
		v.Span = at
		return v, nil
	case e.name == "doc" && len(e.args) >= 1:
		if text, ok := r.docs[e.args[len(e.args)-1].value.Text]; ok {
			return project.Value{Kind: project.StringValue, Text: text, Span: at}, nil
		}
	}
	return no()
}

// variable is the value of var('name'), when it has one that is not its default.
func (r *reader) variable(e expr) (project.Value, bool) {
	if e.name != "var" || len(e.args) == 0 || e.args[0].kind != literal {
		return project.Value{}, false
	}
	v, ok := r.conf.vars[e.args[0].value.Text]
	return v, ok
}

// rendered is the text that Jinja puts in the place of a value: Python's str(). Floats are written when both languages agree on
// their digits.
func rendered(v project.Value) (string, bool) {
	switch v.Kind {
	case project.StringValue:
		return v.Text, true
	case project.WordValue:
		switch yes, ok := truth(v); {
		case ok && yes:
			return "True", true
		case ok:
			return "False", true
		}
		return v.Text, !moment().MatchString(v.Text)
	case project.NoValue:
		return "None", true
	case project.NumberValue:
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return strconv.FormatInt(n, 10), strconv.FormatInt(n, 10) == v.Text
		}
		f, err := strconv.ParseFloat(v.Text, 64)
		return v.Text, err == nil && (strconv.FormatFloat(f, 'f', -1, 64) == v.Text || strconv.FormatFloat(f, 'f', 1, 64) == v.Text)
	}
	return "", false
}

// moment holds for what YAML takes for a time of day on a date, which Python writes in its own way.
var moment = pattern(`^\d{4}-\d\d?-\d\d?([Tt]|\s+)\d`)

// constant gives a setting its value: a text with Jinja in it must be plain. One expression by itself keeps the kind of its
// value, so that enabled: "{{ var('on') }}" is true or false.
func (r *reader) constant(v project.Value) (project.Value, *spot) {
	if v.Kind != project.StringValue && v.Kind != project.WordValue {
		return v, nil
	}
	list := tags(v.Text)
	if len(list) == 0 {
		return v, nil
	}
	var b strings.Builder
	at := 0
	for _, t := range list {
		b.WriteString(v.Text[at:t.start])
		at = t.end
		switch {
		case t.kind == commentTag:
			continue
		case t.kind == blockTag:
			s, ok := blockSpot(v.Text, t, v.Span)
			if !ok {
				s = spot{CodeJinja, v.Span, "this is a block of Jinja", compiled}
			}
			return v, &s
		}
		value, s := r.evaluate(readExpr(v.Text, t.from, t.to), v.Span)
		if s != nil {
			return v, s
		}
		if len(list) == 1 && strings.TrimSpace(v.Text[:t.start]+v.Text[t.end:]) == "" {
			return native(value), nil
		}
		text, ok := rendered(value)
		if !ok {
			return v, &spot{CodeJinja, v.Span, "a list or a mapping stands inside a text", "write the text itself"}
		}
		b.WriteString(text)
	}
	b.WriteString(v.Text[at:])
	return project.Value{Kind: project.StringValue, Text: b.String(), Span: v.Span}, nil
}

// native reads the words true and false out of a text, as dbt does with the results of Jinja in YAML.
func native(v project.Value) project.Value {
	if v.Kind == project.StringValue {
		if t := strings.ToLower(v.Text); t == "true" || t == "false" {
			v.Kind, v.Text = project.WordValue, t
		}
	}
	return v
}

// truth reads true or false, in all the words that YAML 1.1 has for them, which is what dbt reads; the second result is false for
// anything else.
func truth(v project.Value) (yes, ok bool) {
	word := scalar(v)
	lower := strings.ToLower(word)
	if word != lower && word != strings.ToUpper(word) && word != strings.ToUpper(lower[:1])+lower[1:] {
		return false, false
	}
	switch lower {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off":
		return false, true
	}
	return false, false
}
