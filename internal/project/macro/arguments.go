package macro

import (
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/script"
	"github.com/norn-data/norn/internal/sql"
)

// An argument is what stands between two commas of a call.
type argument struct {
	name  string // of name => value or name := value
	at    diag.Span
	text  string // the SQL, with the macros in it written out
	value starlark.Value
	bad   bool // a call in it could not be written out
}

// arguments reads the arguments that begin at token i and returns the index behind the closing parenthesis, -1 when there is none.
func (w *writer) arguments(i, depth int) (args []argument, next int, err error) {
	var text strings.Builder
	start, nesting := i, 0
	at := 0 // how far the source is in text
	bad := false
	begin := func(i int) {
		text.Reset()
		bad = false
		if start = i; i < len(w.tokens) {
			at = int(w.tokens[i].Start)
		}
	}
	end := func(i int) {
		if i == start {
			return
		}
		last := int(w.tokens[i-1].End)
		if at < last {
			text.WriteString(w.e.Source.Text[at:last])
		}
		a := w.argument(start, i, text.String())
		a.bad = bad
		args = append(args, a)
	}
	begin(i)
	for i < len(w.tokens) {
		t := w.tokens[i]
		switch t.Kind {
		case sql.LParen, sql.LBracket, sql.LBrace:
			nesting++
		case sql.RBracket, sql.RBrace:
			nesting--
		case sql.RParen:
			if nesting == 0 {
				end(i)
				return args, i + 1, nil
			}
			nesting--
		case sql.Comma:
			if nesting == 0 {
				end(i)
				i++
				begin(i)
				continue
			}
		case sql.Sigil:
			if depth >= deepest {
				w.report(&call{}, diag.New("E0303", w.span(int(t.Start), int(t.End)), "macros are called inside of each other's arguments more than %d deep", deepest).
					WithHelp("give the macro one argument, and call the others in macros/"))
				return nil, -1, nil
			}
			c, after, err := w.call(i, depth+1)
			if err != nil {
				return nil, 0, err
			}
			if c != nil && c.bad {
				bad = true
			} else if c != nil {
				text.WriteString(w.e.Source.Text[at:c.from])
				text.WriteString(c.text)
				at = c.to
			}
			i = after
			continue
		default:
			for _, c := range w.inside(t) {
				if bad = bad || c.bad; !c.bad {
					text.WriteString(w.e.Source.Text[at:c.from])
					text.WriteString(c.text)
					at = c.to
				}
			}
		}
		i++
	}
	return nil, -1, nil
}

// argument reads one argument, tokens from up to to.
func (w *writer) argument(from, to int, text string) argument {
	a := argument{at: w.span(int(w.tokens[from].Start), int(w.tokens[to-1].End)), text: strings.TrimSpace(text)}
	if to-from > 2 && w.tokens[from].Kind == sql.Ident && (w.tokens[from+1].Kind == sql.EqualArrow || w.tokens[from+1].Kind == sql.ColonEqual) {
		a.name = w.text(w.tokens[from])
		a.text = strings.TrimSpace(text[int(w.tokens[from+1].End-w.tokens[from].Start):])
	}
	a.value = value(a.text, w.d)
	return a
}

// value is what a macro is handed for an argument: a constant is its value (text, number, True, False, None, a list of such),
// everything else is the text of the SQL.
func value(text string, d *sql.Dialect) starlark.Value {
	x, problems := sql.ParseExpr(diag.NewFile("", text), 0, d)
	if len(problems) == 0 {
		if v := constant(x); v != nil {
			return v
		}
	}
	return starlark.String(text)
}

func constant(x sql.Expr) starlark.Value {
	switch x := x.(type) {
	case *sql.Literal:
		switch x.Kind {
		case sql.NullLiteral:
			return starlark.None
		case sql.BoolLiteral:
			return starlark.Bool(x.Text == "true")
		case sql.StringLiteral:
			return starlark.String(x.Text)
		case sql.NumberLiteral:
			digits := strings.ReplaceAll(x.Text, "_", "")
			if n, err := strconv.ParseInt(digits, 0, 64); err == nil && (len(digits) == 1 || digits[0] != '0') {
				return starlark.MakeInt64(n)
			}
			// A decimal is exact in SQL and not in Starlark, so it stays a text.
		}
	case *sql.Unary:
		if n, ok := constant(x.X).(starlark.Int); ok && x.Op == "-" {
			return starlark.MakeInt(0).Sub(n)
		}
	case *sql.List:
		values := make([]starlark.Value, len(x.Items))
		for i, item := range x.Items {
			if values[i] = constant(item); values[i] == nil {
				return nil
			}
		}
		return starlark.NewList(values)
	}
	return nil
}

