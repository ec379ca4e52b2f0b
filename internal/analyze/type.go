package analyze

import (
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/analyze/postgres"
)

// kind is the family of a type. The order of the numbers is the order in which DuckDB forces two types that do not mix
// into one (the higher wins), which is why strings stand behind numbers and dates.
type kind uint8

// The kinds. Unknown fits everything in silence: it stands for what norn could not or need not find out. The literal
// kinds live only inside an expression; a column never has one.
const (
	kUnknown kind = iota
	kNull
	kStringLit // an unnamed string constant: converts to anything
	kIntLit    // an integer constant: converts to every number it fits in
	kBoolean
	kUTinyint
	kTinyint
	kUSmallint
	kSmallint
	kUInteger
	kInteger
	kUBigint
	kBigint
	kUHugeint
	kHugeint
	kDecimal
	kFloat
	kDouble
	kTime
	kTimeTZ
	kTimeNS
	kDate
	kTimestampS
	kTimestampMS
	kTimestamp
	kTimestampTZ
	kTimestampNS
	kInterval
	kVarchar
	kEnum
	kJSON
	kBit
	kBlob
	kUUID
	kBignum
	kGeometry
	kStruct
	kList
	kArray
	kMap
	kUnion
	kVariant
	kType
	kLambda
	// Only in signatures of functions:
	kAny
	kTemplate // more.name is T, K or V
	kState    // an aggregate's exported state
)

var kindNames = [...]string{
	kUnknown: "UNKNOWN", kNull: "NULL", kStringLit: "VARCHAR", kIntLit: "INTEGER", kBoolean: "BOOLEAN",
	kUTinyint: "UTINYINT", kTinyint: "TINYINT", kUSmallint: "USMALLINT", kSmallint: "SMALLINT", kUInteger: "UINTEGER",
	kInteger: "INTEGER", kUBigint: "UBIGINT", kBigint: "BIGINT", kUHugeint: "UHUGEINT", kHugeint: "HUGEINT",
	kDecimal: "DECIMAL", kFloat: "FLOAT", kDouble: "DOUBLE", kTime: "TIME", kTimeTZ: "TIME WITH TIME ZONE",
	kTimeNS: "TIME_NS", kDate: "DATE", kTimestampS: "TIMESTAMP_S", kTimestampMS: "TIMESTAMP_MS", kTimestamp: "TIMESTAMP",
	kTimestampTZ: "TIMESTAMP WITH TIME ZONE", kTimestampNS: "TIMESTAMP_NS", kInterval: "INTERVAL", kVarchar: "VARCHAR",
	kEnum: "ENUM", kJSON: "JSON", kBit: "BIT", kBlob: "BLOB", kUUID: "UUID", kBignum: "BIGNUM", kGeometry: "GEOMETRY",
	kStruct: "STRUCT", kList: "LIST", kArray: "ARRAY", kMap: "MAP", kUnion: "UNION", kVariant: "VARIANT", kType: "TYPE",
	kLambda: "LAMBDA", kAny: "ANY", kTemplate: "TEMPLATE", kState: "AGGREGATE_STATE",
}

// typ is a type of DuckDB. It is a small value: what scalar types need is inside, the rest hangs on a pointer that is
// shared and never changed.
type typ struct {
	kind kind
	// Of a decimal: digits in all, and behind the point. Of an integer literal: the kind it has when nothing else is
	// asked (width) and the bits its magnitude needs, with negative in the highest bit (scale).
	width, scale uint8
	mod          int32 // of a type of PostgreSQL: its modifier
	more         *nested
}

// nested is what makes up a type that contains others.
type nested struct {
	elem   typ     // list, array, map (the values)
	key    typ     // map
	fields []field // struct, union; a struct without names has empty ones
	size   int     // array
	parts  int     // how many types it is made of, itself included; see mostParts
	values []string
	name   string // template

	foreign *postgres.Type // see postgres_type.go
}

type field struct {
	name string
	typ  typ
}

func scalar(k kind) typ              { return typ{kind: k} }
func decimal(width, scale uint8) typ { return typ{kind: kDecimal, width: width, scale: scale} }
func listOf(t typ) typ               { return made(kList, nested{elem: t}) }
func mapOf(k, v typ) typ             { return made(kMap, nested{key: k, elem: v}) }
func structOf(fields []field) typ    { return made(kStruct, nested{fields: fields}) }
func unionOf(fields []field) typ     { return made(kUnion, nested{fields: fields}) }
func enumOf(values []string) typ     { return made(kEnum, nested{values: values}) }
func arrayOf(t typ, size int) typ    { return made(kArray, nested{elem: t, size: size}) }

// mostParts bounds what a type is made of. A type can double with each model that packs the one before it twice into a
// struct; its parts are shared in memory, but whoever walks or writes the type sees each of them. A larger type is Unknown.
const mostParts = 10_000

// made is a type that contains others, Unknown when it would be too large.
func made(k kind, more nested) typ {
	if more.count(); more.parts > mostParts {
		return typ{}
	}
	return typ{kind: k, more: &more}
}

// count adds the parts up from those of what is inside.
func (n *nested) count() {
	n.parts = 1 + n.elem.parts() + n.key.parts()
	for _, f := range n.fields {
		n.parts += f.typ.parts()
	}
}

// parts is how many types a type is made of.
func (t typ) parts() int {
	if t.more == nil {
		return 1
	}
	return max(1, t.more.parts)
}

// elem is the type of the elements of a list, array or map (its values), Unknown for others.
func (t typ) elem() typ {
	if t.more == nil {
		return typ{}
	}
	return t.more.elem
}

