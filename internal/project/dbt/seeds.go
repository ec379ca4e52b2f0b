package dbt

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// A seed is a CSV file below seed-paths. Its bytes are copied as they are.
type seed struct {
	located
	name       string
	properties *properties
	schema     string
	columns    []column
	spots      []spot
	file       *diag.File // without text: nothing points into the data
}

func (s *seed) nodeName() string { return s.name }
func (s *seed) relation() string { return s.name }
func (s *seed) converted() bool  { return len(s.spots) == 0 }
func (s *seed) prefix() string   { return "__seed" }

// findSeeds finds all seeds and decides which can be converted.
func (r *reader) findSeeds(l *listing) error {
	for _, f := range l.seeds {
		s := &seed{located: f, name: stem(f.path), file: diag.NewFile(f.path, "")}
		s.properties = r.described("seed", s.name)
		at := diag.Span{File: s.file}
		conf := r.folderConfig("seeds", folderParts(f))
		conf.merge(get(s.properties.value, "config").Items)
		disabled := r.seedSettings(s, conf)
		if disabled {
			r.note(at, "a disabled seed is left out")
			continue
		}
		if !usableName(s.name) {
			s.spots = append(s.spots, noCounterpart(at, "its name cannot be written in SQL without quotes", "rename the file in dbt first: letters, digits and underscores"))
		}
		if r.byName[fold(s.name)] != nil {
			s.spots = append(s.spots, noCounterpart(at, "the name stands for something else already; norn does not tell capitals apart", "rename one of the two in dbt first"))
		} else {
			r.byName[fold(s.name)] = s
		}
		r.seeds = append(r.seeds, s)
	}
	return nil
}

// seedSettings decodes the settings of a seed.
func (r *reader) seedSettings(s *seed, conf config) (disabled bool) {
	types := map[string]project.Entry{}
	for _, key := range slices.Sorted(maps.Keys(conf)) {
		e := conf[key]
		v, why := r.constant(e.Value)
		if why != nil && !harmless[key] {
			why.message = key + ": " + why.message
			why.help = "write the value itself, and import again"
			s.spots = append(s.spots, *why)
			continue
		}
		at := e.Key.Span
		switch key {
		case "schema":
			if s.schema = scalar(v); s.schema != "" {
				r.note(at, "schema: dbt puts the target's schema in front (main_%s); norn builds into %s itself", s.schema, s.schema)
			}
		case "database":
			r.note(at, "database: norn builds into the database of its target, not into %s", scalar(v))
		case "enabled":
			yes, ok := truth(v)
			disabled = ok && !yes
		case "column_types":
			for _, t := range v.Items {
				types[t.Key.Text] = t
			}
		case "delimiter":
			if scalar(v) != "," {
				s.spots = append(s.spots, noCounterpart(at, "its columns are not separated by commas", "write the file with commas"))
			}
		case "alias":
			if scalar(v) != s.name {
				s.spots = append(s.spots, noCounterpart(at, "norn's seeds have no alias", "rename the file, or read it through a model with an alias"))
			}
		case "pre_hook", "post_hook":
			if len(listed(v)) > 0 && (v.Kind != project.StringValue || v.Text != "") {
				s.spots = append(s.spots, noCounterpart(at, "it has a hook, and norn runs no statements around a seed", "run the statement yourself"))
			}
		case "quote_columns", "tags":
		default:
			if !harmless[key] {
				r.note(at, "%s: no counterpart, dropped", key)
			}
		}
	}
	s.columns = r.columns(s.properties.value)
	for i := range s.columns {
		s.columns[i].dataType, s.columns[i].notNull = "", false // a seed's types come from column_types only
		if t, ok := types[s.columns[i].name]; ok {
			s.columns[i].dataType = scalar(t.Value)
			delete(types, t.Key.Text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		s.columns = append(s.columns, column{name: name, at: types[name].Key.Span, dataType: scalar(types[name].Value)})
	}
	return disabled
}

// writeSeed copies a seed and writes what YAML says about it beside it.
func (r *reader) writeSeed(s *seed) {
	if !s.converted() {
		r.leave("seed", s.name, "", s.spots...)
		return
	}
	data, err := fs.ReadFile(r.root, s.path)
	if err != nil {
		at := diag.Span{File: s.file}
		message := "the file cannot be read"
		if errors.Is(err, fs.ErrNotExist) {
			message = "the file is gone"
		}
		r.leave("seed", s.name, "", noCounterpart(at, fmt.Sprintf("%s: %v", message, err), "copy it into seeds/"))
		return
	}
	to := place("seeds", s.located)
	r.addBytes(to, data)
	r.out.Converted.Seeds++
	description := r.description(s.properties.value)
	columnAudits := map[string][]audit{}
	for _, c := range s.columns {
		columnAudits[c.name] = r.audits(c.tests, s.name, c.name)
		r.out.Converted.Audits += len(columnAudits[c.name])
	}
	audits := r.audits(tests(s.properties.value), s.name, "")
	r.out.Converted.Audits += len(audits)
	if description == "" && len(s.columns) == 0 && len(audits) == 0 && s.schema == "" {
		return
	}
	w := &yamlWriter{}
	w.line(0, "seeds:")
	w.line(1, "- name: "+yamlText(s.name))
	w.pair(2, "schema", s.schema)
	w.pair(2, "description", description)
	w.columns(2, s.columns, columnAudits)
	w.audits(2, audits)
	r.add(strings.TrimSuffix(to, ".csv")+".yml", w.b.String())
}
