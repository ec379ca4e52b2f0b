package analyze

import (
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// DuckDB computes constant expressions while it binds, and goes another way when one is NULL: most functions of a NULL are NULL
// whatever else they are given, and have the type of NULL where theirs depends on the arguments. A text that it computes may be the
// name of a field, a part of a date or a path. So the binder computes what it can of such expressions, too, but only when
// something depends on it.

// knowledge is how much is known about the value of a constant expression.
type knowledge uint8

const (
	unclear knowledge = iota
	absent            // NULL
	present           // some value, or a mistake that DuckDB meets at the first row
)

// constantKind is what is known of a value that is there.
type constantKind uint8

const (
	opaque constantKind = iota // nothing more
	aText
	aNumber
	aTruth
	aList
	aStruct // the items are named
	aMap    // the items have keys
)

// constant is what is known about the value of an expression without columns.
type constant struct {
	knowledge
	kind   constantKind
	truth  bool
	text   string
	number float64
	items  []constant // of lists, structs and maps
	names  []string   // of the fields of a struct
	keys   []constant // of a map
}

var (
	someValue = constant{knowledge: present}
	noValue   = constant{knowledge: absent}
)

func textOf(s string) constant     { return constant{knowledge: present, kind: aText, text: s} }
func numberOf(n float64) constant  { return constant{knowledge: present, kind: aNumber, number: n} }
func truthOf(t bool) constant      { return constant{knowledge: present, kind: aTruth, truth: t} }
func listed(c []constant) constant { return constant{knowledge: present, kind: aList, items: c} }

// whole is the number as one that counts, when it is one.
func (c constant) whole() (int, bool) {
	n := int(c.number)
	return n, c.kind == aNumber && float64(n) == c.number
}

// fields and elements of constants are computed up to this many; lists that are longer stay closed.
const mostElements = 200

// folding computes one constant expression. Columns do not occur in it: a name is a parameter of a lambda, a word such as
// current_user, or a name of the select list, which stays unclear.
type folding struct {
	names  []string // parameters of the lambdas around, the innermost last
	values []constant
	steps  int
}

// mostSteps bounds the work for one expression: functions may be given long lists many times over.
const mostSteps = 5000

// folded computes an expression that DuckDB computes while it binds.
func folded(x sql.Expr) constant {
	f := folding{}
	return f.expr(x)
}

// settle looks at operands that are constants and may be NULL, and says whether they are.
func settle(values []value, exprs func(i int) sql.Expr) {
	for i := range values {
		values[i] = values[i].settledBy(exprs(i))
	}
}

// settleAs takes over what was computed.
func (v *value) settleAs(c constant) {
	switch c.knowledge {
	case unclear:
	case absent:
		v.null, v.void, v.yields = true, true, false
	case present:
		v.null, v.yields = false, false
	}
}

// settledBy is an expression's value once it is known whether it is NULL. Only constants that may be are computed, which is what keeps
// this cheap: almost all expressions of a project have columns in them.
func (v value) settledBy(x sql.Expr) value {
	if v.folds && !v.void && (v.null || v.yields) {
		v.settleAs(folded(x))
	}
	return v
}

// literalFor is an argument that is computed while DuckDB binds, written as the text, number or list of texts that it is. Others are
// what they are.
func literalFor(v value, x sql.Expr) sql.Expr {
	switch x.(type) {
	case *sql.Literal, *sql.TypedLiteral, *sql.Interval:
		return x
	}
	if !v.folds {
		return x
	}
	if y := folded(x).literal(x.Bounds()); y != nil {
		return y
	}
	return x
}

// literal writes a constant, nil when its value is not known.
func (c constant) literal(at sql.Range) sql.Expr {
	switch c.kind {
	case aText:
		return &sql.Literal{Range: at, Kind: sql.StringLiteral, Text: c.text}
	case aNumber:
		if n, ok := c.whole(); ok && n >= 0 {
			return &sql.Literal{Range: at, Kind: sql.NumberLiteral, Text: strconv.Itoa(n)}
		} else if ok {
			return &sql.Unary{Range: at, Op: "-", OpRange: at, X: &sql.Literal{Range: at, Kind: sql.NumberLiteral, Text: strconv.Itoa(-n)}}
		}
	case aList:
		list := &sql.List{Range: at}
		for _, item := range c.items {
			y := item.literal(at)
			if y == nil {
				return nil
			}
			list.Items = append(list.Items, y)
		}
		return list
	}
	return nil
}

// expr computes one expression.
func (f *folding) expr(x sql.Expr) constant {
	if f.steps++; f.steps > mostSteps {
		return constant{}
	}
	switch x := x.(type) {
	case *sql.Literal:
		return constantLiteral(x)
	case *sql.TypedLiteral:
		if strings.Contains(fold(x.Value), "inf") {
			return constant{} // an endless date has no parts
		}
		return someValue
	case *sql.Interval:
		return f.strict(x.Value)
	case *sql.ColumnRef:
		return f.name(x)
	case *sql.Unary:
		return f.unary(x)
	case *sql.Binary:
		return f.binary(x.Op, f.expr(x.Left), f.expr(x.Right))
	case *sql.Logical:
		return f.logical(x)
	case *sql.Is:
		return f.is(x)
	case *sql.Between:
		return f.strict(x.X, x.Low, x.High)
	case *sql.Like:
		return f.strict(x.X, x.Pattern)
	case *sql.Collate:
		return f.expr(x.X)
	case *sql.AtTimeZone:
		return f.strict(x.X, x.Zone)
	case *sql.In:
		if x.Query == nil && x.Set == nil {
			return f.strict(append([]sql.Expr{x.X}, x.List...)...).orUnclear()
		}
	case *sql.Case:
		return f.choose(x)
	case *sql.Cast:
		return f.cast(x)
	case *sql.List:
		return listed(f.exprs(x.Items))
	case *sql.Row:
		return constant{knowledge: present, kind: aStruct, items: f.exprs(x.Items), names: make([]string, len(x.Items))}
	case *sql.Struct:
		out := constant{knowledge: present, kind: aStruct}
		for _, field := range x.Fields {
			out.items, out.names = append(out.items, f.expr(field.Value)), append(out.names, field.Key.Text)
		}
		return out
	case *sql.Map:
		out := constant{knowledge: present, kind: aMap}
		for _, entry := range x.Entries {
			out.keys, out.items = append(out.keys, f.expr(entry.Key)), append(out.items, f.expr(entry.Value))
		}
		return out
	case *sql.Field:
		return element(f.expr(x.X), textOf(x.Name.Text))
	case *sql.Index:
		return element(f.expr(x.X), f.expr(x.At))
	case *sql.Slice:
		return f.slice(x)
	case *sql.ListComprehension:
		return f.comprehension(x)
	case *sql.Call:
		return f.call(x)
	}
	return constant{}
}

func (f *folding) exprs(xs []sql.Expr) []constant {
	out := make([]constant, len(xs))
	for i, x := range xs {
		out[i] = f.expr(x)
	}
	return out
}

// orUnclear gives up on a NULL.
func (c constant) orUnclear() constant {
	if c.knowledge == absent {
		return constant{}
	}
	return c
}

// strict is what most operators are: NULL when one operand is, else some value.
func (f *folding) strict(xs ...sql.Expr) constant { return strictly(f.exprs(xs)...) }

func strictly(operands ...constant) constant {
	out := someValue
	for _, c := range operands {
		switch c.knowledge {
		case absent:
			return noValue
		case unclear:
			out = constant{}
		}
	}
	return out
}

func constantLiteral(x *sql.Literal) constant {
	switch x.Kind {
	case sql.NullLiteral:
		return noValue
	case sql.BoolLiteral:
		return truthOf(x.Text == "true")
	case sql.NumberLiteral:
		if n, err := strconv.ParseFloat(strings.ReplaceAll(x.Text, "_", ""), 64); err == nil {
			return numberOf(n)
		}
		return someValue
	}
	return textOf(x.Text)
}

// name is a parameter of a lambda, or a word that stands for a value.
func (f *folding) name(x *sql.ColumnRef) constant {
	first := fold(x.Parts[0].Text)
	for i := len(f.names) - 1; i >= 0; i-- {
		if f.names[i] != first {
			continue
		}
		v := f.values[i]
		for _, field := range x.Parts[1:] {
			v = element(v, textOf(field.Text))
		}
		return v
	}
	switch first {
	case "current_user", "session_user", "current_role", "user":
		return textOf("duckdb")
	case "current_date", "current_time", "current_timestamp", "localtime", "localtimestamp":
		return someValue
	}
	return constant{}
}

func (f *folding) unary(x *sql.Unary) constant {
	v := f.expr(x.X)
	switch {
	case x.Op == "NOT" && v.kind == aTruth:
		return truthOf(!v.truth)
	case x.Op == "-" && v.kind == aNumber && !x.Postfix:
		return numberOf(-v.number)
	}
	return strictly(v)
}

// binary computes an infix operator.
func (f *folding) binary(op string, a, c constant) constant {
	numbers, texts := a.kind == aNumber && c.kind == aNumber, a.kind == aText && c.kind == aText
	switch op {
	case "IS DISTINCT FROM", "IS NOT DISTINCT FROM":
		return someValue
	case "->", "->>":
		return strictly(a, c).asNull()
	case "=", "<>", "<", ">", "<=", ">=":
		switch {
		case numbers:
			return truthOf(compared(op, a.number < c.number, a.number == c.number))
		case texts:
			return truthOf(compared(op, a.text < c.text, a.text == c.text))
		}
		return strictly(a, c)
	case "||":
		switch {
		case texts:
			return textOf(a.text + c.text)
		case a.kind == aList && c.kind == aList:
			return listed(append(append([]constant(nil), a.items...), c.items...))
		}
		return strictly(a, c)
	case "/", "//", "%":
		if c.kind == aNumber && c.number != 0 && a.knowledge == present {
			if op == "/" && numbers {
				return numberOf(a.number / c.number)
			}
			return someValue
		}
		if c.kind == aNumber && c.number == 0 && op != "/" {
			return noValue
		}
		if numbers && a.number != 0 {
			return numberOf(a.number / c.number) // infinite
		}
		return strictly(a, c).asNull()
	case "+", "-", "*":
		if numbers {
			return numberOf(map[string]float64{"+": a.number + c.number, "-": a.number - c.number, "*": a.number * c.number}[op])
		}
		return strictly(a, c)
	case "&", "|", "~", "!~", "SIMILAR TO", "<<", ">>", "**", "^":
		return strictly(a, c)
	}
	return strictly(a, c).asNull()
}

// asNull keeps the knowledge that a value is NULL and forgets that it is not.
func (c constant) asNull() constant {
	if c.knowledge == absent {
		return c
	}
	return constant{}
}

func compared(op string, less, equal bool) bool {
	switch op {
	case "=":
		return equal
	case "<>":
		return !equal
	case "<":
		return less
	case "<=":
		return less || equal
	case ">":
		return !less && !equal
	}
	return !less
}

// logical is a chain of AND or OR: one true side of OR, one false side of AND decides.
func (f *folding) logical(x *sql.Logical) constant {
	sides := f.exprs(x.Args)
	all := true
	for _, c := range sides {
		if c.kind == aTruth && c.truth == x.Or {
			return truthOf(x.Or)
		}
		all = all && c.kind == aTruth
	}
	if all {
		return truthOf(!x.Or)
	}
	return strictly(sides...).orUnclear()
}

func (f *folding) is(x *sql.Is) constant {
	v := f.expr(x.X)
	if x.Test == sql.TestNull && v.knowledge != unclear {
		return truthOf((v.knowledge == absent) != x.Not)
	}
	return someValue
}

// choose computes CASE, as far as its conditions are known.
func (f *folding) choose(x *sql.Case) constant {
	var operand constant
	if x.Operand != nil {
		operand = f.expr(x.Operand)
	}
	var results []constant
	for _, w := range x.Whens {
		cond := f.expr(w.Cond)
		if x.Operand != nil {
			cond = f.binary("=", operand, cond)
		}
		if cond.knowledge == absent || cond.kind == aTruth && !cond.truth {
			continue
		}
		results = append(results, f.expr(w.Then))
		if cond.kind == aTruth {
			return either(results)
		}
	}
	otherwise := noValue
	if x.Else != nil {
		otherwise = f.expr(x.Else)
	}
	return either(append(results, otherwise))
}

// either is one of several values, nobody knows which.
func either(values []constant) constant {
	if len(values) == 1 {
		return values[0]
	}
	for _, v := range values {
		if v.knowledge != values[0].knowledge {
			return constant{}
		}
	}
	return constant{knowledge: values[0].knowledge}
}

// comprehension is [elem FOR x IN list IF cond].
func (f *folding) comprehension(x *sql.ListComprehension) constant {
	list := f.expr(x.List)
	if list.kind != aList {
		return strictly(list)
	}
	var items []constant
	for i, item := range list.items {
		given := []constant{item, numberOf(float64(i + 1))}
		if x.Cond != nil {
			switch cond := f.with(x.Vars, given, x.Cond); {
			case cond.kind == aTruth && cond.truth:
			case cond.kind == aTruth || cond.knowledge == absent:
				continue
			default:
				return someValue
			}
		}
		items = append(items, f.with(x.Vars, given, x.Elem))
	}
	return listed(items)
}

// with computes the body of a lambda for given parameters.
func (f *folding) with(params []sql.Name, given []constant, body sql.Expr) constant {
	n := len(f.names)
	for i, p := range params {
		f.names = append(f.names, fold(p.Text))
		if i < len(given) {
			f.values = append(f.values, given[i])
		} else {
			f.values = append(f.values, constant{})
		}
	}
	v := f.expr(body)
	f.names, f.values = f.names[:n], f.values[:n]
	return v
}
