package project

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// kept reads a key that changes no rows and that norn does not act on. It is listed in [Project.Ignored].
func kept(d *decoder, e Entry) { d.r.ignore(e.Key) }

// refused reads a key whose absence would give other rows, other relations or an unchecked table.
func refused(what string) func(*decoder, Entry) {
	return func(d *decoder, e Entry) {
		d.r.add(diag.New("E0107", e.Key.Span, "%s: %s not supported yet", e.Key.Text, what).
			WithHelp("remove the key, or build this model with the tool it was written for"))
	}
}

// oneOf checks a key with a closed set of words and keeps it. An unknown word is an error here, where others fall back to
// a default in silence.
func oneOf(words ...string) func(*decoder, Entry) {
	return func(d *decoder, e Entry) {
		d.choice(e, "value of "+e.Key.Text, words...)
		d.r.ignore(e.Key)
	}
}

// sqlbuildKeys are the documented MODEL keys that norn reads and does not act on. Those of incremental models and
// snapshots have no effect on views and tables, and a model that is incremental or a snapshot is refused as a whole.
var sqlbuildKeys = keyTable{
	"model_schema": refused("schema declarations are"), "enums": refused("enums are"), "constants": refused("constants are"),
	"config": refused("custom materializations are"), "placeholders": refused("custom materializations are"),
	"audit_factories": refused("audit factories are"), "pre_hooks": refused("hooks are"), "post_hooks": refused("hooks are"),

	"incremental_strategy": oneOf("append", "delete_insert", "merge"), "merge_exclude_columns": kept,
	"append_cursor_inclusive": kept, "full_refresh": kept, "lookback": kept,
	"on_schema_change": oneOf("append_new_columns", "sync_all_columns", "ignore", "fail"),
	"replay_on_change": replay,
	"cursor":           kept, "cursor_type": oneOf("timestamp", "integer"),
	"cursor_grain":  oneOf("second", "minute", "hour", "day", "week", "month", "quarter", "year"),
	"cursor_start":  kept,
	"cursor_end":    kept,
	"cursor_inputs": kept, "cursor_watermark_mode": oneOf("all", "any"),
	"cursor_future_action": kept, "cursor_future_max_distance": kept, "cursor_start_max_action": kept,
	"cursor_start_max_ahead": kept, "unaccounted_partition_policy": kept,
	"incremental_mode": kept, "microbatch_strategy": oneOf("watermark", "rolling_window"), "batch_size": kept,
	"batch_concurrency": kept, "microbatch_limit": kept, "max_microbatches": kept,
	"snapshot_strategy": oneOf("timestamp", "check"), "updated_at": kept, "check_columns": kept, "observed_at": kept,
	"historical_input": oneOf("snapshot", "changes"), "initial_valid_from": kept, "invalidate_hard_deletes": kept,
	"valid_from_column": kept, "valid_to_column": kept, "snapshot_full_refresh": kept, "snapshot_schema_change": kept,
	"migrate_from": kept, "migrate_force": kept, "old_name_view": kept,
	"row_diff_exclude_columns": kept, "row_diff_tolerances": kept, "row_diff_sample_rows": kept, "row_diff_sample_seed": kept,
	"sql_analysis": kept,
}

// replay checks replay_on_change: forward, full, or bounded-<duration>.
func replay(d *decoder, e Entry) {
	w := d.name(e, "forward, full or bounded-<duration>")
	if w.Given() && !(len(w.Text) > len("bounded-") && fold(w.Text[:len("bounded-")]) == "bounded-") &&
		!slices.Contains([]string{"forward", "full"}, fold(w.Text)) {
		d.unknown("E0105", w, "value of "+e.Key.Text, []string{"forward", "full", "bounded-30d"})
	}
	d.r.ignore(e.Key)
}

