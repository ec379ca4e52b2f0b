package analyze

import "strings"

// The rules of this file are facts about DuckDB 1.5: src/function/cast_rules.cpp (which casts are silent and which one
// is preferred), src/common/types.cpp and src/function/combine_types_rules.cpp (what two types become together).

// jsonCost makes JSON the last thing that a value is converted to.
const jsonCost = 100_000

// never is the cost of a cast that DuckDB does not make by itself.
const never = -1

// Costs of reaching a type that is not the argument's own. The lowest sum over all arguments chooses an overload.
func targetCost(t typ) int {
	switch t.kind {
	case kBigint:
		return 101
	case kInteger:
		return 102
	case kHugeint:
		return 103
	case kDouble:
		return 104
	case kDecimal:
		return 105
	case kBignum:
		return 106
	case kTimestampNS:
		return 119
	case kTimestamp:
		return 120
	case kTimestampMS:
		return 121
	case kTimestampS:
		return 122
	case kTimestampTZ:
		return 123
	case kVarchar:
		return 149
	case kStruct, kMap, kList, kUnion, kArray:
		return 160
	case kAny:
		return 5
	case kTemplate:
		return 1_000_000
	}
	return 110
}

// silent lists, for each kind, the kinds that it converts to without being asked.
var silent = func() [kState + 1]uint64 {
	set := func(kinds ...kind) (m uint64) {
		for _, k := range kinds {
			m |= 1 << k
		}
		return m
	}
	floats := set(kFloat, kDouble, kDecimal, kBignum)
	var s [kState + 1]uint64
	s[kTinyint] = floats | set(kSmallint, kInteger, kBigint, kHugeint)
	s[kSmallint] = floats | set(kInteger, kBigint, kHugeint)
	s[kInteger] = floats | set(kBigint, kHugeint)
	s[kBigint] = floats | set(kHugeint)
	s[kUTinyint] = floats | set(kUSmallint, kUInteger, kUBigint, kSmallint, kInteger, kBigint, kHugeint, kUHugeint)
	s[kUSmallint] = floats | set(kUInteger, kUBigint, kInteger, kBigint, kHugeint, kUHugeint)
	s[kUInteger] = floats | set(kUBigint, kBigint, kHugeint, kUHugeint)
	s[kUBigint] = floats | set(kHugeint, kUHugeint)
	s[kHugeint] = floats
	s[kUHugeint] = floats
	s[kFloat] = set(kBignum, kDouble)
	s[kDouble] = set(kBignum)
	s[kDecimal] = set(kFloat, kDouble)
	s[kBignum] = set(kDouble)
	s[kDate] = set(kTimestamp, kTimestampTZ, kTimestampMS, kTimestampNS, kTimestampS)
	s[kTimestampS] = set(kTimestamp, kTimestampMS, kTimestampNS)
	s[kTimestampMS] = set(kTimestamp, kTimestampNS)
	s[kTimestampNS] = set(kTimestamp)
	s[kTimestamp] = set(kTimestampNS, kTimestampTZ)
	s[kEnum] = set(kVarchar)
	return s
}()

// implicitCost is the cost of the silent cast, 0 for the same type, or never.
func implicitCost(from, to typ) int {
	switch {
	case from.kind == kUnknown || to.kind == kUnknown:
		return 0
	case from.kind == kNull && to.kind == kTemplate:
		return 6
	case from.kind == kNull || to.kind == kAny || to.kind == kTemplate:
		return targetCost(to)
	case from.kind == kStringLit:
		return stringLiteralCost(to)
	case from.kind == kIntLit:
		if kind(from.width) == to.kind {
			return 0
		}
		if to.integral() && literalFits(from, to.kind) {
			return targetCost(to) - 90
		}
		return implicitCost(scalar(kind(from.width)), to)
	case from.kind == kJSON && to.kind == kVarchar, from.kind == kVarchar && to.kind == kJSON:
		// JSON is VARCHAR under another name; the function library takes it for a string.
		return 1
	case to.kind == kJSON && from.kind != kJSON && from.kind != kVariant:
		return jsonCost // every value can be written as JSON
	case to.kind == kUnion && from.kind != kUnion:
		return unionMemberCost(from, to)
	case from.kind == kVariant:
		return targetCost(to)
	}
	if from.nestedKind() && to.nestedKind() {
		return nestedCost(from, to)
	}
	if from.kind == to.kind {
		return 0
	}
	if silent[from.kind]&(1<<to.kind) != 0 {
		return targetCost(to)
	}
	return never
}

