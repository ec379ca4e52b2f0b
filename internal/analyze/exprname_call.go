package analyze

import (
	"github.com/norn-data/norn/internal/sql"
)

// others writes the forms that expr leaves out.
func (w *nameWriter) others(x sql.Expr) {
	switch x := x.(type) {
	case *sql.Quantified:
		w.put("(")
		w.expr(x.X)
		w.put(" ", x.Op, " ANY(…))")
	case *sql.In:
		if x.Query != nil {
			w.put("(")
			w.expr(x.X)
			w.put(" = ANY(…))")
			return
		}
		w.put("(")
		w.expr(x.X)
		if x.Not {
			w.put(" NOT")
		}
		w.put(" IN (")
		w.list(x.List)
		w.put("))")
	case *sql.Like:
		ops := [...]string{"~~", "~~*", "~~~", "SIMILAR TO"}
		w.put("(")
		w.expr(x.X)
		w.put(" ")
		if x.Not {
			w.put("!")
		}
		w.put(ops[x.Kind], " ")
		w.expr(x.Pattern)
		w.put(")")
	case *sql.Is:
		if x.Test != sql.TestNull {
			w.put("(CAST(")
			w.expr(x.X)
			w.put(" AS BOOLEAN) IS ", map[bool]string{true: "", false: "NOT "}[x.Not], "DISTINCT FROM ", map[bool]string{true: "true", false: "false"}[x.Test == sql.TestTrue], ")")
			return
		}
		w.put("(")
		w.expr(x.X)
		w.put(" IS ", map[bool]string{true: "NOT ", false: ""}[x.Not], "NULL)")
	case *sql.List:
		w.put("main.list_value(")
		w.list(x.Items)
		w.put(")")
	case *sql.Row:
		w.put(`main."row"(`)
		w.list(x.Items)
		w.put(")")
	case *sql.Struct:
		w.put("main.struct_pack(")
		for i, f := range x.Fields {
			if i > 0 {
				w.put(", ")
			}
			w.put(quoteIdentifier(f.Key.Text), " := ")
			w.expr(f.Value)
		}
		w.put(")")
	case *sql.Map:
		w.put(`main."map"(main.list_value(`)
		for i, m := range x.Entries {
			if i > 0 {
				w.put(", ")
			}
			w.expr(m.Key)
		}
		w.put("), main.list_value(")
		for i, m := range x.Entries {
			if i > 0 {
				w.put(", ")
			}
			w.expr(m.Value)
		}
		w.put("))")
	case *sql.Field:
		w.put("(")
		w.expr(x.X)
		w.put(").", quoteIdentifier(x.Name.Text))
	case *sql.Index:
		w.expr(x.X)
		w.put("[")
		w.expr(x.At)
		w.put("]")
	case *sql.Slice:
		w.expr(x.X)
		w.put("[")
		for i, bound := range []sql.Expr{x.Low, x.High, x.Step} {
			if i == 1 || i == 2 && bound != nil {
				w.put(":")
			}
			if bound != nil {
				w.expr(bound)
			}
		}
		w.put("]")
	case *sql.Collate:
		w.expr(x.X)
		w.put(" COLLATE ", x.Collation[len(x.Collation)-1].Text)
	case *sql.AtTimeZone:
		w.put("main.timezone(")
		w.expr(x.Zone)
		w.put(", ")
		w.expr(x.X)
		w.put(")")
	case *sql.Lambda:
		w.put("(")
		if len(x.Params) > 1 {
			w.put(`main."row"(`)
		}
		for i, p := range x.Params {
			if i > 0 {
				w.put(", ")
			}
			w.put(quoteIdentifier(p.Text))
		}
		if len(x.Params) > 1 {
			w.put(")")
		}
		w.put(" -> ")
		w.expr(x.Body)
		w.put(")")
	case *sql.ListComprehension:
		if x.Cond != nil {
			w.put("main.list_apply(…)")
			return
		}
		w.put("main.list_apply(")
		w.expr(x.List)
		w.put(", (lambda ")
		for i, v := range x.Vars {
			if i > 0 {
				w.put(", ")
			}
			w.put(quoteIdentifier(v.Text))
		}
		w.put(": ")
		w.expr(x.Elem)
		w.put("))")
	default:
		w.put("expr")
	}
}

