package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/warehouse"
	"github.com/norn-data/norn/internal/warehouse/duckdb"
)

// A world is a project on disk and a database, with what a test did to both. What norn must keep is said by one comparison:
// after a build, every table is what a build from nothing gives (see [world.fresh]).
type world struct {
	t     testing.TB
	dir   string
	files map[string]string
	db    *duckdb.DB
	given []string // statements that the database owes to somebody else: its sources
}

const worldConfig = "name = \"world\"\n[targets.dev]\nadapter = \"duckdb\"\npath = \"world.duckdb\"\nschema = \"main\"\n"

// newWorld makes a world of files.
func newWorld(t testing.TB, files map[string]string) *world {
	dir := t.TempDir()
	w := &world{t: t, dir: dir, files: map[string]string{"norn.toml": worldConfig}, db: openMemory(t, dir)}
	w.write(files)
	return w
}

func openMemory(t testing.TB, dir string) *duckdb.DB {
	t.Helper()
	db, err := duckdb.Open(context.Background(), "", duckdb.Options{Threads: 1, Folder: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// write puts files into the project; an empty text takes one away.
func (w *world) write(files map[string]string) {
	w.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(w.dir, filepath.FromSlash(name))
		if files[name] == "" {
			delete(w.files, name)
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				w.t.Fatal(err)
			}
			continue
		}
		w.files[name] = files[name]
	}
	for name, text := range w.files {
		path := filepath.Join(w.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			w.t.Fatal(err)
		}
	}
}

// exec runs statements of somebody else. Those that make what norn does not own are owed to a fresh database as well.
func (w *world) exec(statements string, owed bool) {
	w.t.Helper()
	if err := w.db.Exec(context.Background(), statements); err != nil {
		w.t.Fatalf("%s: %v", statements, err)
	}
	if owed {
		w.given = append(w.given, statements)
	}
}

// A buildWish says how a test builds.
type buildWish struct {
	full      bool
	replace   []string
	interrupt string // the node in which the user gives up
	spare     int    // statements that the database carries out before its disk is full; 0: all
}

// build builds the project into a database, as the command line does. problems are what kept it from beginning.
func (w *world) build(db warehouse.Warehouse, wish buildWish) (pl *plan.Plan, report *Report, problems []*diag.Problem) {
	w.t.Helper()
	ctx, giveUp := context.WithCancel(context.Background())
	defer giveUp()
	p, problems, err := project.Load(ctx, os.DirFS(w.dir), project.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	if diag.HasErrors(problems) {
		return nil, nil, problems
	}
	history, err := History(ctx, db, p.Name)
	if err != nil {
		w.t.Fatal(err)
	}
	schema := p.Target.Schema.Text
	find := func(ctx context.Context, name string) (tabular.Models, error) {
		return tabular.Find(ctx, name, tabular.Places{Dir: w.dir})
	}
	pl = plan.Make(p, plan.Options{Schema: schema, History: history, Full: wish.full, Predictor: func(name string) string {
		models, err := find(ctx, name)
		if err != nil {
			w.t.Fatal(err)
		}
		return Identity(models)
	}})
	if problems, err = MissingSources(ctx, pl, db, schema); err != nil || len(problems) > 0 {
		return pl, nil, w.must(problems, err)
	}
	if problems, err = Foreign(ctx, pl, history, db, p.Name, wish.replace); err != nil || len(problems) > 0 {
		return pl, nil, w.must(problems, err)
	}
	options := tabular.DefaultOptions()
	options.Threads = 1
	target := db
	if wish.spare > 0 {
		target = &fullDisk{Warehouse: db, spare: wish.spare}
	}
	report, err = Build(ctx, p, pl, target, Options{Dir: w.dir, Schema: schema, Version: "0.1", Models: find, Predict: options, Started: func(s *plan.Step) {
		if s.Node == wish.interrupt {
			giveUp()
		}
	}})
	ended := wish.interrupt != "" && errors.Is(err, context.Canceled) || wish.spare > 0 && errors.Is(err, errFull)
	if err != nil && !ended {
		w.t.Fatal(err)
	}
	return pl, report, nil
}

func (w *world) must(problems []*diag.Problem, err error) []*diag.Problem {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
	return problems
}

// said draws what a build did, a line for each node that was not kept.
func said(pl *plan.Plan, report *Report, problems []*diag.Problem) []string {
	var lines []string
	for _, p := range problems {
		lines = append(lines, fmt.Sprintf("refused %s %s", p.Code, p.Message), "  help: "+p.Help)
	}
	if report == nil {
		return lines
	}
	for _, r := range report.Results {
		switch r.Status {
		case Built:
			lines = append(lines, fmt.Sprintf("%s %s: %s", r.Step.Kind, r.Step.Node, r.Step.Reason))
		case Failed:
			lines = append(lines, fmt.Sprintf("%s %s failed: %s", r.Step.Kind, r.Step.Node, r.Problems[0].Code))
		case Blocked:
			lines = append(lines, fmt.Sprintf("%s %s is blocked by %s", r.Step.Kind, r.Step.Node, r.Blocker))
		case Interrupted:
			lines = append(lines, fmt.Sprintf("%s %s was interrupted", r.Step.Kind, r.Step.Node))
		}
	}
	for _, a := range report.Audits {
		lines = append(lines, fmt.Sprintf("audit %s: %v", a.Name, map[bool]string{true: "passed", false: "failed"}[a.Passed]))
	}
	for _, left := range pl.Left {
		lines = append(lines, fmt.Sprintf("left %s", left))
	}
	if len(lines) == 0 {
		lines = append(lines, "nothing to do")
	}
	return lines
}

// fresh builds the same project into a new database, beside what somebody else owes to it, and compares: what stands there
// stands here, row by row, and what fails there has failed here.
func (w *world) fresh(pl *plan.Plan, report *Report) {
	w.t.Helper()
	ctx := context.Background()
	db := openMemory(w.t, w.dir)
	defer db.Close()
	for _, statements := range w.given {
		if err := db.Exec(ctx, statements); err != nil {
			w.t.Fatal(err)
		}
	}
	_, want, problems := w.build(db, buildWish{replace: []string{"*"}})
	if want == nil {
		w.t.Fatalf("a build from nothing is refused: %v", problems)
	}
	for i, r := range want.Results {
		got := report.Results[i]
		if d := cmp.Diff(w.end(r), w.end(got)); d != "" {
			w.t.Errorf("%s from nothing and now: %s", r.Step.Node, d)
			continue
		}
		if r.Status == Built {
			if d := cmp.Diff(w.rows(db, r.Step), w.rows(w.db, got.Step)); d != "" {
				w.t.Errorf("the rows of %s from nothing and now: %s", r.Step.Node, d)
			}
		}
	}
	if d := cmp.Diff(failedAudits(want), failedAudits(report)); d != "" {
		w.t.Errorf("failed audits from nothing and now: %s", d)
	}
}

// end is how a step ended, as far as a build from nothing can tell: kept is as good as built.
func (w *world) end(r *Result) string {
	status := r.Status
	if status == Kept {
		status = Built
	}
	return fmt.Sprintf("%s %s %s", r.Step.Node, status, r.Blocker)
}

func failedAudits(r *Report) []string {
	var names []string
	for _, a := range r.Audits {
		if !a.Passed {
			names = append(names, a.Name)
		}
	}
	return names
}

// rows are the columns of a relation with their types, and its rows in an order of their own.
func (w *world) rows(db warehouse.Session, step *plan.Step) []string {
	w.t.Helper()
	f, err := db.Query(context.Background(), "SELECT * FROM "+step.Relation.String()+" ORDER BY ALL")
	if err != nil {
		return []string{err.Error()}
	}
	return lines(f)
}

func lines(f *frame.Frame) []string {
	var head []string
	for _, c := range f.Columns {
		head = append(head, c.Name+" "+c.Type)
	}
	out := []string{strings.Join(head, ", ")}
	for i := range f.Rows() {
		var cells []string
		for _, c := range f.Columns {
			text := "NULL"
			if !c.IsMissing(i) {
				text = c.Text(i)
			}
			cells = append(cells, text)
		}
		out = append(out, strings.Join(cells, ", "))
	}
	return out
}
