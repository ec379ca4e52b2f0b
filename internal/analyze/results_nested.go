package analyze

// unionTag is an ENUM of the names of the members.
func unionTag(args []argument) typ {
	fields := args[0].typ.fields()
	if len(fields) == 0 {
		return typ{}
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return enumOf(names)
}

// enumCode is as small as the number of values allows.
func enumCode(args []argument) typ {
	t := args[0].typ
	switch {
	case t.kind != kEnum || t.more == nil || len(t.more.values) == 0:
		return typ{}
	case len(t.more.values) < 1<<8:
		return scalar(kUTinyint)
	case len(t.more.values) < 1<<16:
		return scalar(kUSmallint)
	}
	return scalar(kUInteger)
}

// arrayValue does not let constants take the type of what stands beside them.
func arrayValue(args []argument) typ {
	t := first(args)
	for _, a := range args[1:] {
		t = forced(t, a.typ.settled())
	}
	return arrayOf(t, len(args))
}

// unpivotList takes anything together, as a set operation does.
func unpivotList(args []argument) typ {
	t := args[0].typ
	for _, a := range args[1:] {
		t = forced(t, a.typ)
	}
	return listOf(t.settled())
}

// structValues is the struct without its names.
func structValues(args []argument) typ {
	fields := args[0].typ.fields()
	if len(fields) == 0 {
		return typ{}
	}
	out := make([]field, len(fields))
	for i, f := range fields {
		out[i].typ = f.typ
	}
	return structOf(out)
}

// zipResult pairs the elements of lists as structs without names.
func zipResult(args []argument) typ {
	var fields []field
	for i, a := range args {
		if i == len(args)-1 && a.typ.kind == kBoolean {
			break // the flag that cuts to the shortest list
		}
		fields = append(fields, field{"", a.typ.elem()})
	}
	return listOf(structOf(fields))
}

// rowResult is a struct without names.
func rowResult(args []argument) typ {
	fields := make([]field, len(args))
	for i, a := range args {
		fields[i] = field{"", a.typ.settled()}
	}
	return structOf(fields)
}

// structPack takes its field names from name := value or from the names of the columns.
func structPack(args []argument) typ {
	fields := make([]field, len(args))
	for i, a := range args {
		if a.name == "" {
			return typ{}
		}
		fields[i] = field{a.name, a.typ.settled()}
	}
	return structOf(fields)
}

// structInsert adds or replaces fields of the first argument.
func structInsert(args []argument) typ {
	if args[0].typ.kind != kStruct {
		return typ{}
	}
	fields := append([]field(nil), args[0].typ.fields()...)
	for _, a := range args[1:] {
		if a.name == "" {
			return typ{}
		}
		if i := fieldIndex(fields, a.name); i >= 0 {
			fields[i].typ = a.typ.settled()
			continue
		}
		name := a.name
		if len(fields) > 0 && fields[0].name == "" {
			name = "" // a struct has names for all fields or for none
		}
		fields = append(fields, field{name, a.typ.settled()})
	}
	return structOf(fields)
}

// structConcat puts the fields of all structs after one another.
func structConcat(args []argument) typ {
	var fields []field
	for _, a := range args {
		if a.typ.kind != kStruct {
			return typ{}
		}
		fields = append(fields, a.typ.fields()...)
	}
	return structOf(fields)
}

// structExtract is access by constant name or number; with anything else the field is not known.
func structExtract(args []argument) typ {
	if len(args) != 2 {
		return typ{}
	}
	switch t := args[0].typ; t.kind {
	case kStruct, kUnion:
		if key, ok := constantString(args[1].expr); ok {
			if i := fieldIndex(t.fields(), key); i >= 0 {
				return t.fields()[i].typ
			}
		}
		if n, ok := constantInt(args[1].expr); ok && n >= 1 && int(n) <= len(t.fields()) {
			return t.fields()[n-1].typ
		}
	case kList, kArray, kMap:
		return t.elem()
	case kVarchar, kStringLit:
		return scalar(kVarchar)
	}
	return typ{}
}
