package analyze

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// The catalogue is DuckDB's own, written by functions/gen/main.go. Each line is a function: name, kind, overloads.
//
//go:generate sh -c "cd functions && go run gen/main.go"
//go:embed functions/catalogue.txt
var catalogueText string

// functionKind tells the kinds of the catalogue apart.
type functionKind byte

const (
	scalarFunction    functionKind = 's'
	aggregateFunction functionKind = 'a'
	macroFunction     functionKind = 'm'
	tableFunction     functionKind = 't'
	tableMacro        functionKind = 'x'
)

// function is one name of the catalogue with its overloads.
type function struct {
	name      string
	kind      functionKind
	overloads []overload
}

type overload struct {
	params []typ
	rest   *typ // the type of further arguments; nil when there can be none
	result typ
	// generic is set when the declared result is only a stand-in (ANY, DECIMAL without size, STRUCT, …): a rule of
	// resultRules must say what it really is.
	generic bool
}

// syntaxFunctions are calls that the grammar knows and the catalogue does not.
var syntaxFunctions = map[string]bool{
	"coalesce": true, "ifnull": true, "nullif": true, "if": true, "grouping": true, "grouping_id": true, "unnest": true, "unlist": true,
	"columns": true, "try": true, "struct_extract": true,
}

// catalogue is the embedded text, cut into lines by name once. Overloads are parsed when a name is first looked up, since
// a project uses a few dozen of the nine hundred. It is a constant, only computed late.
var catalogue = sync.OnceValue(func() *functionTable {
	t := &functionTable{lines: make(map[string][]string, 1024)}
	for line := range strings.Lines(catalogueText) {
		if name, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok {
			t.lines[name] = append(t.lines[name], rest)
		}
	}
	return t
})

type functionTable struct {
	lines  map[string][]string
	parsed sync.Map // string to []*function
}

// lookup returns the functions of a name (folded): usually one, a scalar and a table function where both exist.
func (t *functionTable) lookup(name string) []*function {
	if f, ok := t.parsed.Load(name); ok {
		return f.([]*function)
	}
	lines, ok := t.lines[name]
	if !ok {
		return nil
	}
	functions := make([]*function, len(lines))
	for i, line := range lines {
		functions[i] = parseFunction(name, line)
	}
	f, _ := t.parsed.LoadOrStore(name, functions)
	return f.([]*function)
}

// find returns the function of a name that can stand in an expression, or in FROM when table is set.
func (t *functionTable) find(name string, table bool) *function {
	for _, f := range t.lookup(name) {
		if (f.kind == tableFunction || f.kind == tableMacro) == table {
			return f
		}
	}
	return nil
}

