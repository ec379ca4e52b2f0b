package project

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unsafe"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/pack"
)

// A Memory is what an earlier [Load] of the same project knew about its files. It holds one row of bytes a file, whose meaning
// is this package's own. Rows depend on the file, on the configuration and on nothing else: whoever keeps them must forget all
// of them when the configuration, the target, a variable or norn itself is another.
//
// Both methods are called from several goroutines at once.
type Memory interface {
	// Recall returns the row that was kept for a file, if the file is as it was then; nil otherwise. The file is not read.
	Recall(path string) []byte
	// Keep takes the row of a file that was read.
	Keep(path string, row []byte)
}

// A shelf is what load does with a file beside reading it: how it is packed. The function serves both directions; file is the
// file that places in the row lie in, without its text when the row is read.
type shelf func(i int, c *pack.Coder, file *diag.File)

// recall fills in a file from memory and reports whether it could. What is wrong with the file is part of the row.
func (l *loader) recall(path string, i int, unpack shelf, r *report) (*diag.File, bool) {
	if l.o.Memory == nil || unpack == nil {
		return nil, false
	}
	row := l.o.Memory.Recall(path)
	if row == nil {
		return nil, false
	}
	// Places need a file to lie in, not its text: most files are never shown.
	file := diag.NewFile(path, "")
	c := pack.Read(row)
	c.Files = []*diag.File{file, l.p.Config.File}
	stamp := l.shared.stamp
	if pack.Number(c, &stamp); stamp != l.shared.stamp {
		return nil, false
	}
	unpack(i, c, file)
	var found report
	found.pack(c)
	// What was unpacked so far is thrown away with the value that reading makes anew.
	if !c.Done() {
		return nil, false // a row of another making: the file itself is the truth
	}
	r.problems, r.ignored = append(r.problems, found.problems...), append(r.ignored, found.ignored...)
	return file, true
}

// keep hands the row of a file to the memory. A file with places in other files cannot be packed and is read again each time.
func (l *loader) keep(path string, i int, file *diag.File, pack1 shelf, r *report) {
	if l.o.Memory == nil || pack1 == nil {
		return
	}
	c := &pack.Coder{Files: []*diag.File{file, l.p.Config.File}}
	// What is declared elsewhere decides what is made of a file.
	stamp := l.shared.stamp
	pack.Number(c, &stamp)
	pack1(i, c, file)
	if r.pack(c); c.OK() {
		l.o.Memory.Keep(path, c.Row())
	}
}

// pack writes or reads what is wrong with a file.
func (r *report) pack(c *pack.Coder) {
	c.Problems(&r.problems)
	pack.Slice(c, &r.ignored, func(i *Ignored) {
		c.Span(&i.Span)
		c.Text(&i.Key)
	})
}

// fileText is the text of a text file as its places count: without a byte order mark, which is not part of the text for whoever
// looks for line 1, column 8.
func fileText(root fs.FS, path string) (string, error) {
	text, err := readText(root, path)
	if err != nil && !errors.Is(err, errTooLarge) {
		err = diag.WithHint(fmt.Errorf("reading %s: %w", path, err), "check that the file can be read by you")
	}
	return strings.TrimPrefix(text, "\ufeff"), err
}

// A Digest is the SHA-256 of a text.
type Digest = [sha256.Size]byte

// textDigest is the digest of a file's text, which is not copied for it: nobody writes to either.
func textDigest(f *diag.File) Digest {
	return sha256.Sum256(unsafe.Slice(unsafe.StringData(f.Text), len(f.Text)))
}