// stringLiteralCost: a string constant converts to every type that is complete.
func stringLiteralCost(to typ) int {
	switch to.kind {
	case kVarchar:
		return 1
	case kAny, kLambda:
		return never
	case kDecimal:
		if to.width == 0 {
			return never
		}
	case kList, kArray, kMap:
		if k := to.elem().kind; k == kAny || k == kTemplate || k == kUnknown {
			return never
		}
	case kStruct, kUnion:
		if len(to.fields()) == 0 {
			return never
		}
	}
	return 20
}

// unionMemberCost: a value becomes a union through the member that is cheapest to reach.
func unionMemberCost(from, to typ) int {
	best := never
	for _, f := range to.fields() {
		if c := implicitCost(from, f.typ); c != never && (best == never || c < best) {
			best = c
		}
	}
	if len(to.fields()) == 0 {
		return never
	}
	return best
}

// nestedCost is the cost between types that contain others; it follows the cost of what they contain, shifted by one where
// DuckDB prefers to stay with the same container.
func nestedCost(from, to typ) int {
	switch {
	case from.kind == kList && to.kind == kList:
		c := implicitCost(from.elem(), to.elem())
		if c >= 1 {
			c-- // a list of strings is preferred to a string
		}
		return c
	case from.kind == kArray && to.kind == kArray:
		if to.more.size != 0 && from.more.size != to.more.size {
			return never
		}
		return implicitCost(from.elem(), to.elem())
	case from.kind == kArray && to.kind == kList:
		if c := implicitCost(from.elem(), to.elem()); c != never {
			return c + 1
		}
		return never
	case from.kind == kList && to.kind == kArray:
		return implicitCost(from.elem(), to.elem())
	case from.kind == kMap && to.kind == kMap:
		if to.more == nil || !to.more.key.known() {
			return 0
		}
		k, v := implicitCost(from.more.key, to.more.key), implicitCost(from.elem(), to.elem())
		if k == never || v == never {
			return never
		}
		return max(k, v)
	case from.kind == kStruct && to.kind == kStruct:
		return structCost(from.fields(), to.fields())
	case from.kind == kUnion && to.kind == kUnion:
		return 0
	}
	return never
}

// structCost pairs fields by name when both sides have names, else by position; the dearest field decides.
func structCost(from, to []field) int {
	if len(to) == 0 {
		return 0
	}
	if len(from) != len(to) {
		return never
	}
	cost := 0
	for i, f := range from {
		target := to[i]
		if f.name != "" && to[0].name != "" {
			j := fieldIndex(to, f.name)
			if j < 0 {
				return never
			}
			target = to[j]
		}
		c := implicitCost(f.typ, target.typ)
		if c == never {
			return never
		}
		cost = max(cost, c)
	}
	return cost
}

// fieldIndex finds a field without regard to case, or gives -1.
func fieldIndex(fields []field, name string) int {
	for i, f := range fields {
		if strings.EqualFold(f.name, name) {
			return i
		}
	}
	return -1
}

