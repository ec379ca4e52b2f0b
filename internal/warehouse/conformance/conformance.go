// Package conformance is the one suite that every [warehouse.Warehouse] passes. It is how the rest of norn may forget
// which database it talks to: what a test here does not hold, no caller may rely on.
//
// The SQL in it is what all supported databases share. Each test opens a warehouse of its own and makes a schema of its
// own in it, so an implementation may hand out the same server every time.
package conformance

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

// Run holds an implementation to the contract. open returns a warehouse that is empty or whose schemas named conform_…
// may be dropped; the suite closes it.
func Run(t *testing.T, open func(t *testing.T) warehouse.Warehouse) {
	for _, group := range []struct {
		name string
		test func(*testing.T, *place)
	}{
		{"identity", identity},
		{"cells", cellValues},
		{"query", queries},
		{"query errors", queryErrors},
		{"describe", describe},
		{"catalog", catalog},
		{"replace", replace},
		{"rename", rename},
		{"names", oddNames},
		{"append", appendRows},
		{"append errors", appendErrors},
		{"append many", appendMany},
		{"commit", commits},
		{"rollback", rollsBack},
		{"readers", readersSeeOldRows},
		{"cancel", cancels},
		{"ended context", endedContext},
		{"concurrency", concurrentUse},
	} {
		t.Run(group.name, func(t *testing.T) {
			w := open(t)
			t.Cleanup(func() {
				if err := w.Close(); err != nil {
					t.Errorf("closing: %v", err)
				}
			})
			group.test(t, newPlace(t, w))
		})
	}
}

// A place is a warehouse with a fresh schema.
type place struct {
	warehouse.Warehouse
	schema string
}

var schemas atomic.Int64

func newPlace(t *testing.T, w warehouse.Warehouse) *place {
	t.Helper()
	p := &place{Warehouse: w, schema: fmt.Sprintf("conform_%d", schemas.Add(1))}
	p.exec(t, "DROP SCHEMA IF EXISTS "+p.schema+" CASCADE", "CREATE SCHEMA "+p.schema)
	return p
}

// name is a relation in the test's schema.
func (p *place) name(relation string) warehouse.Name {
	return warehouse.Name{Schema: p.schema, Relation: relation}
}

func (p *place) exec(t *testing.T, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if err := p.Exec(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// rows runs a query and returns its cells as text, ∅ where missing.
func rows(t *testing.T, s warehouse.Session, query string) [][]string {
	t.Helper()
	f, err := s.Query(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return texts(f)
}

func texts(f *frame.Frame) [][]string {
	out := make([][]string, f.Rows())
	for i := range out {
		for _, c := range f.Columns {
			if c.IsMissing(i) {
				out[i] = append(out[i], "∅")
			} else {
				out[i] = append(out[i], c.Text(i))
			}
		}
	}
	return out
}

func wantRows(t *testing.T, s warehouse.Session, query string, want ...[]string) {
	t.Helper()
	if want == nil {
		want = [][]string{}
	}
	if diff := cmp.Diff(want, rows(t, s, query)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", query, diff)
	}
}

func create(t *testing.T, s warehouse.Session, name warehouse.Name, query string, want int64) {
	t.Helper()
	n, err := s.CreateTableAs(t.Context(), name, query)
	if err != nil {
		t.Fatalf("creating %s: %v", name, err)
	}
	if n != want {
		t.Errorf("creating %s wrote %d rows, want %d", name, n, want)
	}
}

// newFrame fails the test if columns do not make a table; a test that builds a wrong frame is wrong itself.
func newFrame(t *testing.T, n int, columns ...*frame.Column) *frame.Frame {
	t.Helper()
	f, err := frame.New(n, columns...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func column(name string, kind frame.Kind) *frame.Column {
	return &frame.Column{Field: frame.Field{Name: name, Kind: kind}}
}

// endless is a query that no machine finishes in the time of a test.
const endless = "WITH RECURSIVE r(n) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM r WHERE n < 1000000000000) SELECT count(*) AS n FROM r"

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
