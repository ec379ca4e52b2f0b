package project

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/macro"
	"github.com/norn-data/norn/internal/sql"
)

// A hook is a statement with a name, in hooks/sql/<name>.sql, that models run before or after they are built. What stands in its
// header is a description; behind it stands SQL of any kind, with @name and @'name' where arguments are put.
type hook struct {
	file  *diag.File
	start int      // of the statement
	args  []string // the names that it uses
	scope macro.Scope

	described bool
}

// A HookKind is the form of a hook in a header.
type HookKind uint8

// The forms of hooks.
const (
	InlineHook HookKind = iota // inline_sql("…")
	NamedHook                  // sql("name", argument: value)
	PythonHook                 // python("name", …)
)

// A HookCall is an entry of pre_hooks or post_hooks. norn checks what it does as far as it is SQL, and runs none.
type HookCall struct {
	Kind HookKind
	Name string // "" of an inline hook
	Span diag.Span
	// Read is set when all of it is checked, see [Statement].
	Read bool

	statements []*Statement
}

// readHook reads one file of hooks.
func (l *loader) readHook(file *diag.File, s macro.Scope, r *report) {
	if strings.HasPrefix(stem(file.Path), "_") {
		return
	}
	before := len(r.problems)
	name := fileName(file, "hook", r)
	described := true // where the header is broken, that is said
	header, start := l.body(file, r, new(entryRoom), "HOOK")
	switch {
	case header == nil && len(r.problems) == before:
		r.add(diag.New("E0112", diag.Span{File: file}, "%s has no HOOK header", file.Path).WithHelp(`start the file with HOOK (description "…");`))
	case header != nil:
		d := &decoder{r: r}
		described = false
		d.block(header.Kind, header.Entries, keyTable{"description": func(d *decoder, e Entry) { described = d.text(e) != "" }})
	}
	h := &hook{file: file, start: start, scope: s, described: described}
	if start >= 0 {
		h.args = argumentNames(file, start, l.dialect)
	}
	// A hook that cannot be used has its name all the same, so that its users are not wrong as well.
	l.shared.hooks.add(&declared[*hook]{Word{name, diag.Span{File: file}}, s, h}, r)
}

