package recheck

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"os"
	"slices"

	"github.com/norn-data/norn/internal/project/pack"
)

// The file of edits saves writing an entry anew for the sake of one model: it holds everything in which the entry of the last runs
// differs from the entry that lies beside it, by numbers in the lists of that one. It is replaced whole, like the entry, and never
// written to in place. Edits of another entry than the one beside them are as if they were not there; then the entry says what was
// known before them, which is held to the files like everything it says.
type delta struct {
	files map[int]seen     // by number in the list of files
	nodes map[int]nodeEdit // by number of node
	rows  map[int][]byte   // by number in the list of rows
}

// A nodeEdit is what is known of a node now.
type nodeEdit struct {
	reads  numbers
	record []byte
}

// editsSuffix ends the name of the file.
const editsSuffix = ".edits"

// editsMagic opens it. It is as long as that of an entry.
const editsMagic = "norn edits 1\n"

// An edited is all that is in the file.
type edited struct {
	base digest
	out  *Outcome
	delta
}

// pack describes the file.
func (e *edited) pack(c *pack.Coder) {
	c.Fixed(e.base[:])
	e.out.pack(c)
	numbered(c, &e.files, func(f *seen) { f.pack(c) })
	numbered(c, &e.nodes, func(n *nodeEdit) {
		c.Bytes((*[]byte)(&n.reads))
		c.Bytes(&n.record)
	})
	numbered(c, &e.rows, func(row *[]byte) { c.Bytes(row) })
}

// numbered writes or reads values by number, in order.
func numbered[T any](c *pack.Coder, m *map[int]T, value func(*T)) {
	keys := slices.Sorted(maps.Keys(*m))
	if c.Reading() {
		*m = map[int]T{}
	}
	pack.Slice(c, &keys, func(n *int) {
		pack.Number(c, n)
		v := (*m)[*n]
		value(&v)
		(*m)[*n] = v
	})
}

// loadEdits puts the edits of an entry into it, where there are any.
func (s store) loadEdits(e *entry) {
	data, err := os.ReadFile(s.edited())
	if err != nil {
		return
	}
	x, ok := decodeEdits(data)
	if !ok || x.base != e.source.base {
		return
	}
	for n := range x.files {
		if n < 0 || n >= len(e.looked.files) {
			return
		}
	}
	for n, f := range x.files {
		e.looked.files[n].seen = f
	}
	e.out, e.edits = x.out, &x.delta
}

// decodeEdits reads the file of edits.
func decodeEdits(data []byte) (*edited, bool) {
	if len(data) < frontSize || string(data[:len(editsMagic)]) != editsMagic {
		return nil, false
	}
	body := data[frontSize:]
	size, sum := binary.LittleEndian.Uint64(data[len(editsMagic):]), data[len(editsMagic)+8:frontSize]
	if size != uint64(len(body)) || sha256.Sum256(body) != digest(sum) {
		return nil, false
	}
	x, c := &edited{out: &Outcome{}}, pack.Read(body)
	x.pack(c)
	return x, c.Done()
}

// apply puts edits into a catalog; false when they are about none of its nodes or rows.
func (x *delta) apply(k *catalog) bool {
	if x == nil {
		return true
	}
	for n, edit := range x.nodes {
		if n < 0 || n >= len(k.nodes) {
			return false
		}
		k.nodes[n].reads, k.nodes[n].blob = edit.reads, blobOf(edit.record)
	}
	for n, row := range x.rows {
		if n < 0 || n >= len(k.rows) {
			return false
		}
		k.rows[n].blob = blobOf(row)
	}
	return true
}

// mostEdits is the part of an entry that its edits may come to before it is written anew: 1 in mostEdits. Every run reads them whole.
const mostEdits = 8

// saveEdits stores what makes an entry of the one that it was read from, or all of it when that is not much more.
func (s store) saveEdits(e *entry, o Options) {
	x := edited{base: e.source.base, out: e.out, delta: *e.edits}
	c := &pack.Coder{}
	x.pack(c)
	written := c.OK() && len(c.Row()) < e.source.restSize/mostEdits && s.write(s.edited(), [][]byte{front(editsMagic, c.Row()), c.Row()})
	whole := !written && e.readAll()
	// Not every system replaces a file that is open.
	if e.close(); whole {
		s.save(e, o)
	}
}

// saveHealed stores that files have settled.
func (s store) saveHealed(e *entry, healed []int, o Options) {
	x := e.editing()
	for _, at := range healed {
		x.files[at] = e.looked.files[at].seen
	}
	s.saveEdits(e, o)
}

// editing are the edits of an entry, to be added to.
func (e *entry) editing() *delta {
	if e.edits == nil {
		e.edits = &delta{files: map[int]seen{}, nodes: map[int]nodeEdit{}, rows: map[int][]byte{}}
	}
	return e.edits
}
