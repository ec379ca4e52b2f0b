// Package weights reads the files that neural network weights are published in, and trusts
// none of them.
//
// A weights file comes from the internet. It may be half downloaded, written by another
// version of another program, or made by somebody who wants code to run. So every reader
// here works the same way: bytes in, plain data out, each length checked against what is
// really there before it is used, and everything that is not needed for weights refused by
// name.
//
// Two containers are known:
//
//   - safetensors: a JSON header and one block of numbers ([ReadSafetensors], [WriteSafetensors]);
//   - torch zip (.ckpt, .pt): a zip archive with a pickle that describes the tensors and one entry for each
//     storage. The pickle is run by a machine that knows a dozen globals and cannot call anything else.
//
// Both become a [File]: a configuration, a set of named tensors, metadata. A [Tensor] is a
// view of the bytes it was read from, so reading costs no second copy of the numbers;
// conversion to float32 happens on request and makes the only one. Invariants: every
// element a Tensor can reach lies within its bytes; shapes hold no negative size; a File is
// never changed after it was returned.
package weights

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
)

// The values of [File.Format].
const (
	FormatSafetensors = "safetensors"
	FormatTorch       = "torch zip"
)

// File is what a weights file holds, independent of its container.
type File struct {
	// Config holds the constructor arguments of the model, nil if the file carries none.
	// Values are string, bool, int64, float64, nil, []any or map[string]any in both
	// containers.
	Config map[string]any
	// Tensors maps the name of a parameter to its values.
	Tensors map[string]*Tensor
	// Metadata holds the remaining text entries of a safetensors header, or those that norn kept in a torch checkpoint;
	// nil where there are none.
	Metadata map[string]string
	// Format is [FormatSafetensors] or [FormatTorch].
	Format string
}

// Error says what is wrong with a weights file, where, and what to do about it.
type Error struct {
	File    string // the name given by the caller, usually a path
	Part    string // the part of the file: "header", "data.pkl", the name of a tensor
	Offset  int64  // byte offset within the part, negative if the trouble has no single place
	Problem string
	Help    string
}

// Error implements error on one line: file, part, offset, problem, help.
func (e *Error) Error() string {
	s := "weights file " + e.File
	if e.Part != "" {
		s += ": " + e.Part
	}
	if e.Offset >= 0 {
		s += fmt.Sprintf(" at byte %d", e.Offset)
	}
	s += ": " + e.Problem
	if e.Help != "" {
		s += "; " + e.Help
	}
	return s
}

// Advice that several messages share.
const (
	helpAgain   = "download it again"
	helpTrusted = "nothing in it was run; get the file from its publisher, or ask for a .safetensors version"
)

// Open reads the weights file at path. The whole file is read into memory once; tensors are
// views of it. The context is looked at between blocks of the file.
func Open(ctx context.Context, path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening weights: %w", err)
	}
	defer f.Close() // nothing was written, so its error tells nothing
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("opening weights %s: %w", path, err)
	}
	// A directory has a better message than "is a directory", and a pipe might never end.
	if !info.Mode().IsRegular() {
		return nil, &Error{File: path, Offset: -1, Problem: "this is not a regular file", Help: "give the path of a .safetensors, .ckpt or .pt file"}
	}
	data, err := readAll(ctx, f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("reading weights %s: %w", path, err)
	}
	return Read(path, data)
}

// readAll reads a file of about the given size.
func readAll(ctx context.Context, f *os.File, size int64) ([]byte, error) {
	var buf bytes.Buffer
	// One allocation of the right size; the extra room keeps ReadFrom from growing at the
	// very end.
	buf.Grow(int(size) + bytes.MinRead)
	if _, err := buf.ReadFrom(&contextReader{ctx, f}); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// contextReader ends a long read when its context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read reads at most one block, so that the context is asked often enough on a slow disk.
func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	const block = 4 << 20
	return c.r.Read(p[:min(len(p), block)])
}

// Read reads a weights file that is already in memory, for example one embedded in the
// binary. The container is told by the first bytes, never by the name, which only appears
// in errors. The tensors of the result refer to data, so the caller must not change it
// afterwards.
func Read(name string, data []byte) (*File, error) {
	switch {
	case len(data) == 0:
		return nil, &Error{File: name, Offset: -1, Problem: "the file is empty", Help: helpAgain}
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return readTorch(name, data)
	case bytes.HasPrefix(data, legacyMagic):
		return nil, &Error{File: name, Offset: 0, Problem: "this is the legacy torch format (before torch 1.6), which is not a zip archive",
			Help: "load it in torch and save it again with torch.save, or convert it to .safetensors"}
	case len(data) > 8 && data[8] == '{': // a JSON object after eight bytes of length
		return ReadSafetensors(name, data)
	}
	return nil, &Error{File: name, Offset: 0, Problem: unknownKind(data), Help: "norn reads .safetensors and torch .ckpt/.pt files"}
}

// legacyMagic is the pickled number 0x1950a86a20f9469cfc6c that opens a file of torch.save
// before the zip format.
var legacyMagic = []byte{0x80, 2, 0x8a, 10, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19, '.'}

// unknownKind names the usual things that stand in a weights file's place.
func unknownKind(data []byte) string {
	head := bytes.ToLower(bytes.TrimLeft(data[:min(len(data), 256)], " \t\r\n"))
	switch {
	case bytes.HasPrefix(head, []byte("version https://git-lfs")):
		return "this is a Git LFS pointer, not the weights themselves (git lfs pull fetches them)"
	case bytes.HasPrefix(head, []byte("<!doctype")), bytes.HasPrefix(head, []byte("<html")):
		return "this is a web page, not weights (the download link led to a page)"
	case len(data) < 9:
		return fmt.Sprintf("%d bytes are too few for any weights file", len(data))
	}
	return "no known weights format starts like this"
}

// Names returns the tensor names in ascending order.
func (f *File) Names() []string {
	names := make([]string, 0, len(f.Tensors))
	for name := range f.Tensors {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
