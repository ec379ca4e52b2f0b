package analyze

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/norn-data/norn/internal/diag"
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

// unknownSystem reports a name in a schema that holds nothing but views of DuckDB's own, and not this one. A recursive CTE is read as
// recurring.name inside itself alone.
func (b *binder) unknownSystem(t *sql.TableName) *diag.Problem {
	if b.pg || len(t.Parts) != 2 {
		return nil
	}
	schema, name := t.Parts[0], t.Parts[1]
	switch fold(schema.Text) {
	case "information_schema", "pg_catalog":
	case "recurring":
		return b.problem("E1002", t.Range, "recurring.%s is read in the second part of the recursive CTE alone", name.Text)
	default:
		return nil
	}
	p := b.problem("E1002", name.Range, "%s has no view %s", schema.Text, name.Text)
	var names []string
	for line := range systemRelations() {
		if rest, ok := strings.CutPrefix(line, fold(schema.Text)+"."); ok {
			names = append(names, rest)
		}
	}
	slices.Sort(names)
	suggest(p, name.Text, names)
	return p
}

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
