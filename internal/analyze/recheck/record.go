package recheck

import (
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// settled is how long a file must have been left alone for its stamp to tell it from every other content. Two seconds is the
// coarsest clock of the file systems in use (FAT).
const settled = 2 * time.Second

// A stamp tells versions of a file apart without reading it. Size is -1 for a file that does not exist. The change time is 0
// where the system has none; the inode tells a file that was moved into place from the one that lay there before.
type stamp struct {
	Size            int64
	Modified, Other int64 // nanoseconds
	Inode           uint64
}

var absent = stamp{Size: -1}

// A stamp is compared as a whole. Size and time alone miss an edit that keeps the length and sets the clock back, as archives and
// version control do; the change time cannot be set by a program, and the inode finds a file that was put in the place of another.

// young reports whether the file was touched so shortly before a moment that its stamp may stay the same with the next edit.
func (s stamp) young(now time.Time) bool {
	return s.Size >= 0 && max(s.Modified, s.Other) > now.Add(-settled).UnixNano()
}

// A digest is the SHA-256 of what was read.
type digest = [sha256.Size]byte

// seen is a file as it was read; Digest is zero for one whose stamp is enough.
type seen struct {
	Stamp  stamp
	Digest digest
}

// A recorder is the file system of a project's folder, and the list of everything that was asked of it. It is safe for any
// number of goroutines.
type recorder struct {
	dir    string
	lookup func(name string) (string, bool)

	mu      sync.Mutex
	files   map[string]*seen
	folders map[string]digest // of the names in it
	vars    map[string]digest // of the values: an environment holds passwords
	torn    bool              // something was seen in two states, so that the record is worth nothing
}

func newRecorder(dir string, lookup func(string) (string, bool)) *recorder {
	return &recorder{dir: dir, lookup: lookup, files: map[string]*seen{}, folders: map[string]digest{}, vars: map[string]digest{}}
}

// env looks up a variable and remembers what it was.
func (r *recorder) env(name string) (string, bool) {
	value, ok := "", false
	if r.lookup != nil {
		value, ok = r.lookup(name)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.vars[name] = varDigest(value, ok)
	return value, ok
}

// varDigest is zero for a variable that is not set. The SHA-256 of the empty text is not zero, so that one that is set to nothing
// is told from it: the configuration tells them apart too.
func varDigest(value string, ok bool) digest {
	if !ok {
		return digest{}
	}
	return sha256.Sum256([]byte(value))
}

func (r *recorder) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// note remembers the stamp of a file. A file that has two stamps in one run was changed meanwhile.
func (r *recorder) note(name string, s stamp) *seen {
	r.mu.Lock()
	defer r.mu.Unlock()
	if before := r.files[name]; before != nil {
		r.torn = r.torn || before.Stamp != s
		return before
	}
	f := &seen{Stamp: s}
	r.files[name] = f
	return f
}

// Stat implements [fs.StatFS].
func (r *recorder) Stat(name string) (fs.FileInfo, error) {
	info, err := os.Stat(r.path(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// That a file was not there is an answer: the check is another one as soon as it is.
		r.note(name, absent)
	case err == nil && !info.IsDir():
		r.note(name, stampOf(info))
	}
	return info, err
}

// ReadDir implements [fs.ReadDirFS].
func (r *recorder) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(r.path(name))
	// What else can go wrong ends the run, and a run that failed leaves no record.
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return entries, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	d := namesDigest(entries, err)
	if before, ok := r.folders[name]; ok && before != d {
		r.torn = true
	}
	r.folders[name] = d
	return entries, err
}

// namesDigest covers the names in a folder and which of them are folders; zero where there is no folder.
func namesDigest(entries []fs.DirEntry, err error) digest {
	if err != nil {
		return digest{}
	}
	var b strings.Builder
	// os.ReadDir sorts; a zero byte can be in no name. The type is part of it because a folder can take the name of a file.
	for _, e := range entries {
		b.WriteString(e.Name())
		b.WriteByte(0)
		b.WriteString(e.Type().String())
		b.WriteByte(0)
	}
	return sha256.Sum256([]byte(b.String()))
}

// Open implements [fs.FS]. The stamp is that of the open file, so what is read afterwards belongs to it or to a later one.
func (r *recorder) Open(name string) (fs.File, error) {
	f, err := os.Open(r.path(name))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			r.note(name, absent)
		}
		return nil, err
	}
	info, statErr := f.Stat()
	if statErr != nil || info.IsDir() {
		return f, nil //nolint:nilerr // whoever reads it gets the error
	}
	s := stampOf(info)
	entry := r.note(name, s)
	// Most files of most runs are old; their bytes need not be hashed.
	if !s.young(time.Now()) {
		return f, nil
	}
	return &hashed{File: f, sum: sha256.New(), into: entry, r: r}, nil
}

