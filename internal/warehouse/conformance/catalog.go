package conformance

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/warehouse"
)

func catalog(t *testing.T, p *place) {
	create(t, p, p.name("b"), "SELECT 1 AS x", 1)
	create(t, p, p.name("C"), "SELECT 1 AS x", 1)
	if err := p.CreateView(t.Context(), p.name("a"), "SELECT * FROM "+p.name("b").String()); err != nil {
		t.Fatal(err)
	}
	got, err := p.Relations(t.Context(), p.schema)
	if err != nil {
		t.Fatal(err)
	}
	// "By name" means by the bytes of the name: no collation of a server changes the order.
	want := []warehouse.Relation{{Name: p.name("C")}, {Name: p.name("a"), Kind: warehouse.View}, {Name: p.name("b")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("relations (-want +got):\n%s", diff)
	}
	none, err := p.Relations(t.Context(), "no such schema")
	if err != nil || len(none) != 0 {
		t.Errorf("a schema that does not exist has %v, %v", none, err)
	}
	for _, relation := range []string{"a", "b", "C", "never there"} {
		if err := p.Drop(t.Context(), p.name(relation)); err != nil {
			t.Errorf("dropping %s: %v", relation, err)
		}
	}
	if left, err := p.Relations(t.Context(), p.schema); err != nil || len(left) != 0 {
		t.Errorf("after dropping all there is %v, %v", left, err)
	}
}

// replace walks through every change of kind: nothing, table, view, view, table, table.
func replace(t *testing.T, p *place) {
	name := p.name("r")
	kind := func(want warehouse.RelationKind) {
		t.Helper()
		got, err := p.Relations(t.Context(), p.schema)
		if err != nil || len(got) != 1 || got[0] != (warehouse.Relation{Name: name, Kind: want}) {
			t.Fatalf("the catalog is %v, %v; want only the %v %s", got, err, want, name)
		}
	}
	view := func(query string) {
		t.Helper()
		if err := p.CreateView(t.Context(), name, query); err != nil {
			t.Fatal(err)
		}
		kind(warehouse.View)
	}
	create(t, p, name, "SELECT 1 AS x", 1)
	kind(warehouse.Table)
	view("SELECT 2 AS x; -- with an end")
	wantRows(t, p, "SELECT x FROM "+name.String(), []string{"2"})
	view("SELECT 3 AS y")
	wantRows(t, p, "SELECT y FROM "+name.String(), []string{"3"})
	// A table may be made from what it replaces, be it a view or a table.
	create(t, p, name, "SELECT y + 1 AS z FROM "+name.String(), 1)
	kind(warehouse.Table)
	create(t, p, name, "SELECT z AS z FROM "+name.String()+" UNION ALL SELECT z + 1 FROM "+name.String()+";", 2)
	kind(warehouse.Table)
	wantRows(t, p, "SELECT z FROM "+name.String()+" ORDER BY z", []string{"4"}, []string{"5"})
	create(t, p, name, "SELECT 1 AS x WHERE 1 = 0", 0)
	wantRows(t, p, "SELECT x FROM "+name.String())

	// What cannot be made leaves what is there.
	query := "SELECT nothing FROM " + name.String()
	_, err := p.CreateTableAs(t.Context(), name, query)
	var s *warehouse.StatementError
	if !errors.As(err, &s) || s.Statement != query || s.Offset != len("SELECT ") {
		t.Errorf("a wrong query gives %#v", err)
	}
	if err := p.CreateView(t.Context(), name, "SELECT * FROM "+name.String()); err == nil {
		t.Error("a view that reads itself was accepted")
	}
	kind(warehouse.Table)
	wantRows(t, p, "SELECT x FROM "+name.String())
}

func rename(t *testing.T, p *place) {
	move := func(from, to string) {
		t.Helper()
		if err := p.Rename(t.Context(), p.name(from), p.name(to)); err != nil {
			t.Fatalf("renaming %s to %s: %v", from, to, err)
		}
	}
	create(t, p, p.name("one"), "SELECT 1 AS x", 1)
	move("one", "two")
	wantRows(t, p, "SELECT x FROM "+p.name("two").String(), []string{"1"})
	create(t, p, p.name("three"), "SELECT 3 AS x", 1)
	move("three", "two")
	wantRows(t, p, "SELECT x FROM "+p.name("two").String(), []string{"3"})
	if err := p.CreateView(t.Context(), p.name("seen"), "SELECT 4 AS x"); err != nil {
		t.Fatal(err)
	}
	move("two", "seen")
	move("seen", "seen")
	wantRows(t, p, "SELECT x FROM "+p.name("seen").String(), []string{"3"})
	if err := p.Rename(t.Context(), p.name("gone"), p.name("seen")); err == nil {
		t.Error("a table that does not exist was renamed")
	}
	other := warehouse.Name{Schema: p.schema + "_other", Relation: "seen"}
	if err := p.Rename(t.Context(), p.name("seen"), other); err == nil {
		t.Error("a table was moved to another schema")
	}
	wantRows(t, p, "SELECT x FROM "+p.name("seen").String(), []string{"3"})
}

// oddNames uses names that are words of SQL, contain quotes, dots, spaces or no ASCII at all, for tables and columns.
func oddNames(t *testing.T, p *place) {
	odd := []string{"select", "order by", `say "hi"`, "it's", "a.b", "Größe", "表", "-- no comment", "100%", `back\slash`, "$1", "{brace}", " lead"}
	for _, n := range odd {
		c := warehouse.Quote(n)
		create(t, p, p.name(n), "SELECT 1 AS "+c+", "+warehouse.Literal(n)+" AS v", 1)
		f, err := p.Query(t.Context(), "SELECT * FROM "+p.name(n).String())
		if err != nil {
			t.Fatalf("%s: %v", n, err)
		}
		if diff := cmp.Diff([]string{n, "v"}, f.Names()); diff != "" {
			t.Errorf("columns (-want +got):\n%s", diff)
		}
		if f.Columns[1].Text(0) != n {
			t.Errorf("the text %q came back as %q", n, f.Columns[1].Text(0))
		}
		if err := p.Append(t.Context(), p.name(n), f); err != nil {
			t.Errorf("appending to %s: %v", n, err)
		}
		wantRows(t, p, "SELECT "+c+" FROM "+p.name(n).String(), []string{"1"}, []string{"1"})
	}
	relations, err := p.Relations(t.Context(), p.schema)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range relations {
		got = append(got, r.Name.Relation)
	}
	slices.Sort(odd)
	if diff := cmp.Diff(odd, got); diff != "" {
		t.Errorf("relations (-want +got):\n%s", diff)
	}
	if err := p.Rename(t.Context(), p.name(`say "hi"`), p.name(`say 'ho'`)); err != nil {
		t.Error(err)
	}
	if err := p.Drop(t.Context(), p.name(`say 'ho'`)); err != nil {
		t.Error(err)
	}
}