// call writes a call with everything that may follow it. coalesce, if and count(*) have spellings of their own.
func (w *nameWriter) call(x *sql.Call) {
	name := fold(x.FuncName())
	switch {
	case (name == "coalesce" || name == "ifnull") && x.Over == nil:
		w.put("COALESCE(")
		w.args(x.Args)
		w.put(")")
		return
	case name == "if" && len(x.Args) == 3:
		w.caseExpr(&sql.Case{Whens: []sql.When{{Cond: x.Args[0].Value, Then: x.Args[1].Value}}, Else: x.Args[2].Value})
		return
	case name == "grouping" || name == "grouping_id":
		name = "GROUPING"
	case name == "count" && len(x.Args) == 0:
		if x.Over == nil {
			name = "count_star"
		}
	default:
		name = quoteIdentifier(name)
		if w.grammarForm(x) {
			name = "main." + name
		}
	}
	w.put(name, "(")
	if x.Distinct {
		w.put("DISTINCT ")
	}
	w.args(x.Args)
	w.put([...]string{"", " IGNORE NULLS", " RESPECT NULLS"}[x.Nulls])
	if len(x.OrderBy) > 0 {
		w.order(" ORDER BY ", x.OrderBy)
	}
	w.put(")")
	if x.Filter != nil {
		w.put(" FILTER (WHERE ")
		w.expr(x.Filter)
		w.put(")")
	}
	if x.Over != nil {
		w.put(" OVER (")
		w.window(x.Over)
		w.put(")")
	}
}

// grammarForm reports whether DuckDB's grammar, not its author, named the function: extract(year FROM x), trim(x).
func (w *nameWriter) grammarForm(x *sql.Call) bool {
	switch name := fold(x.FuncName()); name {
	case "trim", "substring", "position", "overlay":
		return len(x.Name) == 1
	default:
		at := x.Name[len(x.Name)-1].Range
		return int(at.End) <= len(w.text) && fold(w.text[at.Start:at.End]) == "extract" && name == "date_part"
	}
}

// order writes an ORDER BY list behind head; only directions that were written appear.
func (w *nameWriter) order(head string, items []sql.OrderItem) {
	w.put(head)
	for i, o := range items {
		if i > 0 {
			w.put(", ")
		}
		if o.Expr != nil {
			w.expr(o.Expr)
		}
		w.put([...]string{"", " ASC", " DESC"}[o.Order], [...]string{"", " NULLS FIRST", " NULLS LAST"}[o.Nulls])
	}
}

// window writes what stands in OVER (…). A named window is written out, because DuckDB resolves it while parsing.
func (w *nameWriter) window(x *sql.Window) {
	for i := range w.windows {
		if x.Bare && fold(w.windows[i].Name.Text) == fold(x.Base.Text) && w.windows[i].Spec != x {
			w.window(w.windows[i].Spec)
			return
		}
	}
	space := ""
	if len(x.PartitionBy) > 0 {
		w.put("PARTITION BY ")
		w.list(x.PartitionBy)
		space = " "
	}
	if len(x.OrderBy) > 0 {
		w.order(space+"ORDER BY ", x.OrderBy)
	}
	if x.Frame != nil && x.Frame.End != nil {
		w.put(" ", [...]string{"ROWS", "RANGE", "GROUPS"}[x.Frame.Mode], " BETWEEN ")
		w.bound(x.Frame.Start)
		w.put(" AND ")
		w.bound(*x.Frame.End)
		w.put([...]string{"", "", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES"}[x.Frame.Exclude])
	}
}

// bound writes one end of a frame.
func (w *nameWriter) bound(x sql.Bound) {
	if x.Offset != nil {
		w.expr(x.Offset)
		w.put(" ")
	}
	w.put([...]string{"UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING"}[x.Kind])
}
