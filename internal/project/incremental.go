package project

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
)

// IncrementalSettings say how a model of that materialization grows. norn checks it and does not build it.
type IncrementalSettings struct {
	Strategy     Word // append, delete_insert or merge
	Cursor       Word // the output column that says how far the rows go; not given: there is none
	CursorType   Word // timestamp or integer
	Inputs       []CursorInput
	MergeExclude []Word
}

// KeyHolds reports whether the unique key of a model tells its rows apart. A snapshot has several versions of a row, and an incremental
// model keeps one row a key only when its strategy matches rows by the key alone.
func (m *Model) KeyHolds() bool {
	switch in := m.Incremental; {
	case m.Snapshot != nil:
		return false
	case in != nil:
		strategy := fold(in.Strategy.Text)
		return strategy == "merge" || strategy == "delete_insert" && !in.Cursor.Given()
	}
	return true
}

// A CursorInput is the column of a relation that bounds the window.
type CursorInput struct {
	Input, Column Word
	To            Node // what Input means; nil when it means nothing (a problem was reported)
}

// SnapshotSettings say how a model of that materialization keeps versions of its rows. norn checks it and does not build it.
type SnapshotSettings struct {
	Strategy   Word // timestamp or check
	UpdatedAt  Word
	ObservedAt Word
	Check      []Word // nil for all columns
	// ValidFrom and ValidTo are the columns that the table has beside those of the query.
	ValidFrom, ValidTo string
	// Since is where the first version of a row begins: updated_at, observed_at or execution_time.
	Since string
}

// moreSettings are the entries of keys that belong together, by folded key: those of the configuration, then those of the header.
type moreSettings map[string]Entry

// has reports whether a key was written, with whatever value.
func (m moreSettings) has(key string) bool {
	_, ok := m[key]
	return ok
}

func (m moreSettings) word(key string) Word {
	e := m[key]
	if e.Value.Kind == WordValue || e.Value.Kind == StringValue || e.Value.Kind == NumberValue {
		return Word{e.Value.Text, e.Value.Span}
	}
	return Word{}
}

// words reads a name or a list of names that were checked when they were read.
func (m moreSettings) words(key string) []Word {
	e, ok := m[key]
	if !ok || e.Value.Kind == NoValue {
		return nil
	}
	for i := range e.Value.Items {
		if v := &e.Value.Items[i].Value; v.Kind == OperatorValue && v.Text == "*" {
			v.Kind = WordValue
		}
	}
	d := &decoder{r: &report{}, loose: true}
	return d.names(e, "a name")
}

// needs reports the first of keys that stands there without what it needs.
func (m moreSettings) needs(r *report, own diag.Span, what string, keys ...string) {
	for _, key := range keys {
		if e, ok := m[key]; ok {
			r.add(diag.New("E0145", e.Key.Span, "%s needs %s", key, what).WithNote(own, "the model is materialized here").WithHelp("add %s, or remove %s", what, key))
			return
		}
	}
}

// The keys that mean something for incremental models, and for those with a cursor, alone.
var cursorKeys = []string{"cursor_type", "cursor_grain", "cursor_start", "cursor_end", "cursor_inputs", "cursor_watermark_mode", "cursor_future_action",
	"cursor_future_max_distance", "cursor_start_max_action", "cursor_start_max_ahead", "lookback", "append_cursor_inclusive"}

// incremental holds the settings of an incremental model together. at is the place that says that it is one.
func incremental(m *Model, more moreSettings, at diag.Span, r *report) *IncrementalSettings {
	before := len(r.problems)
	in := &IncrementalSettings{Strategy: more.word("incremental_strategy"), Cursor: more.word("cursor"), CursorType: more.word("cursor_type"),
		MergeExclude: more.words("merge_exclude_columns")}
	wrong := func(at diag.Span, help, format string, args ...any) {
		r.add(diag.New("E0145", at, format, args...).WithHelp("%s", help))
	}
	strategy := fold(in.Strategy.Text)
	switch {
	case strategy == "" && !more.has("incremental_strategy"):
		wrong(at, "add incremental_strategy append, delete_insert or merge", "an incremental model says how its rows are put into the table, and %s does not", m.Name)
	case strategy == "merge" && len(m.UniqueKey) == 0:
		wrong(in.Strategy.Span, "add unique_key [id]", "merge needs a unique_key: the columns by which rows are matched")
	case strategy == "delete_insert" && len(m.UniqueKey) == 0 && !in.Cursor.Given():
		wrong(in.Strategy.Span, "add unique_key [id], or a cursor", "delete_insert needs a unique_key or a cursor: what else would it delete?")
	}
	if !more.has("cursor") {
		more.needs(r, at, "cursor", cursorKeys...)
	} else if in.Cursor.Given() {
		grain := more.word("cursor_grain")
		switch kind := fold(in.CursorType.Text); {
		case kind == "" && !more.has("cursor_type"):
			wrong(in.Cursor.Span, "add cursor_type timestamp or cursor_type integer", "the cursor %s has no type", in.Cursor.Text)
		case kind == "timestamp" && !more.has("cursor_grain"):
			wrong(in.CursorType.Span, "add cursor_grain second, minute, hour, day, month or year", "a cursor of type timestamp needs a grain")
		case kind == "integer" && grain.Given():
			wrong(grain.Span, "leave it out", "a cursor of type integer has no grain")
		}
	}
	if strategy != "append" && strategy != "" {
		more.needs(r, at, "incremental_strategy append", "append_cursor_inclusive")
	}
	if strategy != "merge" && strategy != "" {
		more.needs(r, at, "incremental_strategy merge", "merge_exclude_columns")
	}
	for _, w := range in.MergeExclude {
		if slices.ContainsFunc(m.UniqueKey, func(k Word) bool { return fold(k.Text) == fold(w.Text) }) {
			wrong(w.Span, "leave it out of one of them", "%s is part of the unique_key, so it cannot be excluded from the merge", w.Text)
		}
	}
	batched := fold(more.word("incremental_mode").Text) == "microbatch"
	if !batched {
		more.needs(r, at, "incremental_mode microbatch", "microbatch_strategy", "batch_size", "microbatch_limit", "max_microbatches", "unaccounted_partition_policy")
	} else if !more.has("microbatch_strategy") {
		e := more["incremental_mode"]
		wrong(e.Value.Span, "add microbatch_strategy watermark or rolling_window", "microbatches need a strategy")
	}
	if len(r.problems) == before {
		in.Inputs = cursorInputs(more["cursor_inputs"], r)
	}
	return in
}

