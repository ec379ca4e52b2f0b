package analyze

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// unary binds signs, NOT and the operators with one operand.
func (b *binder) unary(e *env, x *sql.Unary) value {
	if x.Op == "NOT" {
		return derive(scalar(kBoolean), b.expr(e, x.X))
	}
	if lit, negative, ok := signed(x); ok {
		return value{typ: numberType(lit.Text, negative), fixed: true, folds: true}
	}
	v := b.expr(e, x.X)
	name := x.Op
	if x.Postfix {
		name = "!__postfix"
	}
	return b.apply(x.OpRange, name, []value{v}, []sql.Expr{x.X})
}

// signed is a number behind minus signs, which DuckDB folds while it parses.
func signed(x sql.Expr) (lit *sql.Literal, negative, ok bool) {
	for {
		switch inner := x.(type) {
		case *sql.Unary:
			if inner.Op != "-" || inner.Postfix {
				return nil, false, false
			}
			negative, x = !negative, inner.X
		case *sql.Literal:
			return inner, negative, inner.Kind == sql.NumberLiteral
		default:
			return nil, false, false
		}
	}
}

// binary binds an infix operator. Comparisons and JSON access have rules of their own; all others are functions.
func (b *binder) binary(e *env, x *sql.Binary) value {
	if v, ok := b.trappedArrow(e, x); ok {
		return v
	}
	left, right := b.expr(e, x.Left), b.expr(e, x.Right)
	switch x.Op {
	case "=", "<>":
		return b.comparison(x, left, right, true)
	case "<", ">", "<=", ">=":
		return b.comparison(x, left, right, false)
	case "IS DISTINCT FROM", "IS NOT DISTINCT FROM":
		v := b.comparison(x, left, right, true)
		v.null, v.void = false, false
		return v
	case "->", "->>":
		return b.arrow(x, left, right)
	case "~", "!~", "SIMILAR TO":
		out := derive(scalar(kBoolean), left, right)
		if p := b.badPattern(x.Op, x.Right); p != nil {
			out.poison = p
		}
		return out
	}
	if p := b.munched(x); p != nil {
		return poisoned(p)
	}
	return b.apply(x.OpRange, x.Op, []value{left, right}, []sql.Expr{x.Left, x.Right})
}

// munched reports a sign or an @ that stands so close behind an operator that the two are read as one: x!=-1.
func (b *binder) munched(x *sql.Binary) *diag.Problem {
	n := len(x.Op) - 1
	if n < 1 || !strings.ContainsRune("+-@", rune(x.Op[n])) || catalogue().find(x.Op, false) != nil {
		return nil
	}
	p := b.problem("E1005", x.OpRange, "there is no operator %s", x.Op)
	if p.Help == "" {
		split := x.Op[:n] + " " + x.Op[n:]
		p.WithHelp("put a space in front of the last character: %s", split).WithFix(p.Span, split)
	}
	return p
}

// comparison checks a comparison of two expressions and yields BOOLEAN.
func (b *binder) comparison(x *sql.Binary, left, right value, equality bool) value {
	p := b.compare(left, right, x.Left, x.Right, equality)
	out := derive(scalar(kBoolean), left, right)
	if p != nil {
		out.poison = p
	}
	return out
}

// compare reports a comparison that DuckDB refuses, or that can never work because a constant does not convert.
func (b *binder) compare(left, right value, l, r sql.Expr, equality bool) *diag.Problem {
	if left.void || right.void {
		return nil
	}
	for _, side := range [2]struct {
		constant, other value
		expr            sql.Expr
	}{{left, right, l}, {right, left, r}} {
		if text, ok := constantString(side.expr); ok && cannotConvert(text, side.other.typ.settled()) {
			return b.problem("E1101", side.expr.Bounds(), "cannot compare %s with '%s', which can never be one", side.other.typ.settled(), text).
				WithHelp("compare with a value of type %s, or cast the other side to VARCHAR", side.other.typ.settled())
		}
	}
	if comparable(left.typ, right.typ, equality) {
		return nil
	}
	at := l
	if isConstant(l) {
		at = r
	}
	return b.problem("E1101", at.Bounds(), "cannot compare %s with %s", left.typ.settled(), right.typ.settled()).
		WithHelp("cast one side, for example CAST(… AS %s)", forced(left.typ, right.typ).settled())
}

// isConstant reports whether an expression is made of constants alone; messages then point at the other side.
func isConstant(x sql.Expr) bool {
	switch x := x.(type) {
	case *sql.Literal, *sql.TypedLiteral:
		return true
	case *sql.Interval:
		return isConstant(x.Value)
	case *sql.Unary:
		return isConstant(x.X)
	case *sql.Cast:
		return isConstant(x.X)
	}
	return false
}

