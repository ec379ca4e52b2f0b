// Package postgres is PostgreSQL's type system as far as it can be known without a server: its types, operators, functions
// and casts, and the rules by which it chooses among them.
//
// The data is the catalogue of a real server (catalogue.txt, written by gen/main.go) with the functions that later
// versions add (later.txt): no function or operator is named in this package's code. The rules are those of the manual's chapter on type conversion: an exact match
// wins, then the candidate with the most exact matches, then the one with the most preferred types, then unknown literals
// are taken for text or for what the candidates agree on.
//
// Invariants:
//
//   - A [Type] is one of the table and is compared by its pointer. What a modifier adds to it (the 10 of varchar(10)) is a
//     number beside it, -1 for none, in the server's own coding.
//   - [Unknown] is the type of a quoted literal and of NULL until something decides about it.
//   - The tables are read once, when the first project needs them, and never change.
package postgres

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:generate go run gen/main.go
//go:embed catalogue.txt
var catalogueText string

//go:embed later.txt
var laterText string

// A Type is a type of the catalogue.
type Type struct {
	Name      string // pg_type's name: int4, varchar, _text
	Category  byte   // N numbers, S strings, D dates, A arrays, …; P for pseudo types
	Preferred bool   // wins over others of its category
	Kind      byte   // b base, p pseudo, r range, m multirange
	Elem      *Type  // of an array
	Array     *Type  // the array of it; nil when there is none
	Subtype   *Type  // of a range
	Multi     *Type  // the multirange of a range
}

// An Operator is an operator with the types it takes; Left is nil for a prefix operator.
type Operator struct {
	Left, Right, Result *Type
}

// A Function is one overload of a function.
type Function struct {
	Name     string
	Kind     byte // f function, a aggregate, w window function
	Ordered  byte // of an aggregate: n plain, o ordered set, h hypothetical set
	Direct   int  // of an ordered-set aggregate: how many arguments stand in the parentheses
	Set      bool // yields rows
	Defaults int  // how many of the last arguments may be left out
	Variadic *Type
	Args     []*Type
	Result   *Type
	Outputs  []Output // the columns of its rows; empty for a plain result
	Later    bool     // newer than the server the catalogue is of
}

// An Output is a column that a function yields.
type Output struct {
	Name string
	Type *Type
}

// Context says how much a cast may do.
type Context byte

// The contexts of casts, each allowing what the one before does and more.
const (
	Implicit   Context = 'i' // silent, anywhere in an expression
	Assignment Context = 'a' // when a value is stored into a column
	Explicit   Context = 'e' // when it is asked for
)

func rank(c Context) int { return strings.IndexByte("iae", byte(c)) }

type castKey struct{ from, to *Type }

type tables struct {
	types     map[string]*Type
	list      []*Type
	casts     map[castKey]Context
	relabels  map[castKey]bool // casts that call no function
	operators map[string][]Operator
	functions map[string][]*Function
	names     []string // of functions, in the order of the catalogue
}

var catalogue = sync.OnceValue(func() *tables {
	t := &tables{types: map[string]*Type{}, casts: map[castKey]Context{}, relabels: map[castKey]bool{}, operators: map[string][]Operator{}, functions: map[string][]*Function{}}
	type link struct {
		t           *Type
		elem, array string
	}
	var links []link
	linked, later := false, false
	for line := range strings.Lines(catalogueText + laterText) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if !linked && f[0] != "t" && f[0][0] != '#' {
			for _, l := range links {
				l.t.Elem, l.t.Array = t.types[l.elem], t.types[l.array]
			}
			linked = true
		}
		switch f[0] {
		case "t":
			typ := &Type{Name: f[1], Category: f[2][0], Preferred: f[3] == "p", Kind: f[4][0]}
			t.types[f[1]] = typ
			t.list = append(t.list, typ)
			links = append(links, link{typ, f[5], f[6]})
		case "r":
			r := t.types[f[1]]
			r.Subtype, r.Multi = t.types[f[2]], t.types[f[3]]
		case "c":
			if from, to := t.types[f[1]], t.types[f[2]]; from != nil && to != nil {
				t.casts[castKey{from, to}] = Context(f[3][0])
				t.relabels[castKey{from, to}] = f[4] != "f"
			}
		case "o":
			o := Operator{t.types[f[2]], t.types[f[3]], t.types[f[4]]}
			if o.Right != nil && o.Result != nil && (o.Left != nil || f[2] == "") {
				t.operators[f[1]] = append(t.operators[f[1]], o)
			}
		case "f":
			t.function(f, later)
		default:
			later = strings.HasPrefix(line, "# What PostgreSQL has added")
		}
	}
	return t
})

// function reads a line about a function. One with a type that the table leaves out is left out too.
func (t *tables) function(f []string, later bool) {
	fn := &Function{Name: f[1], Later: later, Kind: f[2][0], Set: f[3] == "s", Variadic: t.types[f[5]], Result: t.types[f[7]]}
	fn.Defaults, _ = strconv.Atoi(f[4])
	if fn.Kind == 'a' {
		fn.Ordered = f[2][1]
		fn.Direct, _ = strconv.Atoi(f[2][2:])
	}
	if f[6] != "" {
		for name := range strings.SplitSeq(f[6], ",") {
			fn.Args = append(fn.Args, t.types[name])
			if t.types[name] == nil {
				return
			}
		}
	}
	if fn.Result == nil {
		return
	}
	if f[8] != "" {
		parts := strings.Split(f[8], ",")
		for i := 0; i+1 < len(parts); i += 2 {
			fn.Outputs = append(fn.Outputs, Output{parts[i], t.types[parts[i+1]]})
			if t.types[parts[i+1]] == nil {
				return
			}
		}
	}
	if _, seen := t.functions[fn.Name]; !seen {
		t.names = append(t.names, fn.Name)
	}
	t.functions[fn.Name] = append(t.functions[fn.Name], fn)
}

// Lookup returns the type of a name of pg_type, nil when there is none.
func Lookup(name string) *Type { return catalogue().types[name] }

// Types returns all types, in the order of the catalogue. The caller must not change the list.
func Types() []*Type { return catalogue().list }

// Functions returns the overloads of a function, nil when there is none of the name.
func Functions(name string) []*Function { return catalogue().functions[name] }

// FunctionNames lists the names of all functions, for suggestions. The caller must not change the list.
func FunctionNames() []string { return catalogue().names }

// HasOperator reports whether there is an operator of that name at all.
func HasOperator(name string) bool { return len(catalogue().operators[name]) > 0 }

// builtin is a type that the rules name.
func builtin(name string) func() *Type {
	return sync.OnceValue(func() *Type { return Lookup(name) })
}

// The types that SQL's own forms yield.
var (
	Unknown     = builtin("unknown")
	Text        = builtin("text")
	Bool        = builtin("bool")
	Int4        = builtin("int4")
	Int8        = builtin("int8")
	Numeric     = builtin("numeric")
	Float8      = builtin("float8")
	Date        = builtin("date")
	Time        = builtin("time")
	TimeTZ      = builtin("timetz")
	Timestamp   = builtin("timestamp")
	TimestampTZ = builtin("timestamptz")
	Interval    = builtin("interval")
	Name        = builtin("name")
	Bit         = builtin("bit")
	Record      = builtin("record")
	JSONB       = builtin("jsonb")
)
