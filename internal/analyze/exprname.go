package analyze

import (
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// exprName is the name DuckDB gives a column that has no alias: the column's own name, else the expression as DuckDB
// writes it back. Models should not rely on these names; norn knows them so that it can say what a query yields.
func (b *binder) exprName(e *env, x sql.Expr) string {
	if b.pg {
		return b.pgExprName(e, x)
	}
	switch x := x.(type) {
	case *sql.ColumnRef:
		if len(x.Parts) <= 2 {
			if p, ok := b.placeOf(e, x); ok {
				return p.rel.shape.cols[p.col].name
			}
		}
		return x.Parts[len(x.Parts)-1].Text
	case *sql.PositionRef:
		if p, ok := e.position(x); ok {
			return p.rel.shape.cols[p.col].name
		}
	case *sql.Call:
		if len(x.Name) == 1 && x.Over == nil && fold(x.Name[0].Text) == "unnest" {
			w := nameWriter{text: b.file.Text}
			w.put("unnest(")
			w.args(x.Args)
			w.put(")")
			return w.String()
		}
	}
	w := nameWriter{text: b.file.Text}
	if e.sel != nil {
		w.windows = e.sel.windows
	}
	w.expr(x)
	return w.String()
}

// nameWriter writes expressions the way DuckDB's ParsedExpression::ToString does.
type nameWriter struct {
	strings.Builder
	text    string          // of the file, to tell extract(…) from date_part(…)
	windows []sql.WindowDef // named windows are written out
}

// put appends its parts.
func (w *nameWriter) put(parts ...string) {
	for _, p := range parts {
		w.WriteString(p)
	}
}

func (w *nameWriter) list(items []sql.Expr) {
	for i, x := range items {
		if i > 0 {
			w.put(", ")
		}
		w.expr(x)
	}
}

func (w *nameWriter) args(args []sql.Arg) {
	for i, a := range args {
		if i > 0 {
			w.put(", ")
		}
		if a.Name.Given() {
			w.put(quoteIdentifier(a.Name.Text), " := ")
		}
		w.expr(a.Value)
	}
}

// expr writes the forms that make up most expressions; others has the rest.
func (w *nameWriter) expr(x sql.Expr) {
	switch x := x.(type) {
	case *sql.ColumnRef:
		for i, p := range x.Parts {
			if i > 0 {
				w.put(".")
			}
			w.put(quoteIdentifier(p.Text))
		}
	case *sql.Literal:
		w.literal(x)
	case *sql.TypedLiteral:
		w.put("CAST('", strings.ReplaceAll(x.Value, "'", "''"), "' AS ", castName(x.Type), ")")
	case *sql.Interval:
		w.interval(x)
	case *sql.Unary:
		w.unary(x)
	case *sql.Binary:
		if x.Op == "~" || x.Op == "!~" || x.Op == "SIMILAR TO" {
			w.fullMatch(x.Left, x.Right, x.Op == "!~")
			return
		}
		op := x.Op
		if op == "<>" {
			op = "!="
		}
		w.put("(")
		w.expr(x.Left)
		w.put(" ", op, " ")
		w.expr(x.Right)
		w.put(")")
	case *sql.Logical:
		word := " AND "
		if x.Or {
			word = " OR "
		}
		w.put("(")
		for i, a := range flatArgs(x, nil) {
			if i > 0 {
				w.put(word)
			}
			w.expr(a)
		}
		w.put(")")
	case *sql.Between:
		if x.Not {
			w.put("(NOT ")
		}
		w.put("(")
		w.expr(x.X)
		w.put(" BETWEEN ")
		w.expr(x.Low)
		w.put(" AND ")
		w.expr(x.High)
		w.put(")")
		if x.Not {
			w.put(")")
		}
	case *sql.Cast:
		if x.Try {
			w.put("TRY_")
		}
		w.put("CAST(")
		w.expr(x.X)
		w.put(" AS ", castName(x.Type), ")")
	case *sql.Case:
		w.caseExpr(x)
	case *sql.Call:
		w.call(x)
	case *sql.Subquery:
		w.subquery(x)
	default:
		w.others(x)
	}
}

// literal writes constants as DuckDB keeps them: booleans are casts of a letter, numbers lose underscores and leading zeros.
func (w *nameWriter) literal(x *sql.Literal) {
	switch x.Kind {
	case sql.NullLiteral:
		w.put("NULL")
	case sql.BoolLiteral:
		w.put("CAST('", x.Text[:1], "' AS BOOLEAN)")
	case sql.StringLiteral, sql.BitLiteral:
		w.put("'", strings.ReplaceAll(x.Text, "'", "''"), "'")
	case sql.NumberLiteral:
		text := strings.ReplaceAll(x.Text, "_", "")
		if numberType(text, false).kind == kDouble {
			if f, err := strconv.ParseFloat(text, 64); err == nil {
				if text = strconv.FormatFloat(f, 'f', -1, 64); f >= 1e16 {
					text = strconv.FormatFloat(f, 'e', -1, 64)
				} else if !strings.Contains(text, ".") {
					text += ".0"
				}
			}
			w.put(text)
			return
		}
		if whole, fraction, ok := strings.Cut(text, "."); ok && fraction == "" {
			text = whole
		} else if ok && len(whole) > 1 && whole[0] == '0' {
			if text = strings.TrimLeft(text, "0"); text[0] == '.' {
				text = "0" + text
			}
		} else if len(text) > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') {
			text = text[1:]
		}
		w.put(text)
	default:
		w.put(x.Text)
	}
}