// modelKeys are the keys of a MODEL header that fill a model. materialized gets the place of the key of that name.
func modelKeys(m *Model, materialized *diag.Span) keyTable {
	keys := keyTable{
		"description": func(d *decoder, e Entry) { m.Description = d.text(e) },
		"tags": func(d *decoder, e Entry) {
			if e.Value.Kind != ListValue {
				d.wrong(e, "a list of words")
				return
			}
			for _, w := range d.names(e, "a list of words") {
				m.Tags = append(m.Tags, w.Text)
			}
		},
		"enabled":  func(d *decoder, e Entry) { m.Enabled = d.truth(e) != No },
		"schema":   func(d *decoder, e Entry) { m.Schema = d.name(e, "a name") },
		"database": func(d *decoder, e Entry) { m.Database = d.name(e, "a name") },
		"alias":    func(d *decoder, e Entry) { m.Alias = d.name(e, "a name") },
		"columns":  func(d *decoder, e Entry) { m.Columns = d.columns(e) },
		"contract": func(d *decoder, e Entry) {
			if i := d.choice(e, "contract", "none", "enforced"); i >= 0 {
				m.Contract, m.ContractSpan = ContractNone+Contract(i), e.Value.Span
			}
		},
		"materialized": func(d *decoder, e Entry) {
			if i := d.choice(e, "materialization", "view", "table", "incremental", "snapshot"); i >= 0 {
				m.Materialized, *materialized = Materialization(i), e.Value.Span
			}
		},
		"unique_key": func(d *decoder, e Entry) { m.UniqueKey = d.names(e, "a column or a list of columns") },
		"audits":     func(d *decoder, e Entry) { m.Audits = d.audits(e, true) },
		"predict":    func(d *decoder, e Entry) { m.Predict = d.predict(e) },
	}
	return keys
}

// decodeModel fills a model: first the defaults, then the entries of its path, then its own header. Tags add up, every
// other key replaces the one before.
func decodeModel(m *Model, conf *Config, path []Entry, r *report) {
	def := &conf.Defaults
	m.Enabled = true
	m.Materialized, m.Contract, m.ContractSpan = def.Materialized, def.Contract, def.ContractSpan
	m.Schema, m.Database = def.Schema, def.Database
	m.Tags = slices.Clone(def.Tags)
	below, own := def.MaterializedSpan, diag.Span{}
	if len(path) > 0 {
		// What is wrong with these entries was reported where the configuration was read.
		quiet := &decoder{r: &report{}, loose: true}
		quiet.block("MODEL", path, modelKeys(m, &below), sqlbuildKeys)
	}
	if m.Header != nil {
		d := &decoder{r: r}
		d.block(m.Header.Kind, m.Header.Entries, modelKeys(m, &own), sqlbuildKeys)
	}
	slices.Sort(m.Tags)
	m.Tags = slices.Compact(m.Tags)
	checkModel(m, below, own, r)
}

// checkModel reports what is wrong with a header as a whole. below and own are the places that say how the model is
// materialized: in the configuration, and in its own header.
func checkModel(m *Model, below, own diag.Span, r *report) {
	if m.Predict != nil {
		// A prediction is computed, not defined, so it is a table even where views are the default.
		if m.Materialized != Table && !own.IsZero() {
			r.add(diag.New("E0117", own, "a prediction cannot be materialized as %s", m.Materialized).
				WithHelp("write materialized table").WithFix(own, "table"))
		}
		m.Materialized = Table
	}
	for _, a := range m.Audits {
		if a.Kind == AuditHoldout && m.Predict == nil {
			r.add(diag.New("E0116", a.Span, "a holdout audit needs a prediction, and %s has no predict block", m.Name).
				WithHelp("add predict ( target … ) or remove the audit"))
		}
	}
	if m.Materialized == Incremental || m.Materialized == Snapshot {
		at := own
		if at.IsZero() {
			at = below
		}
		r.add(diag.New("E0107", at, "materialized %s is not supported yet", m.Materialized).
			WithHelp("use materialized table to rebuild the model in full"))
	}
	if m.Contract == ContractEnforced && len(m.Columns) == 0 && m.ContractSpan.File == m.File {
		r.add(diag.New("E0106", m.ContractSpan, "contract enforced needs columns, and %s declares none", m.Name).
			WithHelp("add columns ( name type, … ) or write contract none"))
	}
}

