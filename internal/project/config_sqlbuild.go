package project

import (
	"net/url"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// sqlbuildTables lists the documented tables of sqlbuild_project.toml that norn reads and does not act on, with their
// keys. A key in a table that is not listed here, or a key that its table does not have, is an error. "*" stands for names
// that the project chooses.
var sqlbuildTables = map[string][]string{
	"settings": {
		"sql_analysis", "require_sql_analysis", "query_change_tracking", "column_contract_mode", "concurrency",
		"microbatch_concurrency", "auto_load_sources", "table_promotion_mode", "default_audit_severity", "default_audit_run_scope",
	},
	"scopes":                          {"enforce_placement"},
	"references":                      {"enforce_explicit"},
	"microbatches":                    {"limits"},
	"microbatches.limits":             {"max_batches", "action"},
	"snapshots":                       {"current_state_full_refresh", "historical_full_refresh"},
	"scenario":                        {"run_namespace", "snapshot_limits", "local_type_overrides"},
	"scenario.snapshot_limits":        {"*"},
	"janitor":                         {"enabled", "retention_days", "archive_retention_days", "delete_tracked_only", "exclude_patterns", "direct_state_history_versions"},
	"migrations":                      {"old_name_views"},
	"sinks":                           {"lifecycle"},
	"sinks.lifecycle":                 {"event_kinds", "min_severity", "named"},
	"sinks.lifecycle.named":           {"*"},
	"sinks.lifecycle.named.*":         {"*"},
	"format":                          {"line_width"},
	"cost":                            {"usd_per_credit"},
	"dbt":                             {"*"},
	"skills":                          {"*"},
	"scenario.local_type_overrides":   {"*"},
	"scenario.local_type_overrides.*": {"*"},
	"targets.*.warehouses":            {"build", "query"},
	"targets.*.clone":                 {"allow_as_clone_origin", "allow_as_clone_destination"},
	"targets.*.execution_limits":      {"max_models", "max_duration", "remediation"},
	"targets.*.diff":                  {"max_full_rows"},
}

// sqlbuildDefaults are the keys of [defaults] that norn does not act on.
var sqlbuildDefaults = []string{
	"function_database", "function_schema", "full_refresh", "replay_on_change", "incremental_strategy", "incremental_mode",
	"merge_exclude_columns", "append_cursor_inclusive", "lookback", "unaccounted_partition_policy", "cursor_start", "cursor_end",
	"cursor_watermark_mode", "cursor_future_action", "cursor_future_max_distance", "cursor_start_max_action",
	"cursor_start_max_ahead", "microbatch_strategy", "batch_size", "batch_concurrency", "max_microbatches",
	"row_diff_exclude_columns", "row_diff_tolerances", "row_diff_sample_rows", "row_diff_sample_seed",
}

// ignored keeps a key that has no effect.
func (c *configReader) ignored(path string) func(Word, *tomlValue) {
	return func(key Word, _ *tomlValue) { c.r.ignore(Word{path + key.Text, key.Span}) }
}

// known walks a table of sqlbuildTables: its keys must be documented, its values are kept.
func (c *configReader) known(path, pattern string) func(Word, *tomlValue) {
	return func(key Word, v *tomlValue) {
		if !c.want(key, v, tomlTable) {
			return
		}
		names := sqlbuildTables[pattern]
		for _, e := range v.entries {
			sub := pattern + "." + e.key.Text
			if slices.Equal(names, []string{"*"}) {
				sub = pattern + ".*"
			} else if !slices.Contains(names, e.key.Text) {
				d := decoder{r: c.r}
				d.unknown("E0003", e.key, "key of ["+path+"]", names)
				continue
			}
			if _, isTable := sqlbuildTables[sub]; isTable && e.value.kind == tomlTable {
				c.known(path+"."+e.key.Text, sub)(e.key, e.value)
				continue
			}
			c.r.ignore(Word{path + "." + e.key.Text, e.key.Span})
		}
	}
}

// merge lays the developer's own settings over the shared ones, field by field.
func merge(base, over *tomlValue) {
	for _, e := range over.entries {
		old := base.get(e.key.Text)
		switch {
		case old == nil:
			base.entries = append(base.entries, e)
		case old.kind == tomlTable && e.value.kind == tomlTable:
			merge(old, e.value)
		default:
			*old = *e.value
		}
	}
}

// readSQLBuild decodes sqlbuild_project.toml, the local file merged into it.
func (c *configReader) readSQLBuild(root *tomlValue) {
	conf := c.conf
	conf.SQLBuild = true
	if v := root.get("vars"); v != nil {
		c.vars(&conf.Vars)(Word{Text: "vars"}, v)
	}
	var adapter Word
	connections := map[string]*tomlValue{}
	keys := tomlKeys{
		"name":           c.text(&conf.Name),
		"adapter":        c.text(&adapter),
		"default_target": c.text(&conf.DefaultTarget),
		"vars":           func(Word, *tomlValue) {},
		"connection":     func(_ Word, v *tomlValue) { connections[""] = v },
		"connections": func(key Word, v *tomlValue) {
			if !c.want(key, v, tomlTable) {
				return
			}
			for _, e := range v.entries {
				if c.want(e.key, e.value, tomlTable) {
					connections[e.key.Text] = e.value
				}
			}
		},
		"targets": func(Word, *tomlValue) {},
		"defaults": func(key Word, v *tomlValue) {
			more := tomlKeys{}
			for _, name := range sqlbuildDefaults {
				more[name] = func(key Word, v *tomlValue) {
					if _, known := sqlbuildKeys[name]; known {
						conf.more = append(conf.more, Entry{Key: key, Value: tomlHeaderValue(v)})
						return
					}
					c.ignored("defaults.")(key, v)
				}
			}
			if c.want(key, v, tomlTable) {
				c.defaults("[defaults]", v, more)
			}
		},
		"path_defaults": c.pathDefaults,
		"rules":         c.sqlbuildRuleTable,
		"constants": func(key Word, v *tomlValue) {
			if c.want(key, v, tomlTable) {
				c.table("[constants]", v, tomlKeys{"collection_rendering": func(key Word, v *tomlValue) {
					conf.arrays = c.choice(key, v, "rendering", "value_list", "array") == 1
				}})
			}
		},
	}
	for pattern := range sqlbuildTables {
		if !strings.Contains(pattern, ".") {
			keys[pattern] = c.known(pattern, pattern)
		}
	}
	c.table(SQLBuildConfigFile, root, keys)
	if s := root.get("settings"); s != nil {
		if v := s.get("sql_analysis"); v != nil && c.want(Word{Text: "sql_analysis"}, v, tomlBool) {
			conf.noAnalysis = v.text == "false"
		}
		// Under mode explicit, columns without a contract are metadata: what norn calls contract none.
		if m := s.get("column_contract_mode"); m != nil &&
			c.choice(Word{Text: "column_contract_mode"}, m, "contract mode", "implicit", "explicit") == 1 && conf.Defaults.ContractSpan.IsZero() {
			conf.Defaults.Contract, conf.Defaults.ContractSpan = ContractNone, m.span
		}
	}
	// Targets come last: they need the adapter and the connections, wherever those stand in the file.
	if targets := root.get("targets"); targets != nil && c.want(Word{Text: "targets"}, targets, tomlTable) {
		for _, e := range targets.entries {
			if c.want(e.key, e.value, tomlTable) {
				conf.Targets = append(conf.Targets, c.sqlbuildTarget(e.key, e.value, adapter, connections))
			}
		}
	}
	c.finish()
}

// sqlbuildTarget reads one [targets.X] and joins it with its connection.
func (c *configReader) sqlbuildTarget(name Word, t *tomlValue, adapter Word, connections map[string]*tomlValue) *Target {
	to := &Target{Name: name.Text, Span: name.Span}
	c.into = to
	defer func() { c.into = nil }()
	path := "targets." + name.Text + "."
	var connection Word
	keys := tomlKeys{
		"connection": c.text(&connection), "database": c.text(&to.Database), "schema": c.text(&to.Schema), "vars": c.vars(&to.Vars),
	}
	for _, k := range []string{"loader_schema", "defer_sources_to", "compile_cache", "missing_migration_origin"} {
		keys[k] = c.ignored(path)
	}
	for _, k := range []string{"warehouses", "clone", "execution_limits", "diff"} {
		keys[k] = c.known(path+k, "targets.*."+k)
	}
	c.table("[targets."+name.Text+"]", t, keys)
	if t.get("schema") == nil {
		c.r.add(diag.New("E0005", name.Span, "target %s has no schema", name.Text).WithHelp(`add schema = "…"`))
	}
	conn, found := connections[connection.Text]
	if !found {
		if connection.Given() {
			var names []string
			for n := range connections {
				names = append(names, n)
			}
			d := decoder{r: c.r}
			d.unknown("E0006", connection, "connection", names)
			return to
		}
		conn = &tomlValue{}
	}
	if v := conn.get("adapter"); v != nil && v.kind == tomlString {
		adapter = Word{v.text, v.span}
	}
	switch to.Adapter = adapter; adapter.Text {
	case "duckdb":
		c.duckdbConnection(to, conn)
	case "postgres", "postgresql":
		to.Adapter.Text = "postgres"
		c.postgresConnection(to, conn)
	case "":
		c.trouble(diag.New("E0005", name.Span, "nothing says which adapter target %s uses", name.Text).
			WithHelp(`add adapter = "duckdb" at the top`))
	default:
		c.trouble(diag.New("E0009", adapter.Span, "the adapter %s is not supported yet", adapter.Text).
			WithHelp("norn builds on %s", strings.Join(adapters, " and ")))
	}
	return to
}

// duckdbConnection takes the file of a DuckDB connection. Its other keys tune the engine and change no rows, so they are kept.
func (c *configReader) duckdbConnection(to *Target, conn *tomlValue) {
	for _, e := range conn.entries {
		switch e.key.Text {
		case "adapter":
		case "database", "path":
			c.text(&to.Path)(e.key, e.value)
		default:
			c.ignored("connections.")(e.key, e.value)
		}
	}
	if !to.Path.Given() {
		c.trouble(diag.New("E0005", to.Span, "the connection of target %s does not say where its DuckDB file lies", to.Name).
			WithHelp(`add database = "…" to the connection`))
	}
}

// postgresConnection makes a URL of the parts of a connection.
func (c *configReader) postgresConnection(to *Target, conn *tomlValue) {
	part := map[string]string{}
	for _, e := range conn.entries {
		switch name := e.key.Text; name {
		case "adapter":
		case "url":
			c.text(&to.URL)(e.key, e.value)
		case "host", "port", "user", "username", "password", "database", "dbname", "sslmode":
			alias := map[string]string{"username": "user", "dbname": "database"}
			if to, ok := alias[name]; ok {
				name = to
			}
			if e.value.kind == tomlInteger {
				part[name] = e.value.text
			} else if c.want(e.key, e.value, tomlString) {
				part[name] = c.expand(e.value)
			}
		default:
			c.ignored("connections.")(e.key, e.value)
		}
	}
	if to.URL.Given() {
		return
	}
	if part["host"] == "" || part["database"] == "" {
		c.trouble(diag.New("E0005", to.Span, "the connection of target %s names no host and database", to.Name).
			WithHelp(`add host = "…" and database = "…", or url = "…"`))
		return
	}
	u := url.URL{Scheme: "postgres", Host: part["host"], Path: "/" + part["database"]}
	if part["port"] != "" {
		u.Host += ":" + part["port"]
	}
	if part["user"] != "" {
		u.User = url.UserPassword(part["user"], part["password"])
	}
	if part["sslmode"] != "" {
		u.RawQuery = url.Values{"sslmode": {part["sslmode"]}}.Encode()
	}
	to.URL = Word{u.String(), to.Span}
}
