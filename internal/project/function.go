package project

import (
	"regexp"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/macro"
	"github.com/norn-data/norn/internal/sql"
)

// A Function is a function of the project: functions/sql/<name>.sql, a FUNCTION header and an expression or a query. Queries call it
// as __udf("name")(…), or in FROM as __table_fn("name")(…). norn checks functions and their callers; it does not create them.
type Function struct {
	Name        string
	File        *diag.File // the text with macros written out
	Description string
	Arguments   []Column
	Returns     Word     // the type of a scalar function
	Table       bool     // it yields rows
	Columns     []Column // of a function that yields rows
	// Arity is the number of arguments; -1 where it is not known, of a function in Python.
	Arity int
	// Query is the body of a function that yields rows, or of one that is written as a query; Body that of any other one. Both are nil
	// for a function in Python and for one whose text is broken.
	Query      *sql.Statement
	Body       sql.Expr
	References []Reference
	Calls      []FunctionCall
	Python     bool
	Broken     bool

	place     diag.Span
	start     int
	expansion *macro.Expansion
}

// NodeName implements [Node].
func (f *Function) NodeName() string { return f.Name }

// NodeKind implements [Node].
func (f *Function) NodeKind() Kind { return KindFunction }

// Place implements [Node].
func (f *Function) Place() diag.Span { return f.place }

// Locate is like [Model.Locate].
func (f *Function) Locate(problems []*diag.Problem) []*diag.Problem {
	return relocate(f.expansion, problems)
}

// A FunctionCall is a place where a function of the project is called.
type FunctionCall struct {
	Name  string
	Span  diag.Span // of the name, with its quotes
	Table bool      // in FROM
	Args  int
	To    *Function // nil when there is no such function (a problem was reported)
}

// functionHead reads what callers of a function need to know. Its body is read when all declarations are there.
func (l *loader) functionHead(file *diag.File, r *report) {
	f := &Function{Name: stem(file.Path), File: file, place: diag.Span{File: file}, start: -1}
	if strings.HasSuffix(file.Path, ".py") {
		f.Python, f.Arity = true, -1
		if m := pythonReturns.FindStringSubmatch(file.Text); m != nil {
			f.Returns = Word{m[1], diag.Span{File: file}}
		}
	} else {
		l.functionHeader(f, file, r)
	}
	if first := l.shared.functions[fold(f.Name)]; first != nil {
		r.add(twice(Word{f.Name, f.place}, "function", first.place))
		return
	}
	l.shared.functions[fold(f.Name)] = f
	l.p.Functions = append(l.p.Functions, f)
}

// pythonReturns finds the type that a Python function says it returns. Python is not read beyond that.
var pythonReturns = regexp.MustCompile(`returns\s*=\s*["']([^"']+)["']`)

func (l *loader) functionHeader(f *Function, file *diag.File, r *report) {
	before := len(r.problems)
	fileName(file, "function", r)
	header, start := l.body(file, r, new(entryRoom), "FUNCTION")
	if header == nil {
		if len(r.problems) == before {
			r.add(diag.New("E0112", diag.Span{File: file}, "%s has no FUNCTION header", file.Path).
				WithHelp("start the file with FUNCTION (arguments (x BIGINT), returns BIGINT);"))
		}
		f.Broken, f.Arity = true, -1
		return
	}
	f.start = start
	d := &decoder{r: r, dialect: l.dialect}
	given := false
	d.block(header.Kind, header.Entries, keyTable{
		"description": func(d *decoder, e Entry) { f.Description = d.text(e) },
		"tags":        func(d *decoder, e Entry) { d.names(e, "a list of words") },
		"database":    func(d *decoder, e Entry) { d.name(e, "a name") },
		"schema":      func(d *decoder, e Entry) { d.name(e, "a name") },
		"arguments": func(d *decoder, e Entry) {
			if e.Value.Kind == BlockValue && len(e.Value.Items) == 0 {
				return
			}
			f.Arguments = d.columns(e)
		},
		"returns": func(d *decoder, e Entry) {
			given = true
			if v := e.Value; v.Kind == CallValue && fold(v.Text) == "table" || v.Kind == PhraseValue && fold(v.Items[0].Value.Text) == "table" {
				if v.Kind == PhraseValue {
					v = v.Items[len(v.Items)-1].Value
				}
				f.Table = true
				f.Columns = d.columns(Entry{Key: e.Key, Value: Value{Kind: BlockValue, Span: v.Span, Items: v.Items}})
				return
			}
			f.Returns = d.columnType(e)
		},
	})
	if !given && len(r.problems) == before {
		r.add(diag.New("E0106", header.Span, "the function %s does not say what it returns", f.Name).WithHelp("add returns BIGINT, or returns table (a BIGINT)"))
	}
	f.Arity = len(f.Arguments)
	f.Broken = len(r.problems) > before || start < 0
}

