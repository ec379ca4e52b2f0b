package pack

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
)

// everything is one value of each kind that a row can hold.
type everything struct {
	n        int
	small    uint8
	wide     uint64
	f        float64
	yes, no  bool
	s        string
	b        []byte
	fixed    [4]byte
	list     []string
	none     *int
	some     *int
	problems []*diag.Problem
}

func (e *everything) pack(c *Coder) {
	Number(c, &e.n)
	Number(c, &e.small)
	Number(c, &e.wide)
	c.Float(&e.f)
	c.Truth(&e.yes)
	c.Truth(&e.no)
	c.Text(&e.s)
	c.Bytes(&e.b)
	c.Fixed(e.fixed[:])
	c.Texts(&e.list)
	Pointer(c, &e.none, func(n *int) { Number(c, n) })
	Pointer(c, &e.some, func(n *int) { Number(c, n) })
	c.Problems(&e.problems)
}

func sample(f *diag.File) everything {
	at := diag.Span{File: f, Start: 1, End: 3}
	n := math.MinInt64
	return everything{n: -70, small: 255, wide: math.MaxUint64, f: math.Inf(-1), yes: true, s: "größer", b: []byte{0, 1}, fixed: [4]byte{9, 8, 7, 6},
		list: []string{"", "a"}, some: &n,
		problems: []*diag.Problem{diag.New("E1", at, "m").WithHelp("h").WithNote(diag.Span{}, "nowhere").WithNote(at, "here").WithFix(at, "x"), {Severity: diag.Warning, Cascade: 3}}}
}

// What is written reads the same, to the last byte; and whatever part of it is missing, reading fails and does not panic.
func TestThereAndBack(t *testing.T) {
	f := diag.NewFile("a.sql", "SELECT 1")
	want := sample(f)
	w := &Coder{Files: []*diag.File{f}}
	want.pack(w)
	if !w.OK() {
		t.Fatal("cannot be written")
	}
	var got everything
	r := Read(w.Row())
	r.Files = w.Files
	if got.pack(r); !r.Done() {
		t.Fatal("cannot be read")
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(everything{}), cmp.Comparer(func(a, b *diag.File) bool { return a == b })); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
	for n := range w.Row() {
		var part everything
		r := Read(w.Row()[:n])
		r.Files = w.Files
		if part.pack(r); r.OK() {
			t.Errorf("%d of %d bytes can be read", n, len(w.Row()))
		}
	}
}

// A place in a file that the coder does not know cannot be written, and a number that does not fit cannot be read.
func TestRefused(t *testing.T) {
	c := &Coder{}
	at := diag.Span{File: diag.NewFile("other.sql", "")}
	if c.Span(&at); c.OK() {
		t.Error("a place in an unknown file was written")
	}
	w := &Coder{}
	n := 300
	Number(w, &n)
	var small uint8
	r := Read(w.Row())
	if Number(r, &small); r.OK() {
		t.Errorf("300 was read as %d", small)
	}
}

func FuzzRead(f *testing.F) {
	file := diag.NewFile("a.sql", "SELECT 1")
	e := sample(file)
	w := &Coder{Files: []*diag.File{file}}
	e.pack(w)
	f.Add(w.Row())
	f.Fuzz(func(t *testing.T, row []byte) {
		var e, again everything
		r := Read(row)
		r.Files = []*diag.File{file}
		if e.pack(r); !r.Done() {
			return
		}
		w, second := &Coder{Files: r.Files}, &Coder{Files: r.Files}
		e.pack(w)
		back := Read(w.Row())
		back.Files = r.Files
		if again.pack(back); !back.Done() {
			t.Fatal("what was written cannot be read")
		}
		if again.pack(second); !bytes.Equal(w.Row(), second.Row()) {
			t.Fatal("reads differently")
		}
	})
}

// TestPlaceless: without places two rows of the same things are the same row, wherever the things stand.
func TestPlaceless(t *testing.T) {
	row := func(shift int) []byte {
		f := diag.NewFile("a.sql", "SELECT 1")
		e := sample(f)
		p := e.problems[0]
		p.Span.Start, p.Span.End, p.Fix.Span.End = p.Span.Start+shift, p.Span.End+shift, p.Fix.Span.End+shift
		c := &Coder{Files: []*diag.File{f}, Placeless: true}
		if e.pack(c); !c.OK() {
			t.Fatal("cannot be written")
		}
		return c.Row()
	}
	if !bytes.Equal(row(0), row(2)) {
		t.Error("a place is in a row without places")
	}
}

// TestList: a list with room for all reads as a list that grows, and a short row makes no room.
func TestList(t *testing.T) {
	want := make([]int, 1000)
	for i := range want {
		want[i] = i
	}
	w := &Coder{}
	List(w, &want, 1, func(n *int) { Number(w, n) })
	for _, least := range []int{1, 7, 1 << 20} {
		var got []int
		r := Read(w.Row())
		if List(r, &got, least, func(n *int) { Number(r, n) }); !r.Done() || !cmp.Equal(want, got) {
			t.Errorf("with elements of at least %d bytes the list reads as %v", least, got)
		}
	}
	lying := &Coder{}
	n := 1000
	Number(lying, &n)
	var got []int
	r := Read(append(lying.Row(), make([]byte, 999)...))
	if List(r, &got, 2, func(n *int) { Number(r, n) }); r.OK() || got != nil {
		t.Errorf("a list of 1000 elements was read from 999 bytes: %v", got)
	}
}