// literalFits reports whether an integer constant is inside the range of an integer type.
func literalFits(lit typ, k kind) bool {
	bits, negative := int(lit.scale&0x7f), lit.scale&0x80 != 0
	if bits == 127 && kind(lit.width) == kHugeint {
		bits = 126
	}
	switch k {
	case kTinyint:
		return bits <= 7
	case kSmallint:
		return bits <= 15
	case kInteger:
		return bits <= 31
	case kBigint:
		return bits <= 63
	case kHugeint:
		return true
	case kUTinyint:
		return !negative && bits <= 8
	case kUSmallint:
		return !negative && bits <= 16
	case kUInteger:
		return !negative && bits <= 32
	case kUBigint:
		return !negative && bits <= 64
	case kUHugeint:
		return !negative
	}
	return false
}

// castable reports whether an explicit CAST between the types can be bound. DuckDB is generous here: strings convert to
// and from everything, numbers among each other; what it refuses is a mix of families. Only refusals that were checked
// against DuckDB count; everything else passes.
func castable(from, to typ) bool {
	from, to = from.settled(), to.settled()
	plain := func(t typ) bool { return t.numeric() && t.kind != kBignum || t.kind == kBoolean }
	moment := func(t typ) bool { return t.kind >= kTime && t.kind <= kInterval }
	switch {
	case from.kind == kUnknown || to.kind == kUnknown:
		return true
	case to.kind == kUnion && from.kind == kUnion:
		for _, f := range from.fields() {
			if fieldIndex(to.fields(), f.name) < 0 {
				return false
			}
		}
		return true
	case to.kind == kUnion:
		return from.kind == kNull || len(to.fields()) == 0 || unionMemberCost(from, to) != never
	case from.kind == kStruct && to.kind == kStruct:
		return structsCastable(from.fields(), to.fields())
	case (from.kind == kList || from.kind == kArray) && (to.kind == kList || to.kind == kArray):
		return castable(from.elem(), to.elem())
	case from.kind == kMap && to.kind == kMap:
		return castable(from.elem(), to.elem()) && castable(from.more.key, to.more.key)
	case plain(from) && moment(to), moment(from) && plain(to):
		return false
	case from.kind == kInterval && moment(to) && to.kind != kInterval && to.kind != kTime,
		to.kind == kInterval && moment(from) && from.kind != kInterval:
		return false
	}
	return true
}

// structsCastable: structs are cast by name and must have a field in common, or by position where one has no names, and then
// must be of one size.
func structsCastable(from, to []field) bool {
	if len(from) == 0 || len(to) == 0 {
		return true
	}
	if from[0].name == "" || to[0].name == "" {
		if len(from) != len(to) {
			return false
		}
		for i := range from {
			if !castable(from[i].typ, to[i].typ) {
				return false
			}
		}
		return true
	}
	common := false
	for _, f := range from {
		if i := fieldIndex(to, f.name); i >= 0 {
			common = true
			if !castable(f.typ, to[i].typ) {
				return false
			}
		}
	}
	return common
}

// cannotConvert reports whether a string constant can never be read as the type. It errs on the side of "it might".
func cannotConvert(text string, to typ) bool {
	s := strings.ToLower(strings.TrimSpace(text))
	if strings.ContainsAny(s, "0123456789") {
		return false
	}
	switch {
	case to.kind == kFloat || to.kind == kDouble:
		s = strings.TrimLeft(s, "+-")
		return s != "nan" && s != "inf" && s != "infinity" && s != "true" && s != "false" && s != "t" && s != "f"
	case to.numeric():
		return s != "true" && s != "false" && s != "t" && s != "f"
	case to.kind == kBoolean:
		return s != "true" && s != "false" && s != "t" && s != "f" && s != "yes" && s != "no" && s != "y" && s != "n" && s != "on" && s != "off"
	case to.kind == kDate || to.kind == kTimestamp || to.kind == kTimestampTZ || to.kind == kTimestampNS || to.kind == kTimestampMS || to.kind == kTimestampS:
		s = strings.TrimLeft(s, "+-")
		return s != "epoch" && s != "infinity" && s != "inf"
	case to.kind == kTime || to.kind == kTimeTZ || to.kind == kUUID:
		return true
	}
	return false
}
