package analyze

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// typeNames maps every spelling DuckDB has for a scalar type (duckdb_types()) to its kind. It is a constant table.
var typeNames = map[string]kind{
	"null": kNull, "bool": kBoolean, "boolean": kBoolean, "logical": kBoolean,
	"tinyint": kTinyint, "int1": kTinyint, "smallint": kSmallint, "int2": kSmallint, "int16": kSmallint, "short": kSmallint,
	"integer": kInteger, "int": kInteger, "int4": kInteger, "int32": kInteger, "signed": kInteger, "integral": kInteger,
	"bigint": kBigint, "int8": kBigint, "int64": kBigint, "long": kBigint, "oid": kBigint,
	"hugeint": kHugeint, "int128": kHugeint, "uhugeint": kUHugeint, "uint128": kUHugeint,
	"utinyint": kUTinyint, "uint8": kUTinyint, "usmallint": kUSmallint, "uint16": kUSmallint,
	"uinteger": kUInteger, "uint32": kUInteger, "ubigint": kUBigint, "uint64": kUBigint,
	"decimal": kDecimal, "dec": kDecimal, "numeric": kDecimal,
	"float": kFloat, "float4": kFloat, "real": kFloat, "double": kDouble, "float8": kDouble, "double precision": kDouble,
	"date": kDate, "time": kTime, "time without time zone": kTime, "time_ns": kTimeNS, "timetz": kTimeTZ, "time with time zone": kTimeTZ,
	"timestamp": kTimestamp, "datetime": kTimestamp, "timestamp_us": kTimestamp, "timestamp without time zone": kTimestamp,
	"timestamptz": kTimestampTZ, "timestamp with time zone": kTimestampTZ,
	"timestamp_s": kTimestampS, "timestamp_ms": kTimestampMS, "timestamp_ns": kTimestampNS,
	"interval": kInterval, "varchar": kVarchar, "char": kVarchar, "bpchar": kVarchar, "nvarchar": kVarchar,
	"string": kVarchar, "text": kVarchar, "character": kVarchar, "character varying": kVarchar, "char varying": kVarchar, "json": kJSON,
	"nchar": kVarchar, "nchar varying": kVarchar, "national char": kVarchar, "national char varying": kVarchar,
	"national character": kVarchar, "national character varying": kVarchar,
	"bit": kBit, "bitstring": kBit, "blob": kBlob, "bytea": kBlob, "binary": kBlob, "varbinary": kBlob,
	"uuid": kUUID, "guid": kUUID, "bignum": kBignum, "varint": kBignum, "geometry": kGeometry, "variant": kVariant, "type": kType,
}

// extensionTypes are types that DuckDB has once it has loaded an extension, which it does by itself.
var extensionTypes = map[string]bool{
	"inet": true, "point_2d": true, "point_3d": true, "point_4d": true, "linestring_2d": true, "linestring_3d": true, "polygon_2d": true,
	"polygon_3d": true, "box_2d": true, "box_2df": true, "wkb_blob": true, "mbr": true,
}

// unknownType reports the name of a type that does not exist, or a size that a DECIMAL cannot have. A project has no types of
// its own; a name with a schema may mean one that somebody made in the warehouse.
func (b *binder) unknownType(t *sql.TypeName) *diag.Problem {
	if t == nil {
		return nil
	}
	for _, part := range []*sql.TypeName{t.Elem, t.Key} {
		if p := b.unknownType(part); p != nil {
			return p
		}
	}
	for i, f := range t.Fields {
		if p := b.unknownType(f.Type); p != nil {
			return p
		}
		for _, first := range t.Fields[:i] {
			if fold(first.Name.Text) != fold(f.Name.Text) || b.pg {
				continue
			}
			p := b.problem("E1007", f.Name.Range, "the type has two members called %s", f.Name.Text)
			if len(p.Notes) == 0 {
				p.WithNote(first.Name.Span(b.file), "the first one").WithHelp("rename or remove one of them")
			}
			return p
		}
	}
	if t.Kind != sql.SimpleType || len(t.Name) != 1 {
		return nil
	}
	name := strings.ToLower(t.Name[0].Text)
	k, ok := typeNames[name]
	switch {
	case ok && b.tooManyModifiers(t, k) != nil:
		return b.tooManyModifiers(t, k)
	case ok && k == kDecimal:
		return b.decimalSize(t)
	case ok || extensionTypes[name]:
		return nil
	}
	p := b.problem("E1102", t.Name[0].Range, "there is no type %s", t.Name[0].Text)
	if near := diag.Nearest(name, slices.Collect(maps.Keys(typeNames))); near != "" && p.Help == "" {
		p.WithHelp("did you mean %s?", strings.ToUpper(near)).WithFix(p.Span, strings.ToUpper(near))
	}
	return p
}

