package rules

import (
	"slices"

	"github.com/norn-data/norn/internal/sql"
)

// positional are the window functions whose result among equal rows is the engine's choice. Ranks with ties are not: equal
// rows have equal ranks.
var positional = map[string]bool{"row_number": true, "first_value": true, "last_value": true, "nth_value": true, "lag": true, "lead": true, "ntile": true,
	"first": true, "last": true}

// rankings finds window functions that depend on the order of rows which their ORDER BY does not tell apart. Which columns
// tell rows apart is known from audits and keys, and followed through queries (unique.go).
func (c *checker) rankings(s *sql.Select) {
	if !c.on["R008"] {
		return
	}
	var keys [][]string
	var all []*leaf
	worked := false
	look := func(n sql.Node) bool {
		if _, nested := n.(*sql.Query); nested {
			return false // has a FROM of its own
		}
		call, ok := n.(*sql.Call)
		if !ok || call.Over == nil || !positional[fold(call.FuncName())] {
			return true
		}
		if !worked {
			worked = true
			if s.From != nil {
				all = c.leaves(s.From)
				keys = c.uniqueFrom(s.From)
			}
		}
		w := window(s, call.Over)
		if w == nil {
			return true
		}
		var given []string
		for _, x := range w.PartitionBy {
			given = append(given, column(x, all))
		}
		for _, o := range w.OrderBy {
			given = append(given, column(o.Expr, all))
		}
		if !slices.ContainsFunc(keys, func(key []string) bool {
			return !slices.ContainsFunc(key, func(k string) bool { return !slices.Contains(given, k) })
		}) {
			p := c.report("R008", call.Name[len(call.Name)-1].Range, "rows that are equal in PARTITION BY and ORDER BY get %s in any order", call.FuncName())
			if len(keys) > 0 {
				p.WithHelp("add %s to ORDER BY", plain(keys[0]))
			} else {
				p.WithHelp("add a column to ORDER BY that tells the rows apart, and say so with the audits unique and not_null")
			}
		}
		return true
	}
	for i := range s.Items {
		sql.Inspect(&s.Items[i], look)
	}
	if s.Qualify != nil {
		sql.Inspect(s.Qualify, look)
	}
}

// window follows OVER w to its definition; nil when there is none.
func window(s *sql.Select, w *sql.Window) *sql.Window {
	if !w.Base.Given() {
		return w
	}
	for _, d := range s.Windows {
		if fold(d.Name.Text) == fold(w.Base.Text) && d.Spec != w {
			whole := *d.Spec
			whole.OrderBy = append(slices.Clip(whole.OrderBy), w.OrderBy...)
			return &whole
		}
	}
	return nil
}