// apply binds an operator as the function of its name.
func (b *binder) apply(at sql.Range, op string, values []value, exprs []sql.Expr) value {
	settle(values, func(i int) sql.Expr { return exprs[i] })
	out := derive(typ{}, values...)
	for _, v := range values {
		if v.poison != nil {
			return out
		}
	}
	types := make([]typ, len(values))
	args := make([]argument, len(values))
	for i, v := range values {
		types[i] = v.typ
		args[i] = argument{typ: v.typ, expr: exprs[i]}
	}
	out.yields = mayFoldToNull(values)
	out.null = out.null || !operatorKeepsValue(op, exprs)
	constantNull := nullConstant(values)
	out.fixed, out.folds = constantNull, out.folds || constantNull
	for _, t := range types {
		if !t.known() {
			if op == "||" {
				return out
			}
			return out
		}
	}
	if t, ok := quickArithmetic(op, types); ok {
		out.typ = t
		return out
	}
	f := catalogue().find(op, false)
	if f == nil {
		out.poison = b.unknownOperator(at, strings.TrimSuffix(op, "__postfix"))
		return out
	}
	o, how := f.match(types)
	if how == noMatch || how == ambiguousMatch {
		out.poison = b.refusedOperator(op, types, exprs, how)
		return out
	}
	switch {
	case !constantNull && (op == "||" || o != nil && o.generic) && mayFoldToNull(values):
		b.pass(spanning(exprs...), whyMaybeNull, op)
		return out
	case op == "||" && constantNull:
		out.typ = scalar(kNull)
	case op == "||":
		return b.concatenate(out, types, exprs, args)
	case o == nil:
	case o.generic && o.result.kind == kDecimal && constantNull:
		out.typ = scalar(kNull) // DuckDB gives up on a size and takes NULL for the whole
	case o.generic && o.result.kind == kDecimal:
		if p := b.tooManyDigits(op, types, exprs); p != nil {
			out.poison = p
			return out
		}
		out.typ = decimalArithmetic(op, types)
	default:
		out.typ = o.resultFor(op, args, types)
		if o.generic && o.result.kind == kList {
			out.typ = concatResult(args)
		}
	}
	if out.typ.kind == kUnknown {
		b.pass(spanning(exprs...), whyOperated, op)
	}
	return out
}

// unknownOperator reports an operator that the catalogue does not have.
func (b *binder) unknownOperator(at sql.Range, op string) *diag.Problem {
	p := b.problem("E1005", at, "there is no operator %s", op)
	if p.Help == "" && op == "!" {
		p.WithHelp("write NOT")
	}
	return p
}

// nullConstant reports whether an operand is a NULL that DuckDB sees while it binds: a constant, not a column of NULLs.
func nullConstant(values []value) bool {
	for _, v := range values {
		if v.typ.kind == kNull || v.void && v.folds {
			return true
		}
	}
	return false
}

// mayFoldToNull reports an operand that DuckDB computes while it binds and that may turn out to be NULL: what it makes of the
// whole depends on a value that norn does not compute.
func mayFoldToNull(values []value) bool {
	for _, v := range values {
		if v.yields || v.folds && v.null && !v.void {
			return true
		}
	}
	return false
}

// concatenate is ||, which joins text or lists but not a list and a single value.
func (b *binder) concatenate(out value, types []typ, exprs []sql.Expr, args []argument) value {
	list := func(t typ) bool { return t.kind == kList || t.kind == kArray }
	if list(types[0]) != list(types[1]) && types[0].kind != kNull && types[1].kind != kNull {
		at := exprs[0]
		if list(types[0]) {
			at = exprs[1]
		}
		out.poison = b.problem("E1101", at.Bounds(), "cannot join %s and %s with ||", types[0].settled(), types[1].settled()).
			WithHelp("put the element in brackets, [x]")
		return out
	}
	if list(types[0]) && list(types[1]) {
		if _, ok := combine(listOf(types[0].elem()), listOf(types[1].elem())); !ok {
			out.poison = b.problem("E1101", exprs[1].Bounds(), "cannot join %s and %s with ||", types[0].settled(), types[1].settled()).
				WithHelp("cast one of the lists")
			return out
		}
	}
	out.typ = concatResult(args)
	return out
}

