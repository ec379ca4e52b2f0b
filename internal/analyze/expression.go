package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// expr gives an expression its type, nullability and lineage, reporting what is wrong inside. It never fails: what is
// wrong is poisoned, what is not understood Unknown.
func (b *binder) expr(e *env, x sql.Expr) value {
	if x == nil {
		return unknown()
	}
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxDepth || b.stopped() {
		return b.skip(x.Bounds(), whyDepth)
	}
	if v, ok := b.groupedExpr(e, x); ok {
		return v
	}
	if b.pg {
		return b.pgExpr(e, x)
	}
	switch x := x.(type) {
	case *sql.Bad:
		return unknown() // reported, and not something that norn does not understand
	case *sql.ColumnRef:
		return b.column(e, x)
	case *sql.Literal:
		return literal(x)
	case *sql.TypedLiteral:
		if p := b.unknownType(x.Type); p != nil {
			return poisoned(p)
		}
		return value{typ: resolveType(x.Type), fixed: true, folds: true}
	case *sql.Interval:
		v := b.expr(e, x.Value)
		return derive(scalar(kInterval), v)
	case *sql.Unary:
		return b.unary(e, x)
	case *sql.Binary:
		return b.binary(e, x)
	case *sql.Logical:
		return b.logical(e, x)
	case *sql.Between:
		return b.between(e, x)
	case *sql.In:
		return b.in(e, x)
	case *sql.Like:
		return b.like(e, x)
	case *sql.Is:
		v := derive(scalar(kBoolean), b.expr(e, x.X))
		v.null = false
		return v
	case *sql.Case:
		return b.caseExpr(e, x)
	case *sql.Cast:
		return b.cast(e, x)
	case *sql.Call:
		return b.call(e, x)
	case *sql.Subquery:
		return b.subquery(e, x)
	case *sql.Quantified:
		return b.quantified(e, x)
	case *sql.Collate:
		v := b.expr(e, x.X)
		if p := b.knownCollation(x); p != nil && v.poison == nil {
			v.poison = p
		}
		switch v.typ.kind {
		case kJSON:
			v.typ = typ{} // VARCHAR or JSON, as the rest of the query makes DuckDB copy the expression
			b.pass(x.Range, whyCollate)
		case kVarchar, kStringLit, kUnknown:
		default:
			if v.poison == nil {
				v.poison = b.problem("E1101", x.X.Bounds(), "only text has a collation, not %s", v.typ.settled())
			}
		}
		return v
	case *sql.AtTimeZone:
		return b.atTimeZone(e, x)
	case *sql.Field:
		return b.fieldOf(b.expr(e, x.X).settledBy(x.X), x.Name)
	case *sql.Index:
		return b.index(e, x)
	case *sql.Slice:
		return b.slice(e, x)
	case *sql.List:
		return b.list(e, x.Items)
	case *sql.Struct:
		return b.structLiteral(e, x)
	case *sql.Map:
		return b.mapLiteral(e, x)
	case *sql.Row:
		return b.row(e, x)
	case *sql.ListComprehension:
		return b.comprehension(e, x)
	case *sql.PositionRef:
		return b.positionRef(e, x)
	case *sql.Lambda:
		return b.argument(e, x)
	case *sql.ProjectCall:
		return b.projectCall(e, x)
	case *sql.Param:
		p := b.problem("E0201", x.Range, "nothing gives a value to the parameter %s", b.excerpt(x.Range))
		if p.Help == "" {
			p.WithHelp("write the value; parts of a project share one through a macro or a function")
		}
		return poisoned(p)
	}
	return b.skip(x.Bounds(), strange(x)) // stars in odd places, COLUMNS, templates, parameters
}

// derive is a value of type t made from others: NULL when one of them may be, aggregated when one is.
func derive(t typ, from ...value) value {
	out := value{typ: t}
	if len(from) == 1 {
		v := from[0]
		return value{typ: t, null: v.null, void: v.void, folds: v.folds, agg: v.agg, win: v.win, poison: v.poison, reach: v.reach.then(Expression)}
	}
	traced := 0
	out.folds = len(from) > 0
	for _, v := range from {
		out.folds = out.folds && v.folds
		out.null = out.null || v.null
		out.void = out.void || v.void
		out.agg, out.win = out.agg || v.agg, out.win || v.win
		if out.poison == nil {
			out.poison = v.poison
		}
		if v.reach.from != nil {
			traced++
		}
	}
	if traced > 0 {
		reaches := make([]reach, len(from))
		for i, v := range from {
			reaches[i] = v.reach
		}
		out.reach = merge(reaches...)
	}
	out.reach.how = max(out.reach.how, Expression)
	return out
}

