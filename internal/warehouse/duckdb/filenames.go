package duckdb

import (
	"context"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

// sameNames refuses a file in which two columns have the same name but for case. DuckDB reads it and calls the second one
// a_1, which is a column that nobody wrote.
func (db *DB) sameNames(ctx context.Context, path string, f format, table *frame.Frame) error {
	names, err := db.writtenNames(ctx, path, f, table)
	if err != nil {
		return err
	}
	seen := map[string]string{}
	for _, name := range names {
		key := strings.ToLower(name)
		if first, ok := seen[key]; ok {
			return diag.New("E1505", diag.Span{}, "%s has two columns named %s and %s", path, first, name).
				WithHelp("rename one of them; upper and lower case do not make a difference")
		}
		seen[key] = name
	}
	return nil
}

// writtenNames returns the column names as they stand in the file. To know those of a JSON file all its objects have to
// be read again, so this happens only when a name looks as if DuckDB had made it.
func (db *DB) writtenNames(ctx context.Context, path string, f format, table *frame.Frame) ([]string, error) {
	if f == parquetFormat {
		schema, err := db.Query(ctx, "SELECT name, coalesce(num_children, 0) AS children FROM parquet_schema("+filePattern(path)+")")
		if err != nil {
			return nil, err
		}
		return topLevel(schema.Columns[0].Texts, schema.Columns[1].Ints), nil
	}
	if !numbered(table) {
		return nil, nil
	}
	// The file is read once more as plain objects, without making columns of them.
	reader := map[format]string{jsonFormat: "auto", linesFormat: "newline_delimited"}[f]
	keys, err := db.Query(ctx, "SELECT DISTINCT unnest(json_keys(json)) AS key FROM read_json_objects("+filePattern(path)+
		", format = "+warehouse.Literal(reader)+", maximum_object_size = 1073741824) ORDER BY key")
	if err != nil {
		return nil, err
	}
	return keys.Columns[0].Texts, nil
}

// topLevel walks the schema of a Parquet file, which lists the tree of fields parents first, and returns the root's children.
func topLevel(names []string, children []int64) []string {
	var top []string
	// Entry 0 is the root, whose children are the columns.
	at := 1
	var skip func()
	skip = func() {
		n := children[at]
		at++
		for range n {
			if at < len(names) {
				skip()
			}
		}
	}
	for at < len(names) {
		top = append(top, names[at])
		skip()
	}
	return top
}

// numbered reports whether a column's name is another's with _1, _2, … behind it.
func numbered(table *frame.Frame) bool {
	for _, name := range table.Names() {
		cut := strings.LastIndexByte(name, '_')
		if cut <= 0 || cut == len(name)-1 || strings.Trim(name[cut+1:], "0123456789") != "" {
			continue
		}
		if _, ok := table.Column(name[:cut]); ok {
			return true
		}
	}
	return false
}
