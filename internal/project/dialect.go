package project

import "github.com/norn-data/norn/internal/sql"

// Dialect is the SQL of the project's target; DuckDB's where there is none to choose.
func (p *Project) Dialect() *sql.Dialect {
	if p.Target == nil {
		return sql.DuckDB()
	}
	return sql.ForAdapter(p.Target.Adapter.Text)
}
