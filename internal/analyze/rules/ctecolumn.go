package rules

import (
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// A column of a CTE is used when its name stands anywhere behind the CTE, in any place where a column may: this rule counts
// words, not meanings, so it can overlook an unused column that shares its name with another one, and never calls a used one
// unused. Everything that reads columns without naming them (a star, NATURAL, a set operation, PIVOT) makes it keep quiet.

// cteColumns finds columns of CTEs that nothing reads.
func (c *checker) cteColumns() {
	if !c.on["R038"] {
		return
	}
	for _, q := range c.queries {
		if q.With.Recursive {
			continue
		}
		for i, cte := range q.With.CTEs {
			if s, ok := cte.Query.Body.(*sql.Select); ok && len(cte.Columns) == 0 && rowsStay(s) && len(cte.Query.OrderBy) == 0 {
				c.unusedColumns(q, i, s)
			}
		}
	}
}

// rowsStay reports whether a column can be left out of a SELECT without another number of rows.
func rowsStay(s *sql.Select) bool {
	return s.Distinct == nil && (s.GroupBy == nil || !s.GroupBy.All)
}

// makesRows reports whether leaving an expression out may change the number of rows: unnest makes rows, and without GROUP BY one
// aggregate makes a single row of all. Which functions are aggregates is not known here, so every call may be one.
func makesRows(s *sql.Select, x sql.Expr) bool {
	makes := false
	sql.Inspect(x, func(n sql.Node) bool {
		if call, ok := n.(*sql.Call); ok && call.Over == nil {
			makes = makes || s.GroupBy == nil || strings.Contains(fold(call.FuncName()), "unnest")
		}
		_, nested := n.(*sql.Query)
		return !makes && !nested
	})
	return makes
}

// unusedColumns applies the rule to one CTE of a query.
func (c *checker) unusedColumns(q *sql.Query, at int, s *sql.Select) {
	cte := q.With.CTEs[at]
	words, known := map[string]bool{}, true
	look := func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.ColumnRef:
			for _, part := range n.Parts {
				words[fold(part.Text)] = true
			}
		case *sql.Join:
			known = known && !n.Natural
			for _, name := range n.Using {
				words[fold(name.Text)] = true
			}
		case *sql.Select:
			known = known && !c.starOver(n, cte)
		case *sql.Columns, *sql.Pivot, *sql.Unpivot, *sql.TableQuery, *sql.DescribeQuery, *sql.PositionRef:
			known = false
		case *sql.TableName:
			// Columns that are renamed by an alias are read by place.
			if a := n.Alias; a != nil && len(a.Columns) > 0 {
				known = false
			}
		}
		return known
	}
	for _, later := range q.With.CTEs[at+1:] {
		sql.Inspect(later.Query, look)
	}
	sql.Inspect(q.Body, look)
	for i := range q.OrderBy {
		sql.Inspect(&q.OrderBy[i], look)
	}
	if !known || wholeRow(q, cte) {
		return
	}
	var unused []sql.Name
	for i := range s.Items {
		it := &s.Items[i]
		name := it.Alias
		if ref, ok := it.Expr.(*sql.ColumnRef); ok && !name.Given() {
			name = ref.Parts[len(ref.Parts)-1]
		}
		if !name.Given() || words[fold(name.Text)] || makesRows(s, it.Expr) || c.usedInside(s, it, fold(name.Text)) {
			continue
		}
		unused = append(unused, name)
	}
	if len(unused) == len(s.Items) {
		return // only the rows are read, and a SELECT needs a column
	}
	for _, name := range unused {
		c.report("R038", name.Range, "nothing reads the column %s of %s", name.Text, cte.Name.Text).WithHelp("leave it out")
	}
}

// usedInside reports whether another part of the SELECT uses the name, as a lateral alias or in HAVING, QUALIFY and the like.
// The select list's own columns of that name count too, which errs on the quiet side.
func (c *checker) usedInside(s *sql.Select, self *sql.SelectItem, name string) bool {
	if !self.Alias.Given() {
		return false
	}
	used := false
	sql.Inspect(s, func(n sql.Node) bool {
		if ref, ok := n.(*sql.ColumnRef); ok {
			used = used || fold(ref.Parts[0].Text) == name && (ref.Start < self.Start || ref.Start >= self.End)
		}
		return !used
	})
	return used
}

// starOver reports whether a SELECT reads all columns of a CTE, or of something that may be it.
func (c *checker) starOver(s *sql.Select, cte *sql.CTE) bool {
	star := false
	for i := range s.Items {
		sql.Inspect(s.Items[i].Expr, func(n sql.Node) bool {
			switch n := n.(type) {
			case *sql.Star:
				star = true
			case *sql.Call:
				if n.Star {
					return true // count(*) reads rows
				}
			}
			return !star
		})
	}
	if !star || s.From == nil {
		return false
	}
	reads := false
	sql.Inspect(s.From, func(n sql.Node) bool {
		t, ok := n.(*sql.TableName)
		reads = reads || ok && len(t.Parts) == 1 && fold(t.Parts[0].Text) == fold(cte.Name.Text)
		return !reads
	})
	return reads
}

// wholeRow reports whether the CTE's name, or an alias of it, stands where a column does and without a column behind it: the
// row as one value.
func wholeRow(q *sql.Query, cte *sql.CTE) bool {
	called := map[string]bool{fold(cte.Name.Text): true}
	sql.Inspect(q, func(n sql.Node) bool {
		if t, ok := n.(*sql.TableName); ok && t.Alias != nil && len(t.Parts) == 1 && fold(t.Parts[0].Text) == fold(cte.Name.Text) {
			called[fold(t.Alias.Name.Text)] = true
		}
		return true
	})
	found := false
	sql.Inspect(q, func(n sql.Node) bool {
		if ref, ok := n.(*sql.ColumnRef); ok && len(ref.Parts) == 1 {
			found = found || called[fold(ref.Parts[0].Text)]
		}
		return !found
	})
	return found
}
