package project

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/macro"
	"github.com/norn-data/norn/internal/sql"
)

// A Statement is a query that hides in SQL outside of the project's queries: in a hook, or in an audit of the project's own as one
// node asks for it, with the arguments written out. norn runs neither, and checks both: what is bound is the query in it, or for a
// statement that changes rows, queries that name the same relations and columns (statement_parts.go).
//
// A hook runs in a database that has more tables than the project, so the relations it names without __ref may be anybody's; an
// audit is a query of the project.
type Statement struct {
	Owner      Node
	File       *diag.File // norn's own writing of the text
	Query      *sql.Statement
	References []Reference

	loose bool // relations that the project does not have are none of its business
	trail *trail
}

// Locate moves problems to the text that somebody wrote, with a note where it is asked for.
func (s *Statement) Locate(problems []*diag.Problem) []*diag.Problem {
	for _, p := range problems {
		if s.loose {
			p.Message = strings.ReplaceAll(p.Message, contextText("destination.qualified"), s.Owner.NodeName())
		}
		at := s.trail.place(p.Span)
		for i := range p.Notes {
			p.Notes[i].Span = s.trail.place(p.Notes[i].Span)
		}
		if at != p.Span {
			p.Fix = nil
		}
		if p.Span = at; s.trail.use.File != nil && s.trail.use != at {
			p.WithNote(s.trail.use, "%s", s.trail.what)
		}
	}
	return problems
}

// A trail leads back from the text of a [Statement] to what was written.
type trail struct {
	expansions []*macro.Expansion // in the order in which they were made
	pieces     []textPiece        // of the text that is bound, in the text behind the expansions
	bound      *diag.File
	text       *diag.File // behind the expansions
	inline     *diag.File // the text of an inline hook; nil for all others
	at         diag.Span  // where an inline hook stands
	direct     bool       // letter for letter, so that its places can be told
	use        diag.Span  // who asks for it
	what       string
}

// A textPiece is a stretch of text that was taken from another one.
type textPiece struct{ at, from, n int }

// place leads back one place.
func (t *trail) place(s diag.Span) diag.Span {
	if s.File == t.bound {
		s = diag.Span{File: t.text, Start: t.origin(s.Start, false), End: t.origin(s.End, true)}
	}
	for _, e := range slices.Backward(t.expansions) {
		if s.File == e.File {
			s = e.Span(s)
		}
	}
	if t.inline == nil || s.File != t.inline {
		return s
	}
	if !t.direct {
		return t.at
	}
	return diag.Span{File: t.at.File, Start: t.at.Start + 1 + s.Start, End: t.at.Start + 1 + s.End}
}

// origin leads back an offset; of norn's own words it is the beginning of the piece behind them, or the end of the last one.
func (t *trail) origin(at int, end bool) int {
	for _, p := range t.pieces {
		if at < p.at {
			return p.from
		}
		if at < p.at+p.n || end && at == p.at+p.n {
			return p.from + at - p.at
		}
	}
	last := t.pieces[len(t.pieces)-1]
	return last.from + last.n
}

// statements reads what is checked of a text, from start on. read is false when a part of it is no statement that norn reads.
func (l *loader) statements(owner Node, base trail, file *diag.File, start int, loose bool) (list []*Statement, read bool) {
	base.text = file
	parts, read := statementParts(file, start, l.dialect)
	for _, part := range parts {
		t := base
		t.pieces = part.pieces
		t.bound = diag.NewFile(file.Path, part.text.String())
		s := &Statement{Owner: owner, File: t.bound, trail: &t, loose: loose}
		query, problems := sql.Parse(t.bound, 0, l.dialect)
		if len(problems) > 0 || query.Query == nil {
			read = false
			continue
		}
		s.Query = query
		found := scanReferences(func(w *tableWalker) { w.query(query.Query) }, t.bound, l.dialect, true, &report{})
		s.References = found.tables
		list = append(list, s)
	}
	return list, read && len(list) > 0
}

// resolveStatement gives the relations of a statement their nodes.
func (rs *resolver) resolveStatement(s *Statement, r *report) {
	kept := s.References[:0]
	for _, ref := range s.References {
		t, plain := ref.Table.(*sql.TableName)
		switch {
		case systemSchema(ref):
			continue
		case plain && s.loose && ownRelation(t):
			ref.To = s.Owner
		case s.loose:
			ref.To = rs.node(ref, &report{}) // what is written as a reference was resolved where the hook is asked for
		default:
			found := &report{}
			ref.To = rs.node(ref, found)
			r.problems = append(r.problems, s.Locate(found.problems)...)
		}
		kept = append(kept, ref)
	}
	s.References = kept
}