// bind puts the arguments of a call in the order of a macro's parameters, and says what does not fit.
func (w *writer) bind(c *call, fn *starlark.Function, args []argument) (starlark.Tuple, []starlark.Tuple, *diag.Problem) {
	wrong := func(at diag.Span, format string, more ...any) *diag.Problem {
		return diag.New("E0303", at, format, more...).WithNote(c.place, "the macro %s", c.name).WithHelp("call it as %s", signature(fn))
	}
	var positional starlark.Tuple
	var named []starlark.Tuple
	plain := fn.NumParams() - fn.NumKwonlyParams()
	if fn.HasVarargs() {
		plain--
	}
	if fn.HasKwargs() {
		plain--
	}
	params := make([]string, plain+fn.NumKwonlyParams())
	for i := range params {
		params[i], _ = fn.Param(i)
	}
	given := map[string]bool{}
	if plain > 0 && params[0] == contextName {
		positional = append(positional, w.context())
		given[contextName] = true
	}
	for _, a := range args {
		if a.name == "" {
			switch {
			case len(named) > 0:
				return nil, nil, wrong(a.at, "an argument without a name stands behind one with a name")
			case len(positional) < plain:
				given[params[len(positional)]] = true
			case !fn.HasVarargs():
				return nil, nil, wrong(a.at, "@%s takes fewer arguments", c.name)
			}
			positional = append(positional, a.value)
			continue
		}
		switch {
		case given[a.name]:
			return nil, nil, wrong(a.at, "%s is given twice", a.name)
		case !slices.Contains(params, a.name) && !fn.HasKwargs():
			p := wrong(a.at, "@%s has no parameter %s", c.name, a.name)
			if near := diag.Nearest(a.name, params); near != "" {
				p.WithHelp("did you mean %s?", near)
			}
			return nil, nil, p
		}
		given[a.name] = true
		named = append(named, starlark.Tuple{starlark.String(a.name), a.value})
	}
	for i, name := range params {
		if !given[name] && fn.ParamDefault(i) == nil {
			return nil, nil, wrong(w.span(c.from, c.to), "@%s needs %s", c.name, name)
		}
	}
	return positional, named, nil
}

// signature is a macro as it is called.
func signature(fn *starlark.Function) string {
	var params []string
	for i := range fn.NumParams() {
		name, _ := fn.Param(i)
		switch {
		case i == 0 && name == contextName:
			continue
		case fn.HasKwargs() && i == fn.NumParams()-1:
			name = "**" + name
		case fn.HasVarargs() && i == fn.NumParams()-1, fn.HasVarargs() && fn.HasKwargs() && i == fn.NumParams()-2:
			name = "*" + name
		case fn.ParamDefault(i) != nil:
			name += " => " + fn.ParamDefault(i).String()
		}
		params = append(params, name)
	}
	return "@" + fn.Name() + "(" + strings.Join(params, ", ") + ")"
}

// contextName is the first parameter of a macro that wants to know about the project.
const contextName = "ctx"

// context is what a macro can know about the project.
func (w *writer) context() starlark.Value {
	return script.NewRecord("context", diag.Span{},
		script.Field{Name: "adapter", Value: script.Text(w.o.Adapter)},
		script.Field{Name: "target", Value: script.Text(w.o.Target)},
		script.Field{Name: "vars", Make: func() starlark.Value {
			vars := starlark.NewDict(len(w.o.Vars))
			names := make([]string, 0, len(w.o.Vars))
			for name := range w.o.Vars {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				var v starlark.Value
				switch x := w.o.Vars[name].(type) {
				case string:
					v = starlark.String(x)
				case int64:
					v = starlark.MakeInt64(x)
				case float64:
					v = starlark.Float(x)
				case bool:
					v = starlark.Bool(x)
				default:
					continue
				}
				// The only error of SetKey is about frozen dicts and keys that cannot be keys.
				diag.Assert(vars.SetKey(starlark.String(name), v) == nil, "a variable cannot be set")
			}
			return vars
		}})
}

// builtins are what macros can use beside Starlark's own functions.
func builtins() starlark.StringDict {
	text := func(name string, write func(string) string) *starlark.Builtin {
		return starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var s string
			if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &s); err != nil {
				return nil, err
			}
			return starlark.String(write(s)), nil
		})
	}
	return starlark.StringDict{
		"quote": text("quote", sql.QuoteText),
		"ident": text("ident", sql.QuoteName),
	}
}
