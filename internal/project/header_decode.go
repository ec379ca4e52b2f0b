package project

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// A keyTable says what the keys of a header or block mean. The order of the names does not matter: messages sort.
type keyTable map[string]func(d *decoder, e Entry)

// decoder turns entries into typed values and says what is wrong with them.
type decoder struct {
	r *report
	// loose says that the entries come from TOML or YAML, where quotes do not tell a word from a text.
	loose bool
	// dialect is the SQL that types are written in; nil means DuckDB's.
	dialect *sql.Dialect
	// customs says that the project may have materializations of its own.
	customs bool
	// more are the entries that wait for others of the same header, see remembered.
	more moreSettings
	// model is filled by modelKeys, and materialized is the place that says how it is materialized; nil for all other blocks.
	model        *Model
	materialized diag.Span
	// items are where the columns of YAML become entries, one block at a time.
	items []Entry
}

// block hands every entry to its key's function; the first table that has the key decides. Keys are compared without
// regard to case. noun names the block in messages: "MODEL", "predict".
func (d *decoder) block(noun string, entries []Entry, keys ...keyTable) {
	d.fields(noun, entries, func() []string {
		var names []string
		for _, k := range keys {
			names = append(names, k.names()...)
		}
		return names
	}, func(name string, e Entry) bool {
		for _, k := range keys {
			if f, ok := k[name]; ok {
				if e.Value.Kind != NoValue {
					f(d, e)
				}
				return true
			}
		}
		return false
	})
}

// fields is the loop of block without its tables. read gets a folded key and says whether it knows it; names lists the
// known keys when one is not known.
func (d *decoder) fields(noun string, entries []Entry, names func() []string, read func(name string, e Entry) bool) {
	var many map[string]diag.Span // first places; few entries are compared one by one
	if len(entries) > 16 {
		many = make(map[string]diag.Span, len(entries))
	}
	for i, e := range entries {
		if !e.Key.Given() {
			d.r.add(diag.New("E0104", e.Value.Span, "expected a key of %s, found %s", noun, describe(e.Value)).
				WithHelp("write it as: key value"))
			continue
		}
		name := fold(e.Key.Text)
		first, twice := many[name]
		if many != nil && !twice {
			many[name] = e.Key.Span
		}
		for j := 0; many == nil && j < i && !twice; j++ {
			if strings.EqualFold(entries[j].Key.Text, e.Key.Text) {
				first, twice = entries[j].Key.Span, true
			}
		}
		if twice {
			d.r.add(diag.New("E0103", e.Key.Span, "%s is given twice", e.Key.Text).
				WithNote(first, "the first one").WithHelp("keep one of the two"))
			continue
		}
		if !read(name, e) {
			d.unknown("E0102", e.Key, "key of "+noun, names())
		} else if e.Value.Kind == NoValue {
			d.r.add(diag.New("E0104", e.Key.Span, "%s has no value", e.Key.Text).WithHelp("write a value after the key"))
		}
	}
}

