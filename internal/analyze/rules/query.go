package rules

import (
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// read is a name in FROM that may mean a CTE.
type read struct {
	name string // folded
	at   int32
}

func (c *checker) tableName(t *sql.TableName) {
	if len(t.Parts) == 1 && !t.File {
		c.reads = append(c.reads, read{fold(t.Parts[0].Text), t.Start})
	}
}

// query finds LIMIT without ORDER BY: which rows are left is the engine's choice, and another one in the next run.
func (c *checker) query(q *sql.Query) {
	if q.With != nil {
		c.queries = append(c.queries, q)
	}
	if s, ok := q.Body.(*sql.Select); ok && len(q.OrderBy) > 0 {
		if c.orders == nil {
			c.orders = map[*sql.Select][]sql.OrderItem{}
		}
		c.orders[s] = q.OrderBy
	}
	if len(q.OrderBy) > 1 {
		c.directions(q.OrderBy)
		keys := make([]sql.Expr, 0, len(q.OrderBy))
		for i := range q.OrderBy {
			if q.OrderBy[i].Expr != nil {
				keys = append(keys, q.OrderBy[i].Expr)
			}
		}
		c.ordinals("ORDER BY", keys)
	}
	if !c.on["R003"] || q.Limit == nil || q.Limit.Count == nil || len(q.OrderBy) > 0 || c.exists[q] || oneRow(q.Body) {
		return
	}
	if l, ok := q.Limit.Count.(*sql.Literal); ok && l.Text == "0" {
		return // asks for the columns, not for rows
	}
	c.report("R003", q.Limit.Range, "LIMIT without ORDER BY keeps whichever rows come first").WithHelp("add ORDER BY with columns that tell the rows apart")
}

// oneRow reports whether a query has one row whatever its input: a SELECT without FROM.
func oneRow(q sql.QueryExpr) bool {
	s, ok := q.(*sql.Select)
	return ok && s.From == nil
}

// ctes finds CTEs that nothing reads. Reading itself, as a recursive one does, is not being read.
func (c *checker) ctes() {
	if !c.on["R004"] || len(c.queries) == 0 {
		return
	}
	places := map[string][]int32{}
	for _, r := range c.reads {
		places[r.name] = append(places[r.name], r.at)
	}
	for _, q := range c.queries {
		for _, cte := range q.With.CTEs {
			used := false
			for _, at := range places[fold(cte.Name.Text)] {
				used = used || at >= q.Start && at < q.End && (at < cte.Start || at >= cte.End)
			}
			if !used {
				c.report("R004", cte.Name.Range, "nothing reads the CTE %s", cte.Name.Text).WithHelp("remove it")
			}
		}
	}
}

// setOp finds stars in set operations, which pair columns by position, and UNION that does not say whether duplicates go.
func (c *checker) setOp(x *sql.SetOp) {
	if c.on["R006"] && x.Kind == sql.Union && !x.All && !strings.Contains(strings.ToLower(c.File.Text[x.Op.Start:x.Op.End]), "distinct") {
		p := c.report("R006", x.Op, "UNION removes duplicates without saying so").WithHelp("write UNION ALL to keep them, or UNION DISTINCT")
		if !x.ByName {
			p.WithFix(x.Op.Span(c.File), "UNION DISTINCT")
		}
	}
	if !c.on["R005"] || x.ByName {
		return
	}
	word := [...]string{"UNION", "INTERSECT", "EXCEPT"}[x.Kind]
	for _, side := range []sql.QueryExpr{x.Left, x.Right} {
		s, ok := side.(*sql.Select)
		if !ok {
			continue
		}
		for _, item := range s.Items {
			star, ok := item.Expr.(*sql.Star)
			if !ok {
				continue
			}
			at := star.Range
			if at.Start == at.End {
				at = s.Range // FROM t alone
			}
			p := c.report("R005", at, "a star in %s pairs columns by whatever order they have", word)
			if x.Kind == sql.Union {
				p.WithHelp("list the columns, or write UNION BY NAME")
			} else {
				p.WithHelp("list the columns")
			}
			break
		}
	}
}

// selectBlock applies the rules about one SELECT.
func (c *checker) selectBlock(s *sql.Select) {
	c.constantConditions(s)
	c.rankings(s)
	c.distinct(s)
	c.ordinals("GROUP BY", groupKeys(s.GroupBy))
	c.selfAlias(s)
	c.stars(s)
	c.aliases(s)
	c.qualifiers(s)
	c.jsonTwice(s)
	if s.From != nil {
		if _, joined := s.From.(*sql.Join); joined {
			c.joins(s)
		}
	}
}
