package weights

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
)

// maxEntries bounds the zip directory; the largest released model has about 400 storages.
const maxEntries = 1 << 16

// archive is a torch zip file: its entries, without the top folder, as windows of the
// file's bytes.
type archive struct {
	name    string
	entries map[string]*zip.File
	data    []byte
	loaded  map[string][]byte // entries whose checksum was verified
	read64  uint64            // bytes of all of them
}

// readTorch reads what torch.save writes: <folder>/data.pkl and <folder>/data/<key>, every
// entry stored as it is.
func readTorch(name string, data []byte) (*File, error) {
	a, err := openArchive(name, data)
	if err != nil {
		return nil, err
	}
	// Written by newer versions of torch only; older files are little endian throughout.
	if order, err := a.read("byteorder"); err == nil && strings.TrimSpace(string(order)) != "little" {
		return nil, a.errorf("byteorder", "save it again on a little-endian machine", "numbers are stored as %q", order)
	}
	program, err := a.read("data.pkl")
	if err != nil {
		return nil, err
	}
	root, err := unpickle(program, a.storage)
	if err != nil {
		if pe, ok := errors.AsType[*pickleError](err); ok {
			return nil, &Error{File: name, Part: "data.pkl", Offset: int64(pe.offset), Problem: pe.problem, Help: helpTrusted}
		}
		return nil, err
	}
	return a.assemble(root)
}

// errorf is trouble with one part of the archive that has no byte offset worth naming.
func (a *archive) errorf(part, help, format string, args ...any) error {
	return &Error{File: a.name, Part: part, Offset: -1, Problem: fmt.Sprintf(format, args...), Help: help}
}

// openArchive reads the zip directory (Zip64 included) and refuses what torch never writes:
// compressed entries (a zip bomb needs one), names that leave the folder, names that
// repeat, more than one top folder.
func openArchive(name string, data []byte) (*archive, error) {
	a := &archive{name: name, data: data, entries: map[string]*zip.File{}, loaded: map[string][]byte{}}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	// ErrInsecurePath comes with a usable reader; the names are checked below, with better
	// words.
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, a.errorf("zip directory", helpAgain, "it cannot be read (%v): the file is truncated or damaged", err)
	}
	if len(r.File) > maxEntries {
		return nil, a.errorf("zip directory", helpTrusted, "%d entries are more than any weights file has", len(r.File))
	}
	folder, first := "", true
	for _, f := range r.File {
		top, rest, ok := strings.Cut(f.Name, "/")
		if !ok || top == "" || top == ".." || strings.ContainsAny(f.Name, "\\\x00:") || slices.Contains(strings.Split(rest, "/"), "..") {
			return nil, a.errorf("entry "+f.Name, helpTrusted, "its name is not a path inside one folder")
		}
		if first {
			folder, first = top, false
		}
		if top != folder {
			return nil, a.errorf("entry "+f.Name, helpTrusted, "it lies outside the folder %s", folder)
		}
		// Stored entries are windows of the file, so the archive cannot unfold into more
		// than was downloaded, and reading one costs nothing.
		if f.Method != zip.Store || f.UncompressedSize64 != f.CompressedSize64 {
			return nil, a.errorf("entry "+f.Name, "torch stores entries uncompressed; save it again with torch.save", "it is compressed")
		}
		if _, dup := a.entries[rest]; dup {
			return nil, a.errorf("entry "+f.Name, helpTrusted, "it appears twice")
		}
		a.entries[rest] = f
	}
	if a.entries["data.pkl"] == nil {
		return nil, a.errorf("zip directory", "norn reads what torch.save writes; a TorchScript module or a plain zip is something else", "there is no data.pkl")
	}
	return a, nil
}

// read returns the bytes of an entry, a window of the file, after one check of its
// checksum.
func (a *archive) read(entry string) ([]byte, error) {
	if b, ok := a.loaded[entry]; ok {
		return b, nil
	}
	f := a.entries[entry]
	if f == nil {
		return nil, a.errorf("entry "+entry, helpAgain, "it is missing")
	}
	start, err := f.DataOffset()
	if err != nil {
		return nil, a.errorf("entry "+entry, helpAgain, "its local header cannot be read: %v", err)
	}
	size := f.UncompressedSize64
	// The directory's sizes are claims; the file's length is a fact.
	if start < 0 || uint64(start) > uint64(len(a.data)) || size > uint64(len(a.data))-uint64(start) {
		return nil, a.errorf("entry "+entry, helpAgain, "%d bytes from byte %d on reach beyond the file of %d bytes", size, start, len(a.data))
	}
	// Stored entries lie side by side. A small file whose entries are all the same bytes would take forever to verify.
	if a.read64 += size; a.read64 > uint64(len(a.data)) {
		return nil, a.errorf("entry "+entry, helpTrusted, "the entries read so far have %d bytes, more than the file: they overlap", a.read64)
	}
	end := start + int64(size)
	// The capacity ends with the entry, so that no slice of it can grow into its neighbour.
	b := a.data[start:end:end]
	if crc32.ChecksumIEEE(b) != f.CRC32 {
		return nil, a.errorf("entry "+entry, helpAgain, "its checksum does not fit: the file is damaged")
	}
	a.loaded[entry] = b
	return b, nil
}