// caseExpr binds CASE. Conditions reach the result as conditions where the branches have values of their own; where all
// branches are constants, the conditions are the value.
func (b *binder) caseExpr(e *env, x *sql.Case) value {
	var parts []value
	var results []value
	if x.Operand != nil {
		operand := b.expr(e, x.Operand)
		parts = append(parts, operand)
		for _, w := range x.Whens {
			cond := b.expr(e, w.Cond)
			b.compare(operand, cond, x.Operand, w.Cond, true)
			parts = append(parts, cond)
		}
	} else {
		for _, w := range x.Whens {
			parts = append(parts, b.condition(e, w.Cond))
		}
	}
	// DuckDB starts with ELSE, which matters where two types would win over each other in turn.
	exprs := []sql.Expr{x.Else}
	if x.Else != nil {
		results = append(results, b.expr(e, x.Else))
	} else {
		results = append(results, value{typ: scalar(kNull), null: true, void: true, folds: true})
	}
	for _, w := range x.Whens {
		results = append(results, b.expr(e, w.Then))
		exprs = append(exprs, w.Then)
	}
	t, p := b.unify(results, exprs, "CASE")
	// Where the branches have values of their own, the conditions only choose among them.
	for _, r := range results {
		if len(r.reach.edges()) > 0 {
			for i := range parts {
				parts[i].reach = parts[i].reach.condition()
			}
			break
		}
	}
	out := derive(t, append(parts, results...)...)
	out.null, out.void = false, true
	for _, r := range results {
		out.null = out.null || r.null
		out.void = out.void && r.void
	}
	if p != nil {
		return poisoned(p)
	}
	return out
}

// unify is the type that holds all values, for CASE, coalesce and lists. A string constant that can never become it is
// reported at its place.
func (b *binder) unify(values []value, exprs []sql.Expr, what string) (typ, *diag.Problem) {
	t := values[0].typ
	for i, v := range values[1:] {
		next, ok := combine(t, v.typ)
		if !ok {
			settle(values, func(i int) sql.Expr { return exprs[i] })
		}
		if !ok && slices.ContainsFunc(values, func(v value) bool { return v.yields }) {
			b.pass(exprs[i+1].Bounds(), whyMaybeNull, what) // whether it fits depends on it
			return typ{}, nil
		}
		if !ok {
			return typ{}, b.problem("E1101", exprs[i+1].Bounds(), "%s mixes %s and %s", what, t.settled(), v.typ.settled()).
				WithHelp("cast one side, for example to %s", forced(t, v.typ).settled())
		}
		t = next
	}
	for i, v := range values {
		if text, ok := constantString(exprs[i]); ok && v.typ.kind == kStringLit && cannotConvert(text, t) {
			return typ{}, b.problem("E1101", exprs[i].Bounds(), "%s yields %s, and '%s' can never be one", what, t.settled(), text).
				WithHelp("cast the other values to VARCHAR, or use a value of type %s", t.settled())
		}
	}
	return t, nil
}

