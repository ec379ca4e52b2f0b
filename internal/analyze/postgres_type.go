package analyze

import (
	"strconv"
	"strings"
	"sync"

	"github.com/norn-data/norn/internal/analyze/postgres"
	"github.com/norn-data/norn/internal/sql"
)

// A type of PostgreSQL is a typ like any other. Its kind is that of the DuckDB type it comes nearest to, so that whoever asks
// what can be predicted or put in order need not know whose type it is; which type it really is stands behind more, and its
// modifier in mod. The table of them is made once, so that types compare by pointer.
var foreignTypes = sync.OnceValue(func() map[*postgres.Type]typ {
	types := make(map[*postgres.Type]typ, len(postgres.Types()))
	for _, t := range postgres.Types() {
		types[t] = typ{kind: foreignKind(t), mod: -1, more: &nested{name: t.Name, foreign: t}}
	}
	for t, f := range types {
		if t.Elem != nil {
			f.more.elem = types[t.Elem]
		}
	}
	return types
})

// foreignKind is the nearest kind of DuckDB. Types that have none are no features and no targets, like geometries.
func foreignKind(t *postgres.Type) kind {
	if t.Elem != nil {
		return kList
	}
	switch t.Name {
	case "bool":
		return kBoolean
	case "int2":
		return kSmallint
	case "int4":
		return kInteger
	case "int8", "oid":
		return kBigint
	case "numeric":
		return kDecimal
	case "float4":
		return kFloat
	case "float8":
		return kDouble
	case "date":
		return kDate
	case "time":
		return kTime
	case "timetz":
		return kTimeTZ
	case "timestamp":
		return kTimestamp
	case "timestamptz":
		return kTimestampTZ
	case "interval":
		return kInterval
	case "text", "varchar", "bpchar", "char", "name":
		return kVarchar
	case "unknown":
		return kStringLit
	case "json", "jsonb":
		return kJSON
	case "bytea":
		return kBlob
	case "bit", "varbit":
		return kBit
	case "uuid":
		return kUUID
	}
	return kGeometry
}

// pg is a type of PostgreSQL without modifier; of nil it is Unknown.
func pg(t *postgres.Type) typ { return pgMod(t, -1) }

// pgMod is a type of PostgreSQL with a modifier.
func pgMod(t *postgres.Type, mod int32) typ {
	if t == nil {
		return typ{}
	}
	out := foreignTypes()[t]
	out.mod = mod
	return out
}

// foreign reports whether the type is one of PostgreSQL.
func (t typ) foreign() bool { return t.more != nil && t.more.foreign != nil }

// sharedForeign gives back the one description of a type of PostgreSQL for a copy of it.
func sharedForeign(k kind, more *nested) *nested {
	if more == nil || more.name == "" || k == kTemplate {
		return more
	}
	if t := postgres.Lookup(more.name); t != nil {
		return foreignTypes()[t].more
	}
	return more
}

// pgType is the type of PostgreSQL, nil when it is not known. The binder makes a few types by kind alone, such as that of EXISTS.
func (t typ) pgType() *postgres.Type {
	if t.foreign() {
		return t.more.foreign
	}
	switch t.kind {
	case kBoolean:
		return postgres.Bool()
	case kBigint:
		return postgres.Int8()
	case kDouble:
		return postgres.Float8()
	case kMap, kJSON:
		return postgres.JSONB()
	case kVarchar:
		return postgres.Text()
	}
	return nil
}

// native is the type as one of PostgreSQL.
func (t typ) native() typ {
	if t.foreign() {
		return t
	}
	return pg(t.pgType())
}

// resolved is the type of a column: a literal that nothing has decided about is text.
func (t typ) resolved() typ {
	if t.foreign() && t.more.foreign == postgres.Unknown() {
		return pg(postgres.Text())
	}
	return t
}

// inferred are the types that a seed's cells are found to have, and the types of columns that number themselves, which only
// declarations have.
var inferred = map[string]string{"double": "float8", "varchar": "text", "serial": "int4", "serial4": "int4", "bigserial": "int8",
	"serial8": "int8", "smallserial": "int2", "serial2": "int2"}

// declaredType is [parseType] in the dialect of the project: the type of a declared column, Unknown when it is not one that
// norn knows.
func declaredType(d *sql.Dialect, text string) typ {
	if d.Name != "postgres" {
		return parseType(text)
	}
	t, wrong := readForeign(text)
	if wrong != "" {
		return typ{}
	}
	return t
}

// seedType is the type of a seed's column, found in its cells or declared.
func seedType(d *sql.Dialect, text string, declared bool) typ {
	if d.Name == "postgres" && !declared {
		if name, ok := inferred[strings.ToLower(text)]; ok {
			return pg(postgres.Lookup(name))
		}
	}
	return declaredType(d, text)
}

// readForeign reads a type of PostgreSQL from text: varchar(10), timestamp(3) with time zone, numeric(10,2)[].
func readForeign(text string) (t typ, wrong string) {
	rest := strings.TrimSpace(text)
	dimensions := 0
	for {
		open := strings.LastIndexByte(rest, '[')
		if open < 0 || !strings.HasSuffix(rest, "]") {
			break
		}
		rest = strings.TrimSpace(rest[:open])
		dimensions++
	}
	if cut, ok := strings.CutSuffix(strings.ToLower(rest), " array"); ok {
		rest, dimensions = rest[:len(cut)], 1
	}
	var params []int32
	if before, behind, ok := strings.Cut(rest, "("); ok {
		list, after, closed := strings.Cut(behind, ")")
		if !closed {
			return typ{}, "is not a type"
		}
		for p := range strings.SplitSeq(list, ",") {
			n, err := strconv.ParseInt(strings.TrimSpace(p), 10, 32)
			if err != nil {
				return typ{}, "is not a type"
			}
			params = append(params, int32(n))
		}
		rest = before + " " + after
	}
	name := strings.Join(strings.Fields(rest), " ")
	quoted := len(name) > 2 && name[0] == '"' && name[len(name)-1] == '"'
	if quoted {
		name = name[1 : len(name)-1]
	} else if serial, ok := inferred[strings.ToLower(name)]; ok && strings.Contains(strings.ToLower(name), "serial") {
		name = serial
	}
	base, mod, wrong := postgres.Named(name, quoted, params)
	return arrayType(base, mod, dimensions > 0), wrong
}

// arrayType is a type, or the array of it. Arrays of PostgreSQL do not say how many dimensions they have.
func arrayType(base *postgres.Type, mod int32, array bool) typ {
	if base != nil && array && base.Name[0] != '_' {
		base = base.Array
	}
	return pgMod(base, mod)
}

// writtenType turns a type of a query into a type; Unknown when it may be one of the database's own. Wrong is where its
// modifiers do not fit.
func writtenType(t *sql.TypeName) (out typ, wrong string) {
	if t == nil {
		return typ{}, ""
	}
	switch t.Kind {
	case sql.ListType, sql.ArrayType:
		elem, wrong := writtenType(t.Elem)
		return arrayType(elem.pgType(), elem.mod, true), wrong
	case sql.SimpleType:
		name := t.Name[len(t.Name)-1]
		if len(t.Name) > 2 || len(t.Name) == 2 && fold(t.Name[0].Text) != "pg_catalog" {
			return typ{}, ""
		}
		params := make([]int32, 0, 2)
		for _, x := range t.Params {
			n, ok := constantInt(x)
			if !ok {
				return typ{}, ""
			}
			params = append(params, int32(n))
		}
		base, mod, wrong := postgres.Named(name.Text, name.Quoted, params)
		return pgMod(base, mod), wrong
	}
	return typ{}, ""
}
