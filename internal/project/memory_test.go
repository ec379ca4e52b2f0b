package project

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// notebook is a memory of whatever it is told.
type notebook struct {
	mu       sync.Mutex
	rows     map[string][]byte
	recalled map[string]bool
}

func (n *notebook) Recall(path string) []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.rows[path] != nil {
		n.recalled[path] = true
	}
	return n.rows[path]
}

func (n *notebook) Keep(path string, row []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.rows[path] = row
}

// same compares projects field by field. Files count by their paths, other nodes by their names; trees are looked at apart.
var same = cmp.Options{
	cmp.Comparer(func(a, b *diag.File) bool { return a == b || a != nil && b != nil && a.Path == b.Path }),
	cmp.FilterPath(func(p cmp.Path) bool {
		return strings.HasSuffix(p.GoString(), ".To") || strings.HasSuffix(p.GoString(), ".ToNode")
	},
		cmp.Comparer(func(a, b Node) bool {
			return a == nil && b == nil || a != nil && b != nil && a.NodeName() == b.NodeName()
		})),
	cmp.Comparer(func(a, b *sql.Statement) bool { return true }),
	cmpopts.EquateEmpty(),
	cmpopts.IgnoreFields(Header{}, "Entries"), // decoded
	cmpopts.IgnoreUnexported(Model{}, Reference{}, SingularAudit{}, Test{}, HookCall{}),
	cmp.FilterPath(func(p cmp.Path) bool { return strings.HasSuffix(p.GoString(), ".Table") }, cmp.Comparer(func(a, b sql.TableExpr) bool { return true })),
}

// TestMemory: a project that is loaded from what another load remembered is the same project with the same problems, and the
// trees that are made of it later are the trees that reading makes.
func TestMemory(t *testing.T) {
	paths, err := filepath.Glob("testdata/projects/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	recalled := 0
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files, o := fstest.MapFS{}, options(string(archive.Comment))
			for _, f := range archive.Files {
				if f.Name != "problems" && f.Name != "project" {
					files[f.Name] = &fstest.MapFile{Data: f.Data}
				}
			}
			want, wanted, err := Load(context.Background(), files, o)
			if err != nil {
				t.Fatal(err)
			}
			n := &notebook{rows: map[string][]byte{}, recalled: map[string]bool{}}
			o.Memory = n
			if _, _, err := Load(context.Background(), files, o); err != nil {
				t.Fatal(err)
			}
			clear(n.recalled)
			got, problems, err := Load(context.Background(), files, o)
			if err != nil {
				t.Fatal(err)
			}
			recalled += len(n.recalled)
			complete(t, got, problems)
			if diff := cmp.Diff(showProblems(wanted), showProblems(problems)); diff != "" {
				t.Errorf("problems: -read +remembered:\n%s", diff)
			}
			for i, m := range got.Models {
				if err := m.Reparse(nil); err != nil {
					t.Fatal(err)
				}
				first := want.Models[i]
				if (first.Query == nil) != (m.Query == nil) || m.Query != nil && sql.Text(m.Query.Query) != sql.Text(first.Query.Query) {
					t.Errorf("%s has another tree", m.Name)
				}
				for j, ref := range m.References {
					if other := first.References[j]; (ref.Table == nil) != (other.Table == nil) || ref.Table != nil && ref.Table.Bounds() != other.Table.Bounds() {
						t.Errorf("%s reads %s elsewhere", m.Name, ref.Name)
					}
				}
			}
			parts := func(p *Project) []any {
				var order []string
				for _, m := range p.Order {
					order = append(order, m.Name)
				}
				return []any{p.Models, p.Sources, p.Seeds, p.Tests, p.Audits, order, p.Ignored}
			}
			if diff := cmp.Diff(parts(want), parts(got), same); diff != "" {
				t.Errorf("-read +remembered:\n%s", diff)
			}
		})
	}
	if recalled < 50 {
		t.Errorf("only %d files were recalled: nothing was tested", recalled)
	}
}

// complete gives the files of problems their texts.
func complete(t *testing.T, p *Project, problems []*diag.Problem) {
	t.Helper()
	at := func(s *diag.Span) {
		f, err := p.Complete(s.File)
		if err != nil {
			t.Fatal(err)
		}
		s.File = f
	}
	for _, problem := range problems {
		at(&problem.Span)
		for i := range problem.Notes {
			at(&problem.Notes[i].Span)
		}
		if problem.Fix != nil {
			at(&problem.Fix.Span)
		}
	}
}

// TestForeignRow: a row that another making of norn kept is not a reason to fail: the file is read.
func TestForeignRow(t *testing.T) {
	files := folder("models/a.sql", "SELECT 1 AS x\n")
	n := &notebook{rows: map[string][]byte{}, recalled: map[string]bool{}}
	if _, _, err := Load(context.Background(), files, Options{Memory: n}); err != nil {
		t.Fatal(err)
	}
	row := n.rows["models/a.sql"]
	for cut := range row {
		n.rows["models/a.sql"] = row[:cut]
		p, problems, err := Load(context.Background(), files, Options{Memory: n})
		if err != nil || len(problems) > 0 || len(p.Models) != 1 || p.Models[0].Name != "a" {
			t.Fatalf("%d bytes: %v, %v, %v", cut, p, problems, err)
		}
	}
}
