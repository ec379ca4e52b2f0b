package recheck

import (
	"hash/crc32"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/project/pack"
)

// A catalog lists what an entry knows of single nodes, unit tests and files, and where in the rest of the entry it lies.
type catalog struct {
	// divisible: a change of a model's text says nothing new about any other node or test, other than through what the model yields;
	// see [part].
	divisible bool
	nodes     []nodeItem // in the order of [analyze.Result.Models]
	tests     []testItem
	rows      []rowItem // sorted by path
}

// A nodeItem is a source, a seed, a function or a model with its [analyze.Record].
type nodeItem struct {
	name, file string
	kind       nodeKind
	reads      numbers // of the nodes that it names or that it asked for, each once
	blob
}

type nodeKind uint8

const (
	otherNode nodeKind = iota
	sourceNode
	seedNode
	modelNode
)

// A testItem is a unit test in which nothing is wrong, with its record.
type testItem struct {
	path string
	asks numbers
	blob
}

// Numbers are those of nodes, packed: after most edits those of few nodes are looked at.
type numbers []byte

// numbersOf packs numbers.
func numbersOf(list []int) numbers {
	c := &pack.Coder{}
	pack.Slice(c, &list, func(n *int) { pack.Number(c, n) })
	return c.Row()
}

// of unpacks numbers of a catalog's nodes; ok is false when they are not.
func (b numbers) of(k *catalog) (list []int, ok bool) {
	c := pack.Read(b)
	pack.Slice(c, &list, func(n *int) {
		if pack.Number(c, n); *n < 0 || *n >= len(k.nodes) {
			c.Fail()
		}
	})
	return list, c.Done()
}

// A rowItem is what package project packed of a file.
type rowItem struct {
	path string
	blob
}

// A blob is a piece of the rest. Data is nil until it was read.
type blob struct {
	at, size int
	sum      uint32
	data     []byte
}

// castagnoli is the polynomial that processors have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// blobOf is a blob that is in memory.
func blobOf(data []byte) blob {
	return blob{size: len(data), sum: crc32.Checksum(data, castagnoli), data: data}
}

// pack describes the catalog. Places in the rest follow from the sizes.
func (k *catalog) pack(c *pack.Coder) {
	at := 0
	piece := func(b *blob) {
		pack.Number(c, &b.size)
		pack.Number(c, &b.sum)
		if b.size < 0 || b.size > mostEntry || at > mostEntry {
			c.Fail()
			return
		}
		b.at = at
		at += b.size
	}
	// Most have a text or two, two numbers and a checksum.
	const leastNode, leastRow = 6, 3
	c.Truth(&k.divisible)
	pack.List(c, &k.nodes, leastNode, func(n *nodeItem) {
		c.Text(&n.name)
		c.Text(&n.file)
		pack.Number(c, &n.kind)
		c.Bytes((*[]byte)(&n.reads))
		piece(&n.blob)
	})
	pack.Slice(c, &k.tests, func(t *testItem) {
		c.Text(&t.path)
		c.Bytes((*[]byte)(&t.asks))
		piece(&t.blob)
	})
	pack.List(c, &k.rows, leastRow, func(r *rowItem) {
		c.Text(&r.path)
		piece(&r.blob)
	})
}

// blobs calls visit for every blob, in the order in which they lie.
func (k *catalog) blobs(visit func(b *blob)) {
	for i := range k.nodes {
		visit(&k.nodes[i].blob)
	}
	for i := range k.tests {
		visit(&k.tests[i].blob)
	}
	for i := range k.rows {
		visit(&k.rows[i].blob)
	}
}

// recordOf unpacks a record.
func recordOf(data []byte) (*analyze.Record, bool) {
	r, c := &analyze.Record{}, pack.Read(data)
	r.Pack(c)
	return r, c.Done()
}

// rowOf packs a record.
func rowOf(r *analyze.Record) []byte {
	c := &pack.Coder{}
	c.Grow(r.Size())
	r.Pack(c)
	return c.Row()
}

// tell fills in the nodes of an outcome; false when the entry is not what was written.
func (e *entry) tell(out *Outcome) bool {
	if !e.readAll() {
		return false
	}
	nodes, ok := e.catalog.outcome()
	out.Nodes = nodes
	return ok
}

// outcome makes nodes of a catalog whose blobs are all in memory.
func (k *catalog) outcome() ([]Node, bool) {
	nodes := make([]Node, len(k.nodes))
	for i := range k.nodes {
		r, ok := recordOf(k.nodes[i].data)
		if !ok {
			return nil, false
		}
		// A record keeps more than is told here, such as what a model asked about others; only [analyze.Record] knows its form.
		m, ok := r.Model()
		if !ok {
			return nil, false
		}
		nodes[i] = nodeOf(m)
	}
	return nodes, true
}

// nodeOf is what is told of a node.
func nodeOf(m *analyze.Model) Node {
	n := Node{Name: m.Name, Kind: m.Kind, File: m.File, Upstream: m.Upstream, Open: m.Open, OpenInput: m.OpenInput, Unanalysed: m.Unanalysed,
		Skips: m.Skips, Wanted: m.Wanted, Columns: make([]Column, len(m.Columns))}
	for j, c := range m.Columns {
		n.Columns[j] = Column{c.Name, c.Type, c.Nullable}
	}
	return n
}
