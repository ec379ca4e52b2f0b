package analyze

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// Modifiers are the numbers in parentheses behind a type. DuckDB heeds those of DECIMAL and of TIMESTAMP; those of text, BIT and FLOAT it
// reads and forgets; behind any other type it refuses them.

// modifiersOf is how many modifiers a type takes under the name that was written.
func modifiersOf(t *sql.TypeName, k kind) int {
	switch k {
	case kDecimal:
		return 2
	case kVarchar, kBit, kTimestamp:
		return 1
	case kFloat:
		if strings.EqualFold(t.Name[0].Text, "float") {
			return 1
		}
	}
	return 0
}

// tooManyModifiers reports modifiers that a type does not take.
func (b *binder) tooManyModifiers(t *sql.TypeName, k kind) *diag.Problem {
	most := modifiersOf(t, k)
	if k == kTimestamp && most == 1 && len(t.Params) == 1 {
		if n, ok := constantInt(t.Params[0]); ok && (n < 0 || n > 9) {
			return b.problem("E1102", t.Range, "a TIMESTAMP has 0 to 9 digits of a second, not %d", n)
		}
	}
	if len(t.Params) <= most {
		return nil
	}
	name := strings.ToUpper(t.Name[0].Text)
	if most > 0 {
		return b.problem("E1102", t.Range, "%s takes %s in parentheses, not %d", name, map[int]string{1: "one number", 2: "two numbers"}[most], len(t.Params))
	}
	p := b.problem("E1102", t.Range, "%s takes no numbers in parentheses", name)
	if p.Help == "" && k == kDouble && len(t.Params) == 2 {
		p.WithHelp("a number of so many digits is a DECIMAL")
	} else if p.Help == "" {
		p.WithHelp("leave them out")
	}
	return p
}

// momentOf is the type that TIMESTAMP with a number of digits of a second means.
func momentOf(params []sql.Expr) typ {
	n, ok := constantInt(params[0])
	switch {
	case !ok || len(params) != 1 || n < 0 || n > 9:
		return typ{}
	case n == 0:
		return scalar(kTimestampS)
	case n <= 3:
		return scalar(kTimestampMS)
	case n <= 6:
		return scalar(kTimestamp)
	}
	return scalar(kTimestampNS)
}
