package project

import (
	"io/fs"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// Dialect is the SQL of the project's target; DuckDB's where there is none to choose.
func (p *Project) Dialect() *sql.Dialect {
	if p.Target == nil {
		return sql.DuckDB()
	}
	return sql.ForAdapter(p.Target.Adapter.Text)
}

// DialectOf is the dialect of the project at the root of a file system, read from its configuration alone: what looks at
// single files needs no more of the project. It is DuckDB's where the configuration cannot be read.
func DialectOf(root fs.FS, o Options) *sql.Dialect {
	l := &loader{root: root, o: o, p: &Project{root: root, unread: map[*diag.File]bool{}}, dialect: sql.DuckDB()}
	if err := l.config(); err != nil {
		return sql.DuckDB()
	}
	return l.p.Dialect()
}
