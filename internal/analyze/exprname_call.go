package analyze

import (
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// others writes the forms that expr leaves out.
func (w *nameWriter) others(x sql.Expr) {
	switch x := x.(type) {
	case *sql.Quantified:
		w.anyOf(x.X, x.Op, x.All, x.Query, x.Set)
	case *sql.In:
		if x.Query != nil {
			if x.Not {
				w.put("(NOT ")
			}
			w.anyOf(x.X, "=", false, x.Query, nil)
			if x.Not {
				w.put(")")
			}
			return
		}
		if sub, ok := x.Set.(*sql.Subquery); ok && sub.Kind == sql.ArraySubquery {
			w.others(&sql.In{X: x.X, Not: x.Not, Query: sub.Query})
			return
		}
		if x.Set != nil {
			if x.Not {
				w.put("(NOT ")
			}
			w.put("contains(")
			w.expr(x.Set)
			w.put(", ")
			w.expr(x.X)
			w.put(")")
			if x.Not {
				w.put(")")
			}
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
		if x.Kind == sql.LikeSimilar {
			w.fullMatch(x.X, x.Pattern, x.Not)
			return
		}
		if x.Escape != nil {
			w.put("main.", map[bool]string{true: "not_", false: ""}[x.Not], map[bool]string{true: "i", false: ""}[x.Kind == sql.LikeNoCase], "like_escape(")
			w.list([]sql.Expr{x.X, x.Pattern, x.Escape})
			w.put(")")
			return
		}
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
		if x.Test == sql.TestTrue || x.Test == sql.TestFalse {
			w.put("(CAST(")
			w.expr(x.X)
			w.put(" AS BOOLEAN) IS ", map[bool]string{true: "", false: "NOT "}[x.Not], "DISTINCT FROM ", map[bool]string{true: "true", false: "false"}[x.Test == sql.TestTrue], ")")
			return
		}
		w.put("(")
		w.expr(x.X)
		w.put(" IS ", map[bool]string{true: "NOT ", false: ""}[x.Not], "NULL)")
	case *sql.List:
		open, end := "main.list_value(", ")"
		if x.Array {
			open, end = "(ARRAY[", "])"
		}
		w.put(open)
		w.list(x.Items)
		w.put(end)
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
			switch {
			case bound != nil:
				w.expr(bound)
			case i == 1 && x.OpenEnd:
				w.put("-")
			}
		}
		w.put("]")
	case *sql.Collate:
		w.expr(x.X)
		names := make([]string, len(x.Collation))
		for i, n := range x.Collation {
			names[i] = n.Text
		}
		w.put(" COLLATE ", quoteIdentifier(strings.Join(names, ".")))
	case *sql.AtTimeZone:
		w.put("main.timezone(")
		w.expr(x.Zone)
		w.put(", ")
		w.expr(x.X)
		w.put(")")
	case *sql.Lambda:
		if !x.Arrow {
			names := make([]string, len(x.Params))
			for i, p := range x.Params {
				names[i] = quoteIdentifier(p.Text)
			}
			w.put("(lambda ", strings.Join(names, ", "), ": ")
			w.expr(x.Body)
			w.put(")")
			return
		}
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
			// A struct of the condition and the element for each, then filtered, then unpacked.
			w.put("main.list_apply(main.list_filter(main.list_apply(")
			w.expr(x.List)
			w.put(", ")
			w.lambda(x.Vars)
			w.put(`main.struct_pack("filter" := `)
			w.expr(x.Cond)
			w.put(", result := ")
			w.expr(x.Elem)
			w.put("))), (lambda elem: main.struct_extract(elem, 'filter'))), (lambda elem: main.struct_extract(elem, 'result')))")
			return
		}
		w.put("main.list_apply(")
		w.expr(x.List)
		w.put(", ")
		w.lambda(x.Vars)
		w.expr(x.Elem)
		w.put("))")
	case *sql.PositionRef:
		w.put("#", itoa(x.Index))
	default:
		w.put(sql.Text(x))
	}
}

// lambda writes the head of a lambda that DuckDB made itself.
func (w *nameWriter) lambda(vars []sql.Name) {
	w.put("(lambda ")
	for i, v := range vars {
		if i > 0 {
			w.put(", ")
		}
		w.put(quoteIdentifier(v.Text))
	}
	w.put(": ")
}

