package dbt

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// A source is one table of a source of dbt.
type source struct {
	group, table string // dbt's two names
	at           diag.Span
	name         string // norn's one name, given by nameSources
	identifier   string // the relation's name in the warehouse
	schema       string
	database     string
	description  string
	columns      []column
	tests        []project.Entry
	spots        []spot
	audits       []audit
	columnAudits map[string][]audit
}

// idle are keys of sources that say nothing about rows.
var idle = map[string]bool{
	"name": true, "description": true, "tables": true, "meta": true, "tags": true, "loader": true, "version": true, "docs": true, "group": true,
	"columns": true, "tests": true, "data_tests": true, "identifier": true, "schema": true, "database": true, "config": true, "enabled": true,
	"quoting": true,
}

// ownDatabase is how a source says that it lies in the database of the target.
var ownDatabase = pattern(`^\s*\{\{-?\s*target\.(database|dbname)\s*-?\}\}\s*$`)

// readSource reads one source with its tables.
func (r *reader) readSource(group entry) {
	for _, t := range r.entries(project.Entry{Key: project.Word{Text: "tables", Span: group.at}, Value: get(group.value, "tables")}) {
		if twice := slices.ContainsFunc(r.sources, func(s *source) bool { return s.group == group.name && s.table == t.name }); twice {
			r.out.Problems = append(r.out.Problems, diag.New("E0103", t.at, "the source %s.%s is declared twice", group.name, t.name).WithHelp("keep one of the two"))
			continue
		}
		s := &source{group: group.name, table: t.name, at: t.at, description: r.description(t.value), columns: r.columns(t.value), tests: tests(t.value)}
		text := func(key, otherwise string) string {
			for _, from := range []project.Value{t.value, get(t.value, "config"), group.value, get(group.value, "config")} {
				v := get(from, key)
				if v.Kind == project.NoValue || key == "identifier" && from.Span == group.value.Span {
					continue
				}
				if key == "database" && ownDatabase().MatchString(scalar(v)) {
					return otherwise // what a source has that says nothing
				}
				value, why := r.constant(v)
				if why != nil {
					why.message = key + ": " + why.message
					why.help = "write the value itself, and import again"
					s.spots = append(s.spots, *why)
					return otherwise
				}
				if scalar(value) != "" {
					return scalar(value)
				}
			}
			return otherwise
		}
		s.schema = text("schema", group.name)
		s.database = text("database", "")
		s.identifier = text("identifier", t.name)
		enabled := text("enabled", "true")
		if enabled == "false" {
			r.note(t.at, "a disabled source is left out")
			continue
		}
		for _, v := range []project.Value{group.value, t.value, get(group.value, "config"), get(t.value, "config")} {
			for _, e := range v.Items {
				if key := configKey(e.Key.Text); !idle[key] {
					r.note(e.Key.Span, "%s of a source: no counterpart, dropped", key)
				}
			}
		}
		r.sources = append(r.sources, s)
	}
}

// nameSources gives every source a name in norn's one namespace: its table's name where nothing else is called so, its source's
// and its table's name otherwise.
func (r *reader) nameSources() {
	tables := map[string]int{}
	for _, s := range r.sources {
		tables[fold(plainName(s.table))]++
	}
	taken := map[string]bool{}
	for _, s := range r.seeds {
		taken[fold(s.name)] = true
	}
	for _, m := range r.models {
		taken[fold(m.name)] = true
	}
	free := func(name string) bool {
		return !taken[fold(name)]
	}
	slices.SortStableFunc(r.sources, func(a, b *source) int {
		return strings.Compare(a.group+"\x00"+a.table, b.group+"\x00"+b.table)
	})
	for _, s := range r.sources {
		s.name = plainName(s.table)
		if tables[fold(s.name)] > 1 || !free(s.name) {
			s.name = plainName(s.group + "_" + s.table)
			r.note(s.at, "a source whose table has the name of something else is called SOURCE_TABLE: models, seeds and sources share one namespace")
		}
		for !free(s.name) {
			s.name += "_source"
		}
		taken[fold(s.name)] = true
	}
}

// checkSource lists a source that cannot be written.
func (r *reader) checkSource(s *source) {
	if len(s.spots) > 0 {
		r.leave("source", s.group+"."+s.table, "", s.spots...)
	}
}

// writeSources writes a file for every source of dbt.
func (r *reader) writeSources() {
	files := map[string]*yamlWriter{}
	for _, s := range r.sources {
		if len(s.spots) > 0 {
			continue
		}
		file := "sources/" + strings.ToLower(plainName(s.group)) + ".yml"
		w := files[file]
		if w == nil {
			w = &yamlWriter{}
			w.line(0, "sources:")
			files[file] = w
		}
		s.audits = r.audits(s.tests, s.name, "")
		s.columnAudits = map[string][]audit{}
		for _, c := range s.columns {
			s.columnAudits[c.name] = r.audits(c.tests, s.name, c.name)
			r.out.Converted.Audits += len(s.columnAudits[c.name])
		}
		r.out.Converted.Audits += len(s.audits)
		r.out.Converted.Sources++
		w.line(1, "- name: "+yamlText(s.name))
		w.pair(2, "database", s.database)
		w.pair(2, "schema", s.schema)
		if s.identifier != s.name {
			w.pair(2, "table", s.identifier)
		}
		w.pair(2, "description", s.description)
		w.columns(2, s.columns, s.columnAudits)
		w.audits(2, s.audits)
	}
	for path, w := range files {
		r.add(path, w.b.String())
	}
}
