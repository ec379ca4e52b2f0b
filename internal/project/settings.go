package project

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/macro"
)

// What a header of a SQLBuild project says about one thing often stands in several keys, some of them in the configuration. The
// entries of such keys are remembered while headers are decoded, and settled here, once for each model.

// remembered keeps an entry for settle, when its value has the right form. check may be nil.
func remembered(check func(*decoder, Entry) bool) func(*decoder, Entry) {
	return func(d *decoder, e Entry) {
		if check != nil && !check(d, e) {
			e.Value = Value{Span: e.Value.Span} // the key is there, so that nobody asks for it
		}
		if d.more == nil {
			d.more = moreSettings{}
		}
		d.more[fold(e.Key.Text)] = e
	}
}

func aName(d *decoder, e Entry) bool { return d.name(e, "a name").Given() }

func aTruth(d *decoder, e Entry) bool { return d.truth(e) != Unsaid }

func someNames(d *decoder, e Entry) bool { return len(d.names(e, "a list of names")) > 0 }

// aWord is one of a closed set of words. An unknown one is an error here, where others fall back to a default in silence.
func aWord(words ...string) func(*decoder, Entry) bool {
	return func(d *decoder, e Entry) bool { return d.choice(e, "value of "+e.Key.Text, words...) >= 0 }
}

// settle gives a model what its remembered settings mean, and returns what its text can use. at is the place that says how the model
// is materialized.
func (l *loader) settle(m *Model, more moreSettings, at diag.Span, r *report) macro.Reader {
	reader := l.reader(m.File.Path)
	if name := more.word("model_schema"); name.Given() {
		l.bindSchema(m, name, r)
	}
	own, ownEnums := l.ownValues(more, r)
	reader.Own = own
	if len(l.shared.enums.named)+len(ownEnums.named) > 0 {
		enumColumns(m.Columns, m.Contract == ContractEnforced, func(name string) *enum {
			if d := ownEnums.named[name]; d != nil {
				return d.value
			}
			return l.enumFor(name, m.File.Path)
		})
	}
	switch m.Materialized {
	case Incremental:
		m.Incremental = incremental(m, more, at, r)
		m.unbuilt(at, "it is incremental")
	case Snapshot:
		m.Snapshot = snapshot(m, more, at, r)
		m.unbuilt(at, "it is a snapshot")
	case Custom:
		l.customMaterialization(m, at, r)
	}
	for _, key := range []string{"pre_hooks", "post_hooks"} {
		if e := more[key]; e.Key.Given() {
			l.hooks(m, e, reader, r)
		}
	}
	if len(m.Hooks) > 0 {
		m.unbuilt(m.Hooks[0].Span, "it has hooks")
	}
	if e := more["audit_factories"]; e.Key.Given() {
		m.unbuilt(e.Key.Span, "a part of its audits is made by Python")
	}
	if e := more["sql_analysis"]; fold(e.Value.Text) == "false" {
		m.Opaque = "its header says sql_analysis false"
	} else if l.p.Config.noAnalysis {
		m.Opaque = "the project says sql_analysis = false"
	}
	return reader
}

// customMaterialization checks that the project has the materialization that a model names.
func (l *loader) customMaterialization(m *Model, at diag.Span, r *report) {
	m.unbuilt(at, "the materialization "+m.custom.Text+" is the project's own, in Python")
	if len(l.shared.customs.named) == 0 || l.shared.customs.find(m.custom.Text, m.File.Path) == nil {
		names := append([]string{"view", "table", "incremental", "snapshot"}, l.shared.customs.names(m.File.Path)...)
		slices.Sort(names)
		d := decoder{r: r}
		d.unknown("E0105", m.custom, "materialization", names)
	}
}

// unbuilt notes something of the model that norn does not build.
func (m *Model) unbuilt(at diag.Span, why string) {
	if !slices.ContainsFunc(m.Unbuilt, func(w Word) bool { return w.Text == why }) {
		m.Unbuilt = append(m.Unbuilt, Word{why, at})
	}
}

// remark says that a part of the project was understood and is not built or run.
func remark(at diag.Span, help, format string, args ...any) *diag.Problem {
	p := diag.New("E0150", at, format, args...).WithHelp("%s", help)
	p.Severity = diag.Remark
	return p
}

// remarks says of every model, in one remark, what of it is not built.
func (p *Project) remarks(r *report) {
	for _, m := range p.Models {
		if !m.Enabled || len(m.Unbuilt) == 0 {
			continue
		}
		why := m.Unbuilt[0].Text
		for _, w := range m.Unbuilt[1:] {
			why += ", and " + w.Text
		}
		help := "norn builds views, tables and predictions: build this with the tool it was written for, or write it another way (norn explain E0150)"
		if m.Materialized == Incremental {
			help = "write materialized table to build it whole each time, or build it with the tool it was written for"
		}
		r.add(remark(m.Unbuilt[0].Span, help, "%s is understood and not built: %s", m.Name, why))
	}
	for _, a := range p.Audits {
		if len(a.Unrun) > 0 && a.Enabled && !a.Generic {
			r.add(remark(a.Unrun[0].Span, "write it as a plain query that gives the rows that fail", "the audit %s is understood and not run: %s", a.Name, a.Unrun[0].Text))
		}
		a.Enabled = a.Enabled && len(a.Unrun) == 0
	}
	for _, t := range p.Tests {
		if t.Unrun != "" && !t.Disabled && !t.Broken {
			one := remark(diag.Span{File: t.File}, "run it with the tool it was written for", "the test %s is understood and not run: %s", t.Name, t.Unrun)
			one.Code = "E0152"
			r.add(one)
		}
		t.Disabled = t.Disabled || t.Unrun != ""
	}
	for _, f := range p.Functions {
		if !f.Broken && !f.Python {
			r.add(remark(f.place, "write its expression where it is called, or a macro in macros/*.star", "the function %s is understood and not created", f.Name))
		}
	}
}

// unrunTests finds the tests that would run the query of a model that norn cannot run: with the interval of an incremental model,
// with functions, with text that is filled later.
func (p *Project) unrunTests() {
	stuck := map[*Model]string{}
	for _, m := range p.Models {
		switch {
		case m.bounded:
			stuck[m] = m.Name + " has the interval of an incremental model in its query"
		case len(m.Calls) > 0:
			stuck[m] = m.Name + " calls a function"
		case m.Materialized == Custom || m.Opaque != "" && (m.Query == nil && !m.treeless || len(m.Unbuilt) > 0):
			stuck[m] = m.Name + " has a query that is not run as it is"
		}
	}
	if len(stuck) == 0 {
		return
	}
	for _, t := range p.Tests {
		if t.Unrun != "" || t.Scenario {
			continue
		}
		seen := map[*Model]bool{}
		var visit func(m *Model)
		visit = func(m *Model) {
			if seen[m] || t.Unrun != "" {
				return
			}
			seen[m] = true
			if why := stuck[m]; why != "" {
				t.Unrun = why
				return
			}
			for _, ref := range m.References {
				if up, ok := ref.To.(*Model); ok && !ref.Header && !slices.Contains(t.mocked, fold(up.Name)) {
					visit(up)
				}
			}
		}
		for _, name := range t.expected {
			if m := p.Model(name); m != nil {
				visit(m)
			}
		}
	}
}
