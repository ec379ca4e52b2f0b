//go:build ignore

// Command gen writes the function catalogue of the DuckDB that norn is built with into catalogue.txt, what its macros
// stand for into macros.txt, the columns of its own relations into relations.txt and its collations into collations.txt.
//
// One line a function: name, kind (s scalar, a aggregate, m macro, t table function, x table macro) and its overloads,
// each "parameters>return", with "*type" for the repeated last parameter. Run it with go generate after an upgrade of
// the driver; the difference of the file is the difference of the dialect.
package main

import (
	"bufio"
	"database/sql"
	"fmt"
	"log"
	"maps"
	"os"
	"slices"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2"
)

const catalogue = `
SELECT lower(function_name),
  CASE function_type WHEN 'scalar' THEN 's' WHEN 'aggregate' THEN 'a' WHEN 'macro' THEN 'm' WHEN 'table' THEN 't' ELSE 'x' END,
  array_to_string([coalesce(p, 'ANY') for p in parameter_types], ';'),
  coalesce(varargs, ''), coalesce(return_type, ''), len(parameters)
FROM duckdb_functions()
WHERE function_type IN ('scalar', 'aggregate', 'macro', 'table', 'table_macro')
ORDER BY ALL`

// Macros whose body asks the catalogue of the database are left out: norn has none.
const macros = `
SELECT lower(function_name), array_to_string(parameters, ','), macro_definition
FROM duckdb_functions()
WHERE function_type = 'macro' AND macro_definition NOT LIKE '%(SELECT %' AND macro_definition NOT LIKE '%"system".%'
ORDER BY ALL`

func main() {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	var version string
	if err := db.QueryRow("SELECT version()").Scan(&version); err != nil {
		log.Fatal(err)
	}
	rows, err := db.Query(catalogue)
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	type key struct{ name, kind string }
	var order []key
	overloads := map[key][]string{}
	for rows.Next() {
		var k key
		var parameters, varargs, result string
		var count int
		if err := rows.Scan(&k.name, &k.kind, &parameters, &varargs, &result, &count); err != nil {
			log.Fatal(err)
		}
		if k.kind != "s" && k.kind != "a" {
			// Macros and table functions are not typed by the catalogue: only how many arguments they take is known.
			parameters, varargs, result = strings.TrimSuffix(strings.Repeat("ANY;", count), ";"), "", ""
		}
		if varargs != "" {
			parameters = strings.TrimPrefix(parameters+";*"+varargs, ";")
		}
		if _, seen := overloads[k]; !seen {
			order = append(order, k)
		}
		if line := parameters + ">" + result; !slices.Contains(overloads[k], line) {
			overloads[k] = append(overloads[k], line)
		}
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	f, err := os.Create("catalogue.txt")
	if err != nil {
		log.Fatal(err)
	}
	w := bufio.NewWriter(f)
	fmt.Fprintf(w, "# Functions of DuckDB %s. Written by gen/main.go; do not edit.\n", version)
	for _, k := range order {
		fmt.Fprintf(w, "%s\t%s\t%s\n", k.name, k.kind, strings.Join(overloads[k], "\t"))
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	writeMacros(db, version)
	writeRelations(db, version)
	writeCollations(db, version)
}

// writeCollations writes the names of the collations.
func writeCollations(db *sql.DB, version string) {
	var names string
	if err := db.QueryRow("SELECT string_agg(collname, '\n' ORDER BY collname) FROM pragma_collations()").Scan(&names); err != nil {
		log.Fatal(err)
	}
	text := fmt.Sprintf("# Collations of DuckDB %s. Written by gen/main.go; do not edit.\n%s\n", version, names)
	if err := os.WriteFile("collations.txt", []byte(text), 0o644); err != nil {
		log.Fatal(err)
	}
}

// writeRelations writes the columns of the views that every database has, by schema and name, and of the table functions
// that need no arguments to say what they yield.
func writeRelations(db *sql.DB, version string) {
	if _, err := db.Exec("CREATE TEMP TABLE any_table (any_column INTEGER)"); err != nil {
		log.Fatal(err)
	}
	names := func(query string) (out []string) {
		rows, err := db.Query(query)
		if err != nil {
			log.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				log.Fatal(err)
			}
			out = append(out, name)
		}
		return out
	}
	relations := map[string]string{"pragma_table_info()": "pragma_table_info('any_table')", "glob()": "glob('*')"}
	for _, n := range names("SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'table' AND len(parameters) = 0 AND schema_name = 'main'") {
		relations[n+"()"] = n + "()"
	}
	for _, n := range names("SELECT DISTINCT schema_name || '.' || view_name FROM duckdb_views() WHERE internal AND schema_name IN ('information_schema', 'pg_catalog')") {
		relations[n] = n
	}
	text := fmt.Sprintf("# Views and table functions of DuckDB %s with their columns. Written by gen/main.go; do not edit.\n", version)
	for _, name := range slices.Sorted(maps.Keys(relations)) {
		rows, err := db.Query("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM " + relations[name] + ")")
		if err != nil {
			continue // it needs an argument after all, or an open file
		}
		text += name
		for rows.Next() {
			var column, kind string
			if err := rows.Scan(&column, &kind); err != nil {
				log.Fatal(err)
			}
			text += "\t" + column + "\t" + kind
		}
		rows.Close()
		text += "\n"
	}
	if err := os.WriteFile("relations.txt", []byte(text), 0o644); err != nil {
		log.Fatal(err)
	}
}

// writeMacros writes a line for each form of a macro: name, parameters, body.
func writeMacros(db *sql.DB, version string) {
	rows, err := db.Query(macros)
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	text := fmt.Sprintf("# Macros of DuckDB %s. Written by gen/main.go; do not edit.\n", version)
	for rows.Next() {
		var name, parameters, body string
		if err := rows.Scan(&name, &parameters, &body); err != nil {
			log.Fatal(err)
		}
		text += name + "\t" + parameters + "\t" + body + "\n"
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("macros.txt", []byte(text), 0o644); err != nil {
		log.Fatal(err)
	}
}