// names lists all functions that can stand in an expression (or in FROM), for suggestions.
func (t *functionTable) names(table bool) []string {
	var names []string
	for name, lines := range t.lines {
		for _, line := range lines {
			if (line[0] == byte(tableFunction) || line[0] == byte(tableMacro)) == table && isWord(name) {
				names = append(names, name)
				break
			}
		}
	}
	if !table {
		for name := range syntaxFunctions {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// isWord leaves operators and DuckDB's internal functions out of suggestions.
func isWord(s string) bool {
	return s != "" && (s[0] >= 'a' && s[0] <= 'z' || s[0] == '_') && !strings.Contains(s, "duckdb")
}

// parseFunction reads a line of the catalogue behind its name.
func parseFunction(name, line string) *function {
	parts := strings.Split(line, "\t")
	f := &function{name: name, kind: functionKind(parts[0][0]), overloads: make([]overload, 0, len(parts)-1)}
	for _, text := range parts[1:] {
		params, result, _ := strings.Cut(text, ">")
		o := overload{result: parseSignatureType(result)}
		if params != "" {
			for p := range strings.SplitSeq(params, ";") {
				if rest, ok := strings.CutPrefix(p, "*"); ok {
					t := parseSignatureType(rest)
					o.rest = &t
					continue
				}
				o.params = append(o.params, parseSignatureType(p))
			}
		}
		o.generic = genericResult(o.result)
		f.overloads = append(f.overloads, o)
	}
	return f
}

// parseSignatureType reads a type of the catalogue.
func parseSignatureType(text string) typ {
	if text == `"NULL"` {
		return scalar(kNull)
	}
	return typeParser{text: text, signature: true}.whole()
}

// genericResult reports whether a declared result is only a stand-in for the real one.
func genericResult(t typ) bool {
	switch t.kind {
	case kUnknown, kAny, kState, kLambda, kNull:
		return true
	case kDecimal:
		return t.width == 0
	case kStruct, kUnion:
		return len(t.fields()) == 0
	case kList, kArray:
		return t.elem().kind != kNull && genericResult(t.elem())
	case kMap:
		return !t.elem().known()
	}
	return false
}

// matchResult says how well a call fits a function.
type matchResult uint8

const (
	matched matchResult = iota
	noMatch
	ambiguousMatch
)

// match chooses the overload with the cheapest silent casts, as DuckDB's function binder does. A tie is a refusal unless
// an argument is Unknown.
func (f *function) match(args []typ) (*overload, matchResult) {
	var best *overload
	lowest, tie, unknown, differ := 0, false, false, false
	for _, a := range args {
		unknown = unknown || !a.known()
	}
	for i := range f.overloads {
		o := &f.overloads[i]
		cost := o.cost(args)
		switch {
		case cost == never:
		case best == nil || cost < lowest:
			differ = differ || best != nil && !best.result.equal(o.result)
			best, lowest, tie = o, cost, false
		case cost == lowest:
			tie = true
			differ = differ || !best.result.equal(o.result)
		default:
			differ = differ || !best.result.equal(o.result)
		}
	}
	switch {
	case best == nil:
		return nil, noMatch
	case unknown && (tie || differ):
		return nil, matched // any of them: the result is Unknown
	case tie:
		return best, ambiguousMatch
	}
	return best, matched
}

// cost is the sum of the silent casts a call needs, or never.
func (o *overload) cost(args []typ) int {
	if len(args) < len(o.params) || len(args) > len(o.params) && o.rest == nil {
		return never
	}
	sum := 0
	for i, a := range args {
		p := o.param(i)
		c := implicitCost(a, p)
		if c == never {
			return never
		}
		sum += c
	}
	return sum
}

// param is the type wanted at a place; behind the listed ones it is that of the rest.
func (o *overload) param(i int) typ {
	if i < len(o.params) {
		return o.params[i]
	}
	return *o.rest
}

// bindTemplates finds out what T, K and V stand for: the combination of all arguments at their places. Where they do not
// combine it says which argument is the first that does not.
func (o *overload) bindTemplates(args []typ) (bound map[string]typ, fault int) {
	bound, fault = map[string]typ{}, -1
	for i, a := range args {
		if !bindTemplate(bound, o.param(i), a) && fault < 0 {
			fault = i
		}
	}
	return bound, fault
}

// bindTemplate matches one parameter with one argument and notes what T, K or V must be; false when it cannot be.
func bindTemplate(bound map[string]typ, param, arg typ) bool {
	switch param.kind {
	case kTemplate:
		have, seen := bound[param.more.name]
		if !seen {
			bound[param.more.name] = arg
			return true
		}
		t, ok := combine(have, arg)
		if !ok {
			t = forced(have, arg)
		}
		bound[param.more.name] = t
		return ok
	case kList, kArray:
		switch arg.kind {
		case kList, kArray:
			return bindTemplate(bound, param.elem(), arg.elem())
		case kNull, kStringLit:
			return bindTemplate(bound, param.elem(), scalar(kNull))
		default:
			return bindTemplate(bound, param.elem(), typ{})
		}
	case kMap:
		if arg.kind == kMap && arg.more != nil && param.more != nil {
			key := bindTemplate(bound, param.more.key, arg.more.key)
			return bindTemplate(bound, param.elem(), arg.elem()) && key
		}
	case kStruct:
		ok := true
		for i, f := range param.fields() {
			if fields := arg.fields(); i < len(fields) {
				ok = bindTemplate(bound, f.typ, fields[i].typ) && ok
			}
		}
		return ok
	}
	return true
}

// templated reports whether the type is made of T, K or V.
func (t typ) templated() bool {
	switch t.kind {
	case kTemplate:
		return true
	case kList, kArray:
		return t.elem().templated()
	case kMap:
		return t.elem().templated() || t.more.key.templated()
	}
	return false
}

// substitute replaces templates by what they stand for; one that nothing bound is Unknown.
func substitute(t typ, bound map[string]typ) typ {
	switch t.kind {
	case kTemplate:
		return bound[t.more.name].settled()
	case kList:
		return listOf(substitute(t.elem(), bound))
	case kArray:
		return arrayOf(substitute(t.elem(), bound), t.more.size)
	case kMap:
		if t.more == nil {
			return t
		}
		return mapOf(substitute(t.more.key, bound), substitute(t.elem(), bound))
	case kStruct:
		fields := make([]field, len(t.fields()))
		for i, f := range t.fields() {
			fields[i] = field{f.name, substitute(f.typ, bound)}
		}
		return structOf(fields)
	}
	return t
}
