package dbt

import (
	"maps"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// singularTests converts the queries below test-paths: their rows are failures, in dbt as in norn.
func (r *reader) singularTests(files []located) error {
	names := map[string]bool{}
	for _, f := range files {
		file, err := r.text(f.path)
		if err != nil {
			return err
		}
		name := stem(f.path)
		at := diag.Span{File: file}
		t := r.take(file)
		p := r.described("singular test", name)
		conf := r.folderConfig("data_tests", folderParts(f))
		conf.merge(get(p.value, "config").Items)
		conf.merge(t.config)
		h := header{description: r.description(p.value)}
		spots := append(r.singularSettings(&h, conf), t.spots...)
		switch {
		case strings.TrimSpace(file.Text) == "":
			continue
		case !usableName(name):
			spots = append(spots, noCounterpart(at, "its name is no plain word", "rename the file: letters, digits and underscores"))
		case names[fold(name)]:
			spots = append(spots, noCounterpart(at, "another singular test has its name", "rename one of the two"))
		}
		names[fold(name)] = true
		if len(spots) > 0 {
			r.leave("singular test", name, "", spots...)
			continue
		}
		body := r.body(t, func(at diag.Span, to target) { r.openReference("the audit "+name, at, to) })
		r.add(place("audits", f), h.before("AUDIT", body))
		r.out.Converted.Singular++
	}
	return nil
}

// singularSettings decodes the settings of a singular test.
func (r *reader) singularSettings(h *header, conf config) []spot {
	var spots []spot
	for _, key := range slices.Sorted(maps.Keys(conf)) {
		e := conf[key]
		v, why := r.constant(e.Value)
		if why != nil && !harmless[key] {
			spots = append(spots, *why)
			continue
		}
		switch {
		case key == "severity":
			if strings.EqualFold(scalar(v), "warn") {
				h.severity = "warn"
			}
		case key == "enabled":
			yes, ok := truth(v)
			h.disabled = ok && !yes
		case key == "tags":
			spots = append(spots, r.tagList(h, v)...)
		case slices.Contains(narrowing, key):
			spots = append(spots, noCounterpart(e.Key.Span, "norn's audits have no "+key, "write the condition into the query"))
		case key == "limit" || strings.HasPrefix(key, "store_failures") || harmless[key]:
		default:
			r.note(e.Key.Span, "%s: no counterpart, dropped", key)
		}
	}
	return spots
}

// named finds the names of blocks that define something.
var named = pattern(`\{%-?\s*(macro|test|data_test|materialization|snapshot)\s+(\w+)`)

// elsewhere lists what lies in the other folders of the project: snapshots and macros.
func (r *reader) elsewhere(l *listing) error {
	for _, p := range append(slices.Clone(l.snapshots), l.macros...) {
		file, err := r.text(p)
		if err != nil {
			return err
		}
		for _, m := range named().FindAllStringSubmatchIndex(file.Text, -1) {
			kind, name := file.Text[m[2]:m[3]], file.Text[m[4]:m[5]]
			at := diag.Span{File: file, Start: m[4], End: m[5]}
			switch kind {
			case "snapshot":
				if r.others[fold(name)] != "" {
					continue
				}
				r.others[fold(name)] = "snapshot"
				r.leave("snapshot", name, "", noCounterpart(at, "norn has nothing of the kind", unlike["snapshots"][1]))
			case "test", "data_test":
				r.leave("generic test", name, "", noCounterpart(at, "norn has no tests of a project's own with arguments", "write a query for every use of it below audits/"))
			default:
				r.leave(kind, name, "", noCounterpart(at, "macros of Jinja are not run", "write the SQL it stands for into the models that call it, or the macro as a function of Starlark below macros/"))
			}
		}
	}
	if n := len(l.analyses); n > 0 {
		for _, p := range l.analyses {
			r.note(diag.Span{File: diag.NewFile(p, "")}, "analyses are no part of a build and are left out")
		}
	}
	return nil
}

// rowsOf reads the rows of a unit test that are written as mappings.
func rowsOf(v project.Value) (rows []project.Value, ok bool) {
	for _, item := range listed(v) {
		if item.Value.Kind != project.BlockValue {
			return nil, false
		}
		rows = append(rows, item.Value)
	}
	return rows, true
}