// opposite are the comparisons that DuckDB's parser puts in the place of a negated one.
var opposite = map[string]string{
	"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
	"IS DISTINCT FROM": "IS NOT DISTINCT FROM", "IS NOT DISTINCT FROM": "IS DISTINCT FROM",
}

// negated is what DuckDB's parser makes of NOT x; nil where it keeps the NOT.
func negated(x sql.Expr) sql.Expr {
	switch x := x.(type) {
	case *sql.Binary:
		if op, ok := opposite[x.Op]; ok {
			n := *x
			n.Op = op
			return &n
		}
	case *sql.In:
		if !x.Not && x.Query == nil && x.Set == nil {
			n := *x
			n.Not = true
			return &n
		}
	case *sql.Unary:
		if x.Op == "NOT" {
			if inner := negated(x.X); inner != nil {
				return negated(inner)
			}
		}
	}
	return nil
}

// unary writes signs of numbers as part of the number, since the parser folds them.
func (w *nameWriter) unary(x *sql.Unary) {
	if x.Op == "NOT" {
		if sub, ok := x.X.(*sql.Subquery); ok && sub.Kind == sql.ExistsSubquery {
			w.put("(NOT ")
			w.expr(x.X)
			w.put(")")
			return
		}
		if positive := negated(x.X); positive != nil {
			w.expr(positive)
			return
		}
		w.put("(NOT ")
		w.expr(x.X)
		w.put(")")
		return
	}
	if lit, negative, ok := signed(x); ok {
		if negative {
			w.put("-")
		}
		w.literal(lit)
		return
	}
	if x.Postfix {
		w.put("((")
		w.expr(x.X)
		w.put(")", x.Op, ")")
		return
	}
	w.put(x.Op, "(")
	w.expr(x.X)
	w.put(")")
}

// flatArgs are the operands of AND or OR with those of the same operator inside it, which DuckDB keeps as one.
func flatArgs(x *sql.Logical, out []sql.Expr) []sql.Expr {
	for _, a := range x.Args {
		if inner, ok := a.(*sql.Logical); ok && inner.Or == x.Or {
			out = flatArgs(inner, out)
			continue
		}
		out = append(out, a)
	}
	return out
}

// fullMatch is what DuckDB makes of ~ and SIMILAR TO.
func (w *nameWriter) fullMatch(text, pattern sql.Expr, not bool) {
	if not {
		w.put("(NOT ")
	}
	w.put("regexp_full_match(")
	w.expr(text)
	w.put(", ")
	w.expr(pattern)
	w.put(")")
	if not {
		w.put(")")
	}
}

