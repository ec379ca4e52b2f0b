package postgres

import (
	"strconv"
	"strings"
)

// longNames are the names that the standard gives types, which the server writes instead of its own.
var longNames = map[string]string{
	"bool": "boolean", "int2": "smallint", "int4": "integer", "int8": "bigint", "float4": "real", "float8": "double precision",
	"bpchar": "character", "varchar": "character varying", "varbit": "bit varying", "time": "time without time zone",
	"timetz": "time with time zone", "timestamp": "timestamp without time zone", "timestamptz": "timestamp with time zone",
}

// keywordTypes are base types whose name is a keyword with another meaning, so that it must stand in quotes.
var keywordTypes = map[string]bool{"char": true}

// Format writes a type with its modifier as the server's format_type does.
func Format(t *Type, mod int32) string {
	if t.Elem != nil && strings.HasPrefix(t.Name, "_") {
		return Format(t.Elem, mod) + "[]"
	}
	switch t.Name {
	case "bpchar":
		if mod < 0 {
			return "bpchar" // without a length it is not what CHARACTER means, which is CHARACTER(1)
		}
		return "character(" + itoa(mod-4) + ")"
	case "bit":
		if mod < 0 {
			return `"bit"`
		}
		return "bit(" + itoa(mod) + ")"
	case "varchar":
		if mod >= 4 {
			return "character varying(" + itoa(mod-4) + ")"
		}
	case "varbit":
		if mod >= 0 {
			return "bit varying(" + itoa(mod) + ")"
		}
	case "numeric":
		if mod >= 4 {
			return "numeric(" + itoa((mod-4)>>16) + "," + itoa(numericScale(mod)) + ")"
		}
	case "time", "timetz", "timestamp", "timestamptz":
		if mod >= 0 {
			word, rest, _ := strings.Cut(longNames[t.Name], " ")
			return word + "(" + itoa(mod) + ") " + rest
		}
	case "interval":
		if mod >= 0 {
			return "interval" + intervalFields(mod)
		}
	}
	if long, ok := longNames[t.Name]; ok {
		return long
	}
	if keywordTypes[t.Name] {
		return `"` + t.Name + `"`
	}
	return t.Name
}

func itoa(n int32) string { return strconv.Itoa(int(n)) }

// numericScale reads the scale of a modifier of numeric, which may be negative since PostgreSQL 15.
func numericScale(mod int32) int32 { return (((mod - 4) & 0x7ff) ^ 1024) - 1024 }

// The fields of an interval, as bits of its modifier, in the order in which they are written.
var intervalBits = map[string]int32{"year": 1 << 2, "month": 1 << 1, "day": 1 << 3, "hour": 1 << 10, "minute": 1 << 11, "second": 1 << 12}

var intervalOrder = []string{"year", "month", "day", "hour", "minute", "second"}

const (
	allFields     = 0x7fff
	fullPrecision = 0xffff
)

// intervalFields writes what an interval's modifier restricts it to: " day to second(3)".
func intervalFields(mod int32) string {
	fields, precision := (mod>>16)&allFields, mod&fullPrecision
	out := ""
	if fields != allFields {
		first, last := "", ""
		for _, f := range intervalOrder {
			if fields&intervalBits[f] != 0 {
				if first == "" {
					first = f
				}
				last = f
			}
		}
		if first != "" {
			out = " " + first
		}
		if last != first {
			out += " to " + last
		}
	}
	if precision != fullPrecision {
		out += "(" + itoa(precision) + ")"
	}
	return out
}

// interval is the modifier of INTERVAL with fields, such as "day to second", and a precision, -1 for none.
func interval(fields string, precision int32) (int32, bool) {
	bits := int32(allFields)
	if fields != "" {
		first, last, span := strings.Cut(fields, " to ")
		if !span {
			last = first
		}
		bits = 0
		within := false
		for _, f := range intervalOrder {
			within = within || f == first
			if within {
				bits |= intervalBits[f]
			}
			if f == last {
				break
			}
		}
		if bits == 0 || intervalBits[last] == 0 || bits&intervalBits[last] == 0 {
			return -1, false
		}
		// Years and months do not mix with days and smaller units.
		if months := intervalBits["year"] | intervalBits["month"]; bits&months != 0 && bits&^months != 0 {
			return -1, false
		}
	}
	if precision < 0 {
		if bits == allFields {
			return -1, true
		}
		precision = fullPrecision
	}
	return bits<<16 | precision, true
}