// storage finds the bytes of a storage and holds them against what the pickle says about
// them.
func (a *archive) storage(s pyStorage) ([]byte, error) {
	b, err := a.read("data/" + s.key)
	if err != nil {
		return nil, err
	}
	if len(b)%s.dtype.Size() != 0 || len(b)/s.dtype.Size() != s.numel {
		return nil, a.errorf("entry data/"+s.key, helpAgain, "it holds %d bytes, the pickle promises %d elements of %s", len(b), s.numel, s.dtype)
	}
	return b, nil
}

// assemble sorts the unpickled value into configuration and tensors. A checkpoint is a dict
// with state_dict and, mostly, config; other keys (optimizer state, step counters) are left
// alone. Any other dict is a bare state dict.
func (a *archive) assemble(root any) (*File, error) {
	dict, ok := root.(*pyDict)
	if !ok {
		return nil, a.errorf("data.pkl", "norn reads checkpoints and state dicts; save model.state_dict()", "it holds a %s, not a dict", kindOf(root))
	}
	f := &File{Tensors: map[string]*Tensor{}, Format: FormatTorch}
	// A bare state dict could hold a tensor called state_dict only if somebody tried; the
	// inner dict wins, as in the reference's loader.
	state := dict
	if inner, has := dict.entries["state_dict"]; has {
		if state, ok = inner.(*pyDict); !ok {
			return nil, a.errorf("data.pkl", "", "state_dict is a %s, not a dict", kindOf(inner))
		}
		if config, has := dict.entries["config"]; has {
			nodes := 0
			plain, err := plainValue(config, 0, &nodes)
			if err != nil {
				return nil, a.errorf("data.pkl", "", "config: %v", err)
			}
			if f.Config, ok = plain.(map[string]any); !ok {
				return nil, a.errorf("data.pkl", "", "config is a %s, not a dict", kindOf(config))
			}
		}
		f.Metadata = metadataOf(dict.entries[metadataKey])
	}
	for name, v := range state.entries {
		if f.Tensors[name], ok = v.(*Tensor); !ok {
			return nil, a.errorf("data.pkl", "norn reads checkpoints with config and state_dict, and bare state dicts", "%q is a %s, not a tensor", name, kindOf(v))
		}
	}
	return f, nil
}

// metadataKey is where norn keeps the metadata of a safetensors file in a checkpoint. Other readers leave keys alone that they
// do not know.
const metadataKey = "metadata"

// metadataOf reads a dict of texts; nil for anything else, which then is somebody else's.
func metadataOf(v any) map[string]string {
	dict, ok := v.(*pyDict)
	if !ok || len(dict.entries) == 0 {
		return nil
	}
	out := make(map[string]string, len(dict.entries))
	for k, e := range dict.entries {
		if out[k], ok = e.(string); !ok {
			return nil
		}
	}
	return out
}

// plainValue turns machine values into the plain Go values of [File.Config]. A pickle can
// build lists that contain themselves or share parts many times over, hence the bounds.
func plainValue(v any, depth int, nodes *int) (any, error) {
	if *nodes++; *nodes > maxNodes {
		return nil, fmt.Errorf("more than %d values", maxNodes)
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	list := func(items []any) (any, error) {
		out := make([]any, len(items))
		for i, e := range items {
			var err error
			if out[i], err = plainValue(e, depth+1, nodes); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return v, nil
	case pyTuple:
		return list(v)
	case *pyList:
		return list(v.items)
	case *pyDict:
		out := make(map[string]any, len(v.entries))
		for k, e := range v.entries {
			var err error
			if out[k], err = plainValue(e, depth+1, nodes); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return nil, fmt.Errorf("a %s is not plain data", kindOf(v))
}

// kindOf names a value of the machine in words that a user of Python knows.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "None"
	case bool:
		return "bool"
	case int64:
		return "whole number"
	case float64:
		return "number"
	case string:
		return "text"
	case pyTuple:
		return "tuple"
	case *pyList:
		return "list"
	case *pyDict:
		return "dict"
	case *Tensor:
		return "tensor"
	case pyStorage:
		return "storage"
	case pyGlobal:
		return "class or function"
	}
	return "mark"
}
