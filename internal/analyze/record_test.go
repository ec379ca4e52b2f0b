package analyze

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/project/pack"
)

// TestPackedFields: what is packed was written field by field. Whoever gives one of these types another field has to decide
// whether readers of a model can see it (then packShape or packFacts packs it, and the version in analysis.key is raised) and
// correct the number here.
func TestPackedFields(t *testing.T) {
	for of, want := range map[reflect.Type]int{
		reflect.TypeFor[typ]():       5,
		reflect.TypeFor[nested]():    8, // parts is counted anew
		reflect.TypeFor[field]():     2,
		reflect.TypeFor[column]():    5,  // fold follows from name, and spans are for the model's own problems
		reflect.TypeFor[value]():     10, // reach is for the model itself, and columns never fold or yield
		reflect.TypeFor[shape]():     7,  // index follows from cols, grouped is for the query itself, and rows are for the search for leaks
		reflect.TypeFor[misnaming](): 2,
		reflect.TypeFor[Column]():    7,
		reflect.TypeFor[Origin]():    4,
		reflect.TypeFor[Use]():       3,
	} {
		if got := of.NumField(); got != want {
			t.Errorf("%s has %d fields, and %d are accounted for", of, got, want)
		}
	}
}

// TestPackedTypes: a type is the same after it was packed.
func TestPackedTypes(t *testing.T) {
	for _, text := range []string{"BIGINT", "DECIMAL(12,2)", "VARCHAR[]", "INTEGER[3]", "MAP(VARCHAR, DOUBLE[])", "STRUCT(a INTEGER, \"b c\" STRUCT(d DATE)[])",
		"UNION(num INTEGER, str VARCHAR)", "ENUM('x', 'it''s')", "TIMESTAMP WITH TIME ZONE", "JSON"} {
		want := parseType(text)
		w := &pack.Coder{}
		packType(w, &want, 0)
		var got typ
		r := pack.Read(w.Row())
		if packType(r, &got, 0); !r.Done() || !got.equal(want) || got.parts() != want.parts() || got.String() != want.String() {
			t.Errorf("%s reads as %s", text, got)
		}
	}
	// Nesting without end is refused and does not exhaust the stack.
	endless := &pack.Coder{}
	for range 100000 {
		k, one := kList, 1
		pack.Number(endless, &k)
		zero := 0
		pack.Number(endless, &zero)
		pack.Number(endless, &zero)
		pack.Number(endless, &one)
	}
	var got typ
	r := pack.Read(endless.Row())
	if packType(r, &got, 0); r.OK() {
		t.Error("a type of endless depth was read")
	}
}

// TestTornRecord: a record that is torn is told as such, and never a panic.
func TestTornRecord(t *testing.T) {
	p := load(t, map[string]string{"norn.toml": "name = \"x\"\n[targets.dev]\nadapter = \"duckdb\"\npath = \"x.duckdb\"\n", "models/a.sql": "SELECT 1 AS x, 'a' AS y, [1, 2] AS z\n"})
	r, err := Analyze(t.Context(), p, Options{Discard: true, Lineage: true})
	if err != nil {
		t.Fatal(err)
	}
	record := r.Models[0].Record()
	whole, ok := record.Model()
	if !ok {
		t.Fatal("the record cannot be read")
	}
	var names []string
	for _, c := range whole.Columns {
		names = append(names, c.Name+" "+c.Type)
	}
	if diff := cmp.Diff([]string{"x INTEGER", "y VARCHAR", "z INTEGER[]"}, names); diff != "" {
		t.Error(diff)
	}
	for cut := range record.Shape {
		torn := *record
		torn.Shape = record.Shape[:cut]
		if _, ok := torn.Model(); ok {
			t.Errorf("%d bytes of a shape are a model", cut)
		}
	}
}
