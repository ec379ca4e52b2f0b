// Package pack writes values as compact rows of bytes and reads them back: what one run of norn tells the next.
//
// A row has no names and no types in it: numbers are varints, texts have their length in front, and the order of the fields is
// that of the code. Therefore one function describes both directions. It takes a [Coder] and calls it for each field in turn;
// a coder that writes appends the fields, one that reads fills them in. A twin that could disagree does not exist.
//
// Invariants:
//
//   - Reading never panics and never asks for more memory than a small multiple of the bytes there are: rows come from files
//     that anybody may have touched. After the first field that is not there, every further one is zero and [Coder.OK] is false.
//   - Texts that were read share the memory of the row, which nobody writes to again.
//   - A place in a file is stored as the number of the file in [Coder.Files] and two offsets. A place in any other file cannot
//     be stored, and writing it fails the row.
package pack

import (
	"encoding/binary"
	"math"
	"slices"
	"unsafe"

	"github.com/norn-data/norn/internal/diag"
)

// A Coder writes or reads one row. The zero Coder writes; [Read] makes one that reads.
type Coder struct {
	// Files are the files that places may lie in.
	Files []*diag.File
	// Placeless leaves out where things stand, but not in which file. Such a row is for comparing and cannot be read.
	Placeless bool

	row     []byte
	reading bool
	failed  bool
}

// Read returns a coder over a row.
func Read(row []byte) *Coder { return &Coder{row: row, reading: true} }

// Reading reports whether the coder reads.
func (c *Coder) Reading() bool { return c.reading }

// Row is what was written, or what is left to read.
func (c *Coder) Row() []byte { return c.row }

// OK reports whether every field so far could be written or read.
func (c *Coder) OK() bool { return !c.failed }

// Grow makes room for n more bytes, for who knows how many there will be.
func (c *Coder) Grow(n int) { c.row = slices.Grow(c.row, n) }

// Done reports whether a row was read whole: nothing was missing and nothing is left.
func (c *Coder) Done() bool { return !c.failed && len(c.row) == 0 }

// Fail marks the row as one that cannot be used.
func (c *Coder) Fail() { c.failed = true }

// Number is one whole number of any width.
func Number[T ~int | ~int32 | ~int64 | ~uint8 | ~uint32 | ~uint64](c *Coder, v *T) {
	if !c.reading {
		c.row = binary.AppendVarint(c.row, int64(*v))
		return
	}
	if len(c.row) > 0 && c.row[0] < 0x80 && !c.failed {
		// Most numbers are small: one byte, the sign in its lowest bit.
		b := int64(c.row[0])
		c.row = c.row[1:]
		n := b>>1 ^ -(b & 1)
		if *v = T(n); int64(*v) != n {
			c.failed, *v = true, 0
		}
		return
	}
	n, size := binary.Varint(c.row)
	if size <= 0 || c.failed {
		c.failed, *v = true, 0
		return
	}
	c.row = c.row[size:]
	if *v = T(n); int64(*v) != n {
		c.failed, *v = true, 0
	}
}

// Float is a number with a fraction, bit for bit.
func (c *Coder) Float(v *float64) {
	bits := math.Float64bits(*v)
	Number(c, &bits)
	*v = math.Float64frombits(bits)
}

// Truth is a yes or no.
func (c *Coder) Truth(v *bool) {
	n := 0
	if *v {
		n = 1
	}
	Number(c, &n)
	*v = n == 1
}

// count is a number of things that take at least one byte each, which keeps a torn row from asking for all memory.
func (c *Coder) count(n int) int {
	Number(c, &n)
	if c.reading && (n < 0 || n > len(c.row)) {
		c.failed = true
		return 0
	}
	return n
}

// Text is a string.
func (c *Coder) Text(s *string) {
	n := c.count(len(*s))
	if !c.reading {
		c.row = append(c.row, *s...)
		return
	}
	*s = ""
	if !c.failed && n > 0 {
		*s = unsafe.String(unsafe.SliceData(c.row), n)
		c.row = c.row[n:]
	}
}

