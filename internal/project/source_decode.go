package project

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/norn-data/norn/internal/diag"
)

// declarations finds the entries of a YAML file under sources: or seeds:. SQLBuild projects write a list of mappings with
// names, or a mapping from name to mapping; a file may also be such a list, or one declaration, by itself. stem, when given, names a
// declaration that has no name of its own.
func (d *decoder) declarations(v Value, plural, stem string, each func(name Word, items []Entry)) {
	if v.Kind == ListValue {
		for _, item := range v.Items {
			d.declaration(item.Value, Word{}, plural, each)
		}
		return
	}
	if v.Kind != BlockValue {
		d.r.add(diag.New("E0104", v.Span, "expected %s, found %s", plural, describe(v)).
			WithHelp("start the file with %s: and a list", plural))
		return
	}
	inner := keyTable{
		plural: func(d *decoder, e Entry) {
			switch e.Value.Kind {
			case ListValue:
				for _, item := range e.Value.Items {
					d.declaration(item.Value, Word{}, plural, each)
				}
			case BlockValue:
				for _, item := range e.Value.Items {
					d.declaration(item.Value, item.Key, plural, each)
				}
			default:
				d.wrong(e, "a list of "+plural)
			}
		},
		"version": func(*decoder, Entry) {},
	}
	for _, e := range v.Items {
		if fold(e.Key.Text) == plural {
			d.block("the file", v.Items, inner)
			return
		}
	}
	for _, e := range v.Items {
		if fold(e.Key.Text) == "name" || stem != "" && fold(e.Key.Text) == "columns" {
			name := Word{}
			if stem != "" {
				name = Word{stem, v.Span}
			}
			d.declaration(v, name, plural, each)
			return
		}
	}
	d.block("the file", v.Items, inner)
}

// declaration reads the name of one declaration. given is the key it stands under, or the zero Word.
func (d *decoder) declaration(v Value, given Word, plural string, each func(name Word, items []Entry)) {
	if v.Kind == NoValue && given.Given() {
		each(given, nil)
		return
	}
	if v.Kind != BlockValue {
		d.r.add(diag.New("E0104", v.Span, "expected keys and values, found %s", describe(v)).WithHelp("write - name: …"))
		return
	}
	name := given
	for _, e := range v.Items {
		if fold(e.Key.Text) == "name" {
			if w := d.scalarName(e); w.Given() {
				name = w
			}
			break
		}
	}
	if !name.Given() {
		p := diag.New("E0106", v.Span, "an entry of %s has no name", plural)
		d.r.add(p)
		for _, e := range v.Items {
			if diag.Nearest(e.Key.Text, []string{"name"}) != "" {
				p.WithHelp("did you mean name?").WithFix(e.Key.Span, "name")
				return
			}
		}
		p.WithHelp("add name: …")
		return
	}
	each(name, v.Items)
}

// scalarName reads a name from YAML, where true and 1 are no names but may be meant as one.
func (d *decoder) scalarName(e Entry) Word {
	if e.Value.Kind == NumberValue {
		e.Value.Kind = WordValue
	}
	return d.name(e, "a name")
}

// readSources decodes one file below sources/.
func (l *loader) readSources(file *diag.File, r *report) []*Source {
	v, ok := readYAML(file, r)
	if !ok {
		return nil
	}
	var list []*Source
	d := &decoder{r: r, loose: true, dialect: l.dialect}
	d.declarations(v, "sources", "", func(name Word, items []Entry) {
		s := &Source{Name: name.Text, Span: name.Span}
		checkName(r, name, "source")
		var both diag.Span
		d.block("source "+s.Name, items, keyTable{
			"name":        func(*decoder, Entry) {},
			"description": func(d *decoder, e Entry) { s.Description = d.text(e) },
			"database":    func(d *decoder, e Entry) { s.Database = d.name(e, "a name") },
			"schema":      func(d *decoder, e Entry) { s.Schema = d.name(e, "a name") },
			"table":       func(d *decoder, e Entry) { s.Table, both = d.name(e, "a name"), e.Key.Span },
			"expression":  func(d *decoder, e Entry) { s.Expression = Word{d.text(e), e.Value.Span} },
			"columns":     func(d *decoder, e Entry) { s.Columns = d.yamlColumns(e) },
			"audits":      func(d *decoder, e Entry) { s.Audits = d.audits(yamlAudits(e), true) },
			"contract": func(d *decoder, e Entry) {
				if i := d.choice(e, "contract", "none", "enforced"); i >= 0 {
					s.Contract = ContractNone + Contract(i)
				}
			},
			"write_strategy": oneOf("table", "append", "delete_insert", "merge"),
			"managed":        kept, "cursor_column": kept, "unique_key": kept, "freshness": kept, "type_enforcement": kept, "tags": kept,
		})
		s.Expression.Text = l.interpolated(s.Expression, r)
		if s.Expression.Given() && s.Table.Given() {
			r.add(diag.New("E0118", both, "source %s has both a table and an expression", s.Name).WithHelp("keep one of the two"))
		}
		if s.Contract == ContractEnforced && len(s.Columns) == 0 {
			r.add(diag.New("E0106", name.Span, "contract enforced needs columns, and source %s declares none", s.Name).
				WithHelp("add columns, or remove the contract"))
		}
		if !l.o.NoFingerprints {
			s.Fingerprint = s.fingerprint()
		}
		list = append(list, s)
	})
	return list
}

