package postgres

import "slices"

// A Match says how a search for an overload ended.
type Match uint8

// The ends of a search.
const (
	Found     Match = iota
	None            // nothing takes these arguments
	Ambiguous       // several do, and none is better
)

// candidate is a signature that may be meant; index says which overload it is of.
type candidate struct {
	params []*Type
	index  int
	plain  bool // neither expanded nor filled up with defaults
}

// ResolveOperator chooses an operator for operands; left is nil for a prefix operator. Operands must be known types.
func ResolveOperator(name string, left, right *Type) (Operator, Match) {
	overloads := catalogue().operators[name]
	args := []*Type{right}
	if left != nil {
		args = []*Type{left, right}
	}
	var candidates []candidate
	for i, o := range overloads {
		if (o.Left == nil) != (left == nil) {
			continue
		}
		params := []*Type{o.Right}
		if left != nil {
			params = []*Type{o.Left, o.Right}
		}
		candidates = append(candidates, candidate{params: params, index: i, plain: true})
	}
	// An unknown literal beside a known operand is first taken for its type.
	exact := slices.Clone(args)
	if left != nil {
		if exact[0] == Unknown() {
			exact[0] = exact[1]
		} else if exact[1] == Unknown() {
			exact[1] = exact[0]
		}
	}
	best, match := -1, None
	for i, c := range candidates {
		if slices.Equal(c.params, exact) {
			best, match = i, Found
		}
	}
	if match != Found {
		best, match = choose(args, candidates)
	}
	if match != Found {
		return Operator{}, match
	}
	o := overloads[candidates[best].index]
	g, _ := bindGeneric(args, candidates[best].params)
	o.Result = g.result(o.Result)
	for _, p := range []**Type{&o.Left, &o.Right} {
		if *p != nil {
			*p = g.result(*p)
		}
	}
	return o, Found
}

// A Call is a function chosen for arguments.
type Call struct {
	*Function
	Result *Type   // nil where the arguments do not tell what polymorphic types stand for
	Params []*Type // what the arguments become
	// Cast is set for a call such as text(x) that is a cast to the type of that name; there is no function then.
	Cast bool
}

// ResolveFunction chooses the overload of a function for arguments of known types. keep says which overloads come into
// question, nil for all.
func ResolveFunction(name string, args []*Type, keep func(*Function) bool) (Call, Match) {
	overloads := Functions(name)
	var candidates []candidate
	for i, f := range overloads {
		if keep != nil && !keep(f) {
			continue
		}
		params, plain := f.params(len(args))
		if params == nil && len(args) > 0 || !plain && params == nil {
			continue
		}
		candidates = add(candidates, candidate{params, i, plain})
	}
	best, match := -1, None
	for i, c := range candidates {
		if slices.Equal(c.params, args) {
			best, match = i, Found
		}
	}
	if match != Found && len(args) == 1 {
		if t := Lookup(name); t != nil && t.Kind != 'p' && castByName(args[0], t) {
			return Call{Result: t, Params: []*Type{t}, Cast: true}, Found
		}
	}
	if match != Found {
		best, match = choose(args, candidates)
	}
	if match != Found {
		return Call{}, match
	}
	f := overloads[candidates[best].index]
	g, _ := bindGeneric(args, candidates[best].params)
	call := Call{Function: f, Result: g.result(f.Result), Params: slices.Clone(candidates[best].params)}
	for i, p := range call.Params {
		if r := g.result(p); r != nil {
			call.Params[i] = r
		} else {
			call.Result = nil // what a literal stands for here nobody can tell
		}
	}
	return call, Found
}

// Columns are the columns that the call yields as rows, with the types that its arguments decide.
func (c *Call) Columns(args []*Type) []Output {
	if c.Function == nil || len(c.Outputs) == 0 {
		return nil
	}
	g, _ := bindGeneric(args, c.Function.Args[:min(len(args), len(c.Function.Args))])
	columns := slices.Clone(c.Outputs)
	for i := range columns {
		columns[i].Type = g.result(columns[i].Type)
	}
	return columns
}

// castByName reports whether name(x) is a cast rather than a call: of a literal, or of a value that becomes the type without
// a function.
func castByName(from, to *Type) bool {
	if from == Unknown() || from == to {
		return true
	}
	if _, ok := catalogue().casts[castKey{from, to}]; ok {
		return catalogue().relabels[castKey{from, to}]
	}
	return from.Name != "record" && pathway(from, to, Explicit)
}

// params is what a function takes for n arguments: the last parameter repeated, or the last ones left out. Nil and false when
// it takes no such number.
func (f *Function) params(n int) (params []*Type, plain bool) {
	switch {
	case f.Ordered == 'o' || f.Ordered == 'h':
		if f.Variadic == nil && n == len(f.Args) {
			return f.Args, true
		}
		if f.Variadic != nil && n >= len(f.Args)-1 {
			return f.expanded(n), false
		}
	case f.Variadic != nil && n >= len(f.Args):
		return f.expanded(n), false
	case n == len(f.Args):
		if n == 0 {
			return []*Type{}, true
		}
		return f.Args, true
	case n < len(f.Args) && n >= len(f.Args)-f.Defaults:
		return slices.Clone(f.Args[:n:n]), false
	}
	return nil, false
}

