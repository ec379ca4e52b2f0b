package project

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/macro"
	"github.com/norn-data/norn/internal/sql"
)

// Constants and enums are declared in the folders constants/ and enums/ of a SQLBuild project, several in one file:
//
//	CONSTANT (name smallest, value 10);
//	ENUM (name status, members [OPEN, PAID]);
//
// What they stand for in SQL is made here; package macro puts it into queries.

// declarations reads the headers of files that have no queries.
type declarations struct {
	decoder
	to     *macro.Values
	arrays bool // lists are arrays unless they say otherwise
	scope  macro.Scope
	places map[string]diag.Span // of enums
	enums  *register[*enum]     // nil where nobody asks for types
	own    bool                 // a model declares them for itself, under names that begin with an underscore
}

// file reads all declarations of one file.
func (d *declarations) file(file *diag.File, word string, read func(*Header)) {
	for at, n := 0, 0; ; n++ {
		rest := headerScanner{text: file.Text, at: at}
		t := rest.next()
		if t.kind == endToken {
			if n == 0 {
				d.r.add(diag.New("E0111", diag.Span{File: file}, "%s is empty", file.Path).WithHelp("write %s (name …), or remove the file", word))
			}
			return
		}
		before := len(d.r.problems)
		h := readHeaderAt(file, at, d.r, new(entryRoom))
		if h == nil || h.Kind != word {
			if len(d.r.problems) == before {
				d.r.add(diag.New("E0112", t.span(file), "expected %s (…), found %s", word, t.text).WithHelp("files of this folder hold declarations: %s (name …)", word))
			}
			return
		}
		if len(d.r.problems) > before {
			return // a header that could not be read may have taken the others with it
		}
		read(h)
		at = h.End
	}
}

// named takes the name of a declaration that is not taken yet.
func (d *declarations) named(h *Header, name Word, noun string, first func(string) (diag.Span, bool)) bool {
	if !name.Given() && h != nil {
		d.r.add(diag.New("E0106", h.Span, "the %s has no name", noun).WithHelp("add name …"))
		return false
	}
	if d.own && strings.HasPrefix(name.Text, "_") && !strings.HasPrefix(name.Text, "__") && usableName(name.Text) {
		// Its own names begin so, and shared ones do not.
	} else if d.own {
		d.r.add(diag.New("E0014", name.Span, "%q cannot be the name of a %s that a model declares for itself", name.Text, noun).
			WithHelp("begin it with one underscore, or declare it in %ss/ for all", noun))
		return false
	} else if !usableName(name.Text) || strings.HasPrefix(name.Text, "_") {
		d.r.add(diag.New("E0014", name.Span, "%q cannot be the name of a %s", name.Text, noun).
			WithHelp("use letters, digits and underscores, and no underscore first"))
		return false
	}
	if at, taken := first(name.Text); taken {
		d.r.add(diag.New("E0103", name.Span, "%s %s is declared twice", noun, name.Text).WithNote(at, "the first one").WithHelp("keep one of the two"))
		return false
	}
	return true
}

// constant reads CONSTANT (name …, value …).
func (d *declarations) constant(h *Header) {
	var name, typ Word
	var value, render Entry
	before := len(d.r.problems)
	d.block(h.Kind, h.Entries, keyTable{
		"name":        func(d *decoder, e Entry) { name = d.name(e, "a name") },
		"value":       func(_ *decoder, e Entry) { value = e },
		"type":        func(d *decoder, e Entry) { typ = d.name(e, "a type") },
		"render_as":   func(_ *decoder, e Entry) { render = e },
		"description": func(d *decoder, e Entry) { d.text(e) },
		"tags":        func(d *decoder, e Entry) { d.names(e, "a list of words") },
	})
	if !d.named(h, name, "constant", func(n string) (diag.Span, bool) { v, ok := d.to.Constants[n]; return v.Place, ok }) {
		return
	}
	d.keepConstant(name, value, typ, render, before)
}

// keepConstant makes the SQL of a constant whose name is free.
func (d *declarations) keepConstant(name Word, value Entry, typ Word, render Entry, before int) {
	text := ""
	if !value.Key.Given() {
		d.r.add(diag.New("E0106", name.Span, "the constant %s has no value", name.Text).WithHelp("add value …"))
	} else {
		text = d.literal(value, typ, render)
	}
	d.to.Constants[name.Text] = macro.Value{SQL: text, Place: name.Span, Bad: text == "" || len(d.r.problems) > before, Scope: d.scope}
}

// constantTypes are the types that a constant may declare, and the forms of value that they take.
var constantTypes = []string{"string", "integer", "boolean", "float", "decimal"}

// literal is the SQL of a constant's value; "" when it has none, which was reported.
func (d *declarations) literal(e Entry, typ Word, render Entry) string {
	if e.Value.Kind == ListValue || e.Value.Kind == SetValue {
		return d.list(e, render)
	}
	if render.Key.Given() {
		d.r.add(diag.New("E0106", render.Key.Span, "render_as is for lists and sets").WithHelp("remove it"))
	}
	if !typ.Given() {
		text, _ := d.scalar(e)
		return text
	}
	i := slices.Index(constantTypes, fold(typ.Text))
	if i < 0 {
		d.unknown("E0105", typ, "type of a constant", constantTypes)
		return ""
	}
	return d.decoder.constant(e, ParameterType(i))
}

