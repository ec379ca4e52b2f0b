//go:build ignore

// Command gen writes the function catalogue of the DuckDB that norn is built with into catalogue.txt.
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
}