// call writes a call with everything that may follow it. coalesce, if and count(*) have spellings of their own.
func (w *nameWriter) call(x *sql.Call) {
	name := fold(x.FuncName())
	if ordered, ok := orderedAggregates[name]; ok && len(x.WithinGroup) > 0 && name != ordered {
		w.put(ordered, "(")
		w.args(x.Args)
		w.order(" ORDER BY ", x.WithinGroup)
		w.put(")")
		return
	}
	switch {
	case len(x.Name) > 1 && !isSystemSchema(x.Name[0].Text):
		// A method of a column keeps its spelling.
		for _, p := range x.Name[:len(x.Name)-1] {
			w.put(quoteIdentifier(p.Text), ".")
		}
		name = quoteIdentifier(name)
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
	case name == "try":
		name = "TRY"
	case name == "count" && (len(x.Args) == 0 || countsRows(x)):
		if bare := *x; len(x.Args) > 0 {
			bare.Args, bare.Star = nil, true
			x = &bare
		}
		if x.Over == nil {
			name = "count_star"
		}
	default:
		if x.Over == nil {
			name = quoteIdentifier(name)
		}
		if w.grammarForm(x) {
			name = "main." + name
		}
	}
	if name == "list" && x.Distinct && len(x.OrderBy) > 0 && x.Over == nil {
		w.put("…") // DuckDB sorts the list afterwards, with its words for every direction
		return
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
	if len(x.WithinGroup) > 0 {
		w.order(" WITHIN GROUP ( ORDER BY ", x.WithinGroup)
		w.put(")")
	}
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
		return len(x.Name) == 1 && !x.Method
	default:
		at := x.Name[len(x.Name)-1].Range
		written := ""
		if int(at.End) <= len(w.text) {
			written = fold(w.text[at.Start:at.End])
		}
		return written == "extract" && name == "date_part" || written == "trim" && (name == "ltrim" || name == "rtrim")
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
	if def := w.named(x); x.Bare && def != nil && def != x {
		x = def
	}
	// Of the window that this one copies DuckDB takes what is written there, not what that one copies in turn.
	partition, order := x.PartitionBy, x.OrderBy
	if base := w.named(x); base != nil && base != x {
		if len(base.PartitionBy) > 0 {
			partition = base.PartitionBy
		}
		if len(order) == 0 {
			order = base.OrderBy
		}
	}
	space := ""
	if len(partition) > 0 {
		w.put("PARTITION BY ")
		w.list(partition)
		space = " "
	}
	if len(order) > 0 {
		w.order(space+"ORDER BY ", order)
		space = " "
	}
	w.frame(space, x.Frame)
}

// named is the definition behind the name that a window begins with, nil without one.
func (w *nameWriter) named(x *sql.Window) *sql.Window {
	for i := range w.windows {
		if x.Base.Given() && fold(w.windows[i].Name.Text) == fold(x.Base.Text) {
			return w.windows[i].Spec
		}
	}
	return nil
}

// frame writes a frame behind space. DuckDB leaves out the one that a window has anyway, writes a single end as both, and calls all
// rows ROWS.
func (w *nameWriter) frame(space string, x *sql.Frame) {
	if x == nil {
		return
	}
	end := sql.Bound{Kind: sql.CurrentRow}
	if x.End != nil {
		end = *x.End
	}
	mode := [...]string{"ROWS", "RANGE", "GROUPS"}[x.Mode]
	whole := x.Start.Kind == sql.UnboundedPreceding && end.Kind == sql.UnboundedFollowing
	exclude := [...]string{"", "", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES"}[x.Exclude]
	switch {
	case whole:
		mode = "ROWS"
	case mode == "RANGE" && x.Start.Kind == sql.UnboundedPreceding && end.Kind == sql.CurrentRow && exclude == "":
		return
	}
	w.put(space, mode, " BETWEEN ")
	w.bound(x.Start)
	w.put(" AND ")
	w.bound(end)
	w.put(exclude)
}

// bound writes one end of a frame.
func (w *nameWriter) bound(x sql.Bound) {
	if x.Offset != nil {
		w.expr(x.Offset)
		w.put(" ")
	}
	w.put([...]string{"UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING"}[x.Kind])
}
