package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/analyze/postgres"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// pgTableFunc is the relation of a function in FROM: one column, or those that it is declared to yield.
func (b *binder) pgTableFunc(e *env, t *sql.TableFunc, call *sql.Call) *relation {
	s, named := b.pgTableShape(e, call)
	plain := len(s.cols) == 1 && !s.open && !t.Ordinality
	single := len(s.cols) == 1 && !s.open && !named
	if t.Alias != nil && len(t.Alias.Types) > 0 {
		s = b.pgDefinitions(t)
		single = false
	}
	name := b.pgCallName(call)
	if t.Ordinality && !s.open {
		s.cols = append(s.cols, column{name: "ordinality", fold: "ordinality", value: value{typ: pg(postgres.Int8())}, span: call.Range})
	}
	if single {
		// The one column is called like the relation.
		column := name
		if t.Alias != nil && t.Alias.Name.Given() {
			column = pgWritten(t.Alias.Name)
		}
		s.cols[0].name, s.cols[0].fold = column, fold(column)
	}
	r := b.derived(s.seal(), nil, call.Name[len(call.Name)-1].Range)
	r.name, r.fold, r.single = name, name, plain
	if t.Alias != nil {
		if len(t.Alias.Types) > 0 {
			b.rename(r, &sql.Alias{Range: t.Alias.Range, Name: t.Alias.Name})
		} else {
			b.rename(r, t.Alias)
		}
	}
	return r
}

// pgDefinitions are the columns that the query itself gives a function: AS t (a int, b text).
func (b *binder) pgDefinitions(t *sql.TableFunc) *shape {
	s := &shape{}
	for i, n := range t.Alias.Columns {
		var of typ
		if i < len(t.Alias.Types) {
			of, _ = writtenType(t.Alias.Types[i])
		}
		name := pgWritten(n)
		s.cols = append(s.cols, column{name: name, fold: fold(name), value: value{typ: of, null: true}, span: n.Range})
	}
	return s
}

// pgTableShape are the columns of a function in FROM; named says that they have names of their own.
func (b *binder) pgTableShape(e *env, call *sql.Call) (s *shape, named bool) {
	at := call.Name[len(call.Name)-1].Range
	name := b.pgCallName(call)
	inner := *e
	inner.clause = inOther
	if name == "unnest" && len(call.Args) > 1 {
		// Several arrays side by side.
		s := &shape{}
		for _, a := range call.Args {
			v := b.expr(&inner, a.Value)
			one := b.pgFunction(at, name, []value{v}, []sql.Expr{a.Value}, nil)
			one.null = true
			s.cols = append(s.cols, column{name: name, fold: name, value: one, span: a.Range})
		}
		return s, true
	}
	if len(call.Name) > 1 && fold(call.Name[0].Text) != "pg_catalog" || postgres.Functions(name) == nil {
		b.pgArguments(&inner, call)
		if duck := catalogue().find(name, true); duck != nil && len(call.Name) == 1 {
			p := b.problem("E1005", at, "PostgreSQL itself has no function %s; DuckDB has", name)
			if p.Severity = diag.Warning; name == "range" && p.Help == "" {
				p.WithHelp("write generate_series(first, last), which includes the last one")
			}
		}
		b.passInput(call.Range, whyColumns, call.FuncName(), call.FuncName()+"(…)")
		return &shape{open: true, openBy: call.FuncName() + "(…)"}, true
	}
	if len(call.Args) == 0 || !b.pgNamed(call) {
		values, exprs := b.pgArguments(&inner, call)
		types := make([]*postgres.Type, len(values))
		known := true
		for i, v := range values {
			types[i] = v.typ.pgType()
			known = known && types[i] != nil && v.poison == nil
		}
		if known {
			if c, match := postgres.ResolveFunction(name, types, nil); match == postgres.Found && !c.Cast {
				if columns := c.Columns(types); columns != nil {
					return b.pgColumns(columns, at, values), true
				}
				if c.Result != nil && c.Result.Name == "record" {
					b.passInput(call.Range, whyRecords, call.FuncName(), call.FuncName()+"(…)")
					return &shape{open: true, openBy: call.FuncName() + "(…)"}, true
				}
			}
		} else if columns := onlyOutputs(name); columns != nil {
			return b.pgColumns(columns, at, values), true
		}
		v := b.pgFunction(at, name, values, exprs, nil)
		v.null, v.void = true, false
		if name == "generate_series" {
			v.null = false
		}
		return &shape{cols: []column{{name: name, fold: name, value: v, span: at}}}, false
	}
	values, _ := b.pgArguments(&inner, call)
	v := b.pgAnyOverload(call.Range, whyNamed, name, values)
	if v.typ.kind == kUnknown {
		return &shape{open: true, openBy: call.FuncName() + "(…)"}, true
	}
	return &shape{cols: []column{{name: name, fold: name, value: v, span: at}}}, false
}