// list is a list of values: in brackets for IN, or an array.
func (d *declarations) list(e Entry, render Entry) string {
	array := d.arrays
	if render.Key.Given() {
		if i := d.choice(render, "rendering", "value_list", "array"); i >= 0 {
			array = i == 1
		}
	}
	var items []string
	kind := ""
	for _, item := range e.Value.Items {
		text, k := d.scalar(Entry{Key: e.Key, Value: item.Value})
		switch {
		case text == "":
			return ""
		case e.Value.Kind == SetValue && slices.Contains(items, text):
			d.r.add(diag.New("E0103", item.Value.Span, "%s is in the set twice", item.Value.Span.Text()).WithHelp("keep it once"))
			return ""
		case k == "" || e.Value.Kind == SetValue && kind != "":
		case kind == "":
			kind = k
		case kind != k:
			d.r.add(diag.New("E0104", item.Value.Span, "the list mixes %s and %s", kind, k).WithHelp("give all values one type"))
			return ""
		}
		items = append(items, text)
	}
	if kind == "" {
		d.r.add(diag.New("E0104", e.Value.Span, "the list has no value from which its type could be told").WithHelp("write one value at least"))
		return ""
	}
	if e.Value.Kind == SetValue {
		slices.Sort(items) // a set has no order of its own
	}
	list := strings.Join(items, ", ")
	switch {
	case !array:
		return "(" + list + ")"
	case d.dialect == sql.Postgres():
		return "ARRAY[" + list + "]"
	}
	return "[" + list + "]"
}

// scalar is the SQL of one value and what it is; nothing for NULL.
func (d *declarations) scalar(e Entry) (text, kind string) {
	switch v := e.Value; {
	case v.Kind == WordValue && fold(v.Text) == "null":
		return "NULL", ""
	case v.Kind == WordValue && (fold(v.Text) == "true" || fold(v.Text) == "false"):
		return fold(v.Text), "true and false"
	case v.Kind == StringValue:
		return sql.QuoteText(v.Text), "text"
	case v.Kind == NumberValue:
		text = strings.TrimPrefix(strings.ReplaceAll(v.Text, "_", ""), "+")
		if strings.HasPrefix(text, "-") {
			text = "(" + text + ")" // so that two signs in a row do not begin a comment
		}
		return text, "numbers"
	case v.Kind == BlockValue:
		if text, ok := d.json(v); ok && d.dialect == sql.Postgres() {
			return sql.QuoteText(text) + "::JSONB", "objects"
		} else if ok {
			return "json(" + sql.QuoteText(text) + ")", "objects"
		}
		return "", ""
	default:
		d.wrong(e, "a text in quotes, a number, true, false or null")
	}
	return "", ""
}

// enum reads ENUM (name …, members […]) and ENUM (name …, members (NAME value, …)).
func (d *declarations) enum(h *Header) {
	var name Word
	var members Entry
	before := len(d.r.problems)
	d.block(h.Kind, h.Entries, keyTable{
		"name":        func(d *decoder, e Entry) { name = d.name(e, "a name") },
		"members":     func(_ *decoder, e Entry) { members = e },
		"description": func(d *decoder, e Entry) { d.text(e) },
		"tags":        func(d *decoder, e Entry) { d.names(e, "a list of words") },
	})
	if !d.named(h, name, "enum", func(n string) (diag.Span, bool) { at, ok := d.places[n]; return at, ok }) {
		return
	}
	d.keepEnum(name, members, before)
}

// keepEnum makes the SQL of the members of an enum whose name is free.
func (d *declarations) keepEnum(name Word, members Entry, before int) {
	d.places[name.Text] = name.Span
	of := &enum{}
	if d.enums != nil {
		d.enums.add(&declared[*enum]{name, d.scope, of}, d.r)
	}
	to := map[string]macro.Value{}
	d.to.Enums[name.Text] = to
	if members.Value.Kind != ListValue && members.Value.Kind != BlockValue || len(members.Value.Items) == 0 {
		d.r.add(diag.New("E0106", name.Span, "the enum %s has no members", name.Text).WithHelp("add members [OPEN, PAID]"))
		return
	}
	first := ""
	for _, item := range members.Value.Items {
		var value string
		w, kind := item.Key, "text"
		if members.Value.Kind == ListValue {
			w = d.decoder.name(Entry{Key: members.Key, Value: item.Value}, "a name in capitals")
			value = "'" + w.Text + "'"
		} else if value, kind = d.scalar(item); kind != "text" && (kind != "numbers" || strings.ContainsAny(value, ".eE")) {
			if value != "" {
				d.wrong(item, "a text in quotes or a whole number")
			}
			value = ""
		}
		_, twice := to[w.Text]
		switch {
		case !w.Given() || value == "":
		case twice:
			d.r.add(diag.New("E0103", w.Span, "the member %s is declared twice", w.Text).WithNote(to[w.Text].Place, "the first one").WithHelp("keep one of the two"))
		case !usableName(w.Text) || strings.ToUpper(w.Text) != w.Text:
			d.r.add(diag.New("E0014", w.Span, "%q cannot be the name of a member", w.Text).WithHelp("write it in capitals: %s", strings.ToUpper(plainName(w.Text))))
		case first != "" && kind != first:
			d.r.add(diag.New("E0104", w.Span, "the members of %s mix %s and %s", name.Text, first, kind).WithHelp("give all of them a text, or all a number"))
		default:
			first = kind
			l := Literal{Text: strings.Trim(value, "()")}
			if kind == "numbers" {
				l.Kind = NumberLiteral
			} else if l.Text = item.Value.Text; members.Value.Kind == ListValue {
				l.Text = w.Text
			}
			of.values = append(of.values, l)
		}
		if w.Given() && !twice {
			to[w.Text] = macro.Value{SQL: value, Place: w.Span, Bad: len(d.r.problems) > before, Scope: d.scope}
		}
	}
}