// functionBodies reads the bodies of all functions and puts the functions in order.
func (l *loader) functionBodies() {
	r := &report{}
	for _, f := range l.p.Functions {
		l.functionBody(f, r)
	}
	sortNodes(l.p.Functions)
	l.take(r)
}

// functionBody reads the expression or the query of a function.
func (l *loader) functionBody(f *Function, r *report) {
	if f.start < 0 || f.Broken {
		return
	}
	before := len(r.problems)
	reader := l.reader(f.File.Path)
	foreign := l.foreign(&reader)
	x := l.expand(f.File, f.start, reader, r)
	f.File, f.expansion = x.file, x.expansion
	for _, c := range *foreign {
		r.add(c.problem())
	}
	var first sql.Token
	for lex := sql.NewLexer(f.File, f.start, l.dialect); ; {
		if first = lex.Next(); first.Kind != sql.LParen {
			break
		}
	}
	word := strings.ToUpper(f.File.Text[first.Start:first.End])
	var found references
	if f.Table || slices.Contains([]string{"SELECT", "WITH", "FROM", "VALUES"}, word) {
		f.Query, found = l.query(x, f.start, false, nil, r)
	} else {
		file := diag.NewFile(f.File.Path, strings.TrimRight(f.File.Text, "; \t\r\n"))
		body, problems := sql.ParseExpr(file, f.start, l.dialect)
		for _, p := range problems {
			p.Span.File = f.File
			r.add(p)
		}
		if len(problems) == 0 {
			f.Body = body
			found = scanReferences(func(w *tableWalker) { w.expr(body) }, f.File, l.dialect, true, r)
		}
	}
	f.References, f.Calls = found.tables, found.calls
	for _, at := range slices.Concat(found.bounds, found.placeholders) {
		r.add(diag.New("E0143", at, "%s has no meaning in a function", at.Text()).WithHelp("give the function an argument"))
	}
	f.Broken = diag.HasErrors(r.problems[before:]) || !x.ok
}

// Function returns the project's function of that name, or nil.
func (p *Project) Function(name string) *Function {
	for _, f := range p.Functions {
		if strings.EqualFold(f.Name, name) {
			return f
		}
	}
	return nil
}

// call resolves the calls of functions in a query.
func (rs *resolver) call(calls []FunctionCall, r *report) {
	for i := range calls {
		c := &calls[i]
		f := rs.functions[fold(c.Name)]
		c.To = f
		switch {
		case f == nil:
			var names []string
			for _, f := range rs.p.Functions {
				names = append(names, f.Name)
			}
			p := diag.New("E0147", c.Span, "there is no function %s", c.Name)
			if near := diag.Nearest(c.Name, names); near != "" {
				p.WithHelp("did you mean %s?", near).WithFix(c.Span, `"`+near+`"`)
			} else {
				p.WithHelp("define it in functions/sql/%s.sql", plainName(c.Name))
			}
			r.add(p)
		case f.Table != c.Table && !(f.Broken && f.Arity < 0):
			form, right := "a value", `__udf("`+f.Name+`")(…)`
			if f.Table {
				form, right = "rows", `FROM __table_fn("`+f.Name+`")(…)`
			}
			r.add(diag.New("E0147", c.Span, "the function %s yields %s", f.Name, form).WithNote(f.place, "the function").WithHelp("write %s", right))
		case f.Arity >= 0 && f.Arity != c.Args:
			r.add(diag.New("E0147", c.Span, "the function %s takes %s, not %d", f.Name, count(f.Arity, "argument"), c.Args).
				WithNote(f.place, "the function").WithHelp("its arguments are %s", argumentList(f)))
		}
	}
}

func argumentList(f *Function) string {
	if len(f.Arguments) == 0 {
		return "none"
	}
	parts := make([]string, len(f.Arguments))
	for i, a := range f.Arguments {
		parts[i] = strings.TrimSpace(a.Name.Text + " " + a.Type.Text)
	}
	return strings.Join(parts, ", ")
}
