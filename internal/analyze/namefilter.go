package analyze

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/norn-data/norn/internal/sql"
)

// nameFilter computes the condition of COLUMNS(c -> …) for a name: a small part of SQL over one text. What it does not
// know makes it give up, which read tells afterwards.
type nameFilter struct {
	param []sql.Name
	read  bool
}

// test is a truth value; false as second result when the expression is none that can be computed.
func (f *nameFilter) test(x sql.Expr, name string) (value, ok bool) {
	defer func() { f.read = f.read && ok }()
	switch x := x.(type) {
	case *sql.Literal:
		return x.Text == "true", x.Kind == sql.BoolLiteral
	case *sql.Unary:
		v, ok := f.test(x.X, name)
		return !v, ok && x.Op == "NOT"
	case *sql.Logical:
		for _, a := range x.Args {
			v, ok := f.test(a, name)
			if !ok {
				return false, false
			}
			if v == x.Or {
				return x.Or, true
			}
		}
		return !x.Or, true
	case *sql.Like:
		text, ok := f.text(x.X, name)
		pattern, constant := constantString(x.Pattern)
		if !ok || !constant || x.Escape != nil {
			return false, false
		}
		re, err := likeRegexp(x.Kind, pattern)
		return err == nil && re.MatchString(text) != x.Not, err == nil
	case *sql.In:
		text, ok := f.text(x.X, name)
		list := x.List
		if set, isList := x.Set.(*sql.List); isList {
			list = set.Items
		} else if x.Set != nil || x.Query != nil {
			return false, false
		}
		var members []string
		for _, m := range list {
			member, constant := f.text(m, name)
			ok = ok && constant
			members = append(members, member)
		}
		return slices.Contains(members, text) != x.Not, ok
	case *sql.Binary:
		return f.compare(x, name)
	case *sql.Call:
		return f.predicate(x, name)
	}
	return false, false
}

// compare compares two texts or two lengths.
func (f *nameFilter) compare(x *sql.Binary, name string) (value, ok bool) {
	left, leftOK := f.text(x.Left, name)
	right, rightOK := f.text(x.Right, name)
	order := strings.Compare(left, right)
	if !leftOK || !rightOK {
		a, aOK := f.number(x.Left, name)
		b, bOK := f.number(x.Right, name)
		if !aOK || !bOK {
			return false, false
		}
		order = int(a - b)
	} else if x.Op == "~" {
		re, err := regexp.Compile("^(?:" + right + ")$")
		return err == nil && re.MatchString(left), err == nil
	}
	switch x.Op {
	case "=":
		return order == 0, true
	case "<>":
		return order != 0, true
	case "<":
		return order < 0, true
	case ">":
		return order > 0, true
	case "<=":
		return order <= 0, true
	case ">=":
		return order >= 0, true
	}
	return false, false
}

// predicate is a function of text that yields a truth value.
func (f *nameFilter) predicate(x *sql.Call, name string) (value, ok bool) {
	if len(x.Args) != 2 {
		return false, false
	}
	text, ok1 := f.text(x.Args[0].Value, name)
	part, ok2 := f.text(x.Args[1].Value, name)
	ok = ok1 && ok2
	switch fold(x.FuncName()) {
	case "starts_with", "prefix", "^@":
		return strings.HasPrefix(text, part), ok
	case "ends_with", "suffix":
		return strings.HasSuffix(text, part), ok
	case "contains":
		return strings.Contains(text, part), ok
	case "regexp_matches", "regexp_full_match":
		if fold(x.FuncName()) == "regexp_full_match" {
			part = "^(?:" + part + ")$"
		}
		re, err := regexp.Compile(part)
		return err == nil && re.MatchString(text), ok && err == nil
	}
	return false, false
}

// text is an expression that yields text.
func (f *nameFilter) text(x sql.Expr, name string) (string, bool) {
	switch x := x.(type) {
	case *sql.Literal:
		return x.Text, x.Kind == sql.StringLiteral
	case *sql.ColumnRef:
		return name, len(x.Parts) == 1 && len(f.param) == 1 && fold(x.Parts[0].Text) == fold(f.param[0].Text)
	case *sql.Binary:
		left, ok1 := f.text(x.Left, name)
		right, ok2 := f.text(x.Right, name)
		return left + right, ok1 && ok2 && x.Op == "||"
	case *sql.Call:
		if len(x.Args) != 1 {
			return "", false
		}
		text, ok := f.text(x.Args[0].Value, name)
		switch fold(x.FuncName()) {
		case "lower", "lcase":
			return strings.ToLower(text), ok
		case "upper", "ucase":
			return strings.ToUpper(text), ok
		case "trim":
			return strings.Trim(text, " "), ok
		}
	}
	return "", false
}

// number is an expression that yields a whole number.
func (f *nameFilter) number(x sql.Expr, name string) (int64, bool) {
	if n, ok := constantInt(x); ok {
		return n, true
	}
	call, ok := x.(*sql.Call)
	if !ok || len(call.Args) != 1 {
		return 0, false
	}
	text, ok := f.text(call.Args[0].Value, name)
	switch fold(call.FuncName()) {
	case "length", "len", "char_length":
		return int64(utf8.RuneCountInString(text)), ok
	}
	return 0, false
}

// likeRegexp is the expression for LIKE and its relatives, over the whole text.
func likeRegexp(kind sql.LikeKind, pattern string) (*regexp.Regexp, error) {
	text := pattern
	switch kind {
	case sql.LikeCase:
		text = likeToRegexp(pattern)
	case sql.LikeNoCase:
		text = "(?i)" + likeToRegexp(pattern)
	case sql.LikeGlob:
		text = globToRegexp(pattern)
	}
	return regexp.Compile("^(?s:" + text + ")$")
}

// globToRegexp writes a GLOB pattern as a regular expression: * and ?, and sets in brackets.
func globToRegexp(pattern string) string {
	out := ""
	for _, r := range pattern {
		switch r {
		case '*':
			out += ".*"
		case '?':
			out += "."
		case '[', ']', '-', '!', '^':
			out += map[rune]string{'[': "[", ']': "]", '-': "-", '!': "^", '^': "^"}[r]
		default:
			out += regexp.QuoteMeta(string(r))
		}
	}
	return out
}