// cast binds CAST and ::. A cast to a type that norn does not know yields that type, unknown.
func (b *binder) cast(e *env, x *sql.Cast) value {
	v := b.expr(e, x.X)
	to := resolveType(x.Type)
	out := value{typ: to, null: v.null || x.Try || v.typ.kind == kJSON || v.typ.kind == kVariant || !v.typ.known(), void: v.void, fixed: v.fixed, folds: v.folds, yields: v.yields, agg: v.agg, win: v.win, poison: v.poison, reach: v.reach.then(Cast)}
	if p := b.unknownType(x.Type); p != nil {
		out.typ, out.null, out.poison = typ{}, true, p
		return out
	}
	if to.kind == kUnknown {
		b.pass(x.Range, whyType, typeText(x.Type))
		return out
	}
	if (x.Try || v.void) && (!v.typ.nestedKind() && (to.kind != kUnion || v.void) || castable(v.typ, to)) {
		return out
	}
	if text, ok := constantString(x.X); ok && cannotConvert(text, to) {
		if e.cage == "TRY" {
			out.null = true // what fails is NULL there
			return out
		}
		out.poison = b.problem("E1101", x.X.Bounds(), "'%s' can never be a value of type %s", text, to)
		return out
	}
	if !castable(v.typ, to) {
		p := b.problem("E1102", x.X.Bounds(), "cannot cast %s to %s", v.typ.settled(), to)
		if help := castHelp(v.typ.settled(), to); help != "" && p.Help == "" {
			p.WithHelp("%s", help)
		}
		out.poison = p
	}
	return out
}

// castHelp says what to write where a cast does not exist.
func castHelp(from, to typ) string {
	moment := from.kind == kDate || from.kind == kTimestamp || from.kind == kTimestampTZ
	switch {
	case moment && to.numeric():
		return "epoch(…) gives seconds, date_diff('day', …) days between two dates"
	case from.numeric() && (to.kind == kTimestamp || to.kind == kTimestampTZ):
		return "to_timestamp(…) reads seconds since 1970"
	case from.numeric() && to.kind == kDate:
		return "make_date(year, month, day) builds a date from numbers"
	case from.kind == kInterval && to.numeric():
		return "epoch(…) gives the seconds of an interval"
	}
	return ""
}

// atTimeZone turns a moment with a zone into one without, and the other way round.
func (b *binder) atTimeZone(e *env, x *sql.AtTimeZone) value {
	v, zone := b.expr(e, x.X), b.expr(e, x.Zone)
	t := typ{}
	switch v.typ.kind {
	case kTimestampTZ:
		t = scalar(kTimestamp)
	case kTimestamp, kDate, kStringLit, kTimestampNS, kTimestampMS, kTimestampS:
		t = scalar(kTimestampTZ)
	case kTimeTZ, kTime:
		t = scalar(kTimeTZ)
	}
	out := derive(t, v, zone)
	if v.poison != nil || zone.poison != nil || b.pg {
		return out
	}
	if _, how := catalogue().find("timezone", false).match([]typ{zone.typ, v.typ}); how == noMatch {
		at, what := x.X.Bounds(), v.typ
		if implicitCost(zone.typ, scalar(kVarchar)) == never && zone.typ.kind != kInterval || v.typ.kind == kTimestampTZ || v.typ.kind == kTimestamp {
			at, what = x.Zone.Bounds(), zone.typ
		}
		p := b.problem("E1101", at, "AT TIME ZONE takes a timestamp and the name of a zone, not %s", what.settled())
		if p.Help == "" {
			p.WithHelp("cast the moment to TIMESTAMP or TIMESTAMPTZ; a zone is a text such as 'Europe/Oslo'")
		}
		out.poison = p
	}
	return out
}

// positionRef is #n, counted over all columns of FROM.
func (b *binder) positionRef(e *env, x *sql.PositionRef) value {
	p, ok := e.position(x)
	switch {
	case ok:
		return b.usedColumn(e, e.scope, p, sql.Name{Range: x.Range}, p.rel.value(p.col))
	case e.scope != nil && e.scope.open() != nil:
		return unknown()
	}
	if e.scope == nil || b.pg {
		return b.skip(x.Range, whyPosition)
	}
	n := 0
	for _, r := range e.scope.rels {
		n += len(r.shape.cols)
	}
	return poisoned(b.problem("E1003", x.Range, "there is no column %d: FROM has %d", x.Index, n))
}

// position is the column of FROM that #n means. Behind a relation whose columns are not known nobody can count.
func (e *env) position(x *sql.PositionRef) (place, bool) {
	if e.scope == nil {
		return place{}, false
	}
	n := x.Index
	for _, r := range e.scope.rels {
		if n > 0 && n <= len(r.shape.cols) && !r.shape.open {
			return place{r, n - 1}, true
		}
		if r.shape.open {
			break
		}
		n -= len(r.shape.cols)
	}
	return place{}, false
}
