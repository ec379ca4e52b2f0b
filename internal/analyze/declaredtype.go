package analyze

import (
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// A type that a declaration names is held to what a query may name: what would be wrong behind CAST(… AS is wrong there too.

// declaredChecked is the type of a declared column. One that cannot exist is reported where it is declared, and is Unknown.
func (b *binder) declaredChecked(w project.Word) typ {
	t := b.declared(w.Text)
	if t.partial() || t.nested() {
		if p := declaredProblem(w, b.pg, b.whole); p != nil {
			b.add(p)
			return typ{}
		}
	}
	return t
}

// checkDeclared reports a type that cannot exist in the declaration of a source, a seed or a function, and says whether there was
// one. t is what was made of it.
func (a *analysis) checkDeclared(w project.Word, t typ) bool {
	if !w.Given() || !t.partial() && !t.nested() {
		return false
	}
	p := declaredProblem(w, a.p.Dialect() == sql.Postgres(), a.p.Complete)
	if p != nil {
		a.problems = append(a.problems, p)
	}
	return p != nil
}

// declaredProblem finds what is wrong with a declared type; how it is written was checked when it was read. Whole completes a file
// whose text is not there, so that places do not depend on who has read it.
func declaredProblem(w project.Word, pg bool, whole func(*diag.File) (*diag.File, error)) *diag.Problem {
	d := sql.DuckDB()
	if pg {
		d = sql.Postgres()
	}
	file, start, direct := diag.NewFile("", w.Text), 0, false
	at := w.Span
	if from, err := whole(at.File); err == nil && from != nil && at.End <= len(from.Text) {
		text := from.Text[at.Start:at.End]
		if len(text) == len(w.Text)+2 {
			at.Start, at.End = at.Start+1, at.End-1 // in quotes
		}
		if direct = from.Text[at.Start:at.End] == w.Text; direct {
			// The parser wants the type to end where the text ends.
			file, start = diag.NewFile(from.Path, from.Text[:at.End]), at.Start
		}
	}
	t, problems := sql.ParseType(file, start, d)
	if len(problems) > 0 || t == nil {
		return nil
	}
	b := &binder{file: file, pg: pg}
	find := b.unknownType
	if pg {
		find = b.pgUnknownType
	}
	p := find(t)
	if p == nil {
		return nil
	}
	move := func(s diag.Span) diag.Span {
		if !direct {
			return w.Span
		}
		return diag.Span{File: at.File, Start: s.Start, End: s.End}
	}
	p.Span = move(p.Span)
	for i := range p.Notes {
		p.Notes[i].Span = move(p.Notes[i].Span)
	}
	if !direct {
		p.Fix = nil
	} else if p.Fix != nil {
		p.Fix.Span = move(p.Fix.Span)
	}
	return p
}

// pgUnknownType reports modifiers that a type of PostgreSQL does not take. A name that its catalogue does not have may be one of the
// database's own.
func (b *binder) pgUnknownType(t *sql.TypeName) *diag.Problem {
	if _, wrong := writtenType(t); wrong != "" {
		return b.problem("E1102", t.Range, "%s", wrong)
	}
	return nil
}

// nested reports a type with parts, whose names may be at odds.
func (t typ) nested() bool { return t.more != nil && !t.foreign() }
