package analyze

import "github.com/norn-data/norn/internal/diag"

// structKeyDemands: a struct with names is read by name, one without by number, and both are constants.
func (b *binder) structKeyDemands(types []typ, values []value, args []argument, refuse func(i int, format string, more ...any) *diag.Problem) *diag.Problem {
	fields := types[0].fields()
	if len(fields) == 0 || types[0].partial() || !types[1].known() || types[1].kind == kNull {
		return nil
	}
	named := fields[0].name != ""
	key, text := constantString(args[1].expr)
	n, number := constantInt(args[1].expr)
	switch t := types[1].settled(); {
	case text && named:
		if fieldIndex(fields, key) < 0 {
			return refuse(1, "finds no field %s in %s", key, types[0])
		}
	case t.integral() && named:
		return refuse(1, "takes the name of a field, not a number").WithHelp("only a struct without names is read by number")
	case text && !values[1].yields:
		return refuse(1, "takes the number of a field, not a name").WithHelp("this struct has no names")
	case number && (n < 1 || int(n) > len(fields)):
		return refuse(1, "counts from 1 to %d here, not to %d", len(fields), n)
	case t.kind != kVarchar && !t.integral():
		return refuse(1, "takes the name or the number of a field, not %s", t)
	case !text && !number && !b.constantArgument(values[1], args[1].expr):
		return refuse(1, "takes a constant").WithHelp("DuckDB must know the field before it sees a row")
	}
	return nil
}

// sliceDemands: only lists and text have slices, and only lists in steps.
func (b *binder) sliceDemands(types []typ, args []argument, refuse func(i int, format string, more ...any) *diag.Problem) *diag.Problem {
	for _, t := range types[1:] {
		if t.kind == kNull && types[0].nestedKind() {
			return nil
		}
	}
	switch t := types[0].settled(); t.kind {
	case kList, kArray, kUnknown, kNull:
	case kVarchar, kJSON, kBlob:
		if len(args) == 4 {
			return refuse(3, "of text takes no step").WithHelp("split it into a list first, or use reverse")
		}
	default:
		return refuse(0, "takes a list or text, not %s", t)
	}
	for i, t := range types[1:min(3, len(types))] {
		if k := t.settled(); k.nestedKind() && k.kind == kList {
			return refuse(i+1, "takes a whole number as a bound, not %s", k)
		}
	}
	return nil
}

// fieldDemands: the functions that make structs take named arguments, each name once.
func (b *binder) fieldDemands(name string, args []argument, types []typ, refuse func(i int, format string, more ...any) *diag.Problem) *diag.Problem {
	fields := args
	switch name {
	case "struct_insert", "struct_update":
		if len(args) < 2 {
			return refuse(len(args), "takes a struct and at least one field")
		}
		if types[0].known() && types[0].kind != kStruct && types[0].kind != kNull {
			return refuse(0, "takes a struct first, not %s", types[0].settled())
		}
		fields = args[1:]
	case "struct_concat":
		if len(args) == 0 {
			return refuse(0, "takes at least one struct")
		}
		seen := map[string]bool{}
		for i, t := range types {
			for _, f := range t.fields() {
				if f.name != "" && seen[fold(f.name)] {
					return refuse(i, "joins two structs that both have a field %s", f.name)
				}
				seen[fold(f.name)] = true
			}
		}
		return nil
	}
	if len(fields) == 0 {
		return refuse(0, "takes at least one field, name := value")
	}
	seen := map[string]bool{}
	if name == "struct_insert" {
		for _, f := range types[0].fields() {
			seen[fold(f.name)] = true
		}
	}
	for i, a := range fields {
		at := len(args) - len(fields) + i
		switch {
		case a.name == "":
			return refuse(at, "takes named arguments, name := value")
		case name != "struct_update" && seen[fold(a.name)]:
			return refuse(at, "is given the field %s twice", a.name)
		}
		seen[fold(a.name)] = true
	}
	return nil
}

// joinDemands: lists are joined with lists of a type that mixes with theirs. NULL goes with everything.
func joinDemands(types []typ, refuse func(i int, format string, more ...any) *diag.Problem) *diag.Problem {
	var lists typ
	first := -1
	for i, t := range types {
		if t.kind == kList || t.kind == kArray {
			t = listOf(t.elem())
			if first < 0 {
				lists, first = t, i
				continue
			}
			joined, ok := combine(lists, t)
			if !ok {
				return refuse(i, "cannot join %s and %s", lists.settled(), t.settled()).WithHelp("cast one of the lists")
			}
			lists = joined
		}
	}
	if first < 0 {
		return nil
	}
	for i, t := range types {
		if k := t.settled().kind; k != kList && k != kArray && k != kNull && k != kUnknown {
			return refuse(i, "mixes %s and %s", types[first].settled(), t.settled()).WithHelp("put the element in brackets, [x]")
		}
	}
	return nil
}
