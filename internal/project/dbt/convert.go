package dbt

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// A pieceKind says what a tag of a plain file stands for.
type pieceKind uint8

const (
	textPiece    pieceKind = iota // a value: its text takes the tag's place
	remarkPiece                   // a comment of Jinja: it becomes a comment of SQL
	configPiece                   // settings: they move to the header
	refPiece                      // ref(…) or source(…)
	missingPiece                  // not plain: a spot says why
)

// A piece is a tag of a file with its meaning.
type piece struct {
	tag
	kind pieceKind
	expr expr   // of a reference
	text string // of a value or a comment

	// Where it stands, known once the whole file is plain.
	aside   bool // in a comment of SQL, or in a string
	alias   bool // a reference that its query gives a name
	inTable bool // a reference that stands where a table stands
}

// A template is a SQL file of dbt, taken apart.
type template struct {
	file   *diag.File
	pieces []piece
	spots  []spot // why it cannot be converted; none when it is plain
	config []project.Entry
	ctes   map[string]bool // folded names of all CTEs; nil when the SQL cannot be read
	// qualifiers are the folded names that stand before a dot.
	qualifiers map[string]bool
}

// take takes a SQL file apart.
func (r *reader) take(file *diag.File) *template {
	t := &template{file: file}
	for _, at := range tags(file.Text) {
		span := diag.Span{File: file, Start: at.start, End: at.end}
		switch {
		case at.open:
			span.End = min(at.start+2, at.end)
			t.spots = append(t.spots, spot{CodeJinja, span, "this bracket of Jinja is not closed", "close it"})
			return t
		case at.kind == commentTag:
			t.pieces = append(t.pieces, piece{tag: at, kind: remarkPiece, text: file.Text[at.from:at.to]})
		case at.kind == blockTag:
			if s, ok := blockSpot(file.Text, at, span); ok {
				t.spots = append(t.spots, s)
			}
		default:
			r.expression(t, at, span)
		}
	}
	if len(t.spots) == 0 {
		r.look(t)
	}
	return t
}

// expression reads one {{ … }}.
func (r *reader) expression(t *template, at tag, span diag.Span) {
	e := readExpr(t.file.Text, at.from, at.to)
	if e.kind == call && e.name == "config" {
		entries, s := r.configCall(t.file, e, span)
		if s != nil {
			t.spots = append(t.spots, *s)
		}
		t.config = append(t.config, entries...)
		t.pieces = append(t.pieces, piece{tag: at, kind: configPiece})
		return
	}
	if e.kind == call && (e.name == "ref" || e.name == "source") {
		if !texts(e) || e.name == "source" && len(e.args) != 2 || e.name == "ref" && len(e.args) != 1 && len(e.args) != 2 {
			t.spots = append(t.spots, r.unread(e, span))
		} else if s := r.foreign(e, span); s != nil {
			t.spots = append(t.spots, *s)
		}
		t.pieces = append(t.pieces, piece{tag: at, kind: refPiece, expr: e})
		return
	}
	v, s := r.evaluate(e, span)
	if s == nil {
		if text, ok := rendered(v); ok {
			t.pieces = append(t.pieces, piece{tag: at, kind: textPiece, text: text})
			return
		}
		s = &spot{CodeJinja, span, "this is a list, a mapping, or a number that Python writes in its own way", "write the text itself"}
	}
	t.spots = append(t.spots, *s)
}

// texts reports whether a call has texts as its only arguments.
func texts(e expr) bool {
	return len(e.named) == 0 && !slices.ContainsFunc(e.args, func(a expr) bool {
		return a.kind != literal || a.value.Kind != project.StringValue
	})
}

// configCall reads the arguments of config(…). Keys and values keep their places.
func (r *reader) configCall(file *diag.File, e expr, at diag.Span) ([]project.Entry, *spot) {
	var entries []project.Entry
	for _, a := range e.args {
		if a.kind != literal || a.value.Kind != project.BlockValue {
			s := r.unread(e, at)
			return nil, &s
		}
		for _, item := range a.value.Items {
			item.Key.Span, item.Value.Span = at, at
			entries = append(entries, item)
		}
	}
	for _, a := range e.named {
		place := diag.Span{File: file, Start: a.value.start, End: a.value.end}
		v, s := r.evaluate(a.value, place)
		if s != nil {
			return nil, s
		}
		entries = append(entries, project.Entry{Key: project.Word{Text: a.name, Span: diag.Span{File: file, Start: a.start, End: a.end}}, Value: v})
	}
	return entries, nil
}

