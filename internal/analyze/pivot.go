package analyze

import (
	"strconv"
	"strings"
	"time"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// pivot: with a list of values the columns are known; without one they are in the data.
func (b *binder) pivot(e *env, t *sql.Pivot) *relation {
	rels := b.from(e, t.Source, nil)
	sc := &scope{rels: rels, outer: e.scope}
	inner := &env{scope: sc, ctes: e.ctes, lambda: e.lambda, clause: inSelect}
	used := map[string]bool{}
	note := func(x sql.Expr) {
		walk(x, func(x sql.Expr) bool {
			if ref, ok := x.(*sql.ColumnRef); ok {
				used[fold(ref.Parts[len(ref.Parts)-1].Text)] = true
			}
			return true
		})
	}
	var on []value
	var wrong *diag.Problem
	names := []string{""}
	closed, form := true, whyPivotForm
	for _, c := range t.On {
		for _, x := range c.Exprs {
			v := b.expr(inner, x)
			b.touch(v, UseGroup)
			on = append(on, v)
			note(x)
		}
		if c.In == nil {
			closed, form = false, whyPivot
			if b.view && !c.Enum.Given() {
				p := b.problem("E1104", c.Range, "a view cannot hold a PIVOT whose columns are in the data")
				if p.Help == "" {
					p.WithHelp("list the values with IN (…), or make the model a table")
				}
			}
			continue
		}
		var next []string
		for _, prefix := range names {
			for _, item := range c.In {
				name, ok := pivotName(item, len(c.Exprs))
				closed = closed && ok
				if p := b.pivotValue(item.Expr, len(c.Exprs)); p != nil {
					closed, wrong = false, p
				}
				if prefix != "" {
					name = prefix + "_" + name
				}
				next = append(next, name)
			}
		}
		names = next
	}
	using := t.Using
	if len(using) == 0 {
		// Without aggregates the rows are counted.
		at := t.Range
		using = []sql.SelectItem{{Range: at, Expr: &sql.Call{Range: at, Star: true, Name: []sql.Name{{Range: at, Text: "count"}}}}}
	}
	var aggregates []value
	for _, u := range using {
		v := b.expr(inner, u.Expr)
		if p := b.pivotAggregate(u.Expr, v); p != nil {
			v = poisoned(p)
		}
		aggregates = append(aggregates, v)
		note(u.Expr)
	}
	for _, r := range rels {
		if closed && r.shape.open {
			closed, form = false, whyPivotOpen
		}
	}
	s := &shape{}
	if t.GroupBy != nil {
		for _, x := range t.GroupBy {
			c := b.namedColumn(inner, x)
			b.touch(c.value, UseGroup)
			s.cols = append(s.cols, c)
		}
	} else {
		for _, r := range rels {
			for i := range r.shape.cols {
				if c := r.shape.cols[i]; !used[c.fold] && !r.hidden[i] {
					c.value, c.span = r.plain(i), t.Range
					b.touch(c.value, UseGroup)
					s.cols = append(s.cols, c)
				}
			}
		}
	}
	if !closed {
		s.open, s.poison = true, wrong
		for _, r := range rels {
			if r.shape.poison != nil {
				s.poison = r.shape.poison
			}
		}
		if s.poison == nil {
			b.pass(t.Range, form)
		}
		return b.derived(s.seal(), t.Alias, t.Range)
	}
	for _, name := range names {
		for i, u := range using {
			column := column{name: name, value: derive(aggregates[i].typ.settled(), append(on, aggregates[i])...), span: u.Range}
			column.null, column.agg = true, false
			if len(using) > 1 {
				suffix := u.Alias.Text
				if suffix == "" {
					suffix = b.exprName(inner, u.Expr)
				}
				column.name += "_" + suffix
			} else if u.Alias.Given() {
				column.name += "_" + u.Alias.Text
			}
			column.fold = fold(column.name)
			s.cols = append(s.cols, column)
		}
	}
	return b.derived(s.seal(), t.Alias, t.Range)
}

// pivotAggregate reports an expression of USING that DuckDB does not take: it must hold one aggregate, and columns inside it
// only.
func (b *binder) pivotAggregate(x sql.Expr, v value) *diag.Problem {
	if v.poison != nil {
		return nil //nolint:nilerr // the problem is reported where it was found
	}
	aggregates := 0
	var bare sql.Expr
	walk(x, func(x sql.Expr) bool {
		switch x := x.(type) {
		case *sql.Call:
			if f := catalogue().find(fold(x.FuncName()), false); f != nil && f.kind == aggregateFunction {
				aggregates++
				return false
			} else if f != nil && f.kind == macroFunction {
				aggregates, bare = 1, nil // what it stands for may be anything
			}
		case *sql.ColumnRef:
			bare = x
		}
		return true
	})
	switch {
	case !v.agg:
		return b.problem("E1110", x.Bounds(), "USING of PIVOT takes an aggregate").WithHelp("sum(…), count(*), any_value(…)")
	case bare != nil:
		return b.problem("E1111", bare.Bounds(), "USING of PIVOT takes columns inside the aggregate only")
	case aggregates > 1:
		return b.problem("E1110", x.Bounds(), "USING of PIVOT takes one aggregate in an expression, not %d", aggregates).
			WithHelp("give each aggregate a name and compute with the columns of the result")
	}
	return nil
}

// pivotName is the name DuckDB gives the column of a pivoted value, or of several values in parentheses.
func pivotName(item sql.SelectItem, width int) (string, bool) {
	if item.Alias.Given() {
		return item.Alias.Text, true
	}
	row, ok := item.Expr.(*sql.Row)
	if !ok || width == 1 {
		return pivotText(item.Expr)
	}
	var parts []string
	for _, x := range row.Items {
		part, ok := pivotText(x)
		if !ok {
			return "", false
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "_"), true
}

// pivotText is the text of one pivoted value.
func pivotText(x sql.Expr) (string, bool) {
	switch x := x.(type) {
	case *sql.Literal:
		if x.Kind == sql.NullLiteral {
			return "NULL", true
		}
		if x.Kind == sql.NumberLiteral {
			return pivotNumber(x.Text)
		}
		return x.Text, x.Kind == sql.StringLiteral || x.Kind == sql.BoolLiteral
	case *sql.Unary:
		if lit, negative, ok := signed(x); ok && negative {
			text, ok := pivotNumber(lit.Text)
			return "-" + text, ok
		}
	case *sql.ColumnRef:
		return x.Parts[len(x.Parts)-1].Text, len(x.Parts) == 1
	case *sql.TypedLiteral:
		return momentText(x.Value, resolveType(x.Type).kind)
	case *sql.Cast:
		text, ok := constantString(x.X)
		if to := resolveType(x.Type).kind; ok && to != kVarchar {
			return momentText(text, to)
		}
		return text, ok
	}
	return "", false
}

// pivotNumber is a number as DuckDB writes it: decimals as they are, those with an exponent as the shortest DOUBLE.
func pivotNumber(text string) (string, bool) {
	text = strings.ReplaceAll(text, "_", "")
	if numberType(text, false).kind == kDouble {
		n, err := strconv.ParseFloat(text, 64)
		out := strconv.FormatFloat(n, 'f', -1, 64)
		if !strings.Contains(out, ".") {
			out += ".0"
		}
		return out, err == nil && n < 1e15 && n > 1e-4
	}
	return strings.TrimSuffix(text, "."), !strings.ContainsAny(text, "xXbB")
}

// momentText is a date or timestamp as DuckDB writes it, when the text of the constant is one.
func momentText(text string, k kind) (string, bool) {
	day, clock, timed := strings.Cut(text, " ")
	date, err := time.Parse("2006-1-2", day)
	if err != nil {
		return "", false
	}
	out := date.Format("2006-01-02")
	switch {
	case k == kDate && !timed:
		return out, true
	case k == kTimestamp && !timed:
		return out + " 00:00:00", true
	case k == kTimestamp:
		at, err := time.Parse("15:04:05", clock)
		return out + " " + at.Format("15:04:05"), err == nil
	}
	return "", false
}

// pivotValue reports what cannot stand in the list of values of PIVOT: calls and operators, and values of another width than what is
// pivoted.
func (b *binder) pivotValue(x sql.Expr, width int) *diag.Problem {
	items := []sql.Expr{x}
	if row, ok := x.(*sql.Row); ok {
		items = row.Items
	}
	if len(items) != width {
		p := b.problem("E1103", x.Bounds(), "PIVOT wants %s for each value here, not %d", columns(width), len(items))
		if p.Help == "" {
			p.WithHelp("several columns are written (a, b) behind FOR")
		}
		return p
	}
	for _, item := range items {
		ok := true
		switch item := item.(type) {
		case *sql.Call, *sql.Binary, *sql.Logical, *sql.List, *sql.Struct, *sql.Map, *sql.Interval, *sql.Subquery, *sql.Is, *sql.Like, *sql.Between, *sql.In:
			ok = false
		case *sql.Unary:
			_, _, number := signed(item)
			ok = number
		case *sql.ColumnRef:
			ok = len(item.Parts) == 1
		}
		if !ok {
			p := b.problem("E1104", item.Bounds(), "the values of PIVOT are constants or names, and nothing is computed there")
			if p.Help == "" {
				p.WithHelp("write the value itself")
			}
			return p
		}
	}
	return nil
}

// namedColumn is an expression as a column under the name it gets by itself.
func (b *binder) namedColumn(e *env, x sql.Expr) column {
	v := b.expr(e, x)
	name := b.exprName(e, x)
	v.typ = v.typ.settled()
	v.reach = v.reach.settled()
	return column{name: name, fold: fold(name), value: v, span: x.Bounds()}
}

// unpivot turns columns into rows: the other columns, then one for the name and one for each value.
func (b *binder) unpivot(e *env, t *sql.Unpivot) *relation {
	rels := b.from(e, t.Source, nil)
	inner := &env{scope: &scope{rels: rels, outer: e.scope}, ctes: e.ctes, lambda: e.lambda, clause: inSelect}
	names := t.Values
	if len(names) == 0 {
		names = []sql.Name{{Range: t.Range, Text: "value"}}
	}
	used := map[place]bool{}
	values := make([]value, len(names))
	closed, first := true, true
	var wrong *diag.Problem
	for _, c := range t.On {
		rows, ok := b.unpivoted(inner, c)
		closed = closed && ok
		for _, row := range rows {
			if len(row) != len(names) && wrong == nil {
				wrong = b.problem("E1103", c.Range, "UNPIVOT puts %s into %s of values", columns(len(row)), columns(len(names)))
				if wrong.Help == "" {
					wrong.WithHelp("name a column of values for each: INTO NAME n VALUE a, b")
				}
			}
			for i, x := range row[:min(len(row), len(names))] {
				if p := b.unpivotedColumn(inner, x, used, len(row) > 1); p != nil && wrong == nil {
					wrong = p
				}
				v := b.expr(inner, x)
				if !t.IncludeNulls {
					b.touch(v, UseFilter) // rows without a value are left out
				}
				if first {
					values[i] = v
					continue
				}
				mixed, ok := combine(values[i].typ, v.typ)
				if !ok && wrong == nil {
					wrong = b.problem("E1101", x.Bounds(), "UNPIVOT mixes %s and %s in a column", values[i].typ.settled(), v.typ.settled()).
						WithHelp("cast the columns to one type in a subquery first")
				}
				values[i] = b.combineColumn(sql.Union, values[i], v)
				values[i].typ = mixed
			}
			first = false
		}
	}
	s := &shape{}
	for _, r := range rels {
		closed = closed && !r.shape.open
		for i := range r.shape.cols {
			if c := r.shape.cols[i]; !used[place{r, i}] && !r.hidden[i] {
				c.value, c.span = r.plain(i), t.Range
				s.cols = append(s.cols, c)
			}
		}
	}
	if !closed || first || wrong != nil {
		if wrong == nil {
			b.pass(t.Range, whyPivotOpen)
		}
		return b.derived(&shape{open: true, poison: wrong}, t.Alias, t.Range)
	}
	name := "name"
	if t.Name.Given() {
		name = t.Name.Text
	}
	s.cols = append(s.cols, column{name: name, fold: fold(name), value: value{typ: scalar(kVarchar)}, span: t.Range})
	for i, n := range names {
		v := values[i]
		v.reach = v.reach.then(Expression)
		// Rows whose values are all NULL are left out; with several columns each may still be.
		v.null = v.null && (t.IncludeNulls || len(names) > 1)
		if t.Alias != nil && i < len(t.Alias.Columns) {
			// DuckDB calls the values what the alias calls the first columns, and then leaves out rows where those are NULL.
			n, v.null = t.Alias.Columns[i], values[i].null
		}
		v.settle()
		s.cols = append(s.cols, column{name: n.Text, fold: fold(n.Text), value: v, span: t.Range})
	}
	r := b.derived(s.seal(), t.Alias, t.Range)
	if t.Alias != nil && len(t.Alias.Columns) > 0 {
		r.shape = b.closed(r.shape)
	}
	return r
}

// unpivotedColumn notes the one column that a value of UNPIVOT is made of, and reports one that is made of several or of none, or
// that is computed although it stands among others in parentheses.
func (b *binder) unpivotedColumn(e *env, x sql.Expr, used map[place]bool, among bool) *diag.Problem {
	if _, bad := x.(*sql.Bad); bad {
		return nil
	}
	refs, known := 0, true
	walk(x, func(x sql.Expr) bool {
		switch x := x.(type) {
		case *sql.ColumnRef:
			refs++
			if p, ok := b.placeOf(e, x); ok {
				used[p] = true
			}
		case *sql.Bad, *sql.PositionRef, *sql.Columns, *sql.Template, *sql.ProjectCall, *sql.Subquery, *sql.Lambda:
			known = false
		}
		return true
	})
	if _, plain := x.(*sql.ColumnRef); refs == 1 && (plain || !among) || !known {
		return nil
	}
	if refs == 1 {
		p := b.problem("E1104", x.Bounds(), "several values of UNPIVOT in parentheses must be columns")
		if p.Help == "" {
			p.WithHelp("compute them in a subquery first")
		}
		return p
	}
	p := b.problem("E1104", x.Bounds(), "a value of UNPIVOT is made of one column, and this has %d", refs)
	if p.Help == "" {
		p.WithHelp("compute it in a subquery first")
	}
	return p
}

// unpivoted are the rows that an entry of ON makes of one row: the columns of a star or of COLUMNS each make one, columns in
// parentheses make one together.
func (b *binder) unpivoted(e *env, c sql.UnpivotColumn) (rows [][]sql.Expr, ok bool) {
	if len(c.Exprs) != 1 {
		return [][]sql.Expr{c.Exprs}, true
	}
	var choice *sql.Columns
	switch x := c.Exprs[0].(type) {
	case *sql.Star:
		choice = &sql.Columns{Range: x.Range, Selector: x}
	case *sql.Columns:
		choice = x
	default:
		return [][]sql.Expr{c.Exprs}, true
	}
	all, open := b.choose(e, choice)
	for i := range all {
		rows = append(rows, []sql.Expr{b.columnExpr(all[i].item, c.Range)})
	}
	return rows, open == nil
}
