package recheck

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/norn-data/norn/internal/project/pack"
)

// A looked is everything that a run looked at, sorted by name, so that equal runs are equal bytes.
type looked struct {
	vars, folders []named
	files         []file
}

// A named is the digest of a variable's value or of the names in a folder.
type named struct {
	name string
	digest
}

// A file is one that was read, or was looked for and not found.
type file struct {
	name string
	seen
}

// looked is what the recorder has seen.
func (r *recorder) looked() looked {
	sorted := func(m map[string]digest) []named {
		list := make([]named, 0, len(m))
		for _, name := range slices.Sorted(maps.Keys(m)) {
			list = append(list, named{name, m[name]})
		}
		return list
	}
	l := looked{vars: sorted(r.vars), folders: sorted(r.folders), files: make([]file, 0, len(r.files))}
	for name, f := range r.files {
		l.files = append(l.files, file{name, *f})
	}
	slices.SortFunc(l.files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	return l
}

// leastFile is how many bytes a file takes at least: one each for the length of its name, for the numbers of its stamp and for the truth
// behind them.
const leastFile = 6

// pack describes it. A list that is not sorted was not written by norn.
func (l *looked) pack(c *pack.Coder) {
	digests := func(list *[]named) {
		pack.Slice(c, list, func(n *named) {
			c.Text(&n.name)
			c.Fixed(n.digest[:])
		})
	}
	digests(&l.vars)
	digests(&l.folders)
	pack.List(c, &l.files, leastFile, func(f *file) {
		c.Text(&f.name)
		f.pack(c)
	})
	if !slices.IsSortedFunc(l.files, func(a, b file) int { return cmp.Compare(a.name, b.name) }) {
		c.Fail()
	}
}

// pack describes a file as it was seen. Of most there is a stamp only: a digest takes 32 bytes, and a project of thousands of files
// would pay for them with every run.
func (f *seen) pack(c *pack.Coder) {
	pack.Number(c, &f.Stamp.Size)
	pack.Number(c, &f.Stamp.Modified)
	pack.Number(c, &f.Stamp.Other)
	pack.Number(c, &f.Stamp.Inode)
	young := f.Digest != digest{}
	if c.Truth(&young); young {
		c.Fixed(f.Digest[:])
	}
}

// find returns the number of a file, or -1.
func (l *looked) find(name string) int {
	i, ok := slices.BinarySearchFunc(l.files, name, func(f file, name string) int { return cmp.Compare(f.name, name) })
	if !ok {
		return -1
	}
	return i
}

// A verdict is what has become of the things that were looked at.
type verdict struct {
	// same: everything is as it was. Then healed are the files that have settled since and lost their digest, so that the next run need
	// not read them.
	same   bool
	healed []int
	// usable: only files and folders that are read one by one are not.
	usable bool
	// changed are the files that are not as they were; moved says that some folder is not.
	changed []int
	moved   bool
	// listings are the folders as they were found, so that nobody lists them twice.
	listings map[string][]fs.DirEntry
}

// look finds out what has become of everything. It begins with what is cheap and decides most: variables take no system call, and
// one that differs may change the meaning of every file.
func (l *looked) look(dir string, lookup func(string) (string, bool), now time.Time) verdict {
	v := verdict{same: true, usable: true, listings: make(map[string][]fs.DirEntry, len(l.folders))}
	odd := func(name string) {
		v.same = false
		v.usable = v.usable && byItself(name)
	}
	for _, want := range l.vars {
		value, set := "", false
		if lookup != nil {
			value, set = lookup(want.name)
		}
		if varDigest(value, set) != want.digest {
			v.same, v.usable = false, false
			return v
		}
	}
	for _, want := range l.folders {
		entries, err := os.ReadDir(inside(dir, want.name))
		if err == nil {
			v.listings[want.name] = entries
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) || namesDigest(entries, err) != want.digest {
			v.moved = true
			odd(want.name)
		}
	}
	for i, state := range l.states(dir) {
		f := &l.files[i]
		if !state {
			v.changed = append(v.changed, i)
			odd(f.name)
		} else if f.Digest != (digest{}) && !f.Stamp.young(now) {
			f.Digest = digest{}
			v.healed = append(v.healed, i)
		}
	}
	return v
}

// states tells of each file whether it is as it was. Asking the system for thousands of stamps is most of the time of a run in which
// nothing changed, so it is done by as many as can.
func (l *looked) states(dir string) []bool {
	stands := make([]bool, len(l.files))
	var next atomic.Int64
	var group sync.WaitGroup
	const part = 64
	work := func() {
		for {
			end := int(next.Add(part))
			for i := end - part; i < min(end, len(l.files)); i++ {
				stands[i] = l.files[i].stands(inside(dir, l.files[i].name))
			}
			if end >= len(l.files) {
				return
			}
		}
	}
	for range min(runtime.GOMAXPROCS(0), len(l.files)/part) {
		group.Go(work)
	}
	work()
	group.Wait()
	return stands
}

// stands reports whether a file is as it was.
func (f *seen) stands(path string) bool {
	now, err := stampAt(path)
	if errors.Is(err, fs.ErrNotExist) {
		now = absent
	} else if err != nil {
		return false // a file that cannot be looked at must be complained about by who reads it
	}
	if now != f.Stamp {
		return false
	}
	if f.Digest == (digest{}) {
		return true
	}
	// The stamp is the same and proves nothing, because the file was young when it was read.
	text, err := os.ReadFile(path)
	return err == nil && sha256.Sum256(text) == f.Digest
}
