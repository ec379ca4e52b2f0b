package analyze

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// windowArity is how many arguments the window functions take that hand out a value of another row.
var windowArity = map[string]map[int]bool{
	"lag": {1: true, 2: true, 3: true}, "lead": {1: true, 2: true, 3: true}, "nth_value": {2: true},
	"first_value": {1: true}, "last_value": {1: true}, "first": {1: true}, "last": {1: true}, "fill": {1: true},
}

// windowDemands checks what DuckDB wants of a call with OVER beyond names and types.
func (b *binder) windowDemands(x *sql.Call, name string) *diag.Problem {
	at := x.Name[len(x.Name)-1].Range
	ranking := windowOnly(name) != kUnknown || valueWindow(name)
	refuse := func(at sql.Range, help, format string, args ...any) *diag.Problem {
		p := b.problem("E1104", at, format, args...)
		if p.Help == "" && help != "" {
			p.WithHelp("%s", help)
		}
		return p
	}
	switch counts := windowArity[name]; {
	case ranking && x.Distinct:
		return refuse(at, "leave DISTINCT out", "%s is no aggregate and takes no DISTINCT", x.FuncName())
	case ranking && x.Filter != nil:
		return refuse(x.Filter.Bounds(), "use CASE in the argument", "%s is no aggregate and takes no FILTER", x.FuncName())
	case !ranking && x.Nulls != sql.TreatDefault:
		return refuse(at, "aggregates leave NULL out by themselves", "%s is an aggregate and takes neither IGNORE NULLS nor RESPECT NULLS", x.FuncName())
	case counts != nil && !counts[len(x.Args)]:
		return refuse(at, "", "%s takes %s, not %d", x.FuncName(), countList(counts), len(x.Args))
	}
	return nil
}

// filled checks fill(x) OVER (ORDER BY y), which draws a line between known values: x and y must be of types with a difference.
func (b *binder) filled(x *sql.Call, arg value, order []value) *diag.Problem {
	at := x.Name[len(x.Name)-1].Range
	if len(order) != 1 {
		return b.problem("E1104", at, "%s needs a window with one ORDER BY expression, not %d", x.FuncName(), len(order))
	}
	if arg.typ.known() && !hasDifference(arg.typ) {
		return b.problem("E1104", x.Args[0].Value.Bounds(), "%s takes numbers, dates or times, not %s", x.FuncName(), arg.typ.settled())
	}
	if order[0].typ.known() && !hasDifference(order[0].typ) {
		return b.problem("E1104", at, "%s needs an order of numbers, dates or times, not of %s", x.FuncName(), order[0].typ.settled())
	}
	return nil
}

// hasDifference reports whether values of a type can be subtracted and divided, as numbers and moments can.
func hasDifference(t typ) bool {
	switch t.kind {
	case kDate, kTime, kTimestamp, kTimestampTZ, kTimestampNS, kTimestampMS, kTimestampS:
		return true
	case kNull, kBoolean:
		return false
	}
	return t.settled().numeric()
}

// frameDemands checks the ends of a frame: RANGE counts from the one value that rows are ordered by, ROWS and GROUPS count rows.
func (b *binder) frameDemands(f *sql.Frame, order, ends []value) *diag.Problem {
	for i, end := range []*sql.Bound{&f.Start, f.End} {
		if end == nil || end.Offset == nil || ends[i].poison != nil || !ends[i].typ.known() || f.Mode != sql.FrameRange {
			continue
		}
		at := end.Offset.Bounds()
		if len(order) != 1 {
			p := b.problem("E1104", at, "RANGE with a distance needs one ORDER BY expression, not %d", len(order))
			if p.Help == "" {
				p.WithHelp("count rows with ROWS, or groups of equal rows with GROUPS")
			}
			return p
		}
		if ends[i].typ.kind == kNull {
			return b.problem("E1104", at, "the distance of RANGE cannot be NULL")
		}
		if order[0].poison != nil || !order[0].typ.known() {
			continue
		}
		if _, how := catalogue().find("-", false).match([]typ{order[0].typ, ends[i].typ}); how != matched {
			p := b.problem("E1104", at, "rows are ordered by %s, and %s is no distance for that", order[0].typ.settled(), ends[i].typ.settled())
			if p.Help == "" {
				p.WithHelp("dates and times take an INTERVAL, numbers a number")
			}
			return p
		}
	}
	return nil
}

// windowCopy checks OVER (w …) against the window it adds to: what w has cannot be written again, and a frame cannot be copied.
func (b *binder) windowCopy(w, def *sql.Window) *diag.Problem {
	var what string
	switch {
	case w.Bare:
		return nil
	case len(w.PartitionBy) > 0 && (b.pg || len(def.PartitionBy) > 0):
		what = "takes no PARTITION BY of its own"
	case len(w.OrderBy) > 0 && len(def.OrderBy) > 0:
		what = "takes no second ORDER BY"
	case def.Frame != nil:
		what = "cannot be taken over in parentheses, because it has a frame"
	default:
		return nil
	}
	p := b.problem("E1104", w.Base.Range, "the window %s %s", w.Base.Text, what)
	if p.Help == "" {
		p.WithHelp("write the window out, or use OVER %s as it is", w.Base.Text)
	}
	return p
}

// sameWindow reports a window that a block defines twice.
func (b *binder) sameWindow(defs []sql.WindowDef) {
	for i, d := range defs {
		for _, first := range defs[:i] {
			if fold(first.Name.Text) != fold(d.Name.Text) {
				continue
			}
			p := b.problem("E1007", d.Name.Range, "the window %s is defined twice", d.Name.Text)
			if len(p.Notes) == 0 {
				p.WithNote(first.Name.Span(b.file), "the first definition").WithHelp("rename or remove one of them")
			}
		}
	}
}

// rowMakers are the functions that yield a row for each element; the last two are macros around unnest.
var rowMakers = []string{"unnest", "unlist", "generate_subscripts", "regexp_split_to_table"}

// rowMaker is the name of a function in an expression that makes rows, "" when none is.
func rowMaker(x sql.Expr) (name string) {
	walk(x, func(x sql.Expr) bool {
		if call, ok := x.(*sql.Call); ok && slices.Contains(rowMakers, fold(call.FuncName())) {
			name = call.FuncName()
		}
		return name == ""
	})
	return name
}
