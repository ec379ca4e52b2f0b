package sql

// TypeKind is the form of a [TypeName].
type TypeKind uint8

// The forms of type names.
const (
	SimpleType TypeKind = iota // Name, with Params: INTEGER, DECIMAL(10, 2), my_schema.my_type
	StructType                 // STRUCT(a INTEGER, b VARCHAR); ROW(…) is the same
	UnionType                  // UNION(num INTEGER, str VARCHAR)
	MapType                    // MAP(Key, Elem)
	ListType                   // Elem[]
	ArrayType                  // Elem[Size]
	EnumType                   // ENUM('a', 'b')
)

// TypeName is a type as written. Aliases (INT, INT4, SIGNED) are not resolved here. Types of
// several words are joined with one space in upper case: TIMESTAMP WITH TIME ZONE, DOUBLE PRECISION.
type TypeName struct {
	Range
	Kind   TypeKind
	Name   []Name      // SimpleType: the possibly qualified name
	Params []Expr      // SimpleType: the modifiers, usually number literals
	Fields []TypeField // StructType, UnionType
	Key    *TypeName   // MapType
	Elem   *TypeName   // ListType, ArrayType, MapType (its values)
	Size   int         // ArrayType
	Values []string    // EnumType
}

// TypeField is one field of a struct or one member of a union.
type TypeField struct {
	Range
	Name Name
	Type *TypeName
}
