package recheck

import (
	"bytes"
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
const magic = "norn check 2\n"

// mostEntry bounds what is read: nothing that norn writes comes near it.
const mostEntry = 1 << 30

// store is where one outcome lies: one entry for a project and a target, replaced when something else is to be said.
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

// load returns what the last run left; nil when there is nothing that this one could use.
func (s store) load(ctx context.Context, o Options) *entry {
	info, err := os.Stat(s.path())
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostEntry {
		return nil
	}
	data, err := os.ReadFile(s.path())
	if err != nil || ctx.Err() != nil {
		return nil
	}
	body, ok := opened(data)
	if !ok {
		return nil
	}
	return decode(body, s.dir, o)
}

// decode reads an entry; nil when it is torn or another program's.
func decode(body []byte, dir string, o Options) *entry {
	e := &entry{rec: newRecorder(dir, o.Env), out: &Outcome{}}
	c := pack.Read(body)
	if e.pack(c, o); !c.Done() {
		return nil
	}
	e.out.rest = e.rest
	return e
}

// encode is the twin of decode. The rest of the entry belongs behind what it returns.
func encode(e *entry, o Options) []byte {
	c := &pack.Coder{}
	c.Grow(128*len(e.rec.files) + 4096)
	e.pack(c, o)
	diag.Assert(c.OK(), "an outcome cannot be packed")
	return c.Row()
}

// save stores an entry. That it cannot be stored is nobody's trouble.
func (s store) save(e *entry, o Options) {
	// A file that changed during the run belongs to neither of its states.
	if e.rec.torn {
		return
	}
	front := encode(e, o)
	folder := filepath.Dir(s.path())
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return
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
		return
	}
	for _, part := range [][]byte{head(front, e.rest), front, e.rest} {
		if err == nil {
			_, err = f.Write(part)
		}
	}
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), s.path()) != nil {
		_ = os.Remove(f.Name())
	}
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
	}
}

// head is magic and checksum, which stand in front of an entry. A torn file is what has to be told, not a forged one: who can
// write here can write the project.
func head(body ...[]byte) []byte {
	table := crc32.MakeTable(crc32.Castagnoli)
	size, sum := 0, uint32(0)
	for _, part := range body {
		size, sum = size+len(part), crc32.Update(sum, table, part)
	}
	b := append(make([]byte, 0, headSize), magic...)
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(b, uint64(size)), sum)
}

const headSize = len(magic) + 8 + 4

// opened checks magic and checksum.
func opened(data []byte) ([]byte, bool) {
	if len(data) < headSize {
		return nil, false
	}
	body := data[headSize:]
	return body, bytes.Equal(data[:headSize], head(body))
}