// expanded repeats the last parameter up to n.
func (f *Function) expanded(n int) []*Type {
	params := make([]*Type, 0, n)
	params = append(params, f.Args[:min(n, len(f.Args)-1)]...)
	for len(params) < n {
		params = append(params, f.Variadic)
	}
	return params
}

// add appends a candidate; of two with one list of types the one that needs no expansion stays.
func add(list []candidate, c candidate) []candidate {
	for i := range list {
		if slices.Equal(list[i].params, c.params) {
			if c.plain && !list[i].plain {
				list[i] = c
			}
			return list
		}
	}
	return append(list, c)
}

// choose is func_match_argtypes and func_select_candidate: those that the arguments can become silently, thinned out until
// one is left.
func choose(args []*Type, candidates []candidate) (int, Match) {
	var left []int
	for i, c := range candidates {
		if takes(args, c.params) {
			left = append(left, i)
		}
	}
	switch len(left) {
	case 0:
		return -1, None
	case 1:
		return left[0], Found
	}
	// The most exact matches.
	left = most(left, func(i int) (n int) {
		for j, a := range args {
			if a != Unknown() && candidates[i].params[j] == a {
				n++
			}
		}
		return n
	})
	if len(left) == 1 {
		return left[0], Found
	}
	// The most exact or preferred matches.
	left = most(left, func(i int) (n int) {
		for j, a := range args {
			if p := candidates[i].params[j]; a != Unknown() && (p == a || p.Preferred && p.Category == a.Category) {
				n++
			}
		}
		return n
	})
	if len(left) == 1 {
		return left[0], Found
	}
	unknowns := 0
	for _, a := range args {
		if a == Unknown() {
			unknowns++
		}
	}
	if unknowns == 0 {
		return -1, Ambiguous
	}
	left = byCategory(args, candidates, left)
	if len(left) == 1 {
		return left[0], Found
	}
	if best := sameType(args, candidates, left, unknowns); best >= 0 {
		return best, Found
	}
	return -1, Ambiguous
}

// takes reports whether the arguments can become the parameters silently.
func takes(args, params []*Type) bool {
	generic := false
	for i, a := range args {
		if !Coercible(a, params[i], Implicit) {
			return false
		}
		generic = generic || params[i].Kind == 'p' && polymorphic(params[i])
	}
	if !generic {
		return true
	}
	_, ok := bindGeneric(args, params)
	return ok
}

// most keeps those with the highest count.
func most(list []int, count func(i int) int) []int {
	best := -1
	var out []int
	for _, i := range list {
		switch n := count(i); {
		case n > best:
			best, out = n, append(out[:0:0], i)
		case n == best:
			out = append(out, i)
		}
	}
	return out
}

// byCategory decides about unknown literals by the category that the candidates agree on at their places, or by text where
// any of them takes it.
func byCategory(args []*Type, candidates []candidate, left []int) []int {
	category := make([]byte, len(args))
	preferred := make([]bool, len(args))
	for j, a := range args {
		if a != Unknown() {
			continue
		}
		conflict, text := false, false
		for n, i := range left {
			p := candidates[i].params[j]
			switch {
			case n == 0:
				category[j], preferred[j] = p.Category, p.Preferred
			case p.Category == category[j]:
				preferred[j] = preferred[j] || p.Preferred
			case p.Category == 'S':
				category[j], preferred[j] = 'S', p.Preferred
			default:
				conflict = true
			}
			text = text || category[j] == 'S'
		}
		if conflict && !text {
			return left
		}
	}
	var out []int
	for _, i := range left {
		fits := true
		for j, a := range args {
			if a != Unknown() {
				continue
			}
			p := candidates[i].params[j]
			fits = fits && p.Category == category[j] && (!preferred[j] || p.Preferred)
		}
		if fits {
			out = append(out, i)
		}
	}
	if len(out) == 0 {
		return left
	}
	return out
}

// sameType is the last resort: where all known arguments are of one type, the unknown ones are taken for it.
func sameType(args []*Type, candidates []candidate, left []int, unknowns int) int {
	if unknowns == len(args) {
		return -1
	}
	var known *Type
	for _, a := range args {
		if a == Unknown() {
			continue
		}
		if known != nil && known != a {
			return -1
		}
		known = a
	}
	all := make([]*Type, len(args))
	for i := range all {
		all[i] = known
	}
	best := -1
	for _, i := range left {
		if takes(all, candidates[i].params) {
			if best >= 0 {
				return -1
			}
			best = i
		}
	}
	return best
}