// argumentNames are the names behind @ and in @'…' of a text, each once.
func argumentNames(file *diag.File, start int, d *sql.Dialect) []string {
	var names []string
	lex := sql.NewLexer(file, start, d)
	for t := lex.Next(); t.Kind != sql.EOF; {
		next := lex.Next()
		text := file.Text[t.Start:t.End]
		if t.Kind == sql.Sigil && !strings.HasPrefix(text, "@@") && (next.Kind != sql.LParen || text[1] == '\'') {
			if name := strings.Trim(text, "@'"); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		t = next
	}
	return names
}

// hooks decodes pre_hooks and post_hooks of a model.
func (l *loader) hooks(m *Model, e Entry, reader macro.Reader, r *report) {
	d := &decoder{r: r}
	if e.Value.Kind != ListValue {
		d.wrong(e, "a list of hooks")
		return
	}
	for _, item := range e.Value.Items {
		v := item.Value
		kind := slices.Index([]string{"inline_sql", "sql", "python"}, fold(v.Text))
		if v.Kind != CallValue || kind < 0 {
			r.add(diag.New("E0146", v.Span, "expected a hook, found %s", describe(v)).
				WithHelp(`write inline_sql("…"), sql("name") or python("name")`))
			continue
		}
		call := HookCall{Kind: HookKind(kind), Span: v.Span}
		if len(v.Items) == 0 || v.Items[0].Key.Given() || v.Items[0].Value.Kind != StringValue {
			r.add(diag.New("E0146", v.Span, "%s begins with a text in quotes", fold(v.Text)).WithHelp("write %s(\"…\")", fold(v.Text)))
			continue
		}
		first := v.Items[0].Value
		switch call.Kind {
		case InlineHook:
			if len(v.Items) > 1 {
				r.add(diag.New("E0146", v.Span, "inline_sql takes one text").WithHelp("write the statement whole, or make it a hook with a name"))
			}
			// Quotes inside of the text may be doubled, and its places are not those of the header then.
			file, written := diag.NewFile(m.File.Path, first.Text), first.Span.Text()
			t := trail{inline: file, at: first.Span, direct: len(written) > 1 && written[1:len(written)-1] == first.Text}
			l.hookText(m, &call, t, file, 0, nil, reader, first.Span, r)
		case NamedHook:
			call.Name = first.Text
			l.namedHook(m, &call, v.Items[1:], Word{first.Text, first.Span}, r)
		case PythonHook:
			call.Name = first.Text
		}
		m.Hooks = append(m.Hooks, call)
	}
}

// namedHook holds the call of a hook to what the hook uses.
func (l *loader) namedHook(m *Model, call *HookCall, args []Entry, name Word, r *report) {
	h := l.shared.hooks.find(name.Text, m.File.Path)
	if h == nil {
		p := missing(&l.shared.hooks, name.Text, name.Span, m.File.Path)
		if p.Code == "E0141" {
			p.Code = "E0146"
		}
		r.add(p)
		return
	}
	values := map[string]Value{}
	for _, a := range args {
		switch {
		case !a.Key.Given():
			r.add(diag.New("E0146", a.Value.Span, "an argument of a hook has a name").WithHelp("write name: value"))
			return
		case !slices.Contains(h.value.args, a.Key.Text):
			p := diag.New("E0146", a.Key.Span, "the hook %s does not use %s", name.Text, a.Key.Text).WithNote(diag.Span{File: h.value.file}, "the hook")
			if near := diag.Nearest(a.Key.Text, h.value.args); near != "" {
				p.WithHelp("did you mean %s?", near).WithFix(a.Key.Span, near)
			} else {
				p.WithHelp("leave it out")
			}
			r.add(p)
			return
		}
		values[a.Key.Text] = a.Value
	}
	for _, want := range h.value.args {
		if _, given := values[want]; !given {
			r.add(diag.New("E0146", call.Span, "the hook %s needs %s", name.Text, want).WithNote(diag.Span{File: h.value.file}, "the hook").
				WithHelp("add %s: …", want))
			return
		}
	}
	if h.value.start >= 0 {
		t := trail{use: call.Span, what: "called here, by " + m.Name}
		l.hookText(m, call, t, h.value.file, h.value.start, values, l.reader(ownerFile(h.scope, h.value.file.Path)), call.Span, r)
	}
}

// hookText writes out what stands in a hook for one model and finds the relations that it reads. What is wrong with that is at the
// place of the call, because the same hook may be right elsewhere.
func (l *loader) hookText(m *Model, call *HookCall, t trail, file *diag.File, start int, values map[string]Value, reader macro.Reader, at diag.Span, r *report) {
	if l.expander == nil || !l.p.Config.SQLBuild {
		return
	}
	foreign := l.foreign(&reader)
	reader.Hook = &macro.Hook{Context: contextKey, Argument: func(name string, quoted bool) (string, bool) {
		v, ok := values[name]
		return argumentText(v, quoted), ok
	}}
	found := &report{}
	file, ok := l.writtenOut(&t, file, start, reader, found)
	for _, p := range found.problems {
		p.Span = at
		r.add(p)
	}
	if ok && len(*foreign) == 0 {
		call.statements, call.Read = l.statements(m, t, file, start, true)
	}
	for _, c := range *foreign {
		m.unbuilt(at, "a hook calls the macro "+c.name+", which is Python")
	}
	m.References = append(m.References, textReferences(file, start, l.dialect, at)...)
}

// hookContext are the keys of @@CTX: that a hook can ask for.
var hookContext = []string{"destination.qualified", "destination.schema", "destination.database", "destination.table", "model.name", "model.database",
	"model.schema", "model.alias", "run.target", "run.id"}

// contextKey is the longest key that a text begins with.
func contextKey(text string) string {
	best := ""
	for _, key := range hookContext {
		if strings.HasPrefix(text, key) && len(key) > len(best) {
			best = key
		}
	}
	return best
}

// argumentText writes an argument as it is, or as SQL.
func argumentText(v Value, quoted bool) string {
	switch v.Kind {
	case StringValue, WordValue:
		switch word := fold(v.Text); {
		case v.Kind == WordValue && (word == "true" || word == "false" || word == "null"):
			return strings.ToUpper(word)
		case quoted:
			return sql.QuoteText(v.Text)
		}
		return v.Text
	case NumberValue:
		return v.Text
	case ListValue:
		parts := make([]string, len(v.Items))
		for i, item := range v.Items {
			parts[i] = argumentText(item.Value, quoted)
		}
		return strings.Join(parts, ", ")
	}
	return v.Text
}

// textReferences finds __ref("…"), __source("…") and __seed("…") in SQL of any kind, without reading it as a query. at is where they
// are said to stand; the zero Span keeps their own places.
func textReferences(file *diag.File, start int, d *sql.Dialect, at diag.Span) []Reference {
	if !strings.Contains(file.Text[start:], "__") {
		return nil
	}
	var refs []Reference
	var last [3]sql.Token
	lex := sql.NewLexer(file, start, d)
	for t := lex.Next(); t.Kind != sql.EOF; t = lex.Next() {
		word := file.Text[last[0].Start:last[0].End]
		if t.Kind == sql.RParen && (last[2].Kind == sql.QuotedIdent || last[2].Kind == sql.String) && last[1].Kind == sql.LParen &&
			slices.Contains(refWords[:3], word) {
			ref := Reference{Name: strings.Trim(file.Text[last[2].Start:last[2].End], `"'`), Span: at, Header: true}
			if at.IsZero() {
				ref.Span = diag.Span{File: file, Start: int(last[0].Start), End: int(t.End)}
			}
			refs = append(refs, ref)
		}
		last = [3]sql.Token{last[1], last[2], t}
	}
	return refs
}