// interval writes what the parser makes of INTERVAL: a cast, or a call of to_days and its like.
func (w *nameWriter) interval(x *sql.Interval) {
	if lit, ok := x.Value.(*sql.Literal); ok && x.Unit == "" {
		w.put("CAST('", lit.Text, "' AS INTERVAL)")
		return
	}
	if !knownUnits[x.Unit] {
		w.put("interval")
		return
	}
	cast := "INTEGER"
	switch x.Unit {
	case "second", "millisecond":
		w.put("to_", x.Unit, "s(CAST(")
		w.expr(x.Value)
		w.put(" AS DOUBLE))")
		return
	case "hour", "minute", "microsecond":
		cast = "BIGINT"
	}
	unit := x.Unit + "s"
	if x.Unit == "century" {
		unit = "centuries"
	}
	w.put("to_", unit, "(CAST(trunc(CAST(")
	w.expr(x.Value)
	w.put(" AS DOUBLE)) AS ", cast, "))")
}

var knownUnits = map[string]bool{"year": true, "month": true, "day": true, "hour": true, "minute": true, "second": true,
	"millisecond": true, "microsecond": true, "week": true, "quarter": true, "decade": true, "century": true, "millennium": true}

// caseExpr writes both forms of CASE as the searched one, which is all DuckDB keeps.
func (w *nameWriter) caseExpr(x *sql.Case) {
	w.put("CASE ")
	for _, when := range x.Whens {
		w.put(" WHEN (")
		if x.Operand != nil {
			w.put("(")
			w.expr(x.Operand)
			w.put(" = ")
			w.expr(when.Cond)
			w.put(")")
		} else {
			w.expr(when.Cond)
		}
		w.put(") THEN (")
		w.expr(when.Then)
		w.put(")")
	}
	w.put(" ELSE ")
	if x.Else != nil {
		w.expr(x.Else)
	} else {
		w.put("NULL")
	}
	w.put(" END")
}

// subquery writes a query used as a value; ARRAY (…) is what DuckDB's parser makes of it.
func (w *nameWriter) subquery(x *sql.Subquery) {
	switch x.Kind {
	case sql.ExistsSubquery:
		w.put("EXISTS")
	case sql.ArraySubquery:
		w.array(x.Query)
		return
	}
	w.put("(")
	w.query(x.Query)
	w.put(")")
}

// castName is a type inside CAST as DuckDB writes it: the types of its grammar plainly, all others in quotes, JSON as its
// author did.
func castName(t *sql.TypeName) string {
	r := resolveType(t)
	switch r.kind {
	case kUnknown, kJSON:
		if len(t.Name) > 0 {
			name := t.Name[len(t.Name)-1].Text
			if r.kind == kJSON {
				return `"` + name + `"`
			}
			return quoteIdentifier(name)
		}
	case kVarchar, kBit:
		if len(t.Params) == 1 {
			if n, ok := constantInt(t.Params[0]); ok {
				return r.String() + "(" + strconv.FormatInt(n, 10) + ")"
			}
		}
		if r.kind == kBit {
			return "BIT(1)"
		}
		return "VARCHAR"
	case kEnum:
		return `"ENUM"` + strings.TrimPrefix(r.String(), "ENUM")
	case kTimestamp, kTimestampS, kTimestampMS, kTimestampNS:
		if len(t.Params) == 1 {
			if n, ok := constantInt(t.Params[0]); ok {
				return "TIMESTAMP(" + strconv.FormatInt(n, 10) + ")"
			}
		}
		if r.kind == kTimestamp {
			return r.String()
		}
	case kInteger, kBigint, kSmallint, kBoolean, kTime, kInterval, kFloat:
		return r.String()
	case kDecimal:
		switch len(t.Params) {
		case 0:
			return "DECIMAL"
		case 1:
			return "DECIMAL(" + itoa(int(r.width)) + ")"
		}
		return "DECIMAL(" + itoa(int(r.width)) + ", " + itoa(int(r.scale)) + ")"
	case kList:
		return castName(t.Elem) + "[]"
	case kArray:
		return castName(t.Elem) + "[" + itoa(t.Size) + "]"
	case kMap:
		if t.Key != nil {
			return "MAP(" + castName(t.Key) + ", " + castName(t.Elem) + ")"
		}
	case kStruct, kUnion:
		fields := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = quoteIdentifier(f.Name.Text) + " " + castName(f.Type)
		}
		return kindNames[r.kind] + "(" + strings.Join(fields, ", ") + ")"
	}
	return `"` + r.String() + `"`
}