func (t typ) fields() []field {
	if t.more == nil {
		return nil
	}
	return t.more.fields
}

// known reports whether anything can be said about values of the type.
func (t typ) known() bool { return t.kind != kUnknown }

// integral reports whether values are whole numbers.
func (t typ) integral() bool {
	return t.kind >= kUTinyint && t.kind <= kHugeint || t.kind == kIntLit
}

// numeric reports whether arithmetic takes the type.
func (t typ) numeric() bool {
	return t.kind >= kUTinyint && t.kind <= kDouble || t.kind == kIntLit || t.kind == kBignum
}

// nestedKind reports whether values contain other values.
func (t typ) nestedKind() bool {
	switch t.kind {
	case kStruct, kList, kArray, kMap, kUnion:
		return true
	}
	return false
}

// settled is the type a value has once it is a column: literals take the type they have by themselves.
func (t typ) settled() typ {
	if t.foreign() {
		return t // an unknown literal stays one until its query is a relation
	}
	switch t.kind {
	case kStringLit:
		return scalar(kVarchar)
	case kIntLit:
		return scalar(kind(t.width))
	}
	return t
}

// published is settled, with DuckDB's last resort: a column that is NULL in every row becomes INTEGER.
func (t typ) published() typ {
	if t.foreign() {
		return t.resolved()
	}
	t = t.settled()
	switch t.kind {
	case kNull:
		return scalar(kInteger)
	case kList:
		return listOf(t.elem().published())
	case kArray:
		return arrayOf(t.elem().published(), t.more.size)
	case kMap:
		return mapOf(t.more.key.published(), t.elem().published())
	case kStruct, kUnion:
		if !t.holdsNull() {
			return t
		}
		fields := make([]field, len(t.fields()))
		for i, f := range t.fields() {
			fields[i] = field{f.name, f.typ.published()}
		}
		if t.kind == kUnion {
			return unionOf(fields)
		}
		return structOf(fields)
	}
	return t
}

// holdsNull reports whether the type is, or contains, the type of NULL.
func (t typ) holdsNull() bool {
	switch t.kind {
	case kNull, kStringLit, kIntLit:
		return true
	case kList, kArray:
		return t.elem().holdsNull()
	case kMap:
		return t.more.key.holdsNull() || t.elem().holdsNull()
	case kStruct, kUnion:
		for _, f := range t.fields() {
			if f.typ.holdsNull() {
				return true
			}
		}
	}
	return false
}

// partial reports whether the type is, or contains, Unknown.
func (t typ) partial() bool {
	if t.more == nil {
		return t.kind == kUnknown
	}
	if t.kind == kList || t.kind == kArray || t.kind == kMap {
		return t.elem().partial() || t.kind == kMap && t.more.key.partial()
	}
	for _, f := range t.more.fields {
		if f.typ.partial() {
			return true
		}
	}
	return false
}

// equal compares types in full; names of fields ignore case.
func (t typ) equal(u typ) bool {
	if t.kind != u.kind || t.width != u.width || t.scale != u.scale || t.mod != u.mod {
		return false
	}
	if t.more == u.more {
		return true
	}
	if t.more == nil || u.more == nil {
		return false
	}
	a, b := t.more, u.more
	if a.size != b.size || a.name != b.name || !a.elem.equal(b.elem) || !a.key.equal(b.key) ||
		len(a.fields) != len(b.fields) || len(a.values) != len(b.values) {
		return false
	}
	for i := range a.fields {
		if !strings.EqualFold(a.fields[i].name, b.fields[i].name) || !a.fields[i].typ.equal(b.fields[i].typ) {
			return false
		}
	}
	for i := range a.values {
		if a.values[i] != b.values[i] {
			return false
		}
	}
	return true
}

// String writes the type as DuckDB's DESCRIBE does.
func (t typ) String() string {
	if t.foreign() {
		return postgres.Format(t.more.foreign, t.mod)
	}
	if t.more == nil && t.kind != kDecimal {
		if t.kind == kIntLit {
			return kindNames[t.width]
		}
		return kindNames[t.kind]
	}
	var b strings.Builder
	t.write(&b)
	return b.String()
}

func (t typ) write(b *strings.Builder) {
	switch t.kind {
	case kDecimal:
		if t.width == 0 {
			b.WriteString("DECIMAL")
			return
		}
		b.WriteString("DECIMAL(" + strconv.Itoa(int(t.width)) + "," + strconv.Itoa(int(t.scale)) + ")")
	case kList:
		t.elem().write(b)
		b.WriteString("[]")
	case kArray:
		t.elem().write(b)
		b.WriteString("[" + strconv.Itoa(t.more.size) + "]")
	case kMap:
		b.WriteString("MAP(")
		t.more.key.write(b)
		b.WriteString(", ")
		t.elem().write(b)
		b.WriteByte(')')
	case kStruct, kUnion:
		b.WriteString(kindNames[t.kind] + "(")
		for i, f := range t.fields() {
			if i > 0 {
				b.WriteString(", ")
			}
			if f.name != "" {
				b.WriteString(quoteIdentifier(f.name) + " ")
			}
			f.typ.write(b)
		}
		b.WriteByte(')')
	case kEnum:
		b.WriteString("ENUM(")
		for i, v := range t.more.values {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString("'" + strings.ReplaceAll(v, "'", "''") + "'")
		}
		b.WriteByte(')')
	case kTemplate:
		b.WriteString(t.more.name)
	default:
		b.WriteString(t.String())
	}
}
