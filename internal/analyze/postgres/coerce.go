package postgres

import "strings"

// Coercible reports whether a value of one type can become one of another in a context, by the rules of
// find_coercion_pathway: a cast of the catalogue, element by element for arrays, and text for everything that is stored or
// asked for.
func Coercible(from, to *Type, c Context) bool {
	switch {
	case from == to, from == Unknown(), to == nil, from == nil:
		return true
	case to.Name == "any":
		return true
	case to.Kind == 'p' && polymorphic(to):
		return true
	case from.Kind == 'p' && from.Name == "record" && (to.Name == "record"):
		return true
	}
	return pathway(from, to, c)
}

// pathway is find_coercion_pathway for two different types that are known.
func pathway(from, to *Type, c Context) bool {
	if context, ok := catalogue().casts[castKey{from, to}]; ok {
		return rank(context) <= rank(c)
	}
	if from.Elem != nil && to.Elem != nil && to.Name[0] == '_' && to != from {
		// oidvector and int2vector are arrays that no array becomes.
		if from.Elem == to.Elem || pathway(from.Elem, to.Elem, c) {
			return true
		}
	}
	if to.Kind == 'p' || from.Kind == 'p' && from.Name != "record" {
		return false
	}
	// Every type has a text form.
	switch {
	case rank(c) >= rank(Assignment) && to.Category == 'S':
		return true
	case c == Explicit && from.Category == 'S':
		return true
	}
	return false
}

// polymorphic reports whether a pseudo type stands for the type of an argument.
func polymorphic(t *Type) bool {
	switch t.Name {
	case "anyelement", "anyarray", "anynonarray", "anyenum", "anyrange", "anymultirange",
		"anycompatible", "anycompatiblearray", "anycompatiblenonarray", "anycompatiblerange", "anycompatiblemultirange":
		return true
	}
	return false
}

// Common is the one type for the branches of CASE, the arguments of COALESCE, the rows of VALUES or the sides of UNION
// (select_common_type). It fails where the types are of different categories, or where a value cannot become the type
// chosen. Types that are nil are not known and make the result nil.
func Common(types []*Type) (*Type, bool) {
	for _, t := range types {
		if t == nil {
			return nil, true
		}
	}
	t, ok := chooseCommon(types)
	if !ok {
		return nil, false
	}
	for _, u := range types {
		if !Coercible(u, t, Implicit) {
			return nil, false
		}
	}
	return t, true
}

// chooseCommon is the choice without the check that every value can become it.
func chooseCommon(types []*Type) (*Type, bool) {
	choice := types[0]
	same := choice != Unknown()
	for _, t := range types[1:] {
		same = same && t == choice
	}
	if same {
		return choice, true
	}
	for _, t := range types[1:] {
		switch {
		case t == Unknown() || t == choice:
		case choice == Unknown():
			choice = t
		case t.Category != choice.Category:
			return nil, false
		case !choice.Preferred && Coercible(choice, t, Implicit) && !Coercible(t, choice, Implicit):
			choice = t
		}
	}
	if choice == Unknown() {
		choice = Text()
	}
	return choice, true
}

// generic is what the polymorphic types of a signature stand for in a call.
type generic struct {
	elem, array, ranged, multi    *Type // of anyelement and its family, which must agree exactly
	common, commonRange           *Type // of anycompatible and its family, which share a common type
	someCommon, nonArray, anyEnum bool  // which kinds of polymorphic parameters there are
}

// bindGeneric matches arguments with the polymorphic parameters of a signature; it fails where they contradict each other
// (check_generic_type_consistency).
func bindGeneric(args, params []*Type) (g generic, ok bool) {
	var compatible []*Type
	agree := func(have **Type, t *Type) bool {
		if *have != nil && *have != t {
			return false
		}
		*have = t
		return true
	}
	for i, p := range params {
		if p.Kind != 'p' {
			continue
		}
		a := args[i]
		g.someCommon = g.someCommon || strings.HasPrefix(p.Name, "anycompatible")
		g.nonArray = g.nonArray || p.Name == "anynonarray"
		g.anyEnum = g.anyEnum || p.Name == "anyenum"
		if a == Unknown() {
			continue
		}
		fine := true
		switch p.Name {
		case "anyelement", "anynonarray", "anyenum":
			fine = agree(&g.elem, a)
		case "anyarray":
			fine = a.Elem != nil && agree(&g.array, a)
		case "anyrange":
			fine = a.Kind == 'r' && agree(&g.ranged, a)
		case "anymultirange":
			fine = a.Kind == 'm' && agree(&g.multi, a)
		case "anycompatible", "anycompatiblenonarray":
			compatible = append(compatible, a)
			fine = p.Name == "anycompatible" || a.Elem == nil
		case "anycompatiblearray":
			if fine = a.Elem != nil; fine {
				compatible = append(compatible, a.Elem)
			}
		case "anycompatiblerange":
			if fine = a.Kind == 'r' && agree(&g.commonRange, a); fine {
				compatible = append(compatible, a.Subtype)
			}
		case "anycompatiblemultirange":
			r := rangeOf(a)
			if fine = r != nil && agree(&g.commonRange, r); fine {
				compatible = append(compatible, r.Subtype)
			}
		}
		if !fine {
			return g, false
		}
	}
	return g, g.settle(compatible)
}

// settle works out the members of both families from each other.
func (g *generic) settle(compatible []*Type) bool {
	if g.array != nil {
		if g.elem != nil && g.elem != g.array.Elem {
			return false
		}
		g.elem = g.array.Elem
	}
	if g.multi != nil {
		r := rangeOf(g.multi)
		if r == nil || g.ranged != nil && g.ranged != r {
			return false
		}
		g.ranged = r
	}
	if g.ranged != nil {
		if g.elem != nil && g.elem != g.ranged.Subtype {
			return false
		}
		g.elem, g.multi = g.ranged.Subtype, g.ranged.Multi
	}
	if g.elem != nil && (g.nonArray && g.elem.Elem != nil && g.elem.Name[0] == '_' || g.anyEnum && g.elem.Category != 'E') {
		return false
	}
	if !g.someCommon {
		return true
	}
	if len(compatible) == 0 {
		g.common = Text()
		return true
	}
	common, ok := chooseCommon(compatible)
	if !ok {
		return false
	}
	for _, t := range compatible {
		if !Coercible(t, common, Implicit) {
			return false
		}
	}
	g.common = common
	return g.commonRange == nil || g.commonRange.Subtype == common
}

// rangeOf is the range that a multirange is made of.
func rangeOf(t *Type) *Type {
	if t.Kind != 'm' {
		return nil
	}
	for _, r := range Types() {
		if r.Multi == t {
			return r
		}
	}
	return nil
}

// result is what a declared result stands for; nil where the arguments do not tell.
func (g *generic) result(t *Type) *Type {
	if t.Kind != 'p' {
		return t
	}
	array := func(elem *Type) *Type {
		if elem == nil {
			return nil
		}
		return elem.Array
	}
	switch t.Name {
	case "anyelement", "anynonarray", "anyenum":
		return g.elem
	case "anyarray":
		return array(g.elem)
	case "anyrange":
		return g.ranged
	case "anymultirange":
		return g.multi
	case "anycompatible", "anycompatiblenonarray":
		return g.common
	case "anycompatiblearray":
		return array(g.common)
	case "anycompatiblerange":
		return g.commonRange
	case "anycompatiblemultirange":
		if g.commonRange != nil {
			return g.commonRange.Multi
		}
		return nil
	}
	return t
}
