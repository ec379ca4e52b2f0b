package project

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/norn-data/norn/internal/diag"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the golden parts of the test data anew")

// TestProjects loads every archive of testdata/projects. An archive holds the files of a project and two golden parts:
// "problems", everything that was reported, and "project", what was understood. Lines of the form "target NAME",
// "var NAME=VALUE" and "env NAME=VALUE" in the archive's comment are options; everything else there is prose.
func TestProjects(t *testing.T) {
	paths, err := filepath.Glob("testdata/projects/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files, o, want := fstest.MapFS{}, options(string(archive.Comment)), map[string]string{}
			for _, f := range archive.Files {
				if f.Name == "problems" || f.Name == "project" {
					want[f.Name] = string(f.Data)
					continue
				}
				files[f.Name] = &fstest.MapFile{Data: f.Data}
			}
			got := map[string]string{}
			p, problems, err := Load(context.Background(), files, o)
			if err != nil {
				t.Fatal(err)
			}
			got["problems"], got["project"] = showProblems(problems), showProject(p)
			checkProblems(t, files, o, problems)
			if *update {
				kept := archive.Files[:0]
				for _, f := range archive.Files {
					if f.Name != "problems" && f.Name != "project" {
						kept = append(kept, f)
					}
				}
				for _, name := range []string{"problems", "project"} {
					kept = append(kept, txtar.File{Name: name, Data: []byte(got[name])})
				}
				archive.Files = kept
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func options(comment string) Options {
	o := Options{Vars: map[string]string{}}
	env := map[string]string{}
	for line := range strings.Lines(comment) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		name, value, isPair := strings.Cut(rest, "=")
		switch {
		case word == "target" && rest != "":
			o.Target = rest
		case word == "var" && isPair:
			o.Vars[name] = value
		case word == "env" && isPair:
			env[name] = value
		}
	}
	o.Env = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	return o
}

func at(s diag.Span) string {
	if s.IsZero() {
		return "-"
	}
	b, e := s.Begin(), s.Finish()
	return fmt.Sprintf("%s:%d:%d-%d:%d", s.File.Path, b.Line, b.Column, e.Line, e.Column)
}

func showProblems(problems []*diag.Problem) string {
	var b strings.Builder
	queries := map[string]bool{}
	for _, p := range problems {
		if p.Code >= "E0200" && p.Code < "E0300" {
			// What exactly is wrong with a query is for package sql to say and to test.
			if path := p.Span.File.Path; !queries[path] {
				queries[path] = true
				fmt.Fprintf(&b, "syntax %s\n", path)
			}
			continue
		}
		fmt.Fprintf(&b, "%s %s %s\n", p.Code, at(p.Span), p.Message)
		for _, n := range p.Notes {
			fmt.Fprintf(&b, "  note: %s %s\n", at(n.Span), n.Text)
		}
		if p.Help != "" {
			fmt.Fprintf(&b, "  help: %s\n", p.Help)
		}
		if p.Fix != nil {
			fmt.Fprintf(&b, "  fix: %s %q\n", at(p.Fix.Span), p.Fix.Text)
		}
	}
	return b.String()
}

// checkProblems holds every problem to the form of the house: a code, a message without a final stop, a next step; and
// where it offers an edit, the edit must remove it.
func checkProblems(t *testing.T, files fstest.MapFS, o Options, problems []*diag.Problem) {
	t.Helper()
	for _, p := range problems {
		if p.Message == "" || strings.HasSuffix(p.Message, ".") {
			t.Errorf("%s: the message %q is not one sentence without a final stop", p.Code, p.Message)
		}
		if p.Code >= "E0200" && p.Code < "E0300" {
			continue
		}
		if p.Help == "" {
			t.Errorf("%s: %q has no next step", p.Code, p.Message)
		}
		if p.Fix == nil {
			continue
		}
		mended := maps.Clone(files)
		path, text := p.Fix.Span.File.Path, p.Fix.Span.File.Text
		mended[path] = &fstest.MapFile{Data: []byte(text[:p.Fix.Span.Start] + p.Fix.Text + text[p.Fix.Span.End:])}
		_, left, err := Load(t.Context(), mended, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range left {
			if q.Code == p.Code && q.Message == p.Message && q.Span.File != nil && q.Span.File.Path == path && q.Span.Start == p.Span.Start {
				t.Errorf("the edit of %s %s does not remove %q", p.Code, at(p.Span), p.Message)
			}
		}
	}
}

func showProject(p *Project) string {
	var b strings.Builder
	if t := p.Target; t != nil {
		fmt.Fprintf(&b, "target %s: %s path=%q url=%q schema=%s\n", t.Name, t.Adapter.Text, t.Path.Text, t.URL.Text, t.Schema.Text)
	}
	for _, m := range p.Models {
		fmt.Fprintf(&b, "model %s: %s schema=%s contract=%s enabled=%t broken=%t tags=%v", m.Name, m.Materialized, m.Schema.Text, m.Contract, m.Enabled, m.Broken, m.Tags)
		if m.Alias.Given() {
			fmt.Fprintf(&b, " alias=%s", m.Alias.Text)
		}
		if len(m.UniqueKey) > 0 {
			fmt.Fprintf(&b, " unique_key=%s", words(m.UniqueKey))
		}
		b.WriteString("\n")
		if m.Description != "" {
			fmt.Fprintf(&b, "  description %q\n", m.Description)
		}
		showColumns(&b, m.Columns)
		showAudits(&b, "  ", m.Audits)
		if x := m.Predict; x != nil {
			fmt.Fprintf(&b, "  predict target=%s key=%s model=%s as_of=%s members=%d seed=%d", x.Target.Text, words(x.Keys), x.Model.Text, x.AsOf.Text, x.Members, x.Seed)
			if h := x.Holdout; h != nil {
				fmt.Fprintf(&b, " holdout=%g/%d/%d/off=%t", h.Share, h.Rows, h.Seed, h.Off)
			}
			b.WriteString("\n")
		}
		showReferences(&b, m.References)
	}
	for _, s := range p.Sources {
		fmt.Fprintf(&b, "source %s: %s.%s expression=%q contract=%s closed=%t\n", s.Name, s.Schema.Text, s.Relation(), s.Expression.Text, s.Contract, s.Closed())
		showColumns(&b, s.Columns)
		showAudits(&b, "  ", s.Audits)
	}
	for _, s := range p.Seeds {
		fmt.Fprintf(&b, "seed %s: rows=%d schema=%s broken=%t\n", s.Name, s.Rows, s.Schema.Text, s.Broken)
		for _, c := range s.Columns {
			fmt.Fprintf(&b, "  column %s %s declared=%t nullable=%t at %s\n", c.Name, c.Type, c.Declared, c.Nullable, at(c.Span))
			showAudits(&b, "    ", c.Audits)
		}
		showAudits(&b, "  ", s.Audits)
	}
	for _, x := range p.Tests {
		fmt.Fprintf(&b, "test %s: scenario=%t broken=%t\n", x.Name, x.Scenario, x.Broken)
		if x.Disabled {
			b.WriteString("  disabled\n")
		}
		for _, c := range x.Cases {
			fmt.Fprintf(&b, "  case %s at %s: %s\n", c.Name.Text, at(c.Name.Span), strings.Join(c.Constants, ", "))
		}
		showReferences(&b, x.References)
	}
	for _, x := range p.Audits {
		fmt.Fprintf(&b, "audit %s: severity=%d generic=%t enabled=%t broken=%t\n", x.Name, x.Severity, x.Generic, x.Enabled, x.Broken)
		showReferences(&b, x.References)
	}
	if len(p.Order) > 0 {
		b.WriteString("order")
		for _, m := range p.Order {
			b.WriteString(" " + m.Name)
		}
		b.WriteString("\n")
	}
	for _, i := range p.Ignored {
		fmt.Fprintf(&b, "ignored %s %s\n", i.Key, at(i.Span))
	}
	return b.String()
}

func words(list []Word) string {
	texts := make([]string, len(list))
	for i, w := range list {
		texts[i] = w.Text
	}
	return strings.Join(texts, ",")
}

func showColumns(b *strings.Builder, columns []Column) {
	for _, c := range columns {
		fmt.Fprintf(b, "  column %s type=%q nullable=%s at %s\n", c.Name.Text, c.Type.Text, [...]string{"unsaid", "yes", "no"}[c.Nullable], at(c.Name.Span))
		showAudits(b, "    ", c.Audits)
	}
}

func showAudits(b *strings.Builder, indent string, audits []AuditCall) {
	for _, a := range audits {
		fmt.Fprintf(b, "%saudit %s(%s)", indent, a.Kind, a.Name.Text)
		if len(a.Columns) > 0 {
			fmt.Fprintf(b, " columns=%s", words(a.Columns))
		}
		for _, l := range a.Values {
			fmt.Fprintf(b, " %d:%s", l.Kind, l.Text)
		}
		if a.To.Given() {
			fmt.Fprintf(b, " to=%s field=%s resolved=%t", a.To.Text, a.Field.Text, a.ToNode != nil)
		}
		for _, s := range a.Scores {
			fmt.Fprintf(b, " %s %s %g at %s", s.Metric, s.Op, s.Value, at(s.Span))
		}
		fmt.Fprintf(b, " severity=%d at %s\n", a.Severity, at(a.Span))
	}
}

func showReferences(b *strings.Builder, refs []Reference) {
	for _, r := range refs {
		to := "nothing"
		if r.To != nil {
			to = r.To.NodeKind().String() + " " + r.To.NodeName()
		}
		fmt.Fprintf(b, "  reads %s = %s at %s\n", r.Name, to, at(r.Span))
	}
}
