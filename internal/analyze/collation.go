package analyze

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// collationText lists the collations of DuckDB, one a line, written by functions/gen/main.go.
//
//go:embed functions/collations.txt
var collationText string

// collations are the names of the list. Like the catalogue it is a constant that is only computed late.
var collations = sync.OnceValue(func() (names []string) {
	for line := range strings.Lines(collationText) {
		if name := strings.TrimSpace(line); !strings.HasPrefix(name, "#") {
			names = append(names, name)
		}
	}
	return names
})

// knownCollation reports a collation that DuckDB does not have, and two of which only one can be: nocase, noaccent and nfc go with any
// other one.
func (b *binder) knownCollation(x *sql.Collate) *diag.Problem {
	if b.pg {
		return nil
	}
	alone := ""
	for i := range x.Collation {
		part := x.Collation[i]
		for text := range strings.SplitSeq(fold(part.Text), ".") {
			switch text {
			case "nocase", "noaccent", "nfc", "binary":
				continue
			case "c", "posix":
				if len(x.Collation) == 1 && fold(part.Text) == text {
					continue
				}
			}
			found := false
			for _, name := range collations() {
				found = found || name == text
			}
			if !found {
				p := b.problem("E1005", part.Range, "unknown collation %s", text)
				suggest(p, text, collations())
				return p
			}
			if alone != "" && alone != text {
				p := b.problem("E1104", part.Range, "the collations %s and %s cannot be combined", alone, text)
				if p.Help == "" {
					p.WithHelp("nocase, noaccent and nfc can stand beside another one")
				}
				return p
			}
			alone = text
		}
	}
	return nil
}