// decimalSize reports a size that no DECIMAL has.
func (b *binder) decimalSize(t *sql.TypeName) *diag.Problem {
	size := [2]int64{18, 3}
	for i, x := range t.Params {
		n, ok := constantInt(x)
		if !ok || i > 1 {
			return nil
		}
		size[i] = n
		if i == 0 {
			size[1] = 0
		}
	}
	switch {
	case size[0] < 1 || size[0] > 38:
		return b.problem("E1102", t.Range, "a DECIMAL has 1 to 38 digits, not %d", size[0])
	case size[1] < 0 || size[1] > size[0]:
		p := b.problem("E1102", t.Range, "a DECIMAL of %d digits cannot have %d of them behind the point", size[0], size[1])
		if p.Help == "" && size[0]+size[1] <= 38 && size[1] > 0 {
			p.WithHelp("the first number counts all digits: DECIMAL(%d,%d)", size[0]+size[1], size[1])
		}
		return p
	}
	return nil
}

// resolveType turns a written type into a type. Types that norn does not know are Unknown; [binder.unknownType] reports those
// that nobody can have.
func resolveType(t *sql.TypeName) typ {
	if t == nil {
		return typ{}
	}
	switch t.Kind {
	case sql.SimpleType:
		if len(t.Name) != 1 {
			return typ{}
		}
		k, ok := typeNames[strings.ToLower(t.Name[0].Text)]
		if !ok {
			return typ{}
		}
		if k == kDecimal {
			return decimalOf(t.Params)
		}
		if len(t.Params) > 0 && k == kTimestamp {
			return momentOf(t.Params)
		}
		return scalar(k)
	case sql.ListType:
		return listOf(resolveType(t.Elem))
	case sql.ArrayType:
		return arrayOf(resolveType(t.Elem), t.Size)
	case sql.MapType:
		return mapOf(resolveType(t.Key), resolveType(t.Elem))
	case sql.EnumType:
		return enumOf(t.Values)
	case sql.StructType, sql.UnionType:
		fields := make([]field, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = field{f.Name.Text, resolveType(f.Type)}
		}
		if t.Kind == sql.UnionType {
			return unionOf(fields)
		}
		return structOf(fields)
	}
	return typ{}
}

// decimalOf reads the modifiers of DECIMAL; without any it is DECIMAL(18,3), with one the scale is 0.
func decimalOf(params []sql.Expr) typ {
	numbers := [2]int{18, 3}
	for i, p := range params {
		lit, ok := p.(*sql.Literal)
		if !ok || lit.Kind != sql.NumberLiteral || i > 1 {
			return typ{}
		}
		n, err := strconv.Atoi(lit.Text)
		if err != nil || n > 38 {
			return typ{}
		}
		numbers[i] = n
		if i == 0 {
			numbers[1] = 0
		}
	}
	return decimal(uint8(numbers[0]), uint8(numbers[1]))
}

// parseType reads a type from text: a declared type of YAML or of a header. What it cannot read is Unknown.
func parseType(text string) typ {
	return typeParser{text: text}.whole()
}

// whole reads a type that is the whole text.
func (p typeParser) whole() typ {
	t := p.typ()
	if p.space(); p.at < len(p.text) || p.bad {
		return typ{}
	}
	return t
}

type typeParser struct {
	text      string
	signature bool // of a function: ANY, T, K, V, LAMBDA, and a DECIMAL without size that stands for every size
	at        int
	bad       bool
}

func (p *typeParser) space() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t' || p.text[p.at] == '\n' || p.text[p.at] == '\r') {
		p.at++
	}
}

