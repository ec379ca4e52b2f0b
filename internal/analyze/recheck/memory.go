package recheck

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/project/pack"
)

// A memory is what the last run knew of single files and models, and what this one will leave. It holds only while everything
// else that was read is as it was: the configuration, the variables, files that rules and macros come from.
type memory struct {
	now *recorder // of this run

	rows    map[string][]byte          // of the last run, by path; of files that are as they were
	files   map[string]*seen           // their stamps
	records map[string]*analyze.Record // of the last run, by name; of unit tests, by path, which no node has for a name

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
func newMemory(now *recorder, before *entry, changed map[string]bool) *memory {
	m := &memory{now: now, kept: map[string][]byte{}}
	if before == nil {
		return m
	}
	r, ok := unpackRest(before.rest)
	// A rest that does not unpack is a miss like any other.
	if !ok {
		return m
	}
	m.files = before.rec.files
	m.rows, m.records = make(map[string][]byte, len(r.rows)), make(map[string]*analyze.Record, len(r.records))
	for _, f := range r.rows {
		if !changed[f.path] {
			m.rows[f.path] = f.data
		}
	}
	for i, name := range r.names {
		m.records[name] = r.records[i]
	}
	for i, path := range r.tests {
		m.records[path] = r.checked[i]
	}
	return m
}

// Recall implements [project.Memory]. A file that is recalled counts as looked at.
func (m *memory) Recall(path string) []byte {
	row, file := m.rows[path], m.files[path]
	if row == nil || file == nil {
		return nil
	}
	m.now.recalled(path, *file)
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
func (m *memory) record(name string) *analyze.Record { return m.records[name] }

// leave packs what the next run finds: the records of all nodes and the rows of all files.
func (m *memory) leave(r *analyze.Result) []byte {
	out := rest{names: make([]string, len(r.Models)), records: make([]*analyze.Record, len(r.Models)), rows: make([]row, 0, len(m.kept))}
	size := 0
	for i, n := range r.Models {
		out.names[i], out.records[i] = n.Name, n.Record()
		size += len(n.Name) + out.records[i].Size()
	}
	out.tests, out.checked = r.Tests()
	for i, path := range out.tests {
		size += len(path) + out.checked[i].Size()
	}
	for _, path := range slices.Sorted(maps.Keys(m.kept)) {
		out.rows = append(out.rows, row{path, m.kept[path]})
		size += len(path) + len(m.kept[path]) + 10
	}
	c := &pack.Coder{}
	c.Grow(size)
	out.pack(c)
	return c.Row()
}
