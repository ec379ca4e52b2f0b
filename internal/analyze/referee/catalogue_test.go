package referee_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// typeTable has a column of every type that functions of the catalogue take, by a name that says which.
var typeTable = map[string][][2]string{"w": {
	{"c_boolean", "BOOLEAN"}, {"c_tinyint", "TINYINT"}, {"c_smallint", "SMALLINT"}, {"c_integer", "INTEGER"}, {"c_bigint", "BIGINT"}, {"c_hugeint", "HUGEINT"},
	{"c_utinyint", "UTINYINT"}, {"c_usmallint", "USMALLINT"}, {"c_uinteger", "UINTEGER"}, {"c_ubigint", "UBIGINT"}, {"c_uhugeint", "UHUGEINT"},
	{"c_float", "FLOAT"}, {"c_double", "DOUBLE"}, {"c_decimal", "DECIMAL(9,2)"}, {"c_wide", "DECIMAL(30,10)"}, {"c_varchar", "VARCHAR"}, {"c_blob", "BLOB"}, {"c_bit", "BIT"},
	{"c_uuid", "UUID"}, {"c_json", "JSON"}, {"c_bignum", "BIGNUM"}, {"c_date", "DATE"}, {"c_time", "TIME"}, {"c_timetz", "TIME WITH TIME ZONE"}, {"c_timens", "TIME_NS"},
	{"c_timestamp", "TIMESTAMP"}, {"c_timestamps", "TIMESTAMP_S"}, {"c_timestampms", "TIMESTAMP_MS"}, {"c_timestampns", "TIMESTAMP_NS"},
	{"c_timestamptz", "TIMESTAMP WITH TIME ZONE"}, {"c_interval", "INTERVAL"}, {"c_list", "INTEGER[]"}, {"c_texts", "VARCHAR[]"}, {"c_doubles", "DOUBLE[]"}, {"c_lists", "INTEGER[][]"},
	{"c_struct", "STRUCT(a INTEGER, b VARCHAR)"}, {"c_structs", "STRUCT(a INTEGER, b VARCHAR)[]"}, {"c_map", "MAP(VARCHAR, INTEGER)"}, {"c_array", "DOUBLE[3]"}, {"c_union", "UNION(a INTEGER, b VARCHAR)"},
	{"c_enum", "ENUM('a', 'b')"}, {"c_variant", "VARIANT"},
}}

// forType are the arguments that are tried where a parameter has a type, the usual one first.
func forType(parameter string) []string {
	switch parameter {
	case "ANY", "T", "", "K", "V":
		return []string{"c_integer", "c_varchar", "c_decimal", "c_date", "c_list", "c_struct", "c_map", "c_timestamp", "c_double", "c_boolean", "c_interval", "c_hugeint", "c_array", "c_uuid", "c_enum", "c_json", "c_blob", "c_lists", "c_utinyint", "c_variant", "NULL", "'a'", "1", "1.5"}
	case "ANY[]", "T[]", "K[]", "V[]", "UNKNOWN[]":
		return []string{"c_list", "c_texts", "c_doubles", "c_lists", "c_structs", "c_array", "NULL"}
	case "T[][]":
		return []string{"c_lists"}
	case "DECIMAL":
		return []string{"c_decimal", "c_wide", "1.25"}
	case "VARCHAR":
		return []string{"c_varchar", "'day'", "'a'", "'$.a'", "'%Y-%m-%d'", "'sum'"}
	case "STRUCT":
		return []string{"c_struct"}
	case "UNION":
		return []string{"c_union"}
	case "ENUM":
		return []string{"c_enum"}
	case "LAMBDA", "LAMBDA(ANY, ANY)":
		return []string{"e -> e", "(a, e) -> a"}
	case "BIGINT", "INTEGER":
		return []string{"c_" + strings.ToLower(parameter), "2"}
	case "DOUBLE[ANY]", "FLOAT[ANY]", "ARRAY":
		return []string{"c_array"}
	case "DOUBLE":
		return []string{"c_double", "0.5", "c_integer"}
	case "DOUBLE[]":
		return []string{"c_doubles", "[0.25, 0.5]"}
	case "BIGINT[]", "INTEGER[]":
		return []string{"c_list"}
	case "VARCHAR[]":
		return []string{"c_texts", "['a', 'b']", "['year', 'day']"}
	}
	if strings.HasPrefix(parameter, "MAP") {
		return []string{"c_map"}
	}
	if strings.HasPrefix(parameter, "STRUCT") {
		return []string{"c_struct"}
	}
	for _, c := range typeTable["w"] {
		if c[1] == parameter {
			return []string{c[0]}
		}
	}
	return []string{"c_varchar"}
}

