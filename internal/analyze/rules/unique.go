package rules

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// Keys are followed from where they are declared to where they are needed. A key is a set of columns, each written
// "relation.column", that tells the rows of a FROM clause apart:
//
//	relation            the keys that its audits declare, or those of the query behind a CTE or subquery
//	a JOIN b ON key(b)  the keys of a, because every row of a meets at most one of b
//	GROUP BY columns    those columns
//	DISTINCT            all columns
//	QUALIFY row_number() OVER (PARTITION BY columns …) = 1   those columns

// column writes a plain column as keys are written; "" for everything else.
func column(x sql.Expr, all []*leaf) string {
	ref, ok := x.(*sql.ColumnRef)
	if !ok || len(ref.Parts) > 2 {
		return ""
	}
	l, ok := owner(all, ref)
	if !ok || l == nil {
		return ""
	}
	return l.fold + "." + fold(ref.Parts[len(ref.Parts)-1].Text)
}

// plain writes a key for a message.
func plain(key []string) string {
	names := make([]string, len(key))
	for i, k := range key {
		names[i] = strings.TrimPrefix(k, ".")
	}
	return strings.Join(names, ", ")
}

// uniqueFrom returns the keys of a FROM clause.
func (c *checker) uniqueFrom(t sql.TableExpr) [][]string {
	j, ok := t.(*sql.Join)
	if !ok || j.Alias != nil {
		return c.uniqueLeaf(t)
	}
	left := c.uniqueFrom(j.Left)
	switch j.Kind {
	case sql.JoinSemi, sql.JoinAnti:
		return left
	case sql.JoinInner, sql.JoinLeft:
	default:
		return nil
	}
	all := c.leaves(j)
	rights := c.leaves(j.Right)
	if len(rights) != 1 {
		return nil
	}
	right := rights[0]
	var equal []string
	for _, name := range j.Using {
		equal = append(equal, right.fold+"."+fold(name.Text))
	}
	for _, x := range conjuncts(j.On) {
		if b, ok := x.(*sql.Binary); ok && b.Op == "=" {
			l, r := column(b.Left, all), column(b.Right, all)
			// The other side must not be of the same relation: b.x = b.y leaves b.x free.
			if own := right.fold + "."; strings.HasPrefix(l, own) != strings.HasPrefix(r, own) {
				equal = append(equal, l, r)
			}
		}
	}
	for _, key := range c.uniqueLeaf(j.Right) {
		if !slices.ContainsFunc(key, func(k string) bool { return !slices.Contains(equal, k) }) {
			return left
		}
	}
	return nil
}

// uniqueLeaf returns the keys of one relation under its name in FROM.
func (c *checker) uniqueLeaf(t sql.TableExpr) [][]string {
	leaves := c.leaves(t)
	if len(leaves) != 1 {
		return nil
	}
	if a := sql.AliasOf(t); a != nil && len(a.Columns) > 0 {
		return nil
	}
	var keys [][]string
	switch t := t.(type) {
	case *sql.Subselect:
		keys = c.uniqueQuery(t.Query)
	case *sql.TableName:
		if cte := c.cte(t); cte != nil {
			keys = c.uniqueQuery(cte.Query)
			break
		}
		keys = c.declared(t)
	default:
		keys = c.declared(t)
	}
	out := make([][]string, len(keys))
	for i, key := range keys {
		for _, k := range key {
			out[i] = append(out[i], leaves[0].fold+"."+k)
		}
	}
	return out
}

func (c *checker) declared(t sql.TableExpr) [][]string {
	if c.Unique == nil {
		return nil
	}
	return c.Unique(t)
}

// cte is the definition a plain name refers to, nil when it is no CTE. Of several in sight the one nearest around is meant.
func (c *checker) cte(t *sql.TableName) *sql.CTE {
	if len(t.Parts) != 1 {
		return nil
	}
	name := fold(t.Parts[0].Text)
	for i := len(c.queries) - 1; i >= 0; i-- {
		q := c.queries[i]
		if t.Start < q.Start || t.Start >= q.End || q.With.Recursive {
			continue
		}
		for _, cte := range q.With.CTEs {
			if fold(cte.Name.Text) == name && cte.End <= t.Start && len(cte.Columns) == 0 {
				return cte
			}
		}
	}
	return nil
}

// uniqueQuery returns the keys of a query by the names of its output columns.
func (c *checker) uniqueQuery(q *sql.Query) [][]string {
	s, ok := q.Body.(*sql.Select)
	if !ok || s.From == nil {
		return nil
	}
	all := c.leaves(s.From)
	var inside [][]string
	switch {
	case s.GroupBy != nil:
		var key []string
		for _, g := range s.GroupBy.Items {
			if g.Kind != sql.GroupExpr {
				return nil
			}
			for _, x := range g.Exprs {
				key = append(key, column(x, all))
			}
		}
		if s.GroupBy.All {
			key = nil
			for i := range s.Items {
				if col := column(s.Items[i].Expr, all); col != "" {
					key = append(key, col)
				}
			}
		}
		inside = [][]string{key}
	default:
		inside = c.uniqueFrom(s.From)
	}
	if key := onePerPartition(s, all); key != nil {
		inside = append(inside, key)
	}
	return projected(s, all, inside)
}

// onePerPartition recognises QUALIFY row_number() OVER (PARTITION BY …) = 1.
func onePerPartition(s *sql.Select, all []*leaf) []string {
	b, ok := s.Qualify.(*sql.Binary)
	if !ok || b.Op != "=" {
		return nil
	}
	call, ok := b.Left.(*sql.Call)
	if l, one := b.Right.(*sql.Literal); !ok || !one || l.Text != "1" || call.Over == nil || fold(call.FuncName()) != "row_number" {
		return nil
	}
	w := window(s, call.Over)
	if w == nil || len(w.PartitionBy) == 0 {
		return nil
	}
	var key []string
	for _, x := range w.PartitionBy {
		key = append(key, column(x, all))
	}
	return key
}

// projected keeps the keys all of whose columns are in the select list, under their output names.
func projected(s *sql.Select, all []*leaf, keys [][]string) [][]string {
	output := map[string]string{}
	for i := range s.Items {
		it := &s.Items[i]
		if star, ok := it.Expr.(*sql.Star); ok {
			if len(star.Exclude)+len(star.Replace)+len(star.Rename) > 0 {
				continue
			}
			for _, l := range all {
				if len(star.Qualifier) > 0 && fold(star.Qualifier[len(star.Qualifier)-1].Text) != l.fold {
					continue
				}
				if l.cols == nil {
					continue
				}
				for name := range l.cols.Folded() {
					output[l.fold+"."+name] = name
				}
			}
			continue
		}
		if col := column(it.Expr, all); col != "" {
			name := fold(it.Alias.Text)
			if name == "" {
				name = col[strings.Index(col, ".")+1:]
			}
			output[col] = name
		}
	}
	var out [][]string
	for _, key := range keys {
		named := make([]string, 0, len(key))
		for _, k := range key {
			if name := output[k]; name != "" {
				named = append(named, name)
			}
		}
		if len(key) > 0 && len(named) == len(key) {
			out = append(out, named)
		}
	}
	return out
}
