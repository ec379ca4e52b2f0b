package analyze

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// takesJSONPath lists the functions that read a document at a path, their second argument. A path with a wildcard finds any
// number of values, so that these functions yield a list of what they yield otherwise.
func takesJSONPath(name string) bool {
	switch name {
	case "json_extract", "json_extract_path", "json_extract_string", "json_extract_path_text", "json_value", "json_type", "json_array_length",
		"json_exists", "json_keys":
		return true
	}
	return false
}

// atJSONPath is the type of what is found at a path when one value of type t is found at a path without wildcards.
func (b *binder) atJSONPath(at sql.Range, name string, t typ, path value, x sql.Expr) (typ, *diag.Problem) {
	for _, item := range listItems(x) {
		if text, ok := constantString(item); ok && wildcardPath(text) {
			return typ{}, b.problem("E1104", item.Bounds(), "one of several paths cannot have a wildcard").WithHelp("ask for it in a call of its own")
		}
	}
	text, ok := constantString(x)
	switch {
	case ok && wildcardPath(text):
		return listOf(t), nil
	case ok || !path.folds || path.typ.settled().kind != kVarchar || path.void:
		return t, nil
	}
	b.pass(at, whyPath, name) // a text that DuckDB puts together while it binds
	return typ{}, nil
}

// wildcardPath reports whether a path may find more than one value: * in place of a key or of an index, or a search of all levels.
// Without a dollar sign the text is a key, whatever stands in it, and a star alone is every key.
func wildcardPath(path string) bool {
	if path == "*" {
		return true
	}
	if !strings.HasPrefix(path, "$") {
		return false
	}
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '"':
			end := strings.IndexByte(path[i+1:], '"')
			if end < 0 {
				return false
			}
			i += end + 1
		case '.':
			if rest := path[i+1:]; strings.HasPrefix(rest, "*") || strings.HasPrefix(rest, ".") {
				return true
			}
		case '[':
			if strings.HasPrefix(path[i+1:], "*") {
				return true
			}
		}
	}
	return false
}
