package run

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/warehouse"
	"github.com/norn-data/norn/internal/warehouse/duckdb"
)

// TestRefusals builds the projects of testdata/builds on DuckDB, one after another in the states that an archive tells: its files, then
// those of then/, then those of last/, over what was there. "sql" files are run on the database before the build of their state. The
// golden part says what became of each step, why it was built, and what was reported.
func TestRefusals(t *testing.T) {
	paths, err := filepath.Glob("testdata/builds/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			states := map[string]map[string]string{"": {}, "then": {}, "last": {}}
			want := ""
			for _, f := range archive.Files {
				state, rest, ok := strings.Cut(f.Name, "/")
				if _, known := states[state]; !ok || !known {
					state, rest = "", f.Name
				}
				if f.Name == "report" {
					want = string(f.Data)
					continue
				}
				states[state][rest] = string(f.Data)
			}
			var got strings.Builder
			b := newRefusalBench(t)
			for _, state := range []string{"", "then", "last"} {
				if len(states[state]) > 0 {
					fmt.Fprintf(&got, "%s:\n", orFirst(state))
					b.change(states[state])
					b.build(context.Background(), &got)
				}
			}
			if *update {
				archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "report" })
				archive.Files = append(archive.Files, txtar.File{Name: "report", Data: []byte(got.String())})
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func orFirst(state string) string {
	if state == "" {
		return "first"
	}
	return state
}

// refusalBench is a project's folder and its database.
type refusalBench struct {
	t   *testing.T
	dir string
	db  warehouse.Warehouse
}

const refusalProject = "name = \"test\"\ndefault_target = \"dev\"\n[targets.dev]\nadapter = \"duckdb\"\npath = \"test.duckdb\"\nschema = \"main\"\n"

func newRefusalBench(t *testing.T) *refusalBench {
	t.Helper()
	db, err := duckdb.Open(context.Background(), "", duckdb.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	b := &refusalBench{t: t, dir: t.TempDir(), db: db}
	b.change(map[string]string{"norn.toml": refusalProject})
	return b
}

// change writes files; an empty one is removed.
func (b *refusalBench) change(files map[string]string) {
	b.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		to := filepath.Join(b.dir, name)
		var err error
		switch {
		case name == "sql":
			err = b.db.Exec(context.Background(), files[name])
		case strings.TrimSpace(files[name]) == "":
			err = os.Remove(to)
		default:
			if err = os.MkdirAll(filepath.Dir(to), 0o755); err == nil {
				err = os.WriteFile(to, []byte(files[name]), 0o644)
			}
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

// ready is a project that has no problems, and a plan of what is to be built.
func (b *refusalBench) ready(ctx context.Context) (*project.Project, *analyze.Result, *plan.Plan, Options) {
	b.t.Helper()
	p, problems, err := project.Load(ctx, os.DirFS(b.dir), project.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	a, err := analyze.Analyze(ctx, p, analyze.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, problem := range append(problems, a.Problems...) {
		b.t.Error(problem)
	}
	history, err := History(ctx, b.db, p.Name)
	if err != nil {
		b.t.Fatal(err)
	}
	return p, a, plan.Make(p, plan.Options{Schema: "main", History: history}), Options{Dir: b.dir, Schema: "main", Version: "test"}
}

// build builds the project and writes down what happened.
func (b *refusalBench) build(ctx context.Context, to *strings.Builder) *Report {
	b.t.Helper()
	p, a, pl, o := b.ready(ctx)
	o.Columns = ColumnNames(a)
	if len(p.Tests) > 0 {
		memory, err := duckdb.Open(ctx, "", duckdb.Options{Threads: 1})
		if err != nil {
			b.t.Fatal(err)
		}
		defer memory.Close()
		o.Before = NewTests(p, a, memory).Before
	}
	report, err := Build(ctx, p, pl, b.db, o)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, r := range report.Results {
		fmt.Fprintf(to, "  %s %s: %s", r.Step.Kind, r.Step.Node, r.Status)
		if r.Step.Reason != "" {
			fmt.Fprintf(to, " (%s)", r.Step.Reason)
		}
		if r.Rows >= 0 && r.Status == Built {
			fmt.Fprintf(to, ", rows %d", r.Rows)
		}
		if r.Blocker != "" {
			fmt.Fprintf(to, ", because of %s", r.Blocker)
		}
		to.WriteString("\n")
		for _, x := range r.Audits {
			fmt.Fprintf(to, "    audit %s: passed %t, failures %d\n", x.Name, x.Passed, x.Failures)
		}
		describe(to, r.Problems...)
	}
	for _, x := range report.Audits {
		fmt.Fprintf(to, "  audit %s: passed %t\n", x.Name, x.Passed)
		if x.Problem != nil {
			describe(to, x.Problem)
		}
	}
	return report
}

// describe writes problems with what they mark.
func describe(to *strings.Builder, problems ...*diag.Problem) {
	for _, p := range problems {
		fmt.Fprintf(to, "    %s %s\n", p.Severity, p)
		if text := p.Span.Text(); text != "" {
			fmt.Fprintf(to, "      marks: %s\n", text)
		}
		for _, n := range p.Notes {
			fmt.Fprintf(to, "      note: %s\n", n.Text)
		}
	}
}
