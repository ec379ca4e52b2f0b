package project

import (
	"errors"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// Reparse makes the tree of a model that [Options.MaxTrees] let go or that [Options.Memory] spared, and points the references into
// it; otherwise it does nothing. A text that is not there is read again. What was wrong with the text was reported when it was
// read first. The caller is the only one who uses the model meanwhile, and lets go of the tree ([Model.Release]) before the room is
// used again; without a room it stays. The error is that of reading.
func (m *Model) Reparse(room *sql.Room) error {
	m.Expand()
	if !m.treeless {
		return nil
	}
	if m.File.Text == "" && m.root != nil {
		text, err := fileText(m.root, m.File.Path)
		if err != nil && !errors.Is(err, errTooLarge) {
			return err
		}
		m.File.Text = text
	}
	m.treeless = false
	// Somebody may write to the file while norn runs. Then nothing is known about this model, and the next run will know.
	if m.start > len(m.File.Text) {
		return nil
	}
	s, _ := room.Parse(m.File, m.start, m.dialect)
	m.Query = s
	if s.Query == nil {
		return nil
	}
	retable(s, m.dialect, m.References)
	return nil
}

// Reparse is like [Model.Reparse] for the tree of a test.
func (t *Test) Reparse(room *sql.Room) error {
	if !t.treeless {
		return nil
	}
	if t.File.Text == "" && t.root != nil {
		text, err := fileText(t.root, t.File.Path)
		if err != nil && !errors.Is(err, errTooLarge) {
			return err
		}
		if t.start > len(text) {
			return nil
		}
		t.File.Text = completed(diag.NewFile(t.File.Path, text), t.start, t.dialect).Text
	}
	t.treeless = false
	s, _ := room.Parse(t.File, t.start, t.dialect)
	t.Query = s
	if s.Query != nil {
		retable(s, t.dialect, t.References)
	}
	return nil
}

// Reparse is like [Model.Reparse] for the tree of an audit.
func (a *SingularAudit) Reparse() error {
	if !a.treeless {
		return nil
	}
	if a.File.Text == "" && a.root != nil {
		text, err := fileText(a.root, a.File.Path)
		if err != nil && !errors.Is(err, errTooLarge) {
			return err
		}
		if a.start > len(text) {
			return nil
		}
		a.File.Text = text
	}
	a.treeless = false
	a.Query, _ = sql.Parse(a.File, a.start, a.dialect)
	if a.Query.Query != nil {
		retable(a.Query, a.dialect, a.References)
	}
	return nil
}

// retable points references into a tree that was made anew. The walk is the one that found the references, so it comes by all of
// them.
func retable(s *sql.Statement, dialect *sql.Dialect, references []Reference) {
	tables := make(map[sql.Range]sql.TableExpr, len(references))
	w := &tableWalker{
		dialect: dialect,
		table:   func(t *sql.TableName) { tables[t.Range] = t },
		ref:     func(t *sql.RefTable) { tables[t.Range] = t },
		// What is wrong with these was said when the file was read first.
		template: func(*sql.Template) {},
		function: func(*sql.ProjectCall) {},
	}
	w.query(s.Query)
	for i := range references {
		if r := &references[i]; r.Table != nil {
			r.Table = tables[r.Table.Bounds()]
		}
	}
}

// Release lets go of the tree and the text of a model, for whoever is done with it: in a large project they are most of the
// memory. What points into the text is shown after [Project.Complete]. The project cannot be built afterwards.
func (m *Model) Release() {
	m.Query = nil
	for i := range m.References {
		m.References[i].Table = nil
	}
	if m.root != nil {
		m.File.Text = ""
	}
}

// Complete returns a file with its text. The files that [Memory] knew were not read, and those of models may have let go of their
// text ([Model.Release]); who shows a place in one completes its file first. Other files are returned as they are.
func (p *Project) Complete(f *diag.File) (*diag.File, error) {
	if f == nil || f.Text != "" || !p.unread[f] {
		return f, nil
	}
	text, err := fileText(p.root, f.Path)
	if errors.Is(err, errTooLarge) {
		return f, nil // that is how it was read before, too
	}
	return diag.NewFile(f.Path, text), err
}
