package dbt

import (
	"maps"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// A model is a SQL file below model-paths.
type model struct {
	located
	name       string
	template   *template
	properties *properties
	config     config
	header     header
	spots      []spot // why it is not converted
	gone       bool   // another model of the name stands for it
}

func (m *model) nodeName() string { return m.name }
func (m *model) converted() bool  { return len(m.spots) == 0 }
func (m *model) prefix() string   { return "__ref" }
func (m *model) relation() string { return orWord(m.header.alias, m.name) }

// findModels reads all models and decides which can be converted.
func (r *reader) findModels(l *listing) error {
	for _, f := range l.models {
		file, err := r.text(f.path)
		if err != nil {
			return err
		}
		if strings.TrimSpace(file.Text) == "" {
			r.note(diag.Span{File: file}, "an empty file is no model")
			continue
		}
		m := &model{located: f, name: stem(f.path), template: r.take(file)}
		m.properties = r.described("model", m.name)
		m.config = r.folderConfig("models", folderParts(f))
		m.config.merge(get(m.properties.value, "config").Items)
		m.config.merge(m.template.config)
		r.models = append(r.models, m)
	}
	for _, f := range l.python {
		file, err := r.text(f.path)
		if err != nil {
			return err
		}
		r.described("model", stem(f.path))
		r.others[fold(stem(f.path))] = "model"
		r.leave("model", stem(f.path), "", noCounterpart(diag.Span{File: file}, "it is written in Python", "write the query in SQL; norn's predictions may stand for what the code does"))
	}
	return nil
}

// settleModels gives every model its settings and its name.
func (r *reader) settleModels() {
	for _, m := range r.models {
		at := diag.Span{File: m.template.file}
		r.modelSettings(m)
		m.spots = append(m.spots, m.template.spots...)
		if !usableName(m.name) {
			m.spots = append(m.spots, noCounterpart(at, "its name cannot be written in SQL without quotes", "rename it in dbt first: letters, digits and underscores"))
		}
		if v := get(m.properties.value, "versions"); v.Kind != project.NoValue {
			m.spots = append(m.spots, noCounterpart(v.Span, "norn has no versions of models", "give every version a name of its own"))
		}
		first := r.byName[fold(m.name)]
		other, isModel := first.(*model)
		switch {
		case first == nil:
		case isModel && other.header.disabled && !m.header.disabled:
			other.gone = true
			r.note(diag.Span{File: other.template.file}, "a disabled model is left out where another has its name")
		case isModel && m.header.disabled:
			m.gone = true
			r.note(at, "a disabled model is left out where another has its name")
			continue
		default:
			m.spots = append(m.spots, noCounterpart(at, "the name stands for something else already; norn does not tell capitals apart", "rename one of the two in dbt first"))
			continue
		}
		r.byName[fold(m.name)] = m
	}
}

// harmless are settings that say nothing about rows, or only about incremental models, or about documentation.
var harmless = map[string]bool{
	"meta": true, "docs": true, "persist_docs": true, "description": true, "group": true, "access": true, "full_refresh": true,
	"on_schema_change": true, "unique_key": true, "incremental_strategy": true, "on_configuration_change": true, "event_time": true,
	"batch_size": true, "begin": true, "lookback": true, "merge_update_columns": true, "merge_exclude_columns": true, "contract": true,
	"materialized": true, "columns": true, "name": true, "static_analysis": true,
}

// modelSettings decodes the settings of a model into its header. Settings that would change rows and have no counterpart are
// spots; others are notes.
func (r *reader) modelSettings(m *model) {
	h := &m.header
	for _, key := range slices.Sorted(maps.Keys(m.config)) {
		e := m.config[key]
		if key == "pre_hook" || key == "post_hook" {
			if slices.ContainsFunc(listed(e.Value), func(h project.Entry) bool { return h.Value.Kind == project.BlockValue || scalar(h.Value) != "" }) {
				m.spots = append(m.spots, noCounterpart(e.Key.Span, "it has a "+strings.ReplaceAll(key, "_", "-")+", and norn runs no statements around a model",
					"write what the statement does into the query, or run it yourself"))
			}
			continue
		}
		v, s := r.constant(e.Value)
		if s != nil && !harmless[key] || s != nil && (key == "materialized" || key == "contract") {
			s.message = key + ": " + s.message
			s.help = "write the value itself, and import again"
			m.spots = append(m.spots, *s)
			continue
		}
		at := e.Key.Span
		switch key {
		case "schema":
			if h.schema = scalar(v); h.schema != "" {
				r.note(at, "schema: dbt puts the target's schema in front (main_%s); norn builds into %s itself", h.schema, h.schema)
			}
		case "database":
			r.note(at, "database: norn builds into the database of its target, not into %s", scalar(v))
		case "alias":
			if a := scalar(v); a != m.name {
				h.alias = a
			}
		case "tags":
			m.spots = append(m.spots, r.tagList(h, v)...)
		case "enabled":
			yes, ok := truth(v)
			if !ok {
				m.spots = append(m.spots, noCounterpart(e.Value.Span, "enabled is neither true nor false", "write true or false"))
			}
			h.disabled = ok && !yes
		case "sql_header":
			m.spots = append(m.spots, noCounterpart(at, "it has statements in front of its query (sql_header)", "write the query so that it needs none"))
		case "materialized":
			r.materialized(m, v, at)
		case "contract":
			enforced, ok := truth(get(v, "enforced"))
			h.enforced = ok && enforced
		default:
			if !harmless[key] {
				r.note(at, "%s: no counterpart, dropped", key)
			}
		}
	}
	for _, item := range listed(get(m.properties.value, "constraints")) {
		r.note(item.Value.Span, "constraint %s: norn's contracts are about names, types and NULL; write an audit", scalar(get(item.Value, "type")))
	}
	r.modelColumns(m)
}

func (r *reader) materialized(m *model, v project.Value, at diag.Span) {
	switch how := scalar(v); how {
	case "view":
	case "table":
		m.header.table = true
	case "ephemeral":
		r.note(at, "materialized ephemeral: norn makes a view, which gives the same rows")
	case "incremental":
		m.spots = append(m.spots, noCounterpart(at, "norn has no incremental models yet; as a table it would lose rows that its sources no longer have",
			"if its query can run over all rows, write it with materialized table"))
	default:
		m.spots = append(m.spots, noCounterpart(at, "norn does not know the materialization "+how, "write it as a view or a table"))
	}
}

func (r *reader) tagList(h *header, v project.Value) []spot {
	for _, item := range listed(v) {
		tag, s := r.constant(item.Value)
		if s != nil {
			return []spot{*s}
		}
		if text := scalar(tag); text != "" && !slices.Contains(h.tags, text) {
			h.tags = append(h.tags, text)
		}
	}
	return nil
}

// modelColumns reads the columns of a model. Types bind only under an enforced contract, as they do in dbt; without one a
// declared column need not even exist, which norn calls contract none.
func (r *reader) modelColumns(m *model) {
	h := &m.header
	h.description = r.description(m.properties.value)
	for _, c := range r.columns(m.properties.value) {
		if !h.enforced {
			c.dataType, c.notNull = "", false
		} else if c.dataType == "" {
			m.spots = append(m.spots, noCounterpart(c.at, "its contract is enforced, and the column "+c.name+" has no data_type", "add data_type"))
		}
		if !headerWord().MatchString(c.name) {
			r.note(c.at, "a column whose name needs quotes cannot be declared; its description and tests are left out")
			continue
		}
		h.columns = append(h.columns, c)
	}
	if h.enforced && len(h.columns) == 0 {
		m.spots = append(m.spots, noCounterpart(m.config["contract"].Key.Span, "its contract is enforced, and it declares no columns", "declare its columns"))
	}
}

// writeModel writes a model, or lists it.
func (r *reader) writeModel(m *model) {
	if m.gone {
		return
	}
	if !m.converted() {
		m.header.audits, m.header.columnAudits = nil, nil
		text := ""
		if usableName(m.name) {
			quiet := *r // what is left of its tests is no entry of its own: the model is one
			quiet.out = &Import{}
			quiet.notes = map[string]*Note{}
			quiet.modelAudits(m)
			text = m.header.text("MODEL")
			for _, l := range quiet.out.Left {
				name, _, _ := strings.Cut(l.Name, " on ")
				m.spots = append(m.spots, spot{span: l.Problem.Span, message: "its " + l.Kind + " " + name + " has no counterpart in the header: " + l.Reason})
			}
		}
		r.leave("model", m.name, text, m.spots...)
		return
	}
	r.modelAudits(m)
	body := r.body(m.template, func(at diag.Span, to target) { r.openReference("the model "+m.name, at, to) })
	r.add(place("models", m.located), m.header.before("MODEL", body))
	r.out.Converted.Models++
	r.out.Converted.Audits += m.header.count()
}

// openReference warns of a reference to what the new project does not have.
func (r *reader) openReference(who string, at diag.Span, to target) {
	r.out.Open = append(r.out.Open, warning(diag.New(CodeOpen, at, "%s reads %s, but %s", who, to.name, to.open).
		WithHelp("norn check reports %s as unknown until models/%s.sql, or a source of that name, is there", to.name, plainName(to.name))))
}

func warning(p *diag.Problem) *diag.Problem {
	p.Severity = diag.Warning
	return p
}

func (r *reader) modelAudits(m *model) {
	h := &m.header
	h.audits = r.audits(tests(m.properties.value), m.name, "")
	h.columnAudits = map[string][]audit{}
	for _, c := range h.columns {
		h.columnAudits[c.name] = r.audits(c.tests, m.name, c.name)
	}
}