// names lists the keys in order, for suggestions that do not depend on the order of a map.
func (k keyTable) names() []string {
	names := make([]string, 0, len(k))
	for n := range k {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// unknown reports a word that is not among the words that may stand there, with the nearest one as an edit.
func (d *decoder) unknown(code string, w Word, noun string, known []string) {
	// "key of predict" reads better around the word: unknown key taget of predict.
	noun, of, _ := strings.Cut(noun, " of ")
	if of != "" {
		of = " of " + of
	}
	p := diag.New(code, w.Span, "unknown %s %s%s", noun, w.Text, of)
	if near := diag.Nearest(w.Text, known); near != "" {
		p.WithHelp("did you mean %s?", near).WithFix(w.Span, near)
	} else if len(known) > 0 {
		p.WithHelp("known are %s", diag.Listing(known))
	}
	d.r.add(p)
}

// wrong reports a value of the wrong form.
func (d *decoder) wrong(e Entry, want string) {
	p := diag.New("E0104", e.Value.Span, "%s expects %s, found %s", e.Key.Text, want, describe(e.Value))
	if e.Value.Kind == PhraseValue {
		p.WithHelp("is a comma missing after %s?", e.Value.Items[0].Value.Span.Text())
	} else {
		p.WithHelp("write %s %s", e.Key.Text, example(want))
	}
	d.r.add(p)
}

// example shows the form that a wanted value has.
func example(want string) string {
	switch {
	case strings.HasPrefix(want, "a list"):
		return "[a, b]"
	case strings.HasPrefix(want, "a block"):
		return "( key value, … )"
	case strings.HasPrefix(want, "text"):
		return `"some text"`
	case strings.HasPrefix(want, "true"):
		return "true"
	case strings.Contains(want, "number"):
		return "8"
	}
	return "name"
}

// describe names what was found where something else was expected.
func describe(v Value) string {
	switch v.Kind {
	case WordValue:
		return "the word " + v.Text
	case NumberValue:
		return "the number " + v.Text
	case StringValue:
		return "a text"
	case DurationValue:
		return "the duration " + v.Text
	case ListValue:
		return "a list"
	case SetValue:
		return "a set in braces"
	case BlockValue:
		return "a block in parentheses"
	case CallValue:
		return "the call " + v.Text + "(…)"
	case PhraseValue:
		return "several values"
	case OperatorValue:
		return "the operator " + v.Text
	}
	return "nothing"
}

// name reads a name: a word, or a text where the name is no word.
func (d *decoder) name(e Entry, want string) Word {
	switch e.Value.Kind {
	case WordValue:
		return Word{e.Value.Text, e.Value.Span}
	case StringValue:
		if e.Value.Text != "" {
			return Word{e.Value.Text, e.Value.Span}
		}
		d.r.add(diag.New("E0104", e.Value.Span, "%s is empty", e.Key.Text).WithHelp("write a name"))
		return Word{}
	}
	d.wrong(e, want)
	return Word{}
}

// names reads one name or a list of them, each at most once.
func (d *decoder) names(e Entry, want string) []Word {
	if e.Value.Kind != ListValue {
		if w := d.name(e, want); w.Given() {
			return []Word{w}
		}
		return nil
	}
	var list []Word
	for _, item := range e.Value.Items {
		w := d.name(Entry{Key: e.Key, Value: item.Value}, want)
		if !w.Given() {
			continue
		}
		if i := slices.IndexFunc(list, func(o Word) bool { return fold(o.Text) == fold(w.Text) }); i >= 0 {
			d.r.add(diag.New("E0103", w.Span, "%s is in the list twice", w.Text).WithNote(list[i].Span, "the first one").
				WithHelp("keep one of the two"))
			continue
		}
		list = append(list, w)
	}
	return list
}

// text reads a text. A header wants quotes around it, so that a forgotten comma does not become part of a description; YAML
// and TOML have rules of their own.
func (d *decoder) text(e Entry) string {
	if e.Value.Kind == StringValue || d.loose && (e.Value.Kind == WordValue || e.Value.Kind == NumberValue) {
		return e.Value.Text
	}
	d.wrong(e, "text in quotes")
	return ""
}

// truth reads true or false. YES, 1 and the like are refused, because formats disagree about them.
func (d *decoder) truth(e Entry) Truth {
	if e.Value.Kind == WordValue {
		switch fold(e.Value.Text) {
		case "true":
			return Yes
		case "false":
			return No
		}
	}
	d.wrong(e, "true or false")
	return Unsaid
}

// choice reads one of a closed set of words and returns its index, or -1.
func (d *decoder) choice(e Entry, noun string, words ...string) int {
	w := d.name(e, "one of "+strings.Join(words, ", "))
	if !w.Given() {
		return -1
	}
	i := slices.Index(words, fold(w.Text))
	if i < 0 {
		d.unknown("E0105", w, noun, words)
	}
	return i
}

// whole reads a whole number of at least low.
func (d *decoder) whole(e Entry, low int64) (int64, bool) {
	if e.Value.Kind != NumberValue {
		d.wrong(e, "a whole number")
		return 0, false
	}
	n, err := strconv.ParseInt(strings.ReplaceAll(e.Value.Text, "_", ""), 10, 64)
	if err != nil || n < low {
		d.r.add(diag.New("E0104", e.Value.Span, "%s expects a whole number of at least %d, found %s", e.Key.Text, low, e.Value.Text).
			WithHelp("the smallest is %d", low))
		return 0, false
	}
	return n, true
}

// number reads a finite number.
func (d *decoder) number(e Entry) (float64, bool) {
	if e.Value.Kind == NumberValue {
		if f, err := strconv.ParseFloat(strings.ReplaceAll(e.Value.Text, "_", ""), 64); err == nil {
			return f, true
		}
	}
	d.wrong(e, "a number")
	return 0, false
}

// columnType reads a type: any run of words, calls and lists on one line. Whether a simple name is a type is for the
// binder to say; anything longer must at least be written like one.
func (d *decoder) columnType(e Entry) Word {
	v := e.Value
	var w Word
	switch {
	case v.Kind == StringValue || d.loose && v.Kind == WordValue:
		w = Word{v.Text, v.Span}
	case v.Kind == WordValue || v.Kind == CallValue || v.Kind == PhraseValue:
		w = Word{v.Span.Text(), v.Span}
	}
	if !w.Given() {
		d.wrong(e, "a type")
		return Word{}
	}
	if usableName(w.Text) {
		return w
	}
	file, start := diag.NewFile(v.Span.File.Path, w.Text), 0
	direct := v.Span.Text() == w.Text
	if direct {
		// The parser wants the type to end where the text ends; places stay those of the file.
		file, start = diag.NewFile(v.Span.File.Path, v.Span.File.Text[:v.Span.End]), v.Span.Start
	}
	if _, problems := sql.ParseType(file, start, cmp.Or(d.dialect, sql.DuckDB())); len(problems) > 0 {
		at := v.Span
		if direct && !problems[0].Span.IsZero() {
			at.Start, at.End = problems[0].Span.Start, max(problems[0].Span.Start, min(problems[0].Span.End, v.Span.End))
		}
		d.r.add(diag.New("E0104", at, "%s is not written like a type: %s", shorten(w.Text), problems[0].Message).
			WithHelp("write a type such as INTEGER, DECIMAL(10, 2) or VARCHAR[]; is a comma missing?"))
		return Word{}
	}
	return w
}
