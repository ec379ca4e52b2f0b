package analyze

import (
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// cast keeps texts that stay text and numbers that stay whole. JSON may hold a null, which becomes NULL.
func (f *folding) cast(x *sql.Cast) constant {
	v := f.expr(x.X)
	if v.knowledge != present {
		return v
	}
	to := resolveType(x.Type)
	_, plain := v.whole()
	switch {
	case v.kind == aText && to.kind >= kTime && to.kind <= kInterval && strings.Contains(fold(v.text), "inf"):
		return constant{} // an endless date has no parts
	case v.kind == aText && (to.kind == kVarchar || to.kind == kEnum || to.kind == kJSON):
		return v
	case v.kind == aList && to.kind == kList:
		for i := range v.items {
			v.items[i] = constant{knowledge: v.items[i].knowledge}
		}
		return v
	case v.kind == aText && !mayHoldJSON(x.X) && cannotConvert(v.text, to):
		if x.Try {
			return noValue
		}
		return someValue
	case plain && (to.integral() || to.kind == kDouble) && !x.Try:
		return v
	case x.Try && v.kind == aText && to.kind != kBoolean && (to.numeric() && to.kind != kDecimal || to.kind == kVarchar):
		if _, err := strconv.ParseFloat(v.text, 64); err == nil && len(v.text) < 3 {
			return someValue
		}
		return constant{}
	case x.Try:
		return constant{}
	}
	if from, ok := x.X.(*sql.Cast); ok && resolveType(from.Type).kind == kJSON && to.kind != kVarchar {
		switch {
		case v.kind != aText:
			return constant{}
		case strings.TrimSpace(v.text) == "null":
			return noValue
		}
		return someValue
	}
	if to.known() && (v.kind != opaque || isPresent(x.X) || to.kind != kVarchar) && !mayHoldJSON(x.X) {
		return someValue
	}
	return constant{}
}

// mayHoldJSON reports an expression that may yield JSON, whose null is no NULL until it is cast.
func mayHoldJSON(x sql.Expr) bool {
	found := false
	walk(x, func(x sql.Expr) bool {
		switch x := x.(type) {
		case *sql.Cast:
			found = found || resolveType(x.Type).kind == kJSON
		case *sql.Binary:
			found = found || strings.HasPrefix(x.Op, "->")
		case *sql.Call:
			found = found || strings.Contains(fold(x.FuncName()), "json")
		}
		return !found
	})
	return found
}

// element is what stands at a place in a list, under a key in a map or a name in a struct.
func element(from, at constant) constant {
	if from.knowledge == absent || at.knowledge == absent {
		return noValue
	}
	switch from.kind {
	case aList:
		if n, ok := at.whole(); ok {
			return nthOf(from.items, n)
		}
	case aStruct:
		for i, name := range from.names {
			if at.kind == aText && name != "" && fold(name) == fold(at.text) {
				return from.items[i]
			}
		}
		if n, ok := at.whole(); ok && n >= 1 && n <= len(from.items) {
			return from.items[n-1]
		}
	case aMap:
		for i, key := range from.keys {
			if key.kind != at.kind || key.kind != aText && key.kind != aNumber {
				return constant{}
			}
			if key.text == at.text && key.number == at.number {
				return from.items[i]
			}
		}
		if at.kind == aText || at.kind == aNumber {
			return noValue
		}
	case aText:
		if at.knowledge == present {
			return someValue
		}
	}
	return constant{}
}

// nthOf is an element of a list, counted from 1 or, below zero, from the end.
func nthOf(items []constant, n int) constant {
	if n < 0 {
		n += len(items) + 1
	}
	if n < 1 || n > len(items) {
		return noValue
	}
	return items[n-1]
}

// slice is a part of a list or text; it is NULL only where that is.
func (f *folding) slice(x *sql.Slice) constant {
	from := f.expr(x.X)
	low, high := numberOf(1), numberOf(-1)
	if x.Low != nil {
		low = f.expr(x.Low)
	}
	if x.High != nil {
		high = f.expr(x.High)
	}
	out := strictly(from, low, high)
	l, lok := low.whole()
	h, hok := high.whole()
	if from.kind != aList || !lok || !hok || l == 0 || x.Step != nil {
		return out
	}
	if l < 0 {
		l = max(1, l+len(from.items)+1)
	}
	if h < 0 {
		h += len(from.items) + 1
	}
	if l > h || l > len(from.items) {
		return listed(nil)
	}
	return listed(from.items[l-1 : min(h, len(from.items))])
}