// keywordNames maps the words that are types by grammar to the types.
var keywordNames = map[string]string{
	"int": "int4", "integer": "int4", "smallint": "int2", "bigint": "int8", "real": "float4", "double precision": "float8",
	"decimal": "numeric", "dec": "numeric", "numeric": "numeric", "boolean": "bool", "character varying": "varchar", "char varying": "varchar",
	"varchar": "varchar", "national character varying": "varchar", "national char varying": "varchar", "nchar varying": "varchar",
	"character": "bpchar", "char": "bpchar", "nchar": "bpchar", "national character": "bpchar", "national char": "bpchar",
	"bit": "bit", "bit varying": "varbit", "time": "time", "timestamp": "timestamp", "time without time zone": "time",
	"time with time zone": "timetz", "timestamp without time zone": "timestamp", "timestamp with time zone": "timestamptz",
}

// Named finds the type that a name means in SQL, with its modifiers. Quoted says that the name was written in quotes, which
// takes keywords their meaning: "char" is not char. A type that the catalogue does not have is nil: it may be one of the
// project's own. Wrong says why the modifiers do not fit, "" when they do.
func Named(name string, quoted bool, params []int32) (t *Type, mod int32, wrong string) {
	if !quoted {
		name = strings.ToLower(name)
		if rest, ok := strings.CutPrefix(name, "interval"); ok && (rest == "" || rest[0] == ' ') {
			precision := int32(-1)
			if len(params) == 1 {
				precision = min(params[0], 6)
			}
			mod, ok := interval(strings.TrimSpace(rest), precision)
			if !ok {
				return nil, -1, "an interval has no fields " + strings.TrimSpace(rest)
			}
			return Interval(), mod, ""
		}
		if name == "float" {
			switch {
			case len(params) == 0:
				return Lookup("float8"), -1, ""
			case params[0] < 1 || params[0] > 53:
				return Lookup("float8"), -1, "the precision of float is between 1 and 53"
			case params[0] <= 24:
				return Lookup("float4"), -1, ""
			}
			return Lookup("float8"), -1, ""
		}
		if word, ok := keywordNames[name]; ok {
			if len(params) == 0 && (word == "bpchar" || word == "bit") {
				params = []int32{1}
			}
			name = word
		}
	}
	t = Lookup(name)
	if t == nil || len(params) == 0 {
		return t, -1, ""
	}
	mod, wrong = modifier(t, params)
	return t, mod, wrong
}

// modifier codes the numbers behind a type's name.
func modifier(t *Type, params []int32) (mod int32, wrong string) {
	n := params[0]
	one := len(params) == 1
	switch t.Name {
	case "varchar", "bpchar":
		if !one || n < 1 || n > 10485760 {
			return -1, "the length of " + longNames[t.Name] + " is between 1 and 10485760"
		}
		return n + 4, ""
	case "bit", "varbit":
		if !one || n < 1 {
			return -1, "the length of bit is at least 1"
		}
		return n, ""
	case "numeric":
		scale := int32(0)
		if len(params) == 2 {
			scale = params[1]
		}
		if len(params) > 2 || n < 1 || n > 1000 || scale < -1000 || scale > 1000 {
			return -1, "the precision of numeric is between 1 and 1000, its scale between -1000 and 1000"
		}
		return (n<<16 | scale&0x7ff) + 4, ""
	case "time", "timetz", "timestamp", "timestamptz":
		if !one || n < 0 {
			return -1, "the precision of " + t.Name + " is between 0 and 6"
		}
		return min(n, 6), ""
	case "interval":
		mod, _ := interval("", min(n, 6))
		return mod, ""
	}
	return -1, t.Name + " takes no modifier"
}