// foreign refuses a reference into a package.
func (r *reader) foreign(e expr, at diag.Span) *spot {
	if e.name != "ref" || len(e.args) != 2 || e.args[0].value.Text == r.conf.name {
		return nil
	}
	from, name := e.args[0].value.Text, e.args[1].value.Text
	s := noCounterpart(at, name+" is a model of the package "+from,
		"copy the SQL that dbt compile writes for it into models/, or declare its table in sources/; then name it here")
	return &s
}

// look finds out where the pieces of a plain file stand: it writes the file with every reference as a call of norn's, and reads
// that.
func (r *reader) look(t *template) {
	places := make([]int, len(t.pieces))
	draft := t.write(func(i int, p *piece, at int) string {
		places[i] = at
		switch p.kind {
		case refPiece:
			return draftRef(p.expr)
		case remarkPiece:
			// On one line, so that it cannot end a comment of SQL that it stands in.
			return remark(strings.ReplaceAll(p.text, "\n", " "))
		}
		return p.text
	})
	file := diag.NewFile(t.file.Path, draft)
	lex := sql.NewLexer(file, 0, r.dialect)
	var tokens []sql.Token
	t.qualifiers = map[string]bool{}
	for tok := lex.Next(); tok.Kind != sql.EOF; tok = lex.Next() {
		if tok.Kind == sql.Dot && len(tokens) > 0 {
			t.qualifiers[fold(lex.Value(tokens[len(tokens)-1]))] = true
		}
		tokens = append(tokens, tok)
	}
	for i := range t.pieces {
		p, at := &t.pieces[i], int32(places[i])
		for _, c := range lex.Comments() {
			// The comment that a remark became begins at its place.
			if c.Start < at && at < c.End {
				p.aside = true
			}
		}
		for _, tok := range tokens {
			if tok.Start < at && at < tok.End {
				p.aside = true
				if p.kind == refPiece {
					t.spots = append(t.spots, spot{CodeJinja, diag.Span{File: t.file, Start: p.start, End: p.end},
						"the name of a relation is part of a text here", "write the text itself"})
				}
			}
		}
	}
	statement, problems := sql.Parse(file, 0, r.dialect)
	if len(problems) > 0 || statement.Query == nil {
		return // SQL of another dialect, or broken: names are written as calls, which mean one thing
	}
	t.ctes = map[string]bool{}
	refs := map[int32]*sql.RefTable{}
	sql.Inspect(statement.Query, func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.CTE:
			t.ctes[fold(n.Name.Text)] = true
		case *sql.RefTable:
			refs[n.Call.Start] = n
		}
		return true
	})
	for i := range t.pieces {
		if ref := refs[int32(places[i])]; ref != nil {
			t.pieces[i].inTable, t.pieces[i].alias = true, sql.AliasOf(ref) != nil
		}
	}
}

// draftRef is a reference as a call, before anybody knows what it means.
func draftRef(e expr) string {
	return `__ref("` + plainName(e.args[len(e.args)-1].value.Text) + `")`
}

// remark makes a comment of SQL.
func remark(text string) string {
	return "/*" + strings.ReplaceAll(strings.ReplaceAll(text, "*/", "* /"), "/*", "/ *") + "*/"
}

// write puts the file together again with the texts that stand in for its tags. replace gets the place of its text in the
// result. A tag without text that has its lines for itself takes them with it.
func (t *template) write(replace func(i int, p *piece, at int) string) string {
	text := t.file.Text
	var b strings.Builder
	at := 0
	for i := range t.pieces {
		p := &t.pieces[i]
		before := text[at:p.start]
		if p.kind == textPiece && p.left {
			before = strings.TrimRight(before, " \t\r\n")
		}
		end := p.end
		if p.kind == textPiece && p.right {
			end += len(text[end:]) - len(strings.TrimLeft(text[end:], " \t\r\n"))
		}
		b.WriteString(before)
		with := replace(i, p, b.Len())
		if with == "" && p.kind != textPiece {
			if n, ok := aloneBehind(text, end); ok && aloneBefore(text, p.start) {
				end = n
			}
		}
		b.WriteString(with)
		at = end
	}
	b.WriteString(text[at:])
	return b.String()
}

