package macro

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// Values are what a SQLBuild project names in its SQL beside macros. Variables of the project and of the environment are text that
// takes the place of @@name and @@ENV:NAME, in quoted text too; comments are left alone. A constant, @const("n"), and the member of
// an enum, @enum("n").M, are SQL that was made of a value. All of it is written out before macros see their arguments.
type Values struct {
	Env       func(name string) (string, bool)
	Constants map[string]Value
	Enums     map[string]map[string]Value
}

// A Value is the SQL of a constant or of a member.
type Value struct {
	SQL   string
	Place diag.Span // where it is declared
	Bad   bool      // its declaration has a problem, which was said
	Scope Scope     // which files can use it
}

// A Reader is the file that a text stands in, or the declaration that it is for, and what is its own.
type Reader struct {
	// Files are the files whose constants and enums the text can use.
	Files []string
	// Own are the values that a model declares for itself; their names begin with an underscore.
	Own *Values
	// Foreign reports whether a macro of that name is written in a language that norn does not run. A call of it stays as it is, in
	// silence. Nil: there are none.
	Foreign func(name string, at diag.Span) bool
	// Hook is set for the text of a hook, or of an audit, which has arguments.
	Hook *Hook
}

// A Hook is what the text of a hook has beside what queries have: arguments, and the run that it belongs to.
type Hook struct {
	// Argument is what stands in the place of @name, or of @'name'. What it says no to stays as it is.
	Argument func(name string, quoted bool) (string, bool)
	// Context takes the key at the beginning of a text that follows @@CTX: and returns it; "" where there is none. Nil: there is no run.
	Context func(text string) string
}

// sees reports whether the text can use a value.
func (w *writer) sees(v Value) bool {
	return len(w.reader.Files) == 0 || slices.ContainsFunc(w.reader.Files, v.Scope.Holds)
}

// visible are the names that the text can use.
func visible(w *writer, all map[string]Value) []string {
	var names []string
	for name, v := range all {
		if w.sees(v) {
			names = append(names, name)
		}
	}
	if w.reader.Own != nil {
		names = slices.AppendSeq(names, maps.Keys(w.reader.Own.Constants))
	}
	return names
}

// argument writes out @name and @'name' of a hook.
func (w *writer) hookArgument(c *call, form string) bool {
	if w.reader.Hook == nil || strings.HasPrefix(form, "@@") {
		return false
	}
	name := strings.Trim(form[1:], "'")
	text, ok := w.reader.Hook.Argument(name, form[1] == '\'')
	c.name, c.what, c.text, c.wrote = name, "the argument", text, text
	return ok
}

// codeValue is for names that nothing has a value for.
const codeValue = "E0307"

// textVariable finds variables inside of a quoted text. Three @ are a placeholder.
var textVariable = regexp.MustCompile(`@+(?:ENV:|CTX:)?[\p{L}_][\p{L}\p{N}_]*`)

// named reports whether a token holds a variable, a constant or an enum.
func (w *writer) named(t sql.Token) bool {
	return t.Kind == sql.Sigil || w.o.Values != nil && quoted(t) && strings.Contains(w.text(t), "@@")
}

func quoted(t sql.Token) bool { return t.IsString() || t.Kind == sql.QuotedIdent }

// inside writes out the variables in a quoted text.
func (w *writer) inside(t sql.Token) []*call {
	if w.o.Values == nil || !quoted(t) {
		return nil
	}
	var calls []*call
	for _, at := range textVariable.FindAllStringIndex(w.text(t), -1) {
		form := w.text(t)[at[0]:at[1]]
		if !strings.HasPrefix(form, "@@") || strings.HasPrefix(form, "@@@") {
			continue
		}
		c := &call{from: int(t.Start) + at[0], to: int(t.Start) + at[1]}
		w.variable(c, form[2:])
		calls = append(calls, c)
	}
	return calls
}

// value writes out the variable, constant or member at token i and returns the index behind it; nil when something else stands
// there.
func (w *writer) value(i int) (c *call, next int) {
	t := w.tokens[i]
	form := w.text(t)
	c = &call{from: int(t.Start), to: int(t.End)}
	switch {
	case w.o.Values == nil || strings.HasPrefix(form, "@@@"):
		return nil, 0
	case strings.HasPrefix(form, "@@"):
		w.variable(c, form[2:])
		for i++; i < len(w.tokens) && int(w.tokens[i].Start) < c.to; i++ {
		}
		return c, i
	case !w.kinds(i+1, sql.LParen) && w.hookArgument(c, form):
		return c, i + 1
	case form != "@const" && form != "@enum" || !w.kinds(i+1, sql.LParen) || !w.kinds(i+3, sql.RParen) || !quoted(w.tokens[i+2]):
		return nil, 0
	}
	name := strings.Trim(w.text(w.tokens[i+2]), `"'`)
	at := w.span(int(w.tokens[i+2].Start)+1, int(w.tokens[i+2].End)-1)
	c.to = int(w.tokens[i+3].End)
	if form == "@const" {
		c.name, c.what = name, "the constant"
		v, ok := w.o.Values.Constants[name]
		if own := w.reader.Own; own != nil && strings.HasPrefix(name, "_") {
			v, ok = own.Constants[name]
		}
		w.declared(c, v, ok, at, "constant", visible(w, w.o.Values.Constants))
		return c, i + 4
	}
	if !w.kinds(i+4, sql.Dot) || !w.kinds(i+5, sql.Ident) {
		w.report(c, diag.New(codeValue, w.span(c.from, c.to), "an enum is named without a member").WithHelp(`write @enum("%s").MEMBER`, name))
		return c, i + 4
	}
	member := w.tokens[i+5]
	c.to, c.name, c.what = int(member.End), name+"."+w.text(member), "the enum member"
	members, ok := w.o.Values.Enums[name]
	if own := w.reader.Own; own != nil && strings.HasPrefix(name, "_") {
		members, ok = own.Enums[name]
	}
	if !ok {
		w.declared(c, Value{}, false, at, "enum", slices.Collect(maps.Keys(w.o.Values.Enums)))
		return c, i + 6
	}
	for _, one := range members {
		if !w.sees(one) {
			w.hidden(c, one, at, "enum")
			return c, i + 6
		}
	}
	v, ok := members[w.text(member)]
	w.declared(c, v, ok, w.span(int(member.Start), int(member.End)), "member of the enum "+name, slices.Collect(maps.Keys(members)))
	return c, i + 6
}

