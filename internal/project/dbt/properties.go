package dbt

import (
	"fmt"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// properties are what YAML says about a model, a seed or a singular test.
type properties struct {
	kind, name string
	at         diag.Span
	value      project.Value
	used       bool
}

// An entry is a named mapping of a YAML file.
type entry struct {
	name  string
	at    diag.Span
	value project.Value
}

// bystanders are sections that say nothing about rows.
var bystanders = map[string]bool{"version": true, "groups": true, "macros": true, "analyses": true, "anchors": true}

// unlike are sections that norn has no counterpart for: what they hold is listed by name.
var unlike = map[string][2]string{
	"snapshots":       {"snapshot", "norn keeps no history of rows; keep the table, and declare it in sources/"},
	"exposures":       {"exposure", "norn lineage shows who reads what inside the project; keep the exposure where it is"},
	"metrics":         {"metric", "write a model that computes it"},
	"semantic_models": {"semantic model", "write models that compute its measures"},
	"saved_queries":   {"saved query", "write a model of that query"},
	"functions":       {"function", "write the SQL it stands for into the models that call it"},
}

// readProperties reads one YAML file below the project's folders.
func (r *reader) readProperties(path string) error {
	v, err := r.yaml(path)
	if err != nil {
		return err
	}
	for _, e := range v.Items {
		section := e.Key.Text
		switch {
		case section == "models" || section == "seeds" || section == "tests" || section == "data_tests":
			kind := map[string]string{"models": "model", "seeds": "seed"}[section]
			for _, p := range r.entries(e) {
				r.describe(orWord(kind, "singular test"), p)
			}
		case section == "sources":
			for _, p := range r.entries(e) {
				r.readSource(p)
			}
		case section == "unit_tests":
			r.unitTests = append(r.unitTests, r.entries(e)...)
		case bystanders[section] || strings.HasPrefix(section, "."):
		case unlike[section] != [2]string{}:
			for _, p := range r.entries(e) {
				if section == "snapshots" {
					if r.others[fold(p.name)] != "" {
						continue // its SQL is listed, or another file describes it
					}
					r.others[fold(p.name)] = "snapshot"
				}
				r.leave(unlike[section][0], p.name, "", noCounterpart(p.at, "norn has nothing of the kind", unlike[section][1]))
			}
		default:
			r.note(e.Key.Span, "%s: a section of YAML that norn does not know", section)
		}
	}
	return nil
}

// entries are the named mappings of a section. What has no name is a problem: dbt does not read it either.
func (r *reader) entries(e project.Entry) []entry {
	var list []entry
	for _, item := range listed(e.Value) {
		v := item.Value
		name := get(v, "name")
		if v.Kind != project.BlockValue || scalar(name) == "" {
			r.out.Problems = append(r.out.Problems, diag.New(CodeNoProject, v.Span, "an entry of %s has no name", e.Key.Text).
				WithHelp("add name: …"))
			continue
		}
		list = append(list, entry{scalar(name), name.Span, v})
	}
	return list
}

// describe keeps the properties of a model, a seed or a singular test.
func (r *reader) describe(kind string, p entry) {
	key := kind + " " + p.name
	if first := r.properties[key]; first != nil {
		r.out.Problems = append(r.out.Problems, diag.New("E0103", p.at, "the %s %s is described twice", kind, p.name).
			WithNote(first.at, "the first time").WithHelp("keep one of the two"))
		return
	}
	r.properties[key] = &properties{kind: kind, name: p.name, at: p.at, value: p.value}
}

// described takes the properties of a node; empty ones when nobody wrote any.
func (r *reader) described(kind, name string) *properties {
	if p := r.properties[kind+" "+name]; p != nil {
		p.used = true
		return p
	}
	return &properties{kind: kind, name: name}
}

// undescribed notes properties of what is not there.
func (r *reader) undescribed() {
	for _, p := range r.properties {
		if !p.used {
			r.note(p.at, "YAML describes a %s that is not in the project", p.kind)
		}
	}
}

// A column is what YAML says about a column.
type column struct {
	name        string
	at          diag.Span
	description string
	dataType    string
	typeAt      diag.Span
	notNull     bool
	tests       []project.Entry
}

// columns reads the columns of a model, a seed or a source.
func (r *reader) columns(v project.Value) []column {
	var list []column
	for _, p := range r.entries(project.Entry{Key: project.Word{Text: "columns"}, Value: get(v, "columns")}) {
		c := column{name: p.name, at: p.at, description: r.description(p.value)}
		for _, e := range p.value.Items {
			switch e.Key.Text {
			case "data_type":
				c.dataType, c.typeAt = scalar(e.Value), e.Value.Span
				if len(tags(c.dataType)) > 0 {
					c.dataType = ""
					r.note(e.Value.Span, "a data_type that needs Jinja is left out")
				}
			case "tests", "data_tests":
				c.tests = append(c.tests, listed(e.Value)...)
			case "constraints":
				for _, item := range listed(e.Value) {
					switch kind := scalar(get(item.Value, "type")); kind {
					case "not_null":
						c.notNull = true
					default:
						r.note(item.Value.Span, "constraint %s: norn's contracts are about names, types and NULL; write an audit", kind)
					}
				}
			}
		}
		list = append(list, c)
	}
	return list
}

// tests are the generic tests of a whole node.
func tests(v project.Value) []project.Entry {
	return append(append([]project.Entry{}, listed(get(v, "tests"))...), listed(get(v, "data_tests"))...)
}

// description reads a description. One that needs Jinja is left out: it changes no rows.
func (r *reader) description(v project.Value) string {
	d, s := r.constant(get(v, "description"))
	if s != nil {
		r.note(s.span, "a description that needs Jinja is left out")
		return ""
	}
	return strings.TrimSpace(scalar(d))
}

// describedAs is for messages: the model orders, the column id of orders.
func describedAs(owner, column string) string {
	if column != "" {
		return fmt.Sprintf("%s.%s", owner, column)
	}
	return owner
}
