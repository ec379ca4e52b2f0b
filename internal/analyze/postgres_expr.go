package analyze

import (
	"strings"

	"github.com/norn-data/norn/internal/analyze/postgres"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// The files postgres_*.go bind expressions by PostgreSQL's rules. Names, scopes, joins, groups and lineage are the same for
// every dialect and are bound by the other files; what differs is the type of an expression, which overload is called and
// what a column is called. A binder for PostgreSQL has pg set and comes here from [binder.expr].

// pgExpr gives an expression its type by PostgreSQL's rules.
func (b *binder) pgExpr(e *env, x sql.Expr) value {
	switch x := x.(type) {
	case *sql.Bad:
		return unknown()
	case *sql.ColumnRef:
		return b.column(e, x)
	case *sql.Literal:
		return b.pgLiteral(x)
	case *sql.TypedLiteral:
		return b.pgTypedLiteral(x)
	case *sql.Interval:
		t, mod, _ := postgres.Named("interval "+x.Unit, false, nil)
		return derive(pgMod(t, mod), b.expr(e, x.Value))
	case *sql.Unary:
		return b.pgUnary(e, x)
	case *sql.Binary:
		return b.pgBinary(e, x)
	case *sql.Logical:
		parts := make([]value, len(x.Args))
		for i, a := range x.Args {
			parts[i] = b.pgCondition(e, a, map[bool]string{true: "OR", false: "AND"}[x.Or])
		}
		out := derive(pg(postgres.Bool()), parts...)
		out.void = false
		return out
	case *sql.Between:
		return b.pgBetween(e, x)
	case *sql.In:
		return b.pgIn(e, x)
	case *sql.Like:
		return b.pgLike(e, x)
	case *sql.Is:
		v := b.expr(e, x.X)
		if x.Test != sql.TestNull {
			v = b.pgTruth(v, x.X, "IS")
		}
		out := derive(pg(postgres.Bool()), v)
		out.null, out.void = false, false
		return out
	case *sql.Case:
		return b.pgCase(e, x)
	case *sql.Cast:
		return b.pgCast(e, x)
	case *sql.Call:
		return b.pgCall(e, x)
	case *sql.Subquery:
		return b.pgSubquery(e, x)
	case *sql.Quantified:
		return b.pgQuantified(e, x)
	case *sql.Collate:
		v := b.expr(e, x.X)
		v.typ = v.typ.resolved()
		return v
	case *sql.AtTimeZone:
		v, zone := b.expr(e, x.X), b.expr(e, x.Zone)
		return b.pgFunction(x.Range, "timezone", []value{zone, v}, []sql.Expr{x.Zone, x.X}, nil)
	case *sql.List:
		return b.pgArray(e, x, nil)
	case *sql.Index:
		return b.pgIndex(e, x)
	case *sql.Slice:
		return b.pgSlice(e, x)
	case *sql.Row:
		parts := make([]value, len(x.Items))
		for i, item := range x.Items {
			parts[i] = b.expr(e, item)
		}
		out := derive(pg(postgres.Record()), parts...)
		out.null, out.void = false, false
		return out
	case *sql.Field:
		if ref, ok := x.X.(*sql.ColumnRef); ok && len(ref.Parts) == 1 && e.scope.relation(fold(ref.Parts[0].Text)) != nil {
			return b.dottedColumn(e, &sql.ColumnRef{Range: x.Range, Parts: []sql.Name{ref.Parts[0], x.Name}})
		}
		// Fields of composite types are in the database.
		v := b.expr(e, x.X)
		b.pass(x.Range, whyComposite)
		return derive(typ{}, v)
	case *sql.Star:
		// The row of a relation, as an argument or as the columns of ROW(…).
		if len(x.Qualifier) > 0 {
			if r := e.scope.relation(fold(x.Qualifier[len(x.Qualifier)-1].Text)); r != nil {
				v := b.wholeRow(r)
				v.typ = typ{}
				return v
			}
		}
	case *sql.ProjectCall:
		return b.projectCall(e, x)
	case *sql.Lambda:
		if arrow := x.AsArrow(); arrow != nil {
			return b.expr(e, arrow)
		}
	}
	return b.skip(x.Bounds(), strange(x))
}

// pgUnary binds signs, NOT and prefix operators.
func (b *binder) pgUnary(e *env, x *sql.Unary) value {
	if x.Op == "NOT" {
		return derive(pg(postgres.Bool()), b.pgCondition(e, x.X, "NOT"))
	}
	if lit, ok := x.X.(*sql.Literal); ok && x.Op == "-" && lit.Kind == sql.NumberLiteral {
		return value{typ: pgNumber(lit.Text, true), fixed: true}
	}
	v := b.expr(e, x.X)
	return b.pgOperator(x.OpRange, x.Op, []value{v}, []sql.Expr{x.X})
}

// pgBinary binds an infix operator.
func (b *binder) pgBinary(e *env, x *sql.Binary) value {
	left, right := x.Left, x.Right
	if l, ok := left.(*sql.Row); ok {
		switch r := right.(type) {
		case *sql.Row:
			return b.pgRows(e, x, l, r)
		case *sql.Subquery:
			if r.Kind == sql.ScalarSubquery {
				return b.pgInQuery(e, l, x.Op, r.Query) // a row against a row
			}
		}
	}
	op := x.Op
	distinct := op == "IS DISTINCT FROM" || op == "IS NOT DISTINCT FROM"
	if distinct {
		op = "="
	}
	v := b.pgOperator(x.OpRange, op, []value{b.expr(e, left), b.expr(e, right)}, []sql.Expr{left, right})
	if distinct {
		v.null, v.void = false, false
	}
	return v
}

// pgRows compares rows column by column.
func (b *binder) pgRows(e *env, x *sql.Binary, l, r *sql.Row) value {
	if len(l.Items) != len(r.Items) {
		return poisoned(b.problem("E1103", x.Range, "the left row has %d values, the right one %d", len(l.Items), len(r.Items)))
	}
	op := x.Op
	if strings.HasPrefix(op, "IS ") {
		op = "="
	}
	parts := make([]value, len(l.Items))
	for i := range l.Items {
		parts[i] = b.pgOperator(x.OpRange, op, []value{b.expr(e, l.Items[i]), b.expr(e, r.Items[i])}, []sql.Expr{l.Items[i], r.Items[i]})
	}
	return derive(pg(postgres.Bool()), parts...)
}

// pgOperator chooses the operator for its operands and yields its result. An operand that is not known makes the result
// unknown unless every operator of the name yields the same.
func (b *binder) pgOperator(at sql.Range, op string, values []value, exprs []sql.Expr) value {
	out := derive(typ{}, values...)
	out.null = out.null || !pgKeepsValue(op)
	types := make([]*postgres.Type, len(values))
	for i, v := range values {
		if v.poison != nil {
			return out
		}
		if types[i] = v.typ.pgType(); types[i] == nil {
			out.typ = pgOperatorGuess(op)
			return out
		}
	}
	var left *postgres.Type
	right := types[len(types)-1]
	if len(types) == 2 {
		left = types[0]
	}
	o, match := postgres.ResolveOperator(op, left, right)
	if match != postgres.Found {
		if !postgres.HasOperator(op) {
			p := b.problem("E1101", at, "PostgreSQL has no operator %s", op)
			if help := operatorHelp[op]; help != "" && p.Help == "" {
				p.WithHelp("%s", help)
			}
			out.poison = p
			return out
		}
		if right.Name == "record" || left != nil && left.Name == "record" {
			b.pass(at, whyRows)
			out.typ = pgOperatorGuess(op)
			return out
		}
		out.poison = b.pgRefusedOperator(at, op, values, exprs, match)
		return out
	}
	params := []*postgres.Type{o.Right}
	if left != nil {
		params = []*postgres.Type{o.Left, o.Right}
	}
	if out.poison = b.pgConstants(exprs, values, params); out.poison != nil {
		return out
	}
	out.typ = pg(o.Result)
	return out
}

// operatorHelp says what to write for operators of DuckDB.
var operatorHelp = map[string]string{"//": "write a / b: between integers it drops the remainder", "==": "write =", "**": "write ^"}

// pgKeepsValue reports whether an operator has a value whenever its operands have one.
func pgKeepsValue(op string) bool {
	switch op {
	case "->", "->>", "#>", "#>>", "@?", "@@":
		return false
	}
	return true
}

// pgOperatorGuess is the result of an operator whose operands are not known: the one type that all operators of that name
// yield.
func pgOperatorGuess(op string) typ {
	switch op {
	case "=", "<>", "<", ">", "<=", ">=", "~~", "!~~", "~~*", "!~~*", "~", "!~", "~*", "!~*":
		return pg(postgres.Bool())
	}
	return typ{}
}

// pgRefusedOperator reports operands that no operator takes, at the one that is more likely at fault.
func (b *binder) pgRefusedOperator(at sql.Range, op string, values []value, exprs []sql.Expr, match postgres.Match) *diag.Problem {
	if name, ok := patternNames[op]; ok {
		op = name
	}
	if len(values) == 1 {
		return b.problem("E1101", exprs[0].Bounds(), "%s does not take %s", op, values[0].typ).WithHelp("cast it first")
	}
	fault := exprs[0]
	if isConstant(exprs[0]) || values[0].typ.numeric() && !values[1].typ.numeric() {
		fault = exprs[1]
	}
	if match == postgres.Ambiguous {
		p := b.problem("E1101", at, "%s fits %s and %s in several ways", op, values[0].typ, values[1].typ)
		return p.WithHelp("cast the literal to say which is meant, such as '…'::text")
	}
	p := b.problem("E1101", fault.Bounds(), "%s does not take %s and %s", op, values[0].typ, values[1].typ)
	if p.Help == "" {
		p.WithHelp("cast one side, such as x::%s", values[0].typ)
	}
	return p
}

// pgCondition binds an expression that must be true or false; what names the place of it.
func (b *binder) pgCondition(e *env, x sql.Expr, what string) value {
	return b.pgTruth(b.expr(e, x), x, what)
}

// pgTruth checks that a value can be a truth value, and makes it one.
func (b *binder) pgTruth(v value, x sql.Expr, what string) value {
	t := v.typ.pgType()
	if t == nil || v.poison != nil {
		return v
	}
	text, constant := constantString(x)
	if !postgres.Coercible(t, postgres.Bool(), postgres.Implicit) || constant && pgNever(text, pg(postgres.Bool())) {
		v.poison = b.problem("E1101", x.Bounds(), "%s takes boolean, not %s", what, v.typ)
		if v.poison.Help == "" {
			v.poison.WithHelp("compare it with something, such as x <> 0 or x IS NOT NULL")
		}
	}
	v.typ = pg(postgres.Bool())
	return v
}

// pgUnify is the type that holds all values, with their modifier where they share one.
func (b *binder) pgUnify(values []value, exprs []sql.Expr, what string) (typ, *diag.Problem) {
	types := make([]*postgres.Type, len(values))
	for i, v := range values {
		if types[i] = v.typ.pgType(); types[i] == nil {
			return typ{}, nil
		}
	}
	t, ok := postgres.Common(types)
	if !ok {
		first := 0
		for types[first] == postgres.Unknown() {
			first++
		}
		for i := range types {
			if _, fits := postgres.Common([]*postgres.Type{types[first], types[i]}); !fits || i == len(types)-1 {
				at := exprs[first]
				if exprs[i] != nil {
					at = exprs[i]
				}
				return typ{}, b.problem("E1101", at.Bounds(), "%s mixes %s and %s", what, values[first].typ, values[i].typ).
					WithHelp("cast one side, such as x::%s", values[first].typ)
			}
		}
	}
	mod := values[0].typ.mod
	params := make([]*postgres.Type, len(values))
	for i, v := range values {
		params[i] = t
		if types[i] != t || v.typ.mod != mod {
			mod = -1
		}
	}
	if p := b.pgConstants(exprs, values, params); p != nil {
		return typ{}, p
	}
	return pgMod(t, mod), nil
}

// pgCase binds CASE.
func (b *binder) pgCase(e *env, x *sql.Case) value {
	var parts []value
	if x.Operand != nil {
		operand := b.expr(e, x.Operand)
		parts = append(parts, operand)
		for _, w := range x.Whens {
			cond := b.expr(e, w.Cond)
			parts = append(parts, b.pgOperator(w.Range, "=", []value{operand, cond}, []sql.Expr{x.Operand, w.Cond}))
		}
	} else {
		for _, w := range x.Whens {
			parts = append(parts, b.pgCondition(e, w.Cond, "WHEN"))
		}
	}
	// The server starts with ELSE.
	results := []value{{typ: pg(postgres.Unknown()), null: true, void: true}}
	exprs := []sql.Expr{x.Else}
	if x.Else != nil {
		results[0] = b.expr(e, x.Else)
	}
	for _, w := range x.Whens {
		results = append(results, b.expr(e, w.Then))
		exprs = append(exprs, w.Then)
	}
	t, p := b.pgUnify(results, exprs, "CASE")
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

// pgCast binds CAST and ::.
func (b *binder) pgCast(e *env, x *sql.Cast) value {
	to, wrong := writtenType(x.Type)
	if wrong != "" {
		b.expr(e, x.X)
		return poisoned(b.problem("E1102", x.Type.Range, "%s", wrong))
	}
	if list, ok := x.X.(*sql.List); ok && to.kind == kList {
		v := b.pgArray(e, list, to.pgType().Elem)
		v.typ, v.reach = to, v.reach.then(Cast)
		return v
	}
	v := b.expr(e, x.X)
	out := value{typ: to, null: v.null, void: v.void, fixed: v.fixed, agg: v.agg, win: v.win, poison: v.poison, reach: v.reach.then(Cast)}
	from := v.typ.pgType()
	switch {
	case to.kind == kUnknown:
		b.pass(x.Range, whyType, typeText(x.Type))
		return out
	case from == nil || v.poison != nil:
		return out
	case from.Name == "json" || from.Name == "jsonb":
		out.null = true // a JSON null
	}
	if text, ok := constantString(x.X); ok && pgNever(text, to) {
		out.poison = b.problem("E1101", x.X.Bounds(), "'%s' can never be a value of type %s", text, to)
		return out
	}
	if !postgres.Coercible(from, to.pgType(), postgres.Explicit) {
		p := b.problem("E1102", x.X.Bounds(), "cannot cast %s to %s", v.typ, to)
		if p.Help == "" {
			if help := pgCastHelp(from, to.pgType()); help != "" {
				p.WithHelp("%s", help)
			}
		}
		out.poison = p
	}
	return out
}

// pgCastHelp says what to write where a cast does not exist.
func pgCastHelp(from, to *postgres.Type) string {
	switch {
	case from.Category == 'D' && to.Category == 'N':
		return "extract(epoch FROM x) gives seconds; one date minus another gives days"
	case from.Category == 'N' && to.Category == 'D':
		return "to_timestamp(x) reads seconds since 1970, make_date(year, month, day) builds a date"
	case from.Category == 'T' && to.Category == 'N':
		return "extract(epoch FROM x) gives the seconds of an interval"
	case to.Name == "bool" || from.Name == "bool":
		return "compare with a value, or use CASE WHEN x THEN 1 ELSE 0 END; only integer and boolean convert"
	}
	return ""
}

// pgSubquery binds a query in an expression.
func (b *binder) pgSubquery(e *env, x *sql.Subquery) value {
	if x.Kind == sql.ExistsSubquery {
		v := b.subquery(e, x)
		v.typ = pg(postgres.Bool())
		return v
	}
	v := b.subquery(e, x)
	if x.Kind == sql.ArraySubquery {
		if elem := v.typ.elem(); elem.known() {
			elem = elem.resolved()
			v.typ = arrayType(elem.pgType(), elem.mod, true)
		} else {
			v.typ = typ{}
		}
		return v
	}
	v.typ = v.typ.resolved()
	return v
}
