package analyze

import (
	"strconv"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

func itoa(n int) string { return strconv.Itoa(n) }

// tableFunc is a function in FROM. The columns of those that read files are in the files, so they stay open.
func (b *binder) tableFunc(e *env, t *sql.TableFunc) *relation {
	call, ok := t.Call.(*sql.Call)
	if !ok {
		b.unanalysed++
		return b.derived(&shape{open: true}, t.Alias, t.Range)
	}
	name := fold(call.FuncName())
	s := b.tableFuncShape(e, call, name)
	if t.Ordinality && !s.open {
		s.cols = append(s.cols, column{name: "ordinality", fold: "ordinality", value: value{typ: scalar(kBigint)}, span: call.Range})
	}
	r := b.derived(s, nil, call.Name[len(call.Name)-1].Range)
	r.name, r.fold = call.FuncName(), name
	if t.Alias != nil {
		// range(3) AS n names the relation; a single column keeps its own name unless the alias lists columns.
		b.rename(r, t.Alias)
	}
	return r
}

// tableFuncShape is the shape of the functions whose columns follow from their arguments; others stay open.
func (b *binder) tableFuncShape(e *env, call *sql.Call, name string) *shape {
	at := call.Name[len(call.Name)-1].Range
	args := make([]value, len(call.Args))
	for i, a := range call.Args {
		if q, ok := a.Value.(*sql.ColumnRef); ok && a.Name.Given() && len(q.Parts) == 1 {
			continue // an option such as header = true names no column
		}
		args[i] = b.tableArgument(e, a.Value, name)
	}
	one := func(t typ, from ...value) *shape {
		v := derive(t, from...)
		v.null, v.void = name == "unnest", false
		return &shape{cols: []column{{name: name, fold: name, value: v, span: at}}}
	}
	switch name {
	case "range", "generate_series":
		t := scalar(kBigint)
		if len(args) > 0 {
			switch args[0].typ.kind {
			case kTimestamp, kDate:
				t = scalar(kTimestamp)
			case kTimestampTZ:
				t = scalar(kTimestampTZ)
			case kUnknown, kStringLit:
				t = typ{}
			}
			if args[0].typ.kind == kVarchar || args[0].typ.kind == kStringLit && len(args) < 3 {
				p := b.problem("E1104", call.Args[0].Value.Bounds(), "%s takes numbers or timestamps, not VARCHAR", call.FuncName())
				return &shape{open: true, poison: p}
			}
		}
		return one(t, args...)
	case "unnest":
		if len(args) != 1 {
			b.unanalysed++
			return &shape{open: true}
		}
		switch args[0].typ.kind {
		case kList, kArray:
			return one(args[0].typ.elem(), args[0])
		case kUnknown, kNull:
			return one(typ{}, args[0])
		}
		b.unanalysed++
		return &shape{open: true}
	case "json_each", "json_tree":
		return jsonColumns(at)
	case "read_csv", "read_csv_auto":
		if s := csvColumns(call); s != nil {
			return s
		}
	case "repeat_row", "glob":
		if name == "glob" {
			s := one(scalar(kVarchar))
			s.cols[0].name, s.cols[0].fold = "file", "file"
			return s
		}
	}
	if catalogue().find(name, true) == nil && catalogue().find(name, false) == nil {
		p := b.problem("E1005", at, "unknown table function %s", call.FuncName())
		if p.Help == "" {
			if near := diag.Nearest(name, catalogue().names(true)); near != "" {
				p.WithHelp("did you mean %s?", near).WithFix(p.Span, near)
			}
		}
		return &shape{open: true, poison: p}
	}
	b.unanalysed++
	return &shape{open: true, openBy: call.FuncName() + "(…)"}
}

// jsonColumns are those of json_each and json_tree.
func jsonColumns(at sql.Range) *shape {
	s := &shape{}
	for _, f := range []field{{"key", scalar(kVarchar)}, {"value", scalar(kJSON)}, {"type", scalar(kVarchar)}, {"atom", scalar(kJSON)},
		{"id", scalar(kUBigint)}, {"parent", scalar(kUBigint)}, {"fullkey", scalar(kVarchar)}, {"path", scalar(kVarchar)}} {
		s.cols = append(s.cols, column{name: f.name, fold: f.name, value: value{typ: f.typ, null: true}, span: at})
	}
	return s
}

// csvColumns are those of read_csv('…', columns = {'a': 'INTEGER'}); nil where they are found in the file, or where another
// option may add some.
func csvColumns(call *sql.Call) *shape {
	var s *shape
	for _, a := range call.Args[min(1, len(call.Args)):] {
		name, x := a.Name.Text, a.Value
		if bin, ok := x.(*sql.Binary); ok && bin.Op == "=" {
			if ref, ok := bin.Left.(*sql.ColumnRef); ok && len(ref.Parts) == 1 {
				name, x = ref.Parts[0].Text, bin.Right
			}
		}
		switch fold(name) {
		case "columns":
			list, ok := x.(*sql.Struct)
			if !ok {
				return nil
			}
			s = &shape{}
			for _, f := range list.Fields {
				text, ok := constantString(f.Value)
				if !ok {
					return nil
				}
				s.cols = append(s.cols, column{name: f.Key.Text, fold: fold(f.Key.Text), value: value{typ: parseType(text), null: true}, span: f.Range})
			}
		case "filename", "hive_partitioning", "union_by_name", "store_rejects", "":
			return nil
		}
	}
	return s
}

// tableArgument binds an argument of a table function. Options (header = true) look like comparisons with a name that is no
// column; they are left alone.
func (b *binder) tableArgument(e *env, x sql.Expr, name string) value {
	if bin, ok := x.(*sql.Binary); ok && bin.Op == "=" {
		if ref, ok := bin.Left.(*sql.ColumnRef); ok && len(ref.Parts) == 1 {
			return unknown()
		}
	}
	switch name {
	case "range", "generate_series", "unnest":
		return b.argument(e, x)
	}
	return unknown() // names in arguments of other table functions may mean tables or files
}

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
	names := []string{""}
	closed := true
	for _, c := range t.On {
		closed = closed && len(c.Exprs) == 1
		for _, x := range c.Exprs {
			on = append(on, b.expr(inner, x))
			note(x)
		}
		if c.In == nil {
			closed = false
			continue
		}
		var next []string
		for _, prefix := range names {
			for _, item := range c.In {
				name, ok := pivotName(item)
				closed = closed && ok
				if prefix != "" {
					name = prefix + "_" + name
				}
				next = append(next, name)
			}
		}
		names = next
	}
	var aggregates []value
	for _, u := range t.Using {
		aggregates = append(aggregates, b.expr(inner, u.Expr))
		note(u.Expr)
	}
	for _, r := range rels {
		closed = closed && !r.shape.open
	}
	s := &shape{}
	if t.GroupBy != nil {
		for _, x := range t.GroupBy {
			s.cols = append(s.cols, b.namedColumn(inner, x))
		}
	} else {
		for _, r := range rels {
			for i := range r.shape.cols {
				if c := r.shape.cols[i]; !used[c.fold] && !r.hidden[i] {
					c.value = r.plain(i)
					s.cols = append(s.cols, c)
				}
			}
		}
	}
	if !closed {
		b.unanalysed++
		s.open = true
		for _, r := range rels {
			if r.shape.poison != nil {
				s.poison = r.shape.poison
			}
		}
		return b.derived(s.seal(), t.Alias, t.Range)
	}
	for _, name := range names {
		for i, u := range t.Using {
			column := column{name: name, value: derive(aggregates[i].typ.settled(), append(on, aggregates[i])...), span: u.Range}
			column.null, column.agg = true, false
			if len(t.Using) > 1 {
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

// pivotName is the name DuckDB gives the column of a pivoted value.
func pivotName(item sql.SelectItem) (string, bool) {
	if item.Alias.Given() {
		return item.Alias.Text, true
	}
	switch x := item.Expr.(type) {
	case *sql.Literal:
		return x.Text, x.Kind == sql.StringLiteral || x.Kind == sql.NumberLiteral
	case *sql.ColumnRef:
		return x.Parts[len(x.Parts)-1].Text, len(x.Parts) == 1
	}
	return "", false
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
	used := map[string]bool{}
	closed := len(t.Values) <= 1
	var merged *value
	for _, c := range t.On {
		for _, x := range c.Exprs {
			ref, ok := x.(*sql.ColumnRef)
			if !ok || len(c.Exprs) != 1 {
				closed = false
				continue
			}
			used[fold(ref.Parts[len(ref.Parts)-1].Text)] = true
			v := b.expr(inner, x)
			if merged == nil {
				merged = &v
				continue
			}
			m := b.combineColumn(sql.Union, *merged, v)
			merged = &m
		}
	}
	s := &shape{}
	for _, r := range rels {
		closed = closed && !r.shape.open
		for i := range r.shape.cols {
			if c := r.shape.cols[i]; !used[c.fold] && !r.hidden[i] {
				c.value = r.plain(i)
				s.cols = append(s.cols, c)
			}
		}
	}
	if !closed || merged == nil {
		b.unanalysed++
		return b.derived(&shape{open: true}, t.Alias, t.Range)
	}
	name, val := "name", "value"
	if t.Name.Given() {
		name = t.Name.Text
	}
	if len(t.Values) == 1 {
		val = t.Values[0].Text
	}
	v := *merged
	v.reach = v.reach.then(Expression)
	v.null = v.null && t.IncludeNulls
	v.settle()
	s.cols = append(s.cols,
		column{name: name, fold: fold(name), value: value{typ: scalar(kVarchar)}, span: t.Range},
		column{name: val, fold: fold(val), value: v, span: t.Range})
	return b.derived(s.seal(), t.Alias, t.Range)
}

// settle readies a value that becomes a column.
func (v *value) settle() {
	v.typ = v.typ.settled()
	v.reach = v.reach.settled()
	v.agg, v.win = false, false
}