// fingerprint covers what changes the rows or columns that readers of the source see.
func (s *Source) fingerprint() string {
	h := sha256.New()
	fmt.Fprintf(h, "source 1\x00%s\x00%s\x00%s\x00%s\x00%s\x00%d\x00", fold(s.Name), s.Database.Text, s.Schema.Text,
		s.Relation(), s.Expression.Text, s.Contract)
	hashColumns(h, s.Columns)
	return hex.EncodeToString(h.Sum(nil))
}

// yamlColumns reads columns: a list of mappings with names, or a mapping from name to type or to mapping.
func (d *decoder) yamlColumns(e Entry) []Column {
	block := Value{Kind: BlockValue, Span: e.Value.Span}
	if e.Value.Kind == ListValue {
		block.Items = d.items[:0]
		defer func() { d.items = block.Items[:0] }() // nothing of them is kept
	}
	switch e.Value.Kind {
	case BlockValue:
		block.Items = e.Value.Items
	case ListValue:
		for _, item := range e.Value.Items {
			if item.Value.Kind == WordValue || item.Value.Kind == StringValue {
				block.Items = append(block.Items, Entry{Key: Word{item.Value.Text, item.Value.Span}})
				continue
			}
			d.declaration(item.Value, Word{}, "columns", func(name Word, items []Entry) {
				rest := items[1:] // the name stands first nearly always
				if fold(items[0].Key.Text) != "name" || slices.ContainsFunc(rest, isName) {
					rest = slices.DeleteFunc(slices.Clone(items), isName)
				}
				block.Items = append(block.Items, Entry{Key: name, Value: Value{Kind: BlockValue, Span: item.Value.Span, Items: rest}})
			})
		}
	default:
		d.wrong(e, "a list of columns")
		return nil
	}
	// The audits of a column are written in YAML's way here; the decoder wants calls.
	for i := range block.Items {
		items := block.Items[i].Value.Items
		for j := range items {
			if fold(items[j].Key.Text) == "audits" {
				items[j] = yamlAudits(items[j])
			}
		}
	}
	return d.columns(Entry{Key: e.Key, Value: block})
}

func isName(e Entry) bool { return fold(e.Key.Text) == "name" }

// yamlAudits turns the forms of an audit in YAML into words and calls:
//
//   - not_null
//   - accepted_values: {values: [a, b]}
//   - name: accepted_values
//     values: [a, b]
func yamlAudits(e Entry) Entry {
	if e.Value.Kind != ListValue {
		return e
	}
	items := make([]Entry, len(e.Value.Items))
	for i, item := range e.Value.Items {
		v := item.Value
		if v.Kind == StringValue {
			v.Kind = WordValue
		}
		if v.Kind == BlockValue && len(v.Items) > 0 {
			first := v.Items[0]
			call := Value{Kind: CallValue, Text: first.Key.Text, Span: first.Key.Span}
			call.Span.End = v.Span.End
			switch {
			case fold(first.Key.Text) == "name" && (first.Value.Kind == WordValue || first.Value.Kind == StringValue):
				call.Text, call.Items = first.Value.Text, v.Items[1:]
				call.Span.Start = first.Value.Span.Start
			case len(v.Items) == 1 && first.Value.Kind == BlockValue:
				call.Items = first.Value.Items
			case len(v.Items) == 1 && first.Value.Kind == ListValue:
				call.Items = []Entry{{Value: first.Value}}
			case len(v.Items) == 1 && first.Value.Kind == NoValue:
			default:
				call = v
			}
			v = call
		}
		items[i] = Entry{Value: v}
	}
	e.Value.Items = items
	return e
}
