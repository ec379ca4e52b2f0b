package recheck

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/pack"
)

// magic opens every entry. The number is that of the format and is raised with it.
const magic = "norn check 4\n"

// mostEntry bounds what is read: nothing that norn writes comes near it.
const mostEntry = 1 << 30

// store is where one outcome lies: one entry for a project and a target, replaced when something else is to be said, and one file
// of edits beside it.
type store struct {
	dir, name string
}

// entryPrefix begins the name of every file in the cache.
const entryPrefix = "check-"

// entryName is the file of a target. Names of targets may hold anything, so it is a digest.
func entryName(o Options) string {
	sum := sha256.Sum256([]byte(o.Target))
	return entryPrefix + hex.EncodeToString(sum[:8])
}

func (s store) path() string { return filepath.Join(s.dir, ".norn", "cache", s.name) }

// edited is the file of edits of the entry.
func (s store) edited() string { return s.path() + editsSuffix }

// A source is the file of an entry, held open: it may be replaced meanwhile, and what is open stays what it was.
//
// It is read in pieces, each with a checksum of its own, and not mapped into memory. After an edit of one model three pieces of
// thousands are wanted, so there is nothing to gain from a mapping; and who touches a mapping of a file that somebody cuts short is
// killed, while reading it is only a miss.
type source struct {
	f    *os.File
	base digest // of the head; names the entry that edits are about
	// Where the catalog and the rest begin and how long they are.
	catalogAt, catalogSize, restAt, restSize int
	catalogSum                               uint32
}

// piece reads a piece of the file; nil when it is not what was written.
func (s *source) piece(at, size int, sum uint32) []byte {
	data := make([]byte, size)
	if _, err := s.f.ReadAt(data, int64(at)); err != nil || crc32.Checksum(data, castagnoli) != sum {
		return nil
	}
	return data
}

// load returns what the last run left; nil when there is nothing that this one could use.
func (s store) load(ctx context.Context, o Options) *entry {
	f, err := os.Open(s.path())
	if err != nil || ctx.Err() != nil {
		return nil
	}
	e := opened(f, o)
	if e == nil {
		_ = f.Close()
		return nil
	}
	s.loadEdits(e)
	return e
}

// opened reads the head of an entry; nil when it is torn or another program's.
func opened(f *os.File, o Options) *entry {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostEntry {
		return nil
	}
	front := make([]byte, frontSize)
	if _, err := f.ReadAt(front, 0); err != nil {
		return nil
	}
	size, base, ok := opening(front)
	if !ok || size > int(info.Size())-frontSize {
		return nil
	}
	body := make([]byte, size)
	if _, err := f.ReadAt(body, int64(frontSize)); err != nil || sha256.Sum256(body) != base {
		return nil
	}
	h, ok := decode(body, o)
	if !ok || h.catalogSize < 0 || h.restSize < 0 || frontSize+size+h.catalogSize+h.restSize != int(info.Size()) {
		return nil
	}
	from := &source{f: f, base: base, catalogAt: frontSize + size, catalogSize: h.catalogSize, catalogSum: h.catalogSum,
		restAt: frontSize + size + h.catalogSize, restSize: h.restSize}
	return &entry{looked: h.looked, out: h.out, source: from}
}

// decode reads a head.
func decode(body []byte, o Options) (*head, bool) {
	h := &head{out: &Outcome{}}
	c := pack.Read(body)
	h.pack(c, o)
	return h, c.Done()
}

// close lets go of the file.
func (e *entry) close() {
	if e != nil && e.source != nil {
		_ = e.source.f.Close()
		e.source = nil
	}
}

// openCatalog reads the catalog and puts the edits into it; false when it is not what was written.
func (e *entry) openCatalog() bool {
	if e.catalog != nil {
		return true
	}
	data := e.source.piece(e.source.catalogAt, e.source.catalogSize, e.source.catalogSum)
	if data == nil {
		return false
	}
	k, c := &catalog{}, pack.Read(data)
	if k.pack(c); !c.Done() || !e.edits.apply(k) {
		return false
	}
	e.catalog = k
	return true
}

// read makes sure that a blob is in memory; false when it is not what was written.
func (e *entry) read(b *blob) bool {
	if b.data == nil {
		b.data = e.source.piece(e.source.restAt+b.at, b.size, b.sum)
	}
	return b.data != nil
}

