package project

import (
	"slices"
	"strings"
	"sync"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/macro"
)

// kept reads a key that changes no rows and that norn does not act on. It is listed in [Project.Ignored].
func kept(d *decoder, e Entry) { d.r.ignore(e.Key) }

// oneOf checks a key with a closed set of words and keeps it. An unknown word is an error here, where others fall back to
// a default in silence.
func oneOf(words ...string) func(*decoder, Entry) {
	return func(d *decoder, e Entry) {
		d.choice(e, "value of "+e.Key.Text, words...)
		d.r.ignore(e.Key)
	}
}

// sqlbuildKeys are the documented MODEL keys beside those that norn builds by. Some are kept and have no effect; the others are
// remembered, because what they mean depends on each other (settings.go).
var sqlbuildKeys = keyTable{
	"model_schema": remembered(aName), "enums": remembered(nil), "constants": remembered(nil),
	"config": kept, "placeholders": remembered(nil), "audit_factories": remembered(nil), "pre_hooks": remembered(nil), "post_hooks": remembered(nil),

	"incremental_strategy": remembered(aWord("append", "delete_insert", "merge")), "merge_exclude_columns": remembered(someNames),
	"append_cursor_inclusive": remembered(aTruth), "full_refresh": remembered(aTruth), "lookback": remembered(nil),
	"on_schema_change": oneOf("append_new_columns", "sync_all_columns", "ignore", "fail"),
	"replay_on_change": replay,
	"cursor":           remembered(aName), "cursor_type": remembered(aWord("timestamp", "integer")),
	"cursor_grain":  remembered(aWord("second", "minute", "hour", "day", "week", "month", "quarter", "year")),
	"cursor_start":  remembered(nil),
	"cursor_end":    remembered(nil),
	"cursor_inputs": remembered(nil), "cursor_watermark_mode": remembered(aWord("all", "any")),
	"cursor_future_action": remembered(nil), "cursor_future_max_distance": remembered(nil), "cursor_start_max_action": remembered(nil),
	"cursor_start_max_ahead": remembered(nil), "unaccounted_partition_policy": remembered(aWord("synthesize", "recover_empty", "recover_all")),
	"incremental_mode": remembered(aWord("microbatch")), "microbatch_strategy": remembered(aWord("watermark", "rolling_window")), "batch_size": remembered(nil),
	"batch_concurrency": remembered(nil), "microbatch_limit": remembered(nil), "max_microbatches": remembered(nil),
	"snapshot_strategy": remembered(aWord("timestamp", "check")), "updated_at": remembered(aName), "check_columns": remembered(nil), "observed_at": remembered(aName),
	"historical_input": remembered(aWord("snapshot", "changes")), "initial_valid_from": remembered(aWord("updated_at", "observed_at", "execution_time")),
	"invalidate_hard_deletes": remembered(aTruth), "valid_from_column": remembered(aName), "valid_to_column": remembered(aName),
	"snapshot_full_refresh": kept, "snapshot_schema_change": kept,
	"migrate_from": kept, "migrate_force": kept, "old_name_view": kept,
	"row_diff_exclude_columns": kept, "row_diff_tolerances": kept, "row_diff_sample_rows": kept, "row_diff_sample_seed": kept,
	"sql_analysis": remembered(aTruth),
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

// modelKeys are the keys of a MODEL header that fill the model of a decoder.
var modelKeys = keyTable{
	"description": func(d *decoder, e Entry) { d.model.Description = d.text(e) },
	"tags": func(d *decoder, e Entry) {
		if e.Value.Kind != ListValue {
			d.wrong(e, "a list of words")
			return
		}
		for _, w := range d.names(e, "a list of words") {
			d.model.Tags = append(d.model.Tags, w.Text)
		}
	},
	"enabled":  func(d *decoder, e Entry) { d.model.Enabled = d.truth(e) != No },
	"schema":   func(d *decoder, e Entry) { d.model.Schema = d.name(e, "a name") },
	"database": func(d *decoder, e Entry) { d.model.Database = d.name(e, "a name") },
	"alias":    func(d *decoder, e Entry) { d.model.Alias = d.name(e, "a name") },
	"columns":  func(d *decoder, e Entry) { d.model.Columns = d.columns(e) },
	"contract": func(d *decoder, e Entry) {
		if i := d.choice(e, "contract", "none", "enforced"); i >= 0 {
			d.model.Contract, d.model.ContractSpan = ContractNone+Contract(i), e.Value.Span
		}
	},
	"materialized": func(d *decoder, e Entry) {
		words := []string{"view", "table", "incremental", "snapshot"}
		if w := e.Value; d.customs && (w.Kind == WordValue || w.Kind == StringValue) && !slices.Contains(words, fold(w.Text)) {
			d.model.Materialized, d.model.custom, d.materialized = Custom, Word{w.Text, w.Span}, w.Span
		} else if i := d.choice(e, "materialization", words...); i >= 0 {
			d.model.Materialized, d.materialized = Materialization(i), w.Span
		}
	},
	"unique_key": func(d *decoder, e Entry) { d.model.UniqueKey = d.names(e, "a column or a list of columns") },
	"audits":     func(d *decoder, e Entry) { d.model.Audits = d.audits(e, true) },
	"predict":    func(d *decoder, e Entry) { d.model.Predict = d.predict(e) },
}

// decodeModel fills a model: first the defaults, then the entries of its path, then its own header. Tags add up, every
// other key replaces the one before.
func (l *loader) decodeModel(m *Model, path []Entry, r *report) macro.Reader {
	conf := l.p.Config
	def := &conf.Defaults
	var more moreSettings
	m.Enabled = true
	m.Materialized, m.Contract, m.ContractSpan = def.Materialized, def.Contract, def.ContractSpan
	m.Schema, m.Database, m.custom = def.Schema, def.Database, def.custom
	m.Tags = slices.Clone(def.Tags)
	below, own := def.MaterializedSpan, diag.Span{}
	if len(path) > 0 {
		// What is wrong with these entries was reported where the configuration was read.
		quiet := &decoder{r: &report{}, loose: true, dialect: m.dialect, customs: conf.SQLBuild, model: m, materialized: below}
		if len(conf.more) > 0 {
			quiet.block("MODEL", conf.more, sqlbuildKeys)
		}
		quiet.block("MODEL", path, modelKeys, sqlbuildKeys)
		more, below = quiet.more, quiet.materialized
	} else if len(conf.more) > 0 {
		quiet := &decoder{r: &report{}, loose: true, dialect: m.dialect}
		quiet.block("MODEL", conf.more, sqlbuildKeys)
		more = quiet.more
	}
	if m.Header != nil {
		d := &decoder{r: r, dialect: m.dialect, customs: conf.SQLBuild, more: more, model: m}
		d.block(m.Header.Kind, m.Header.Entries, modelKeys, sqlbuildKeys)
		more, own = d.more, d.materialized
	}
	slices.Sort(m.Tags)
	m.Tags = slices.Compact(m.Tags)
	at := own
	if at.IsZero() {
		at = below
	}
	reader := l.settle(m, more, at, r)
	checkModel(m, own, r)
	return reader
}

// checkModel reports what is wrong with a header as a whole. own is the place that says how the model is materialized in its own
// header.
func checkModel(m *Model, own diag.Span, r *report) {
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
	if m.Contract == ContractEnforced && len(m.Columns) == 0 && m.ContractSpan.File == m.File {
		r.add(diag.New("E0106", m.ContractSpan, "contract enforced needs columns, and %s declares none", m.Name).
			WithHelp("add columns ( name type, … ) or write contract none"))
	}
}

// columnNames are maps for the names of one block of columns; of thousands of blocks only a few are read at once.
var columnNames = sync.Pool{New: func() any { return map[string]int{} }}

// columns reads the columns block: name, name type, or name (type T, nullable bool, audits […], description "…").
func (d *decoder) columns(e Entry) []Column {
	if e.Value.Kind != BlockValue {
		d.wrong(e, "a block of columns")
		return nil
	}
	seen := columnNames.Get().(map[string]int)
	defer func() {
		clear(seen)
		columnNames.Put(seen)
	}()
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
		folded := fold(name.Text)
		if first, twice := seen[folded]; twice {
			d.r.add(diag.New("E0103", name.Span, "column %s is declared twice", name.Text).WithNote(list[first].Name.Span, "the first one").
				WithHelp("keep one of the two"))
			continue
		}
		seen[folded] = len(list)
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