// cursorInputs decodes cursor_inputs (orders ordered_at, events (column at, roles [filter, watermark])).
func cursorInputs(e Entry, r *report) []CursorInput {
	if e.Value.Kind == NoValue {
		return nil
	}
	d := &decoder{r: r, loose: true}
	if e.Value.Kind != BlockValue || len(e.Value.Items) == 0 {
		d.wrong(e, "a block of relations and columns")
		return nil
	}
	var inputs []CursorInput
	d.each("cursor_inputs", e.Value.Items, func(item Entry) {
		in := CursorInput{Input: item.Key}
		if item.Value.Kind == BlockValue {
			d.block("cursor_inputs", item.Value.Items, keyTable{
				"column": func(d *decoder, e Entry) { in.Column = d.name(e, "the name of a column") },
				"roles": func(d *decoder, e Entry) {
					for _, w := range d.names(e, "a list of filter and watermark") {
						if !slices.Contains([]string{"filter", "watermark"}, fold(w.Text)) {
							d.unknown("E0105", w, "role", []string{"filter", "watermark"})
						}
					}
				},
			})
		} else {
			in.Column = d.name(item, "the name of a column")
		}
		inputs = append(inputs, in)
	})
	return inputs
}

// snapshot holds the settings of a snapshot together.
func snapshot(m *Model, more moreSettings, at diag.Span, r *report) *SnapshotSettings {
	s := &SnapshotSettings{Strategy: more.word("snapshot_strategy"), UpdatedAt: more.word("updated_at"), ObservedAt: more.word("observed_at"),
		ValidFrom: "valid_from", ValidTo: "valid_to"}
	wrong := func(at diag.Span, help, format string, args ...any) {
		r.add(diag.New("E0145", at, format, args...).WithHelp("%s", help))
	}
	for _, w := range more.words("check_columns") {
		if w.Text != "*" {
			s.Check = append(s.Check, w)
		}
	}
	if w := more.word("valid_from_column"); w.Given() {
		s.ValidFrom = w.Text
	}
	if w := more.word("valid_to_column"); w.Given() {
		s.ValidTo = w.Text
	}
	if len(m.UniqueKey) == 0 {
		wrong(at, "add unique_key [id]", "a snapshot needs a unique_key: the columns that say which rows are versions of one thing")
	}
	history := fold(more.word("historical_input").Text)
	switch strategy := fold(s.Strategy.Text); {
	case strategy == "" && !more.has("snapshot_strategy"):
		wrong(at, "add snapshot_strategy timestamp or check", "a snapshot says how it sees that a row changed, and %s does not", m.Name)
	case strategy == "timestamp" && !more.has("updated_at"):
		wrong(s.Strategy.Span, "add updated_at and the column that says when a row changed", "the strategy timestamp needs updated_at")
	case strategy == "check" && !more.has("check_columns"):
		wrong(s.Strategy.Span, "add check_columns [a, b], or check_columns [*] for all", "the strategy check needs check_columns")
	case strategy == "timestamp" && s.ObservedAt.Given() && !more.has("historical_input"):
		wrong(s.ObservedAt.Span, "add historical_input snapshot or historical_input changes", "observed_at of a timestamp snapshot needs historical_input")
	case strategy == "check" && history == "changes":
		wrong(more["historical_input"].Value.Span, "write historical_input snapshot", "the strategy check cannot read changes: each observation has to be complete")
	case history == "changes" && fold(more.word("invalidate_hard_deletes").Text) == "true":
		wrong(more["invalidate_hard_deletes"].Key.Span, "leave it out", "a row that is missing from changes was not deleted")
	}
	if s.Since = fold(more.word("initial_valid_from").Text); s.Since == "" {
		switch {
		case fold(s.Strategy.Text) == "timestamp":
			s.Since = "updated_at"
		case s.ObservedAt.Given():
			s.Since = "observed_at"
		default:
			s.Since = "execution_time"
		}
	}
	return s
}