// hashed is a young file: a digest of its bytes is taken while they are read.
type hashed struct {
	*os.File
	sum   hash.Hash
	into  *seen
	r     *recorder
	whole bool
}

func (h *hashed) Read(p []byte) (int, error) {
	n, err := h.File.Read(p)
	h.sum.Write(p[:n])
	h.whole = h.whole || errors.Is(err, io.EOF)
	return n, err
}

// Close settles the digest. A file that was not read to its end has no digest, and nothing is worth recording.
func (h *hashed) Close() error {
	h.r.mu.Lock()
	defer h.r.mu.Unlock()
	if h.whole {
		d := digest(h.sum.Sum(nil))
		h.r.torn = h.r.torn || h.into.Digest != digest{} && h.into.Digest != d
		h.into.Digest = d
	} else {
		h.r.torn = true
	}
	return h.File.Close()
}

// recalled notes a file of the last run that was found to be as it was.
func (r *recorder) recalled(name string, f seen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if before := r.files[name]; before != nil {
		r.torn = r.torn || before.Stamp != f.Stamp
		return
	}
	r.files[name] = &f
}

// A verdict is what has become of the things in a record.
type verdict struct {
	// same: everything is as it was. Then healed says that files have settled since and lost their digest, so that the next run
	// need not read them.
	same, healed bool
	// usable: only files and folders that are read one by one are not. Changed are those files.
	usable  bool
	changed map[string]bool
}

// look finds out what has become of everything in a record. It begins with what is cheap and decides most: variables take no
// system call, and one that differs may change the meaning of every file.
func (r *recorder) look(now time.Time) verdict {
	v := verdict{same: true, usable: true, changed: map[string]bool{}}
	odd := func(name string) {
		v.same = false
		v.usable = v.usable && byItself(name)
	}
	for name, want := range r.vars {
		value, set := "", false
		if r.lookup != nil {
			value, set = r.lookup(name)
		}
		if varDigest(value, set) != want {
			v.same, v.usable = false, false
			return v
		}
	}
	for name, want := range r.folders {
		entries, err := os.ReadDir(r.path(name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) || namesDigest(entries, err) != want {
			odd(name)
		}
	}
	// Asking the system for thousands of stamps is most of the time of a run in which nothing changed.
	names := r.names()
	stands := make([]bool, len(names))
	var group sync.WaitGroup
	const part = 256
	for start := 0; start < len(names); start += part {
		group.Go(func() {
			for i := start; i < min(start+part, len(names)); i++ {
				stands[i] = r.stands(names[i], r.files[names[i]])
			}
		})
	}
	group.Wait()
	for i, name := range names {
		f := r.files[name]
		if !stands[i] {
			v.changed[name] = true
			odd(name)
		} else if f.Digest != (digest{}) && !f.Stamp.young(now) {
			f.Digest, v.healed = digest{}, true
		}
	}
	return v
}

// stands reports whether a file is as it was.
func (r *recorder) stands(name string, f *seen) bool {
	info, err := os.Stat(r.path(name))
	now := absent
	if err == nil {
		now = stampOf(info)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false // a file that cannot be looked at must be complained about by who reads it
	}
	if now != f.Stamp {
		return false
	}
	if f.Digest == (digest{}) {
		return true
	}
	// The stamp is the same and proves nothing, because the file was young when it was read.
	text, err := os.ReadFile(r.path(name))
	return err == nil && sha256.Sum256(text) == f.Digest
}

// names lists the files in order, so that a record is written the same way each time.
func (r *recorder) names() []string {
	names := make([]string, 0, len(r.files))
	for name := range r.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