// refusedOperator reports an operator whose operands do not fit, at the operand that is at fault: the one that is no
// number where the other is.
func (b *binder) refusedOperator(op string, types []typ, exprs []sql.Expr, how matchResult) *diag.Problem {
	fault := 0
	if len(types) == 2 {
		if types[0].numeric() && !types[1].numeric() || isConstant(exprs[0]) && !isConstant(exprs[1]) {
			fault = 1
		}
		if how == ambiguousMatch && types[1].kind == kStringLit {
			fault = 1
		}
		p := b.problem("E1101", exprs[fault].Bounds(), "%s does not take %s and %s", op, types[0].settled(), types[1].settled())
		if p.Help == "" {
			other := types[1-fault].settled()
			if text := types[fault].settled(); text.kind == kVarchar && other.numeric() {
				p.WithHelp("cast the text to a number: CAST(… AS %s)", other)
			} else {
				p.WithHelp("cast one side")
			}
		}
		return p
	}
	return b.problem("E1101", exprs[0].Bounds(), "%s does not take %s", op, types[0].settled()).WithHelp("cast it first")
}

// operatorKeepsValue reports whether an operator yields a value whenever its operands have one. Division does not: by zero
// it is NULL, unless the divisor is a constant other than zero.
func operatorKeepsValue(op string, exprs []sql.Expr) bool {
	switch op {
	case "+", "-", "*", "||", "~", "&", "|", "@":
		return true
	case "/", "//", "%":
		if n, ok := constantInt(exprs[1]); ok {
			return n != 0
		}
		lit, ok := exprs[1].(*sql.Literal)
		return ok && lit.Kind == sql.NumberLiteral && numberType(lit.Text, false).kind == kDecimal && trimZeros(lit.Text) != ""
	}
	return false
}

// trimZeros is empty for a number that is zero.
func trimZeros(s string) string {
	for s != "" && (s[0] == '0' || s[0] == '.' || s[0] == '_') {
		s = s[1:]
	}
	return s
}

// quickArithmetic answers the calls that make up most of a project without asking the catalogue: numbers of one type.
func quickArithmetic(op string, types []typ) (typ, bool) {
	if len(types) != 2 {
		return typ{}, false
	}
	a, c := types[0], types[1]
	whole := func(t typ) bool { return t.kind == kBigint || t.kind == kInteger }
	if a.kind == kIntLit && whole(c) && literalFits(a, c.kind) {
		a = c
	} else if c.kind == kIntLit && whole(a) && literalFits(c, a.kind) {
		c = a
	}
	if a.kind != c.kind {
		return typ{}, false
	}
	switch op {
	case "+", "-", "*", "%", "//":
		return a, whole(a) || a.kind == kDouble
	case "/":
		return scalar(kDouble), whole(a) || a.kind == kDouble
	}
	return typ{}, false
}

// decimalArithmetic is the size of a decimal result. Sums get one digit more, products the digits of both; a result of
// small decimals stays within 18 digits, and none has more than 38.
func decimalArithmetic(op string, types []typ) typ {
	var whole, scale, width, sumWidth, sumScale uint8
	for _, t := range types {
		w, s, ok := decimalSize(t)
		if !ok {
			return typ{}
		}
		whole, scale, width = max(whole, w-s), max(scale, s), max(width, w)
		sumWidth, sumScale = sumWidth+w, sumScale+s
	}
	if len(types) == 1 {
		return decimal(width, scale)
	}
	w, s := whole+scale, scale
	switch op {
	case "+", "-", "add", "subtract":
		w++
	case "*", "multiply":
		w, s = sumWidth, sumScale
	}
	w = max(w, width)
	if w > 18 && width <= 18 && op != "%" && op != "mod" {
		w = 18
	}
	if w > 38 && (op == "%" || op == "mod") {
		return scalar(kDouble)
	}
	w = min(w, 38)
	if s > w {
		return typ{}
	}
	return decimal(w, s)
}

// tooManyDigits reports a product that needs more digits behind the point than a DECIMAL has.
func (b *binder) tooManyDigits(op string, types []typ, exprs []sql.Expr) *diag.Problem {
	if op != "*" || len(types) != 2 {
		return nil
	}
	_, left, ok := decimalSize(types[0])
	_, right, also := decimalSize(types[1])
	if !ok || !also || int(left)+int(right) <= 38 {
		return nil
	}
	p := b.problem("E1101", spanning(exprs...), "the product needs %d digits behind the point, and a DECIMAL has 38", int(left)+int(right))
	if p.Help == "" {
		p.WithHelp("cast one side to DOUBLE, or to a DECIMAL with fewer digits behind the point")
	}
	return p
}