// Bytes is a row inside the row. What was read shares its memory.
func (c *Coder) Bytes(b *[]byte) {
	n := c.count(len(*b))
	if !c.reading {
		c.row = append(c.row, *b...)
		return
	}
	*b = nil
	if !c.failed {
		*b, c.row = c.row[:n:n], c.row[n:]
	}
}

// Fixed is an array of bytes, without a length.
func (c *Coder) Fixed(b []byte) {
	switch {
	case !c.reading:
		c.row = append(c.row, b...)
	case len(c.row) < len(b) || c.failed:
		c.failed = true
		clear(b)
	default:
		copy(b, c.row)
		c.row = c.row[len(b):]
	}
}

// Slice is a list; nil and empty lists both read as nil.
func Slice[T any](c *Coder, s *[]T, each func(*T)) {
	// Elements are larger than the byte that each takes at least, so a long list grows with what is read.
	list(c, s, 256, each)
}

// List is a list of elements that take at least a number of bytes each. A row that is long enough for all of them is worth the room
// for all of them, which is made at once.
func List[T any](c *Coder, s *[]T, least int, each func(*T)) {
	list(c, s, len(c.row)/least, each)
}

// list is a list that has room for so many elements from the beginning.
func list[T any](c *Coder, s *[]T, room int, each func(*T)) {
	n := c.count(len(*s))
	if c.reading {
		*s = nil
		if n > 0 {
			*s = make([]T, 0, min(n, room))
		}
		for range n {
			var v T
			*s = append(*s, v)
			if each(&(*s)[len(*s)-1]); c.failed {
				return
			}
		}
		return
	}
	for i := range *s {
		each(&(*s)[i])
	}
}

// Pointer is something that may be missing.
func Pointer[T any](c *Coder, p **T, each func(*T)) {
	there := *p != nil
	c.Truth(&there)
	if c.reading {
		*p = nil
		if there && !c.failed {
			*p = new(T)
		}
	}
	if *p != nil {
		each(*p)
	}
}

// Texts is a list of strings.
func (c *Coder) Texts(s *[]string) { Slice(c, s, c.Text) }

// Span is a place in one of the files, or nowhere.
func (c *Coder) Span(s *diag.Span) {
	file := 0
	if !c.reading && s.File != nil {
		if file = slices.Index(c.Files, s.File) + 1; file == 0 {
			c.failed = true
		}
	}
	if Number(c, &file); file == 0 {
		if c.reading {
			*s = diag.Span{}
		}
		return
	}
	if c.reading {
		if file < 0 || file > len(c.Files) {
			c.failed = true
			return
		}
		s.File = c.Files[file-1]
	}
	Place(c, &s.Start)
	Place(c, &s.End)
}

// Place is a number that says where in a file something stands.
func Place[T ~int | ~int32](c *Coder, v *T) {
	if !c.Placeless {
		Number(c, v)
	}
}

// Problem is a problem whose places lie in the files.
func (c *Coder) Problem(p *diag.Problem) {
	c.Text(&p.Code)
	Number(c, &p.Severity)
	c.Span(&p.Span)
	c.Text(&p.Message)
	c.Text(&p.Help)
	Number(c, &p.Cascade)
	Slice(c, &p.Notes, func(n *diag.Note) {
		c.Span(&n.Span)
		c.Text(&n.Text)
	})
	Pointer(c, &p.Fix, func(f *diag.Fix) {
		c.Span(&f.Span)
		c.Text(&f.Text)
	})
}

// Problems is a list of problems.
func (c *Coder) Problems(ps *[]*diag.Problem) {
	Slice(c, ps, func(p **diag.Problem) {
		if *p == nil {
			*p = &diag.Problem{}
		}
		c.Problem(*p)
	})
}