// catalogueQueries calls every function of DuckDB's catalogue with arguments of the types of each of its forms. One argument
// at a time takes all that is tried for its type, the others the first; a form with repeated parameters is called with none,
// one and two of them.
func catalogueQueries(d *duck) []string {
	d.t.Helper()
	rows, err := d.db.Query(`SELECT DISTINCT function_name, function_type, array_to_string([coalesce(p, 'ANY') FOR p IN parameter_types], ';'), coalesce(varargs, ''), len(parameters)
		FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro') AND regexp_full_match(function_name, '[a-z_][a-z0-9_]*') ORDER BY ALL`)
	if err != nil {
		d.t.Fatal(err)
	}
	defer rows.Close()
	var queries []string
	seen := map[string]bool{}
	add := func(format string, args ...any) {
		if q := "SELECT " + fmt.Sprintf(format, args...) + " AS x FROM w"; !seen[q] {
			seen[q] = true
			queries = append(queries, q)
		}
	}
	for rows.Next() {
		var name, kind, parameters, rest string
		var count int
		if err := rows.Scan(&name, &kind, &parameters, &rest, &count); err != nil {
			d.t.Fatal(err)
		}
		if untested[name] {
			continue
		}
		var types []string
		if count > 0 {
			types = strings.Split(parameters, ";")
		}
		lists := [][]string{types}
		if rest != "" {
			lists = append(lists, append(slices.Clone(types), rest), append(slices.Clone(types), rest, rest))
		}
		for _, types := range lists {
			args := make([]string, len(types))
			for i, kind := range types {
				args[i] = forType(kind)[0]
			}
			add("%s(%s)", name, strings.Join(args, ", "))
			for i, kind := range types {
				for _, arg := range forType(kind) {
					some := slices.Clone(args)
					some[i] = arg
					add("%s(%s)", name, strings.Join(some, ", "))
				}
			}
			if len(types) > 1 && types[0] == types[1] {
				for _, arg := range forType(types[0]) { // the same thing everywhere
					add("%s(%s)", name, strings.Join(slices.Repeat([]string{arg}, len(types)), ", "))
				}
			}
			if kind == "aggregate" {
				list := strings.Join(args, ", ")
				add("%s(%s) OVER ()", name, list)
				add("%s(%s) FILTER (WHERE c_boolean)", name, list)
				add("%s(DISTINCT %s)", name, list)
				add("%s(%s ORDER BY c_date)", name, list)
			}
		}
	}
	if err := rows.Err(); err != nil {
		d.t.Fatal(err)
	}
	return queries
}

// untested are functions whose answer depends on the session or on what its database holds, and those that wait.
var untested = map[string]bool{"sleep_ms": true, "pg_sleep": true, "write_log": true, "nextval": true, "currval": true, "make_type": true, "current_setting": true,
	"getvariable": true, "parse_duckdb_log_message": true, "pg_get_constraintdef": true, "format_type": true, "variant_to_parquet_variant": true}

var everyCall = flag.Bool("functions", false, "call every function with all arguments that are tried, not a fifth of them")

// TestCatalogue calls every function of the catalogue with the argument types of each of its forms.
func TestCatalogue(t *testing.T) {
	d := openDuck(t)
	d.create(typeTable)
	count := newTally("functions")
	queries := catalogueQueries(d)
	if !*everyCall {
		// One call in five, from another place for every seed; over the seeds all of them.
		var some []string
		for i := int(*firstSeed % 5); i < len(queries); i += 5 {
			some = append(some, queries[i])
		}
		queries = some
	}
	count.add(judge(t, d, typeTable, queries)...)
	count.check(t)
}

// TestFileOptions: the options of the functions that read files are those that DuckDB lists.
func TestFileOptions(t *testing.T) {
	d := openDuck(t)
	rows, err := d.db.Query("SELECT DISTINCT function_name, unnest(parameters) AS option FROM duckdb_functions() WHERE function_name SIMILAR TO 'read_(csv|parquet|json|ndjson)(_auto)?|parquet_scan' AND function_type = 'table' ORDER BY ALL")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	files, options := map[string]string{}, 0
	for rows.Next() {
		var function, option string
		if err := rows.Scan(&function, &option); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(option, "col") && len(option) == len("col0") {
			option = "nosuch" // what stands there without a name
		}
		files[fmt.Sprintf("models/%s__%s.sql", function, option)] = fmt.Sprintf("SELECT 1 AS x FROM %s('f', %s := 'a')", function, option)
		options++
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if options < 100 {
		t.Fatalf("only %d options", options)
	}
	_, problems, r := analysed(t, files)
	refused := map[string]bool{}
	for _, p := range append(problems, r.Problems...) {
		refused[p.Span.File.Path] = true
	}
	for path := range files {
		if want := strings.HasSuffix(path, "__nosuch.sql"); refused[path] != want {
			t.Errorf("%s: refused %v, want %v", path, refused[path], want)
		}
	}
}