// kinds reports whether a token of a kind stands at i.
func (w *writer) kinds(i int, kind sql.Kind) bool {
	return i < len(w.tokens) && w.tokens[i].Kind == kind
}

// declared takes the SQL of a declaration, or reports that there is none.
func (w *writer) declared(c *call, v Value, ok bool, at diag.Span, noun string, known []string) {
	if ok && !w.sees(v) {
		w.hidden(c, v, at, noun)
		return
	}
	if ok {
		c.text, c.wrote, c.place = v.SQL, v.SQL, v.Place
		if v.Bad {
			c.bad, w.ok = true, false
		}
		return
	}
	slices.Sort(known)
	p := diag.New(codeValue, at, "there is no %s %s", noun, at.Text())
	if near := diag.Nearest(at.Text(), known); near != "" {
		p.WithHelp("did you mean %s?", near).WithFix(at, near)
	} else if len(known) > 0 {
		p.WithHelp("there are %s", diag.Listing(known))
	} else {
		p.WithHelp("declare it in constants/ or enums/ of the project, or in _sqlbuild/constants/ or _sqlbuild/enums/ of a folder")
	}
	if strings.HasPrefix(at.Text(), "_") {
		p.WithHelp("a name that begins with _ is declared in the header of the model that uses it: constants (%s 1), enums (%s [A, B])", at.Text(), at.Text())
	}
	w.report(c, p)
}

// hidden reports a declaration that is there, and for other files.
func (w *writer) hidden(c *call, v Value, at diag.Span, noun string) {
	w.report(c, diag.New(codeValue, at, "the %s %s cannot be used here", noun, at.Text()).WithNote(v.Place, "it is visible %s", v.Scope).
		WithHelp("move the declaration to the nearest folder that holds all its uses"))
}

// variable takes the text of a variable of the project or of the environment.
func (w *writer) variable(c *call, name string) {
	c.name, c.what = name, "the variable"
	at := w.span(c.from, c.to)
	var text string
	switch env, isEnv := strings.CutPrefix(name, "ENV:"); {
	case strings.HasPrefix(name, "CTX:") && w.reader.Hook != nil && w.reader.Hook.Context != nil:
		from := c.from + len("@@CTX:")
		key := w.reader.Hook.Context(w.e.Source.Text[from:])
		if key == "" {
			w.report(c, diag.New(codeValue, at, "there is no @@%s", name).WithHelp("there are destination.qualified, destination.schema, destination.table, model.name, run.target and others"))
			return
		}
		c.name, c.to = "CTX:"+key, from+len(key)
		c.text = strings.ReplaceAll(key, ".", "_")
		c.wrote = c.text
		return
	case strings.HasPrefix(name, "CTX:"):
		w.report(c, diag.New(codeValue, at, "@@CTX is for hooks, and a query has none of it").WithHelp("write the SQL it stands for"))
		return
	case isEnv:
		value, ok := w.o.Values.Env(env)
		if !ok {
			w.report(c, diag.New(codeValue, at, "the environment has no variable %s", env).WithHelp("set it: export %s=…", env))
			return
		}
		text = value
	default:
		value, ok := w.o.Vars[name]
		if !ok {
			known := slices.Sorted(maps.Keys(w.o.Vars))
			p := diag.New(codeValue, at, "there is no variable %s", name)
			if near := diag.Nearest(name, known); near != "" {
				p.WithHelp("did you mean %s?", near).WithFix(at, "@@"+near)
			} else {
				p.WithHelp("define it in [vars]")
			}
			w.report(c, p)
			return
		}
		if value == nil {
			w.report(c, diag.New(codeValue, at, "the variable %s is a list or a table, which cannot stand in SQL", name).WithHelp("hand its parts over as variables of their own"))
			return
		}
		text = plainText(value)
	}
	// What stands in the text of a variable is final, as what a macro writes is.
	lex := sql.NewLexer(diag.NewFile("", text), 0, w.d)
	for t := lex.Next(); t.Kind != sql.EOF; t = lex.Next() {
		if t.Kind == sql.Sigil {
			w.report(c, diag.New(codeValue, at, "the variable %s holds %s, and what it holds is final", name, lex.Text(t)).WithHelp("write that in the query"))
			return
		}
	}
	c.text, c.wrote = text, text
}

// plainText is the value of a variable as it is written into a query.
func plainText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(value)
}
