package analyze

import "github.com/norn-data/norn/internal/sql"

// query writes a query inside an expression. The plain forms come out as DuckDB writes them; of all others norn's own spelling
// is taken, which tells two queries apart just as well.
func (w *nameWriter) query(q *sql.Query) {
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
	w.windows = outer
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