// ownRelation reports whether a name is what stands for @@CTX:destination… in a hook: the relation of the model itself.
func ownRelation(t *sql.TableName) bool {
	switch t.Parts[len(t.Parts)-1].Text {
	case contextText("destination.qualified"), contextText("destination.table"), contextText("model.alias"), contextText("model.name"):
		return true
	}
	return false
}

// contextText is what package macro writes in the place of @@CTX: and a key.
func contextText(key string) string { return strings.ReplaceAll(key, ".", "_") }

// An auditUse is an audit of the project's own as a node asks for it.
type auditUse struct {
	owner  Node
	column string // "" of an audit of the whole node
	name   string // of the column, as SQL writes it
	call   *AuditCall
	audit  *SingularAudit
}

// auditStatements writes out what audits of the project's own look for, once for each node that asks.
func (l *loader) auditStatements(uses []auditUse, r *report) {
	if l.expander == nil {
		return
	}
	for _, use := range uses {
		file, err := l.p.Complete(use.audit.File)
		if err != nil {
			continue // it was read a moment ago; the next check says what became of it
		}
		_, start := l.body(file, &report{}, new(entryRoom), "AUDIT")
		if start < 0 {
			continue
		}
		reader := l.reader(ownerFile(use.audit.scope, file.Path))
		foreign := l.foreign(&reader)
		use.name = sql.Text(&sql.ColumnRef{Parts: []sql.Name{l.dialect.MakeName(use.column)}})
		reader.Hook = &macro.Hook{Argument: use.argument}
		t := trail{use: use.call.Name.Span, what: "asked for here, by " + use.owner.NodeName()}
		text, ok := l.writtenOut(&t, file, start, reader, r)
		if !ok || len(*foreign) > 0 {
			continue
		}
		list, _ := l.statements(use.owner, t, text, start, false)
		l.p.Statements = append(l.p.Statements, list...)
	}
}

// argument is what stands in the place of @name in the audit.
func (u auditUse) argument(name string, quoted bool) (string, bool) {
	written := ""
	switch i := slices.IndexFunc(u.call.Args, func(a AuditArg) bool { return a.Name.Text == name }); {
	case i >= 0 && quoted:
		return u.call.Args[i].AsLiteral, true
	case i >= 0:
		return u.call.Args[i].Text, true
	case name == "relation":
		written = refWords[[...]sql.RefKind{KindModel: sql.RefModel, KindSource: sql.RefSource, KindSeed: sql.RefSeed}[u.owner.NodeKind()]] +
			"(" + sql.QuoteName(u.owner.NodeName()) + ")"
	case name == "column" && u.column != "":
		if quoted {
			return sql.QuoteText(u.column), true
		}
		written = u.name
	}
	return written, written != ""
}

// writtenOut writes out the arguments, variables and macros of a text, and keeps the way back. Arguments may hold variables
// themselves, so the text is gone through once more behind them.
func (l *loader) writtenOut(t *trail, file *diag.File, start int, reader macro.Reader, r *report) (_ *diag.File, ok bool) {
	for range 2 {
		e, problems, _, err := l.expander(file, start, reader)
		if err != nil {
			return file, false
		}
		for _, p := range problems {
			p.Span = t.place(p.Span)
			p.Fix = nil
			r.add(p)
		}
		if e == nil || len(problems) > 0 {
			return file, len(problems) == 0
		}
		t.expansions = append(t.expansions, e)
		file = e.File
	}
	return file, true
}

// joinStatements gathers the statements of the project and resolves what they name.
func (l *loader) joinStatements(rs *resolver, r *report) {
	for _, m := range l.p.Models {
		for i := range m.Hooks {
			if m.Enabled {
				l.p.Statements = append(l.p.Statements, m.Hooks[i].statements...)
			}
			m.Hooks[i].statements = nil
		}
	}
	found := &report{}
	l.auditStatements(rs.uses, found)
	for _, s := range l.p.Statements {
		rs.resolveStatement(s, found)
	}
	// What one audit does wrong, it does wrong for everybody who asks for it. That is said once.
	for _, p := range found.problems {
		same := func(q *diag.Problem) bool { return q.Code == p.Code && q.Span == p.Span && q.Message == p.Message }
		if !slices.ContainsFunc(r.problems, same) {
			r.add(p)
		}
	}
}

// An assembly is a text that is put together of pieces of another one and of norn's own words.
type assembly struct {
	text   strings.Builder
	pieces []textPiece
}

// say adds norn's own words.
func (w *assembly) say(text string) *assembly {
	w.text.WriteString(text)
	return w
}

// take adds a stretch of the text.
func (w *assembly) take(file *diag.File, start, end int) *assembly {
	w.pieces = append(w.pieces, textPiece{at: w.text.Len(), from: start, n: end - start})
	w.text.WriteString(file.Text[start:end])
	return w
}
