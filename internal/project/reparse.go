package project

import "github.com/norn-data/norn/internal/sql"

// Reparse makes the tree of a model again that [Options.MaxTrees] let go, and points the references into it; otherwise it does
// nothing. What was wrong with the text was reported when it was read first. The caller is the only one who uses the model
// meanwhile.
func (m *Model) Reparse() {
	if !m.treeless {
		return
	}
	m.treeless = false
	s, _ := sql.Parse(m.File, m.start, sql.DuckDB())
	m.Query = s
	if s.Query == nil {
		return
	}
	tables := make(map[sql.Range]sql.TableExpr, len(m.References))
	sql.Inspect(s.Query, func(n sql.Node) bool {
		switch t := n.(type) {
		case *sql.TableName:
			tables[t.Range] = t
		case *sql.RefTable:
			tables[t.Range] = t
		}
		return true
	})
	for i := range m.References {
		if r := &m.References[i]; r.Table != nil {
			r.Table = tables[r.Table.Bounds()]
		}
	}
}
