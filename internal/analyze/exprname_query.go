package analyze

import (
	"slices"
	"strconv"

	"github.com/norn-data/norn/internal/sql"
)

// query writes a query inside an expression. The plain forms come out as DuckDB writes them; of all others norn's own spelling
// is taken, which tells two queries apart just as well.
func (w *nameWriter) query(q *sql.Query) {
	if values, ok := q.Body.(*sql.Values); ok && q.With == nil {
		w.values(values, q)
		return
	}
	s, ok := q.Body.(*sql.Select)
	plain := ok && q.With == nil && s.Windows == nil && s.Qualify == nil && s.Sample == nil && (s.Distinct == nil || len(s.Distinct.On) == 0) &&
		(q.Limit == nil || !q.Limit.Percent) && (s.From == nil || plainTable(s.From)) && !containsAll(q.OrderBy)
	if ok && s.GroupBy != nil {
		plain = plain && !s.GroupBy.All
		for _, g := range s.GroupBy.Items {
			plain = plain && g.Kind == sql.GroupExpr
		}
	}
	if !plain {
		w.put(sql.Text(q))
		return
	}
	outer := w.windows
	w.windows = nil
	w.put("SELECT ")
	if s.Distinct != nil {
		w.put("DISTINCT ")
	}
	for i, item := range s.Items {
		if i > 0 {
			w.put(", ")
		}
		w.expr(item.Expr)
		if item.Alias.Given() {
			w.put(" AS ", quoteIdentifier(item.Alias.Text))
		}
	}
	if s.From != nil {
		w.put(" FROM ")
		w.table(s.From)
	}
	if s.Where != nil {
		w.put(" WHERE ")
		w.expr(s.Where)
	}
	if s.GroupBy != nil {
		w.put(" GROUP BY ")
		for i, g := range s.GroupBy.Items {
			if i > 0 {
				w.put(", ")
			}
			w.list(g.Exprs)
		}
	}
	if s.Having != nil {
		w.put(" HAVING ")
		w.expr(s.Having)
	}
	w.tail(q)
	w.windows = outer
}

// values writes VALUES in the place of a query, which DuckDB reads as a relation.
func (w *nameWriter) values(v *sql.Values, q *sql.Query) {
	w.put("SELECT * FROM (VALUES ")
	for i, row := range v.Rows {
		if i > 0 {
			w.put(", ")
		}
		w.put("(")
		w.list(row.Items)
		w.put(")")
	}
	w.put(") AS valueslist")
	w.tail(q)
}

// tail writes ORDER BY and LIMIT of a query.
func (w *nameWriter) tail(q *sql.Query) {
	if len(q.OrderBy) > 0 {
		w.order(" ORDER BY ", q.OrderBy)
	}
	if q.Limit != nil && q.Limit.Count != nil {
		w.put(" LIMIT ")
		w.expr(q.Limit.Count)
	}
	if q.Limit != nil && q.Limit.Offset != nil {
		w.put(" OFFSET ")
		w.expr(q.Limit.Offset)
	}
}

// containsAll reports ORDER BY ALL.
func containsAll(order []sql.OrderItem) bool {
	for _, o := range order {
		if o.All {
			return true
		}
	}
	return false
}

// plainTable reports whether table can write a relation.
func plainTable(t sql.TableExpr) bool {
	switch t := t.(type) {
	case *sql.TableName:
		return !t.File && t.At == nil && t.Sample == nil && (t.Alias == nil || t.Alias.Columns == nil)
	case *sql.Subselect:
		return !t.Lateral && t.Sample == nil && (t.Alias == nil || t.Alias.Columns == nil)
	case *sql.Join:
		switch t.Kind {
		case sql.JoinInner, sql.JoinLeft, sql.JoinRight, sql.JoinFull, sql.JoinComma:
			return !t.Natural && !t.Asof && t.Alias == nil && plainTable(t.Left) && plainTable(t.Right)
		}
	}
	return false
}

