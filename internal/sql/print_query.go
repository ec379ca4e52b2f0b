package sql

// query writes a query with its modifiers. LIMIT ALL is written where it was, because a tree with an
// empty Limit must come back as one.
func (p *printer) query(q *Query) {
	if q.With != nil {
		p.with(q.With)
		p.s(" ")
	}
	if _, nested := q.Body.(*Query); nested {
		p.s("(")
		p.queryExpr(q.Body)
		p.s(")")
	} else {
		p.queryExpr(q.Body)
	}
	if q.OrderBy != nil {
		p.s(" ")
		p.orderBy(q.OrderBy)
	}
	if l := q.Limit; l != nil {
		if l.Count != nil {
			p.s(" LIMIT ")
			if l.Percent {
				// DuckDB wants % behind anything but a number; the space keeps * and % apart.
				p.expr(l.Count, precPostfix)
				if _, number := l.Count.(*Literal); !number {
					p.s(" ")
				}
				p.s("%")
			} else {
				p.expr(l.Count, 0)
			}
		} else if l.Offset == nil {
			p.s(" LIMIT ALL")
		}
		if l.Offset != nil {
			p.s(" OFFSET ")
			p.expr(l.Offset, 0)
		}
	}
}

func (p *printer) with(w *With) {
	p.s("WITH ")
	if w.Recursive {
		p.s("RECURSIVE ")
	}
	list(p, w.CTEs, p.cte)
}

func (p *printer) cte(c *CTE) {
	p.name(c.Name)
	if c.Columns != nil {
		p.s(" ")
		p.names(c.Columns)
	}
	if c.UsingKey != nil {
		p.s(" USING KEY ")
		p.parens(c.UsingKey)
	}
	p.s(" AS ")
	switch c.Materialized {
	case MaterializeAlways:
		p.s("MATERIALIZED ")
	case MaterializeNever:
		p.s("NOT MATERIALIZED ")
	}
	p.subquery(c.Query)
}

func (p *printer) orderBy(items []OrderItem) {
	p.s("ORDER BY ")
	list(p, items, p.orderItem)
}

func (p *printer) orderItem(o OrderItem) {
	if o.All {
		p.s("ALL")
	} else {
		p.expr(o.Expr, 0)
	}
	switch o.Order {
	case SortAsc:
		p.s(" ASC")
	case SortDesc:
		p.s(" DESC")
	}
	switch o.Nulls {
	case NullsFirst:
		p.s(" NULLS FIRST")
	case NullsLast:
		p.s(" NULLS LAST")
	}
}

func (p *printer) queryExpr(q QueryExpr) {
	switch q := q.(type) {
	case *Query:
		p.query(q)
	case *Select:
		p.selectBlock(q)
	case *SetOp:
		p.setOperand(q.Left, q.Kind, false)
		p.s([...]string{Union: " UNION", Intersect: " INTERSECT", Except: " EXCEPT"}[q.Kind])
		if q.All {
			p.s(" ALL")
		}
		if q.ByName {
			p.s(" BY NAME")
		}
		p.s(" ")
		p.setOperand(q.Right, q.Kind, true)
	case *Values:
		p.s("VALUES ")
		list(p, q.Rows, func(r *Row) { p.parens(r.Items) })
	case *TableQuery:
		p.s("TABLE ")
		p.table(q.Table)
	case *PivotQuery:
		p.pivotStatement(q.Table)
	case *DescribeQuery:
		p.s(q.Word)
		if q.List != "" {
			p.s(" ", q.List)
		}
		if q.List != "" && q.Table != nil {
			p.s(" FROM")
		}
		if q.Table != nil {
			p.s(" ")
			p.table(q.Table)
		}
		if q.Query != nil {
			p.s(" ")
			p.query(q.Query)
		}
	}
}

// setOperand writes one side of a set operator, in parentheses where the tree's shape needs them.
func (p *printer) setOperand(q QueryExpr, kind SetKind, right bool) {
	parens := false
	switch q := q.(type) {
	case *Query, *PivotQuery:
		parens = true
	case *SetOp:
		if right {
			parens = kind == Intersect || q.Kind != Intersect
		} else {
			parens = kind == Intersect && q.Kind != Intersect
		}
	}
	if parens {
		p.s("(")
	}
	p.queryExpr(q)
	if parens {
		p.s(")")
	}
}

// selectBlock writes the clauses in the order of the grammar, not of evaluation: WINDOW stands before
// QUALIFY, and FROM first where it was written first.
func (p *printer) selectBlock(s *Select) {
	if s.FromFirst {
		p.s("FROM ")
		p.table(s.From)
		p.s(" ")
	}
	p.s("SELECT ")
	if s.Distinct != nil {
		p.s("DISTINCT ")
		if s.Distinct.On != nil {
			p.s("ON ")
			p.parens(s.Distinct.On)
			p.s(" ")
		}
	}
	list(p, s.Items, p.selectItem)
	if s.From != nil && !s.FromFirst {
		p.s(" FROM ")
		p.table(s.From)
	}
	p.clause(" WHERE ", s.Where)
	if g := s.GroupBy; g != nil {
		p.s(" GROUP BY ")
		if g.All {
			p.s("ALL")
		}
		list(p, g.Items, p.groupItem)
	}
	p.clause(" HAVING ", s.Having)
	if s.Windows != nil {
		p.s(" WINDOW ")
		list(p, s.Windows, func(w WindowDef) {
			p.name(w.Name)
			p.s(" AS ")
			p.window(w.Spec)
		})
	}
	p.clause(" QUALIFY ", s.Qualify)
	if s.Sample != nil {
		p.s(" USING SAMPLE ")
		p.sample(s.Sample)
	}
}

func (p *printer) clause(word string, x Expr) {
	if x != nil {
		p.s(word)
		p.expr(x, 0)
	}
}

func (p *printer) selectItem(i SelectItem) {
	p.expr(i.Expr, 0)
	if i.Alias.Given() {
		p.s(" AS ")
		p.name(i.Alias)
	}
}

func (p *printer) groupItem(g GroupItem) {
	switch g.Kind {
	case GroupExpr:
		p.expr(g.Exprs[0], 0)
	case GroupEmpty:
		p.s("()")
	case GroupRollup:
		p.s("ROLLUP ")
		p.parens(g.Exprs)
	case GroupCube:
		p.s("CUBE ")
		p.parens(g.Exprs)
	case GroupSets:
		p.s("GROUPING SETS (")
		list(p, g.Sets, p.groupItem)
		p.s(")")
	}
}

// sample writes the part after TABLESAMPLE or USING SAMPLE.
func (p *printer) sample(s *Sample) {
	if s.Method.Given() {
		p.name(s.Method)
	}
	p.s("(")
	p.expr(s.Size, 0)
	if s.Percent {
		p.s(" PERCENT")
	} else {
		p.s(" ROWS")
	}
	p.s(")")
	if s.Seed != nil {
		p.s(" REPEATABLE (")
		p.expr(s.Seed, 0)
		p.s(")")
	}
}