// aloneBefore reports whether nothing but blanks stands between the line's beginning and an offset.
func aloneBefore(text string, at int) bool {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	return strings.Trim(line, " \t") == ""
}

// aloneBehind reports whether nothing but blanks stands between an offset and the line's end, and where the next line begins.
func aloneBehind(text string, at int) (next int, ok bool) {
	rest, more := text[at:], 0
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest, more = rest[:i], 1
	}
	return at + len(rest) + more, strings.Trim(rest, " \t\r") == ""
}

// body is the file as SQL of norn. open is called for every reference to something that was not converted.
func (r *reader) body(t *template, open func(at diag.Span, target target)) string {
	text := t.write(func(_ int, p *piece, _ int) string {
		switch p.kind {
		case textPiece:
			return p.text
		case remarkPiece:
			if p.aside {
				return ""
			}
			return remark(p.text)
		case refPiece:
			to := r.target(p.expr)
			if to.open != "" && !p.aside {
				open(diag.Span{File: t.file, Start: p.start, End: p.end}, to)
			}
			return r.reference(t, p, to)
		}
		return ""
	})
	// The header and the query have one blank line between them, wherever the settings stood.
	for {
		next, blank := aloneBehind(text, 0)
		if !blank || text == "" {
			break
		}
		text = text[next:]
	}
	return strings.TrimRight(text, " \t\r\n") + "\n"
}

// A target is what a reference means.
type target struct {
	call     string // __ref, __seed or __source
	name     string // in norn
	relation string // by which dbt's SQL qualifies its columns
	open     string // why it means nothing in the new project; "" when it does
}

// target resolves ref(…) or source(…).
func (r *reader) target(e expr) target {
	last := e.args[len(e.args)-1].value.Text
	if e.name == "source" {
		for _, s := range r.sources {
			if s.group == e.args[0].value.Text && s.table == last {
				to := target{call: "__source", name: s.name, relation: s.identifier}
				if len(s.spots) > 0 {
					to.open = "the source " + s.group + "." + s.table + " is not converted"
				}
				return to
			}
		}
		return target{call: "__source", name: plainName(last), relation: last,
			open: "no source " + e.args[0].value.Text + "." + last + " is declared in the project"}
	}
	n := r.byName[fold(last)]
	if n == nil {
		open := "no model or seed " + last + " is in the project"
		if kind := r.others[fold(last)]; kind != "" {
			open = "the " + kind + " " + last + " is not converted"
		}
		return target{call: "__ref", name: last, relation: last, open: open}
	}
	to := target{call: n.prefix(), name: n.nodeName(), relation: n.relation()}
	if !n.converted() {
		to.open = last + " is not converted"
	}
	return to
}

// reference writes a reference: as a plain name where that can mean nothing else, as a call otherwise. Columns that the query
// qualifies by the relation's own name keep doing so.
func (r *reader) reference(t *template, p *piece, to target) string {
	text := to.call + "(" + quoted(to.name) + ")"
	if p.aside || t.ctes != nil && !t.ctes[fold(to.name)] && r.plainTable(to.name) {
		text = to.name
	}
	if p.inTable && !p.alias && fold(to.relation) != fold(to.name) && t.qualifiers[fold(to.relation)] {
		text += " AS " + r.identifier(to.relation)
	}
	return text
}

// plainTable reports whether a name by itself is a table in SQL, not a keyword.
func (r *reader) plainTable(name string) bool {
	s, problems := sql.Parse(diag.NewFile("", "SELECT * FROM "+name), 0, r.dialect)
	if len(problems) > 0 || s.Query == nil {
		return false
	}
	plain := false
	sql.Inspect(s.Query, func(n sql.Node) bool {
		if t, ok := n.(*sql.TableName); ok {
			plain = len(t.Parts) == 1 && t.Parts[0].Text == name && t.End == s.End
		}
		return true
	})
	return plain
}

// identifier writes a name for SQL, in quotes where it needs them.
func (r *reader) identifier(name string) string {
	if usableName(name) && r.plainTable(name) {
		return name
	}
	return quoted(name)
}
