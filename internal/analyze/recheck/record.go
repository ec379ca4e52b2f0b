package recheck

import (
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

	listings map[string][]fs.DirEntry // folders that were listed already in this run
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

func (r *recorder) path(name string) string { return inside(r.dir, name) }

// inside is the path of a file of the project in a folder. Names come from [fs.FS] and need no cleaning.
func inside(dir, name string) string {
	if name == "." {
		return dir
	}
	return dir + string(filepath.Separator) + filepath.FromSlash(name)
}

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
	entries, listed := r.listings[name]
	var err error
	if !listed {
		entries, err = os.ReadDir(r.path(name))
	}
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
	size := 0
	for _, e := range entries {
		size += len(e.Name()) + 12
	}
	b := make([]byte, 0, size)
	// os.ReadDir sorts; a zero byte can be in no name. The type is part of it because a folder can take the name of a file.
	for _, e := range entries {
		b = append(append(b, e.Name()...), 0)
		b = append(append(b, e.Type().String()...), 0)
	}
	return sha256.Sum256(b)
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
