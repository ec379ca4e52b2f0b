package analyze

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/norn-data/norn/internal/sql"
)

// relationText is what every database of DuckDB's has without being asked: its views, and table functions such as
// duckdb_tables(), each with its columns. Written by functions/gen/main.go.
//
//go:embed functions/relations.txt
var relationText string

// systemRelations are the lines of relationText by folded name; most projects read none, so that they are cut up on use.
var systemRelations = sync.OnceValue(func() map[string]string {
	lines := map[string]string{}
	for line := range strings.Lines(relationText) {
		if name, columns, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok {
			lines[fold(name)] = columns
		}
	}
	return lines
})

// systemShape is the shape of information_schema.tables, duckdb_tables() and the like; nil when there is none of that name.
func systemShape(name string, at sql.Range) *shape {
	text, ok := systemRelations()[fold(name)]
	if !ok {
		return nil
	}
	s := &shape{}
	parts := strings.Split(text, "\t")
	for i := 0; i+1 < len(parts); i += 2 {
		s.cols = append(s.cols, column{name: parts[i], fold: fold(parts[i]), value: value{typ: parseType(parts[i+1]), null: true}, span: at})
	}
	return s.seal()
}
