package project

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/norn-data/norn/internal/diag"
)

// fold maps a name to the form in which names are compared: DuckDB compares without regard to case, and PostgreSQL folds
// what is not quoted.
func fold(name string) string { return strings.ToLower(name) }

// sortFold sorts names without regard to case; equal ones by their bytes.
func sortFold(names []string) {
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(fold(a), fold(b)), cmp.Compare(a, b))
	})
}

// usableName says whether a name can be written in SQL without quotes: letters, digits and underscores, no digit first.
func usableName(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != ""
}

// plainName turns a text into a usable name, for a suggestion.
func plainName(text string) string {
	name := strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, text)
	if name == "" || unicode.IsDigit([]rune(name)[0]) {
		name = "_" + name
	}
	return name
}

// checkName reports a name that cannot be written in a query without quotes.
func checkName(r *report, w Word, noun string) {
	if !usableName(w.Text) {
		r.add(diag.New("E0014", w.Span, "%q cannot be the name of a %s", w.Text, noun).
			WithHelp("use letters, digits and underscores, such as %s", plainName(w.Text)))
	}
}
