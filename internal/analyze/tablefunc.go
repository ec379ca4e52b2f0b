package analyze

import (
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

func itoa(n int) string { return strconv.Itoa(n) }

// tableFunc is a function in FROM. The columns of those that read files are in the files, so they stay open.
func (b *binder) tableFunc(e *env, t *sql.TableFunc) *relation {
	call, ok := t.Call.(*sql.Call)
	if x, own := t.Call.(*sql.ProjectCall); own {
		return b.projectTable(e, t, x)
	}
	if !ok {
		b.pass(t.Range, whyRelation)
		return b.derived(&shape{open: true}, t.Alias, t.Range)
	}
	if b.pg {
		return b.pgTableFunc(e, t, call)
	}
	name := fold(call.FuncName())
	s := b.tableFuncShape(e, call, name)
	if t.Ordinality && !s.open {
		s.cols = append(s.cols, column{name: "ordinality", fold: "ordinality", value: value{typ: scalar(kBigint)}, span: call.Range})
	}
	r := b.derived(s, nil, call.Name[len(call.Name)-1].Range)
	r.name, r.fold = call.FuncName(), name
	r.counted = t.Ordinality && !slices.ContainsFunc(call.Args, func(a sql.Arg) bool { return namesColumn(a.Value) })
	if t.Alias != nil {
		// range(3) AS n names the relation; a single column keeps its own name unless the alias lists columns.
		b.rename(r, b.fitted(t.Alias, r.shape))
	}
	return r
}

// fitted is the alias of a function in FROM. DuckDB does not mind if it names more columns than there are.
func (b *binder) fitted(alias *sql.Alias, s *shape) *sql.Alias {
	if b.pg || s.open || len(alias.Columns) <= len(s.cols) {
		return alias
	}
	out := *alias
	out.Columns = alias.Columns[:len(s.cols)]
	return &out
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
		b.multiply(args[i])
	}
	one := func(t typ, from ...value) *shape {
		v := derive(t, from...)
		v.null, v.void, v.folds = name == "unnest", false, false
		return &shape{cols: []column{{name: name, fold: name, value: v, span: at}}}
	}
	switch name {
	case "range", "generate_series":
		types := make([]typ, len(args))
		for i, v := range args {
			if v.poison != nil {
				return &shape{open: true, poison: v.poison}
			}
			v = v.settledBy(call.Args[i].Value)
			types[i] = v.typ
			switch {
			case nullConstant([]value{v}):
				types[i] = scalar(kNull)
			case mayFoldToNull([]value{v}):
				types[i] = typ{}
			case v.typ.kind == kStringLit:
				types[i] = scalar(kVarchar) // in FROM a text is a text
			}
		}
		// In FROM they take what they take in an expression, and yield its elements.
		o, how := catalogue().find(name, false).match(types)
		t := typ{}
		switch {
		case how != matched:
			at := at
			if len(call.Args) > 0 {
				at = call.Args[0].Value.Bounds()
			}
			p := b.problem("E1104", at, "%s takes whole numbers, or two moments and an interval, not %s", call.FuncName(), typeList(types))
			if p.Help == "" {
				p.WithHelp("cast the arguments")
			}
			return &shape{open: true, poison: p}
		case o != nil:
			t = o.result.elem()
		}
		return one(t, args...)
	case "unnest":
		if len(args) != 1 {
			p := b.problem("E1104", at, "unnest in FROM takes one list, not %d arguments", len(args))
			return &shape{open: true, poison: p}
		}
		switch args[0].typ.kind {
		case kList, kArray:
			return one(args[0].typ.elem(), args[0])
		case kUnknown:
			return one(typ{}, args[0])
		}
		p := b.problem("E1104", call.Args[0].Value.Bounds(), "unnest in FROM takes a list, not %s", args[0].typ.settled())
		return &shape{open: true, poison: p}
	case "json_each", "json_tree":
		return jsonColumns(at)
	case "read_csv", "read_csv_auto", "read_parquet", "parquet_scan", "read_json", "read_json_auto", "read_ndjson", "read_ndjson_auto":
		if p := b.unknownOption(call); p != nil {
			return &shape{open: true, poison: p}
		}
		if !strings.Contains(name, "csv") {
			break
		}
		if s := csvColumns(call); s != nil {
			return s
		}
	case "repeat":
		if len(args) == 2 {
			if s := repeated(call, at); s != nil {
				return s
			}
		}
	case "repeat_row":
		return b.repeatedRow(e, call, at)
	}
	if s := systemShape(name+"()", at); s != nil {
		return s
	}
	if catalogue().find(name, true) == nil {
		p := b.problem("E1005", at, "unknown table function %s", call.FuncName())
		if catalogue().find(name, false) != nil {
			p.Message = call.FuncName() + " is no table function and cannot stand in FROM"
			return &shape{open: true, poison: p}
		}
		if p.Help == "" {
			if near := diag.Nearest(name, catalogue().names(true)); near != "" {
				p.WithHelp("did you mean %s?", near).WithFix(p.Span, near)
			}
		}
		return &shape{open: true, poison: p}
	}
	b.passInput(call.Range, whyColumns, call.FuncName(), call.FuncName()+"(…)")
	return &shape{open: true, openBy: call.FuncName() + "(…)"}
}

// repeated is repeat('x', 3): one column, called like the value.
func repeated(call *sql.Call, at sql.Range) *shape {
	x := call.Args[0].Value
	name, ok := constantString(x)
	if n, number := constantInt(x); number {
		name, ok = strconv.FormatInt(n, 10), true
	}
	if !ok {
		return nil
	}
	return &shape{cols: []column{{name: name, fold: fold(name), value: value{typ: literal(x.(*sql.Literal)).typ.settled()}, span: at}}}
}

// repeatedRow is repeat_row(1, 'a', num_rows = 3): a column for each value.
func (b *binder) repeatedRow(e *env, call *sql.Call, at sql.Range) *shape {
	s := &shape{}
	for _, a := range call.Args {
		if bin, ok := a.Value.(*sql.Binary); a.Name.Given() || ok && bin.Op == "=" {
			continue
		}
		v := b.argument(e, a.Value)
		v.settle()
		name := "column" + itoa(len(s.cols))
		s.cols = append(s.cols, column{name: name, fold: name, value: v, span: at})
	}
	return s
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
		inner := *e
		inner.plain = true
		return b.argument(&inner, x)
	}
	return unknown() // names in arguments of other table functions may mean tables or files
}

// settle readies a value that becomes a column.
func (v *value) settle() {
	v.typ = v.typ.settled()
	v.reach = v.reach.settled()
	v.agg, v.win, v.folds = false, false, false
}