func (p *typeParser) eat(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

// word reads an identifier, quoted or not.
func (p *typeParser) word() string {
	p.space()
	start := p.at
	if p.at < len(p.text) && p.text[p.at] == '"' {
		if end := strings.IndexByte(p.text[p.at+1:], '"'); end >= 0 {
			p.at += end + 2
			return p.text[start+1 : p.at-1]
		}
	}
	for p.at < len(p.text) {
		c := p.text[p.at]
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80 {
			break
		}
		p.at++
	}
	return p.text[start:p.at]
}

// typ reads a type with the brackets behind it: INTEGER[], DOUBLE[3].
func (p *typeParser) typ() typ {
	t := p.base()
	for p.eat('[') {
		size := p.word()
		if !p.eat(']') {
			p.bad = true
			return typ{}
		}
		if n, err := strconv.Atoi(size); err == nil {
			t = arrayOf(t, n)
		} else if size == "" || size == "ANY" {
			t = listOf(t)
		} else {
			p.bad = true
		}
	}
	return t
}

// base reads a type up to its brackets.
func (p *typeParser) base() typ {
	start := p.at
	name := strings.ToLower(p.word())
	if p.signature {
		switch name {
		case "any":
			return scalar(kAny)
		case "lambda":
			return scalar(kLambda)
		case "t", "k", "v":
			return typ{kind: kTemplate, more: &nested{name: strings.ToUpper(name)}}
		case "aggregate_state":
			p.at = len(p.text)
			return scalar(kState)
		}
	}
	switch name {
	case "":
		p.bad = true
		return typ{}
	case "struct", "row", "union":
		fields := p.fieldList()
		if name == "union" {
			return unionOf(fields)
		}
		return structOf(fields)
	case "map":
		if !p.eat('(') {
			return typ{kind: kMap, more: &nested{}}
		}
		key := p.typ()
		p.bad = p.bad || !p.eat(',')
		elem := p.typ()
		p.bad = p.bad || !p.eat(')')
		return mapOf(key, elem)
	case "enum":
		return p.enum()
	case "list":
		return listOf(typ{})
	case "array":
		return arrayOf(typ{}, 0)
	}
	// Types of several words: take as many as still make a name.
	for {
		save := p.at
		next := strings.ToLower(p.word())
		if next == "" {
			break
		}
		name += " " + next
		if _, ok := typeNames[name]; !ok && !isTypePrefix(name) {
			p.at = save
			name = strings.TrimSuffix(name, " "+next)
			break
		}
	}
	k, ok := typeNames[name]
	if !ok {
		p.at, p.bad = start, true
		return typ{}
	}
	width, scale := uint8(18), uint8(3)
	if p.eat('(') {
		width, scale = p.number(), 0
		if p.eat(',') {
			scale = p.number()
		}
		p.bad = p.bad || !p.eat(')') || k == kTimestamp || k == kDecimal && (width < 1 || width > 38 || scale > width)
	} else if p.signature {
		width, scale = 0, 0
	}
	if k == kDecimal {
		return decimal(width, scale)
	}
	return scalar(k)
}

// number reads a small number; anything else is bad.
func (p *typeParser) number() uint8 {
	n, err := strconv.ParseUint(p.word(), 10, 8)
	p.bad = p.bad || err != nil
	return uint8(n)
}

// isTypePrefix reports whether words may still become a type of several words.
func isTypePrefix(name string) bool {
	switch name {
	case "time with", "time with time", "time without", "time without time", "timestamp with", "timestamp with time",
		"timestamp without", "timestamp without time":
		return true
	}
	return false
}

// fieldList reads (name type, …); a list without names, as in STRUCT(K, V), is read too.
func (p *typeParser) fieldList() []field {
	if !p.eat('(') {
		return nil
	}
	fields := []field{}
	for !p.eat(')') {
		if p.bad || p.at >= len(p.text) {
			p.bad = true
			return nil
		}
		save := p.at
		name := p.word()
		p.space()
		if p.at < len(p.text) && (p.text[p.at] == ',' || p.text[p.at] == ')' || p.text[p.at] == '(') {
			p.at, name = save, ""
		}
		fields = append(fields, field{name, p.typ()})
		p.eat(',')
	}
	return fields
}

// enum reads the values of ENUM('a', 'b').
func (p *typeParser) enum() typ {
	if !p.eat('(') {
		p.bad = true
		return typ{}
	}
	var values []string
	for !p.eat(')') {
		if !p.eat('\'') {
			p.bad = true
			return typ{}
		}
		start := p.at
		for p.at < len(p.text) && (p.text[p.at] != '\'' || strings.HasPrefix(p.text[p.at:], "''")) {
			if p.text[p.at] == '\'' {
				p.at++
			}
			p.at++
		}
		values = append(values, strings.ReplaceAll(p.text[start:min(p.at, len(p.text))], "''", "'"))
		p.bad = !p.eat('\'')
		if p.bad {
			return typ{}
		}
		p.eat(',')
	}
	return enumOf(values)
}