// onlyOutputs are the columns of a function that has one overload, whatever its arguments are.
func onlyOutputs(name string) []postgres.Output {
	overloads := postgres.Functions(name)
	if len(overloads) == 1 && len(overloads[0].Outputs) > 0 {
		return overloads[0].Outputs
	}
	return nil
}

// pgColumns are the columns of the rows that a function yields, each of which may be NULL.
func (b *binder) pgColumns(outputs []postgres.Output, at sql.Range, from []value) *shape {
	s := &shape{}
	for _, o := range outputs {
		v := derive(pg(o.Type), from...)
		v.null, v.void = true, false
		s.cols = append(s.cols, column{name: o.Name, fold: fold(o.Name), value: v, span: at})
	}
	return s
}

// pgStarOrder puts the columns of * in PostgreSQL's order: what USING merged comes first, then the left side, then the right.
// The items are those that the star has added, in the order of FROM.
func (b *binder) pgStarOrder(sc *scope, items []item) {
	rank := map[place]int{}
	for i, p := range b.joined(sc.rels) {
		rank[p] = i
	}
	slices.SortStableFunc(items, func(x, y item) int { return rank[x.star] - rank[y.star] })
}

// joined lists the columns of a list of relations in the order of *.
func (b *binder) joined(rels []*relation) []place {
	var out []place
	for i := 0; i < len(rels); {
		if order, ok := b.orders[rels[i]]; ok && i+order.rels <= len(rels) {
			out = append(out, order.places...)
			i += order.rels
			continue
		}
		for c := range rels[i].shape.cols {
			out = append(out, place{rels[i], c})
		}
		i++
	}
	return out
}

// joinOrder is the order of the columns of a join, which begins with a relation and takes in some.
type joinOrder struct {
	rels   int
	places []place
}

// pgJoined notes the order of the columns of a join whose USING columns have been merged.
func (b *binder) pgJoined(l, r []*relation, using []sql.Name) {
	left, right := b.joined(l), b.joined(r)
	var places []place
	taken := map[place]bool{}
	for _, name := range using {
		f := fold(name.Text)
		for _, p := range left {
			if p.rel.shape.cols[p.col].fold == f && !p.rel.hidden[p.col] && !taken[p] {
				places = append(places, p)
				taken[p] = true
				break
			}
		}
	}
	for _, p := range slices.Concat(left, right) {
		if !taken[p] && !p.rel.hidden[p.col] {
			places = append(places, p)
		}
	}
	if b.orders == nil {
		b.orders = map[*relation]joinOrder{}
	}
	b.orders[l[0]] = joinOrder{len(l) + len(r), places}
}

// pgMerged gives a column that USING makes of two the type they have in common.
func (b *binder) pgMerged(name sql.Name, merged, l, r value) value {
	at := &sql.ColumnRef{Range: name.Range, Parts: []sql.Name{name}}
	t, p := b.pgUnify([]value{l, r}, []sql.Expr{at, at}, "USING "+name.Text)
	merged.typ = t
	if p != nil {
		merged.poison = p
	}
	return merged
}

// pgExpandField is (x).*: the columns of a relation, or of the rows that a function yields.
func (b *binder) pgExpandField(e *env, sel *selection, f *sql.Field) {
	switch x := f.X.(type) {
	case *sql.ColumnRef:
		if r := e.scope.relation(fold(x.Parts[len(x.Parts)-1].Text)); r != nil {
			b.expandStar(e, sel, &sql.Star{Range: f.Range, Qualifier: x.Parts}, func(string) bool { return true })
			return
		}
	case *sql.Call:
		s, _ := b.pgTableShape(e, x)
		if len(s.cols) > 0 && !s.open && postgres.Functions(b.pgCallName(x)) != nil {
			for i := range s.cols {
				sel.items = append(sel.items, item{name: s.cols[i].name, span: f.Range, value: s.cols[i].value, state: itemDone})
			}
			return
		}
	default:
		b.expr(quiet(e), f.X)
	}
	sel.open = true // which fields a composite type has is in the database
	b.pass(f.Range, whyComposite)
}

// searched adds the columns that SEARCH and CYCLE give a recursive query. What they hold is of the server's own types.
func (b *binder) searched(s *shape, c *sql.CTE) *shape {
	out := *s
	out.cols, out.index = slices.Clone(s.cols), nil
	for _, n := range c.Extra {
		name := pgWritten(n)
		out.cols = append(out.cols, column{name: name, fold: fold(name), value: value{null: true}, span: n.Range})
	}
	return out.seal()
}
