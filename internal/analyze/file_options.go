package analyze

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// fileOptions are the options of the functions that read files, from duckdb_functions(); a test holds them to it.
var fileOptions = map[string]string{
	"csv": "all_varchar allow_quoted_nulls auto_detect auto_type_candidates buffer_size column_names column_types columns " +
		"comment compression dateformat decimal_separator delim dtypes encoding escape filename files_to_sniff " +
		"force_not_null header hive_partitioning hive_types hive_types_autocast ignore_errors max_line_size " +
		"maximum_line_size names new_line normalize_names null_padding nullstr parallel quote rejects_limit rejects_scan " +
		"rejects_table sample_size sep skip store_rejects strict_mode thousands timestampformat types union_by_name ",
	"parquet": "binary_as_string can_have_nan compression debug_use_openssl encryption_config explicit_cardinality file_row_number " +
		"filename hive_partitioning hive_types hive_types_autocast parquet_version schema union_by_name ",
	"json": "auto_detect columns compression convert_strings_to_integers date_format dateformat field_appearance_threshold " +
		"filename format hive_partitioning hive_types hive_types_autocast ignore_errors map_inference_threshold " +
		"maximum_depth maximum_object_size maximum_sample_files records sample_size timestamp_format timestampformat " +
		"union_by_name ",
}

// optionsOf are the options of a function in FROM; nil where they are not known.
func optionsOf(name string) []string {
	switch name {
	case "read_csv", "read_csv_auto":
		return strings.Fields(fileOptions["csv"])
	case "read_parquet", "parquet_scan":
		return strings.Fields(fileOptions["parquet"])
	case "read_json", "read_json_auto", "read_ndjson", "read_ndjson_auto":
		return strings.Fields(fileOptions["json"])
	}
	return nil
}

// unknownOption reports an option, header = true or header := true, that a function which reads files does not have.
func (b *binder) unknownOption(call *sql.Call) *diag.Problem {
	known := optionsOf(fold(call.FuncName()))
	if known == nil {
		return nil
	}
	for _, a := range call.Args {
		name := a.Name
		if x, ok := a.Value.(*sql.Binary); ok && x.Op == "=" && !name.Given() {
			if ref, ok := x.Left.(*sql.ColumnRef); ok && len(ref.Parts) == 1 {
				name = ref.Parts[0]
			}
		}
		if !name.Given() || slices.Contains(known, fold(name.Text)) {
			continue
		}
		p := b.problem("E1104", name.Range, "%s has no option %s", call.FuncName(), name.Text)
		suggest(p, name.Text, known)
		return p
	}
	return nil
}