// readAll makes sure that all of an entry is in memory.
func (e *entry) readAll() bool {
	if e.source == nil {
		return e.catalog != nil
	}
	if !e.openCatalog() {
		return false
	}
	rest := make([]byte, e.source.restSize)
	if _, err := e.source.f.ReadAt(rest, int64(e.source.restAt)); err != nil {
		return false
	}
	ok := true
	e.catalog.blobs(func(b *blob) {
		if b.data != nil || !ok {
			return
		}
		if ok = b.at+b.size <= len(rest); ok {
			b.data = rest[b.at : b.at+b.size : b.at+b.size]
			ok = crc32.Checksum(b.data, castagnoli) == b.sum
		}
	})
	return ok
}

// encode makes the parts of an entry in the order in which they are written. All of it must be in memory.
func encode(e *entry, o Options) [][]byte {
	k := &pack.Coder{}
	e.catalog.pack(k)
	h := head{looked: e.looked, out: e.out, catalogSize: len(k.Row()), catalogSum: crc32.Checksum(k.Row(), castagnoli)}
	e.catalog.blobs(func(b *blob) { h.restSize += b.size })
	c := &pack.Coder{}
	c.Grow(96*len(e.looked.files) + 4096)
	h.pack(c, o)
	diag.Assert(c.OK() && k.OK(), "an outcome cannot be packed")
	parts := [][]byte{front(magic, c.Row()), c.Row(), k.Row()}
	e.catalog.blobs(func(b *blob) { parts = append(parts, b.data) })
	return parts
}

// save stores an entry as a whole. That it cannot be stored is nobody's trouble.
func (s store) save(e *entry, o Options) {
	if s.write(s.path(), encode(e, o)) {
		// Edits of the entry that was there are about no entry any more.
		_ = os.Remove(s.edited())
	}
}

// write puts a file into the cache: whole or not at all.
func (s store) write(path string, parts [][]byte) bool {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return false
	}
	// Nobody wants the cache in version control.
	ignore := filepath.Join(filepath.Dir(folder), ".gitignore")
	if _, err := os.Lstat(ignore); err != nil {
		_ = os.WriteFile(ignore, []byte("*\n"), 0o644)
	}
	s.sweep(folder)
	// Each writer has a file of its own, so two runs never write into one.
	f, err := os.CreateTemp(folder, s.name+".*.tmp")
	if err != nil {
		return false
	}
	b := bufio.NewWriterSize(f, 64<<10)
	for _, part := range parts {
		_, _ = b.Write(part) // the first error stays
	}
	err = b.Flush()
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), path) != nil {
		_ = os.Remove(f.Name())
		return false
	}
	return true
}

// mostEntries bounds the entries of a project: one for each target that is in use, and a few of targets that were.
const mostEntries = 8

// forgotten is the age at which a temporary file has no writer any more.
const forgotten = time.Hour

// sweep keeps the cache bounded. It removes what killed processes left behind, and the oldest entries when there are many.
func (s store) sweep(folder string) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	type old struct {
		name string
		at   time.Time
	}
	var entries []old
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.HasPrefix(f.Name(), entryPrefix) {
			continue
		}
		switch {
		case strings.HasSuffix(f.Name(), editsSuffix):
			// They go with their entry.
		case !strings.HasSuffix(f.Name(), ".tmp"):
			if f.Name() != s.name {
				entries = append(entries, old{f.Name(), info.ModTime()})
			}
		case time.Since(info.ModTime()) > forgotten:
			_ = os.Remove(filepath.Join(folder, f.Name()))
		}
	}
	// Newest first; the entry that is about to be written counts as the newest of all.
	slices.SortFunc(entries, func(a, b old) int { return b.at.Compare(a.at) })
	for i := mostEntries - 1; i < len(entries); i++ {
		_ = os.Remove(filepath.Join(folder, entries[i].name))
		_ = os.Remove(filepath.Join(folder, entries[i].name+editsSuffix))
	}
}

// front is what stands before a body: magic, its length and its digest. A torn file is what has to be told, not a forged one: who can
// write here can write the project.
func front(magic string, body []byte) []byte {
	b := append(make([]byte, 0, frontSize), magic...)
	sum := sha256.Sum256(body)
	return append(binary.LittleEndian.AppendUint64(b, uint64(len(body))), sum[:]...)
}

const frontSize = len(magic) + 8 + sha256.Size

// opening takes apart what front made for an entry.
func opening(b []byte) (size int, sum digest, ok bool) {
	n := binary.LittleEndian.Uint64(b[len(magic):])
	copy(sum[:], b[len(magic)+8:])
	return int(n), sum, string(b[:len(magic)]) == magic && n < mostEntry
}
