package plan

import (
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// outside says why the rows of a query do not follow from the project alone: a file, the catalogue of the database, a function
// that answers otherwise each time, a sample. "" where they do. The first such place of the query is named.
func outside(statement *sql.Statement) string {
	if statement == nil || statement.Query == nil {
		return ""
	}
	found := ""
	sql.Inspect(statement.Query, func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.TableName:
			found = either(found, outsideTable(n))
		case *sql.TableFunc:
			if call, ok := n.Call.(*sql.Call); ok && len(call.Name) > 0 {
				found = either(found, outsideFunction(strings.ToLower(call.Name[len(call.Name)-1].Text)))
			}
		case *sql.DescribeQuery:
			found = either(found, "lists with "+n.Word+" what the database holds, which may have changed")
		case *sql.Call:
			if name := strings.ToLower(n.FuncName()); volatile[name] || name == "age" && len(n.Args) == 1 {
				found = either(found, "calls "+name+"(), which may answer otherwise each time")
			}
		case *sql.ColumnRef:
			// Without quotes these words are functions; a column of such a name, which would win, is built once too often.
			if len(n.Parts) == 1 && !n.Parts[0].Quoted && moments[strings.ToLower(n.Parts[0].Text)] {
				found = either(found, "reads "+strings.ToLower(n.Parts[0].Text)+", which is another each time")
			}
		case *sql.Sample:
			if !repeatable(n) {
				found = either(found, "takes a sample, which is another each time")
			}
		}
		return found == ""
	})
	return found
}

// outsideTable knows files and the schemas of the catalogue. The references of the project are linked by themselves.
func outsideTable(t *sql.TableName) string {
	if t.File {
		return "reads the file " + t.Parts[0].Text + ", whose rows may have changed"
	}
	if len(t.Parts) < 2 {
		return ""
	}
	switch schema := strings.ToLower(t.Parts[len(t.Parts)-2].Text); schema {
	case "information_schema", "pg_catalog":
		return "reads " + schema + "." + strings.ToLower(t.Parts[len(t.Parts)-1].Text) + ", the catalogue of the database"
	}
	return ""
}

// outsideFunction knows DuckDB's table functions by their names: those that read files, those that list the database or the
// process, and those that are handed a query or a name as text. A test holds it to DuckDB's own list.
func outsideFunction(name string) string {
	switch {
	case strings.HasPrefix(name, "read_"), strings.HasPrefix(name, "parquet_"), strings.HasSuffix(name, "_scan"), name == "glob", name == "sniff_csv":
		return "reads files with " + name + ", whose rows may have changed"
	case strings.HasPrefix(name, "duckdb_"), strings.HasPrefix(name, "pragma_"), name == "show", name == "which_secret":
		return "reads " + name + "(), the catalogue of the database"
	case name == "query", name == "query_table", name == "json_execute_serialized_sql":
		return "reads what " + name + "() is told, which norn does not see"
	}
	return ""
}

// repeatable reports whether a sample has a seed.
func repeatable(s *sql.Sample) bool { return s.Seed != nil }

// volatile are the functions that DuckDB says may answer otherwise in the next query: all whose stability is not CONSISTENT, but
// for error, which answers nothing. A test holds it to DuckDB's own list.
var volatile = map[string]bool{
	"random": true, "uuid": true, "gen_random_uuid": true, "uuidv4": true, "uuidv7": true, "setseed": true, "nextval": true, "currval": true,
	"now": true, "today": true, "get_current_time": true, "get_current_timestamp": true, "transaction_timestamp": true, "current_date": true,
	"current_database": true, "current_schema": true, "current_schemas": true, "in_search_path": true,
	"current_query": true, "current_query_id": true, "current_connection_id": true, "current_transaction_id": true, "txid_current": true,
	"stats": true, "sleep_ms": true, "write_log": true,
	// Macros over these, functions of extensions that DuckDB brings along, and settings.
	"ago": true, "current_time": true, "current_timestamp": true, "localtime": true, "localtimestamp": true, "current_localtime": true,
	"current_localtimestamp": true, "statement_timestamp": true, "clock_timestamp": true, "pg_postmaster_start_time": true, "pg_conf_load_time": true,
	"current_setting": true, "getvariable": true, "getenv": true, "pg_sleep": true, "sleep": true,
}

// moments are the words that SQL reads as functions of the time.
var moments = map[string]bool{"current_date": true, "current_time": true, "current_timestamp": true, "localtime": true, "localtimestamp": true}