// table writes a relation that plainTable took.
func (w *nameWriter) table(t sql.TableExpr) {
	switch t := t.(type) {
	case *sql.TableName:
		for i, p := range t.Parts {
			if i > 0 {
				w.put(".")
			}
			w.put(quoteIdentifier(p.Text))
		}
	case *sql.Subselect:
		w.put("(")
		w.query(t.Query)
		w.put(")")
	case *sql.Join:
		w.table(t.Left)
		if t.Kind == sql.JoinComma {
			w.put(" , ")
		} else {
			w.put([...]string{sql.JoinInner: " INNER JOIN ", sql.JoinLeft: " LEFT JOIN ", sql.JoinRight: " RIGHT JOIN ", sql.JoinFull: " FULL JOIN "}[t.Kind])
		}
		w.table(t.Right)
		switch {
		case t.On != nil:
			w.put(" ON (")
			w.expr(t.On)
			w.put(")")
		case len(t.Using) > 0:
			w.put(" USING (")
			for i, n := range t.Using {
				if i > 0 {
					w.put(", ")
				}
				w.put(quoteIdentifier(n.Text))
			}
			w.put(")")
		}
		return
	}
	if a := sql.AliasOf(t); a != nil {
		w.put(" AS ", quoteIdentifier(a.Name.Text))
	}
}

// anyOf writes x op ANY (…), over a query or over what is in a list. DuckDB keeps ALL as the negation of its opposite.
func (w *nameWriter) anyOf(x sql.Expr, op string, all bool, q *sql.Query, list sql.Expr) {
	if all {
		op = map[string]string{"=": "!=", "!=": "=", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[op]
		w.put("(NOT ")
	} else if op == "<>" {
		op = "!="
	}
	w.put("(")
	w.expr(x)
	w.put(" ", op, " ANY(")
	if q != nil {
		w.query(q)
	} else {
		w.put("SELECT unnest(")
		w.expr(list)
		w.put(")")
	}
	w.put("))")
	if all {
		w.put(")")
	}
}

// array writes ARRAY (SELECT …) as what DuckDB's parser makes of it: an aggregate over the query, in the order of the query. What the
// query is ordered by is selected under a name of its own for that, unless it is the number of a column.
func (w *nameWriter) array(q *sql.Query) {
	s, ok := q.Body.(*sql.Select)
	order := slices.Clone(q.OrderBy)
	if ok && len(order) > 0 && !containsAll(order) {
		block, whole := *s, *q
		block.Items = slices.Clone(s.Items)
		n := 0
		for i, o := range order {
			column := "#"
			if number, isNumber := constantInt(o.Expr); isNumber {
				column += strconv.FormatInt(number, 10)
			} else {
				n++
				column = "__array_internal_idx_" + itoa(n)
				block.Items = append(block.Items, sql.SelectItem{Range: o.Range, Expr: o.Expr, Alias: sql.Name{Range: o.Range, Text: column}})
			}
			order[i].Expr = &sql.ColumnRef{Range: o.Range, Parts: []sql.Name{{Range: o.Range, Text: column}}}
		}
		whole.Body = &block
		q = &whole
	}
	var sorted nameWriter
	switch {
	case len(order) > 0 && (!ok || containsAll(order)):
		sorted.put(" ORDER BY …") // not rebuilt
	case len(order) > 0:
		sorted.sortedBy(order)
	}
	list := "array_agg(#1" + sorted.String() + ")"
	w.put("(SELECT CASE  WHEN ((", list, " IS NULL)) THEN (list_value()) ELSE ", list, " END FROM (")
	w.query(q)
	w.put("))")
}

// sortedBy writes ORDER BY over columns that stand there by number or by name.
func (w *nameWriter) sortedBy(order []sql.OrderItem) {
	w.put(" ORDER BY ")
	for i, o := range order {
		if i > 0 {
			w.put(", ")
		}
		if ref, ok := o.Expr.(*sql.ColumnRef); ok {
			w.put(ref.Parts[0].Text)
		}
		w.put([...]string{"", " ASC", " DESC"}[o.Order], [...]string{"", " NULLS FIRST", " NULLS LAST"}[o.Nulls])
	}
}
