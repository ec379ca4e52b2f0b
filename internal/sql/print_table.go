package sql

// table writes a relation with its alias. Pivots in FROM have the suffix form here, whatever stands
// below them; the statement forms have a function of their own.
func (p *printer) table(t TableExpr) {
	switch t := t.(type) {
	case *TableName:
		p.tableName(t)
	case *TableFunc:
		if t.Lateral {
			p.s("LATERAL ")
		}
		p.expr(t.Call, 0)
		if t.Ordinality {
			p.s(" WITH ORDINALITY")
		}
		p.suffix(&t.Suffix)
	case *Subselect:
		if t.Lateral {
			p.s("LATERAL ")
		}
		p.subquery(t.Query)
		p.suffix(&t.Suffix)
	case *Join:
		p.join(t)
	case *Pivot:
		p.table(t.Source)
		p.s(" PIVOT (")
		list(p, t.Using, p.selectItem)
		p.s(" FOR")
		for _, c := range t.On {
			p.s(" ")
			p.pivotColumn(c)
		}
		if t.GroupBy != nil {
			p.s(" GROUP BY ")
			p.exprs(t.GroupBy)
		}
		p.s(")")
		p.suffix(&t.Suffix)
	case *Unpivot:
		p.unpivot(t)
	case *RefTable:
		p.ref(t)
		p.suffix(&t.Suffix)
	case *TemplateTable:
		p.template(t.Template)
		p.suffix(&t.Suffix)
	}
}

func (p *printer) tableName(t *TableName) {
	if t.File {
		p.str(t.Parts[0].Text)
	} else {
		p.path(t.Parts)
	}
	p.alias(t.Alias)
	if t.At != nil {
		p.s(" AT (")
		p.name(t.At.Unit)
		p.s(" => ")
		p.expr(t.At.Value, 0)
		p.s(")")
	}
	p.tablesample(t.Sample)
}

func (p *printer) ref(r *RefTable) {
	p.s([...]string{RefModel: "__ref", RefSource: "__source", RefSeed: "__seed", RefDbt: "__dbt_ref"}[r.Kind])
	p.projectName(r.Name)
}

// projectName writes ("name").
func (p *printer) projectName(n Name) {
	p.s("(")
	p.name(Name{Text: n.Text, Quoted: true})
	p.s(")")
}

func (p *printer) suffix(s *Suffix) {
	p.alias(s.Alias)
	p.tablesample(s.Sample)
}

func (p *printer) alias(a *Alias) {
	if a != nil {
		p.s(" AS ")
		if a.Name.Given() {
			p.name(a.Name)
		}
		if len(a.Types) > 0 {
			p.columnDefinitions(a)
		} else if a.Columns != nil {
			p.names(a.Columns)
		}
	}
}

// columnDefinitions writes (name type, …).
func (p *printer) columnDefinitions(a *Alias) {
	for i, n := range a.Columns {
		p.s([...]string{"(", ", "}[min(i, 1)])
		p.name(n)
		p.s(" ")
		p.typeName(a.Types[i])
	}
	p.s(")")
}

func (p *printer) tablesample(s *Sample) {
	if s != nil {
		p.s(" TABLESAMPLE ")
		p.sample(s)
	}
}

// join writes a chain of joins from the left. Only a join on the right side, or one with an alias of
// its own, needs parentheses.
func (p *printer) join(j *Join) {
	aliased := j.Alias != nil
	if aliased {
		p.s("(")
	}
	p.table(j.Left)
	if j.Kind == JoinComma {
		p.s(", ")
	} else {
		p.s(" ")
		if j.Natural {
			p.s("NATURAL ")
		}
		if j.Asof {
			p.s("ASOF ")
		}
		p.s([...]string{
			JoinInner: "", JoinLeft: "LEFT ", JoinRight: "RIGHT ", JoinFull: "FULL ", JoinSemi: "SEMI ",
			JoinAnti: "ANTI ", JoinCross: "CROSS ", JoinPositional: "POSITIONAL ",
		}[j.Kind], "JOIN ")
	}
	if joinNeedsParens(j, j.Right) {
		p.s("(")
		p.table(j.Right)
		p.s(")")
	} else {
		p.table(j.Right)
	}
	if j.On != nil {
		p.s(" ON ")
		p.expr(j.On, 0)
	}
	if j.Using != nil {
		p.s(" USING ")
		p.names(j.Using)
	}
	if aliased {
		p.s(")")
		p.suffix(&j.Suffix)
	}
}

// joinNeedsParens reports whether the right side of a join must be in parentheses.
func joinNeedsParens(j *Join, right TableExpr) bool {
	r, ok := right.(*Join)
	return ok && j.Kind != JoinComma && r.Alias == nil
}

func (p *printer) pivotColumn(c PivotColumn) {
	if len(c.Exprs) > 1 {
		p.parens(c.Exprs)
	} else {
		p.restricted(c.Exprs[0])
	}
	switch {
	case c.Enum.Given():
		p.s(" IN ")
		p.name(c.Enum)
	case c.Query != nil:
		p.s(" IN ")
		p.subquery(c.Query)
	case c.In != nil:
		p.s(" IN (")
		list(p, c.In, p.selectItem)
		p.s(")")
	}
}

func (p *printer) unpivot(u *Unpivot) {
	p.table(u.Source)
	p.s(" UNPIVOT ")
	if u.IncludeNulls {
		p.s("INCLUDE NULLS ")
	}
	p.s("(")
	if len(u.Values) == 1 {
		p.name(u.Values[0])
	} else {
		p.names(u.Values)
	}
	p.s(" FOR ")
	p.name(u.Name)
	p.s(" IN (")
	list(p, u.On, p.unpivotColumn)
	p.s("))")
	p.suffix(&u.Suffix)
}

func (p *printer) unpivotColumn(c UnpivotColumn) {
	if len(c.Exprs) > 1 {
		p.parens(c.Exprs)
	} else {
		p.expr(c.Exprs[0], 0)
	}
	if c.Alias != nil {
		p.s(" AS ")
		p.expr(c.Alias, 0)
	}
}

// pivotStatement writes the statement forms.
func (p *printer) pivotStatement(t TableExpr) {
	switch t := t.(type) {
	case *Pivot:
		p.s("PIVOT ")
		p.table(t.Source)
		if t.On != nil {
			p.s(" ON ")
			list(p, t.On, p.pivotColumn)
		}
		if t.Using != nil {
			p.s(" USING ")
			list(p, t.Using, p.selectItem)
		}
		if t.GroupBy != nil {
			p.s(" GROUP BY ")
			p.exprs(t.GroupBy)
		}
	case *Unpivot:
		p.s("UNPIVOT ")
		p.table(t.Source)
		p.s(" ON ")
		list(p, t.On, p.unpivotColumn)
		if t.Name.Given() {
			p.s(" INTO NAME ")
			p.name(t.Name)
			p.s(" VALUE ")
			list(p, t.Values, p.name)
		}
	}
}