// json writes an object as JSON, its keys in order.
func (d *declarations) json(v Value) (string, bool) {
	text := func(s string) string {
		b, err := json.Marshal(s)
		diag.Assert(err == nil, "a text is no JSON: %v", err)
		return string(b)
	}
	var parts []string
	switch v.Kind {
	case BlockValue, ListValue, SetValue:
		items := slices.Clone(v.Items)
		if v.Kind == BlockValue {
			slices.SortFunc(items, func(a, b Entry) int { return strings.Compare(a.Key.Text, b.Key.Text) })
		}
		for i, item := range items {
			if v.Kind == BlockValue && (!item.Key.Given() || i > 0 && items[i-1].Key.Text == item.Key.Text) {
				d.r.add(diag.New("E0104", item.Span(), "an object has keys, each once").WithHelp("write (key value, …)"))
				return "", false
			}
			one, ok := d.json(item.Value)
			if !ok {
				return "", false
			}
			if v.Kind == BlockValue {
				one = text(item.Key.Text) + ":" + one
			}
			parts = append(parts, one)
		}
		if v.Kind == BlockValue {
			return "{" + strings.Join(parts, ",") + "}", true
		}
		return "[" + strings.Join(parts, ",") + "]", true
	case StringValue:
		return text(v.Text), true
	case NumberValue:
		return strings.TrimPrefix(strings.ReplaceAll(v.Text, "_", ""), "+"), true
	case WordValue:
		if word := fold(v.Text); word == "true" || word == "false" || word == "null" {
			return word, true
		}
	}
	d.r.add(diag.New("E0104", v.Span, "%s is no value of an object", describe(v)).WithHelp("write a text in quotes, a number, true, false, null, a list or an object"))
	return "", false
}

// ownValues decodes the constants and enums that a model declares for itself:
//
//	constants (_min 2, _rate constant(type decimal, value "2.47")), enums (_state [OPEN, CLOSED])
//
// nil when it declares none.
func (l *loader) ownValues(more moreSettings, r *report) (own *macro.Values, enums register[*enum]) {
	constants, of := more["constants"], more["enums"]
	if !constants.Key.Given() && !of.Key.Given() {
		return nil, enums
	}
	own = &macro.Values{Constants: map[string]macro.Value{}, Enums: map[string]map[string]macro.Value{}}
	enums.noun = "enum"
	d := &declarations{decoder: decoder{r: r, dialect: l.dialect}, to: own, arrays: l.p.Config.arrays, places: map[string]diag.Span{}, enums: &enums, own: true}
	if constants.Key.Given() {
		d.ownBlock(constants, func(e Entry) {
			if !d.named(nil, e.Key, "constant", func(n string) (diag.Span, bool) { v, ok := own.Constants[n]; return v.Place, ok }) {
				return
			}
			before := len(r.problems)
			value, typ, render := Entry{Key: Word{"value", e.Key.Span}, Value: e.Value}, Word{}, Entry{}
			if e.Value.Kind == CallValue && fold(e.Value.Text) == "constant" {
				value = Entry{}
				d.block("constant", e.Value.Items, keyTable{
					"value":     func(_ *decoder, e Entry) { value = e },
					"type":      func(d *decoder, e Entry) { typ = d.name(e, "a type") },
					"render_as": func(_ *decoder, e Entry) { render = e },
				})
			}
			d.keepConstant(e.Key, value, typ, render, before)
		})
	}
	if of.Key.Given() {
		d.ownBlock(of, func(e Entry) {
			if d.named(nil, e.Key, "enum", func(n string) (diag.Span, bool) { at, ok := d.places[n]; return at, ok }) {
				d.keepEnum(e.Key, e, len(r.problems))
			}
		})
	}
	return own, enums
}

func (d *declarations) ownBlock(e Entry, each func(Entry)) {
	if e.Value.Kind != BlockValue {
		d.wrong(e, "a block of names and values")
		return
	}
	d.each(fold(e.Key.Text), e.Value.Items, each)
}
