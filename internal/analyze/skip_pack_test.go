package analyze

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
)

// TestPackedSkips: what was not understood reads as it was written, and a part of it is told as torn. A reason of another norn has no
// place in the list and is not read either.
func TestPackedSkips(t *testing.T) {
	first := Skip{Path: "models/a.sql", Begin: diag.Position{Line: 1, Column: 8}, End: diag.Position{Line: 2, Column: 3}, Text: "read_csv('ü…", Input: "read_csv(…)",
		number: whyColumns.number(), name: "read_csv", start: 7, end: 400}
	second := Skip{Path: "norn.toml", Begin: diag.Position{Line: 3, Column: 1}, End: diag.Position{Line: 3, Column: 2}, number: whyHook.number(), start: -1, end: -1}
	first.say()
	second.say()
	want := &Model{File: "models/a.sql", Skips: []Skip{first, second}, Wanted: []Wish{{"events", []string{"a", "b c"}}}}
	var r Record
	r.keepSkips(want)
	got := &Model{File: "models/a.sql"}
	if !r.readSkips(got) {
		t.Fatal("cannot be read")
	}
	if diff := cmp.Diff(want.Skips, got.Skips, cmp.AllowUnexported(Skip{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want.Wanted, got.Wanted); diff != "" {
		t.Error(diff)
	}
	for cut := 1; cut < len(r.Skips); cut++ {
		torn := Record{Skips: r.Skips[:cut]}
		if torn.readSkips(&Model{}) {
			t.Errorf("%d of %d bytes can be read", cut, len(r.Skips))
		}
	}
	want.Skips[0].number = len(reasons)
	r.keepSkips(want)
	if r.readSkips(&Model{}) {
		t.Error("a reason that is not in the list was read")
	}
	var none Record
	if none.keepSkips(&Model{}); none.Skips != nil || !none.readSkips(&Model{}) {
		t.Error("a model that is understood takes room for what is not")
	}
}

// TestReasonNumbers: every reason has a place in the list, and what can be done about it does not repeat what it says.
func TestReasonNumbers(t *testing.T) {
	seen := map[why]bool{}
	for i, r := range reasons {
		if r.why.number() != i || seen[r.why] || r.why == "" || string(r.why) == r.help {
			t.Errorf("%q is in the list twice, or says nothing", r.why)
		}
		seen[r.why] = true
	}
	for _, list := range [][]why{consequences, opening} {
		for _, w := range list {
			if !seen[w] {
				t.Errorf("%q is not in the list", w)
			}
		}
	}
}