// columns reads the columns block: name, name type, or name (type T, nullable bool, audits […], description "…").
func (d *decoder) columns(e Entry) []Column {
	if e.Value.Kind != BlockValue {
		d.wrong(e, "a block of columns")
		return nil
	}
	seen := make(map[string]diag.Span, len(e.Value.Items))
	list := make([]Column, 0, len(e.Value.Items))
	for _, item := range e.Value.Items {
		name := item.Key
		if !name.Given() {
			if item.Value.Kind != StringValue || item.Value.Text == "" {
				d.r.add(diag.New("E0104", item.Value.Span, "expected a column, found %s", describe(item.Value)).
					WithHelp("write a column as: name type"))
				continue
			}
			name, item.Value = Word{item.Value.Text, item.Value.Span}, Value{}
		}
		if first, twice := seen[fold(name.Text)]; twice {
			d.r.add(diag.New("E0103", name.Span, "column %s is declared twice", name.Text).WithNote(first, "the first one").
				WithHelp("keep one of the two"))
			continue
		}
		seen[fold(name.Text)] = name.Span
		list = append(list, d.column(Entry{Key: name, Value: item.Value}))
	}
	return list
}

// column reads what stands behind the name of a column: nothing, a type, or a block.
func (d *decoder) column(e Entry) Column {
	c := Column{Name: e.Key}
	if e.Value.Kind == NoValue {
		return c
	}
	if e.Value.Kind != BlockValue {
		if typ, rest, both := typeThenBlock(e.Value); both {
			right := "(type " + typ + ", " + rest + ")"
			shown := right
			if shorten(rest) != rest {
				shown = "(type " + typ + ", " + shorten(rest) + ")"
			}
			d.r.add(diag.New("E0104", e.Value.Span, "the type of %s belongs into its block, not before it", e.Key.Text).
				WithHelp("write %s %s", e.Key.Text, shown).WithFix(e.Value.Span, right))
			return c
		}
		c.Type = d.columnType(e)
		return c
	}
	d.fields("a column", e.Value.Items, func() []string { return columnKeys }, func(name string, e Entry) bool {
		if e.Value.Kind == NoValue {
			return slices.Contains(columnKeys, name)
		}
		switch name {
		case "type":
			c.Type = d.columnType(e)
		case "nullable":
			c.Nullable, c.NullSpan = d.truth(e), e.Value.Span
		case "description":
			c.Description = d.text(e)
		case "audits":
			c.Audits = d.audits(e, false)
		case "migrate_from":
			kept(d, e)
		default:
			return false
		}
		return true
	})
	return c
}

// typeThenBlock recognises a column that has a type and then a block, as in BIGINT (audits [unique]), and takes the two apart.
// What a type has in brackets, as in DECIMAL(10, 2), are no keys of a column.
func typeThenBlock(v Value) (typ, rest string, both bool) {
	block := v
	if v.Kind == PhraseValue {
		block = v.Items[len(v.Items)-1].Value
	}
	if block.Kind != CallValue && block.Kind != BlockValue || len(block.Items) == 0 {
		return "", "", false
	}
	first := block.Items[0].Key
	if !slices.ContainsFunc(block.Items, func(e Entry) bool { return slices.Contains(columnKeys, fold(e.Key.Text)) }) || !first.Given() {
		return "", "", false
	}
	text, begin := v.Span.File.Text, first.Span.Start
	typ = strings.TrimRight(text[v.Span.Start:begin], "( \t\r\n")
	rest = strings.TrimRight(strings.TrimSuffix(text[begin:v.Span.End], ")"), ", \t\r\n")
	return typ, rest, typ != ""
}

// columnKeys are the keys of a declared column. A project has far more columns than anything else, so they are decoded by
// a switch and not by a table.
var columnKeys = []string{"audits", "description", "migrate_from", "nullable", "type"}
