package recheck

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/project/pack"
)

// A memory is what the last run knew of single files and models, and what this one will leave. It holds only while everything
// else that was read is as it was: the configuration, the variables, files that rules and macros come from.
type memory struct {
	now    *recorder // of this run
	before *entry    // of the last run, nil for none; its catalog is open

	rows    map[string]int   // numbers of rows, by path; of files that are as they were
	records map[string]*blob // by name of the node; of unit tests, by path, which no node has for a name

	mu   sync.Mutex
	kept map[string][]byte // rows for the next run
}

// ownFolders are the folders whose files are read one by one, each into a row of its own. A change of any other file changes
// what a row may say.
var ownFolders = []string{"models/", "sources/", "seeds/", "tests/", "audits/"}

// byItself reports whether a path is that of a file with a row, or of a folder of such files.
func byItself(path string) bool {
	return slices.ContainsFunc(ownFolders, func(f string) bool { return strings.HasPrefix(path+"/", f) })
}

// newMemory makes the memory of a run. Before is nil when nothing of the last run can be used; changed are the files that are
// not as they were.
func newMemory(now *recorder, before *entry, changed []int) *memory {
	m := &memory{now: now, kept: map[string][]byte{}}
	// A rest that cannot be read is a miss like any other.
	if before == nil || !before.readAll() {
		return m
	}
	m.before = before
	k := before.catalog
	m.rows, m.records = make(map[string]int, len(k.rows)), make(map[string]*blob, len(k.nodes)+len(k.tests))
	for i := range k.rows {
		m.rows[k.rows[i].path] = i
	}
	for _, i := range changed {
		delete(m.rows, before.looked.files[i].name)
	}
	for i := range k.nodes {
		m.records[k.nodes[i].name] = &k.nodes[i].blob
	}
	for i := range k.tests {
		m.records[k.tests[i].path] = &k.tests[i].blob
	}
	return m
}

// Recall implements [project.Memory]. A file that is recalled counts as looked at.
func (m *memory) Recall(path string) []byte {
	number, known := m.rows[path]
	if !known {
		return nil
	}
	at := m.before.looked.find(path)
	if at < 0 {
		return nil
	}
	row := m.before.catalog.rows[number].data
	m.now.recalled(path, m.before.looked.files[at].seen)
	m.Keep(path, row)
	return row
}

// Keep implements [project.Memory].
func (m *memory) Keep(path string, row []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept[path] = row
}

// record is the record of a model or a unit test of the last run.
func (m *memory) record(name string) *analyze.Record {
	b := m.records[name]
	if b == nil {
		return nil
	}
	r, ok := recordOf(b.data)
	if !ok {
		return nil
	}
	return r
}

// leave lists what the next run finds: the records of all nodes and the rows of all files. Divisible says that nothing but analysis
// has looked at the models.
func (m *memory) leave(p *project.Project, r *analyze.Result, divisible bool) *catalog {
	k := &catalog{divisible: divisible && r.Unrecorded == 0 && len(p.Functions)+len(p.Statements) == 0, nodes: make([]nodeItem, len(r.Models))}
	byName := make(map[string]int, len(r.Models))
	for i, n := range r.Models {
		byName[fold(n.Name)] = i
	}
	size := 0
	for _, n := range r.Models {
		size += n.Record().Size()
	}
	// One row that is cut into pieces; the memory of each on its own would be rounded up.
	c := &pack.Coder{}
	c.Grow(size)
	piece := func(record *analyze.Record) blob {
		start := len(c.Row())
		record.Pack(c)
		return blobOf(c.Row()[start:len(c.Row()):len(c.Row())])
	}
	for i, n := range r.Models {
		item := &k.nodes[i]
		item.name, item.file = n.Name, n.File
		switch n.Kind {
		case "source":
			item.kind = sourceNode
		case "seed":
			item.kind = seedNode
		case "function":
		default:
			item.kind = modelNode
		}
		item.reads = reads(byName, p.Model(n.Name), n.Record().Asked, item.kind)
		item.blob = piece(n.Record())
	}
	paths, records := r.Tests()
	for i, path := range paths {
		k.tests = append(k.tests, testItem{path, numbersOf(asked(byName, nil, records[i].Asked)), piece(records[i])})
	}
	for _, path := range slices.Sorted(maps.Keys(m.kept)) {
		k.rows = append(k.rows, rowItem{path, blobOf(m.kept[path])})
	}
	for _, a := range p.Audits {
		k.divisible = k.divisible && !a.Generic
	}
	return k
}

// reads are the nodes that a model names, in its query or in its header, and those that it asked for.
func reads(byName map[string]int, m *project.Model, names []string, kind nodeKind) numbers {
	var list []int
	if kind == modelNode && m != nil {
		for i := range m.References {
			if to := m.References[i].To; to != nil {
				if n, ok := byName[fold(to.NodeName())]; ok {
					list = append(list, n)
				}
			}
		}
	}
	return numbersOf(asked(byName, list, names))
}

// asked adds the nodes of folded names to a list and brings it into order.
func asked(byName map[string]int, list []int, names []string) []int {
	for _, name := range names {
		if n, ok := byName[name]; ok {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// fold is how package analyze compares names of nodes.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, name)
}

// findRow returns the number of the row of a file, or -1.
func (k *catalog) findRow(path string) int {
	i, ok := slices.BinarySearchFunc(k.rows, path, func(r rowItem, path string) int { return cmp.Compare(r.path, path) })
	if !ok {
		return -1
	}
	return i
}
