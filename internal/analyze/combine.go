package analyze

// combine is the one type that holds the values of both, as for the branches of CASE, the elements of a list or the
// arguments of coalesce. It fails where DuckDB asks for an explicit cast.
func combine(a, b typ) (typ, bool) { return combined(a, b, combine) }

// forced is combine for set operations and equality, where DuckDB never refuses: types that do not mix become the one
// that stands higher.
func forced(a, b typ) typ {
	t, ok := combined(a, b, func(a, b typ) (typ, bool) { return forced(a, b), true })
	if ok {
		return t
	}
	if rank(a) < rank(b) {
		return b
	}
	return a
}

// rank orders the kinds for forced; time, date and timestamps with and without zone share a place.
func rank(t typ) int {
	switch t.kind {
	case kTimeTZ:
		return int(kTime)
	case kTimestampTZ:
		return int(kTimestamp)
	case kArray:
		return int(kList)
	}
	return int(t.kind)
}

// combined is what combine and forced share; inner is the one that calls, for what is inside nested types. The order of the
// cases is DuckDB's order of rules: the first that fits wins.
func combined(a, b typ, inner func(a, b typ) (typ, bool)) (typ, bool) {
	if a.kind == kUnknown || b.kind == kUnknown {
		return typ{}, true
	}
	if a.kind == b.kind {
		return combinedEqual(a, b, inner)
	}
	switch {
	case a.kind == kJSON && b.kind != kNull:
		return a, true
	case b.kind == kJSON && a.kind != kNull:
		return b, true
	case a.kind == kVariant:
		return a, true
	case b.kind == kVariant:
		return b, true
	case a.kind == kNull:
		return b.settled(), true
	case b.kind == kNull:
		return a.settled(), true
	case a.kind == kEnum:
		return inner(scalar(kVarchar), b)
	case b.kind == kEnum:
		return inner(a, scalar(kVarchar))
	case a.kind == kStringLit:
		return b.settled(), true
	case b.kind == kStringLit:
		return a.settled(), true
	}
	ab, ba := implicitCost(a, b), implicitCost(b, a)
	switch {
	case ab >= 0 && (ab < ba || ba < 0):
		return widened(b, a), true
	case ba >= 0:
		return widened(a, b), true
	case a.kind == kIntLit:
		return inner(a.settled(), b)
	case b.kind == kIntLit:
		return inner(a, b.settled())
	case a.integral() && b.integral():
		return combinedSigned(a.kind, b.kind), true
	case a.kind == kBoolean && b.integral():
		return b, true
	case b.kind == kBoolean && a.integral():
		return a, true
	}
	return typ{}, false
}

// widened is the target of a silent cast; a decimal grows until the integer's digits fit.
func widened(to, from typ) typ {
	if to.kind == kDecimal {
		if w, _, ok := decimalSize(from); ok && w > to.width-to.scale {
			return decimal(min(38, w+to.scale), to.scale)
		}
	}
	return to
}

// combinedSigned is the type for a signed and an unsigned integer that cannot hold each other.
func combinedSigned(a, b kind) typ {
	has := func(k kind) bool { return a == k || b == k }
	switch {
	case has(kUHugeint):
		return scalar(kDouble)
	case has(kBigint) || has(kUBigint):
		return scalar(kHugeint)
	case has(kInteger) || has(kUInteger):
		return scalar(kBigint)
	case has(kSmallint) || has(kUSmallint):
		return scalar(kInteger)
	}
	return scalar(kSmallint)
}

// combinedEqual combines two types of one kind: sizes grow, contents are combined in turn.
func combinedEqual(a, b typ, inner func(a, b typ) (typ, bool)) (typ, bool) {
	switch a.kind {
	case kStringLit:
		return scalar(kVarchar), true
	case kIntLit:
		return inner(a.settled(), b.settled())
	case kEnum:
		if a.equal(b) {
			return a, true
		}
		return scalar(kVarchar), true
	case kDecimal:
		whole, scale := max(a.width-a.scale, b.width-b.scale), max(a.scale, b.scale)
		if whole+scale > 38 {
			return decimal(38, 38-whole), true
		}
		return decimal(whole+scale, scale), true
	case kList:
		elem, ok := inner(a.elem(), b.elem())
		return listOf(elem), ok
	case kArray:
		elem, ok := inner(a.elem(), b.elem())
		return arrayOf(elem, max(a.more.size, b.more.size)), ok
	case kMap:
		key, ok := inner(a.more.key, b.more.key)
		if !ok {
			return typ{}, false
		}
		elem, ok := inner(a.elem(), b.elem())
		return mapOf(key, elem), ok
	case kStruct:
		return combinedStruct(a.fields(), b.fields(), inner)
	case kUnion:
		if len(b.fields()) > len(a.fields()) {
			return b, true
		}
	}
	return a, true
}

// combinedStruct: with names the result has the fields of both, without names they pair up by position.
func combinedStruct(a, b []field, inner func(a, b typ) (typ, bool)) (typ, bool) {
	unnamed := len(a) > 0 && a[0].name == "" || len(b) > 0 && b[0].name == ""
	if unnamed && len(a) != len(b) {
		return typ{}, false
	}
	fields := make([]field, 0, len(a))
	for i, f := range a {
		j := i
		if !unnamed {
			j = fieldIndex(b, f.name)
		}
		if j < 0 {
			fields = append(fields, f)
			continue
		}
		t, ok := inner(f.typ, b[j].typ)
		if !ok {
			return typ{}, false
		}
		name := f.name
		if name == "" {
			name = b[j].name
		}
		fields = append(fields, field{name, t})
	}
	for _, f := range b {
		if !unnamed && fieldIndex(a, f.name) < 0 {
			fields = append(fields, f)
		}
	}
	return structOf(fields), true
}

// decimalSize is the width and scale an exact number needs as a decimal.
func decimalSize(t typ) (width, scale uint8, ok bool) {
	switch t.kind {
	case kBoolean:
		return 1, 0, true
	case kTinyint, kUTinyint:
		return 3, 0, true
	case kSmallint, kUSmallint:
		return 5, 0, true
	case kInteger, kUInteger:
		return 10, 0, true
	case kBigint:
		return 19, 0, true
	case kUBigint:
		return 20, 0, true
	case kHugeint, kUHugeint:
		return 38, 0, true
	case kDecimal:
		return t.width, t.scale, true
	case kIntLit:
		return decimalSize(scalar(kind(t.width)))
	case kNull:
		return 0, 0, true
	}
	return 0, 0, false
}

// comparable reports whether DuckDB compares the two types, given the operator. Equality is never refused.
func comparable(a, b typ, equality bool) bool {
	if a.kind == kStruct && b.kind == kStruct && !a.partial() && !b.partial() {
		f, g := a.fields(), b.fields()
		if len(f) > 0 && len(g) > 0 && len(f) != len(g) && (f[0].name == "" || g[0].name == "") {
			return false // they are cast by position
		}
	}
	if equality {
		return true
	}
	_, ok := combine(a, b)
	return ok
}
