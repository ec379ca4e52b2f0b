package weights

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
)

// WriteTorch writes f as torch.save does, so that torch.load reads it in its weights-only mode: a zip archive whose pickle
// uses nothing but what [Read] allows. With a config or metadata the file is a checkpoint, a dict of these and state_dict;
// without both it is a bare state dict. Tensors are dense and
// stand in the order of their names, so equal files give equal bytes. Types without a storage class in torch (U16, U32, U64)
// are refused.
func WriteTorch(w io.Writer, f *File) error {
	if err := writeTorch(w, f); err != nil {
		return fmt.Errorf("writing a torch file: %w", err)
	}
	return nil
}

// torchFolder is the archive's top folder. Torch takes the file's name; any will do.
const torchFolder = "archive"

// torchAlign is the boundary that torch starts every entry's bytes at, so that they can be mapped.
const torchAlign = 64

func writeTorch(w io.Writer, f *File) error {
	var p pickler
	names := f.Names()
	state := func() error {
		p.orderedDict()
		p.op(opMark)
		for i, name := range names {
			p.text(name)
			if err := p.tensor(f.Tensors[name], strconv.Itoa(i)); err != nil {
				return fmt.Errorf("tensor %s: %w", name, err)
			}
		}
		p.op(opSetItems)
		return nil
	}
	p.op(opProto, 2)
	if f.Config == nil && len(f.Metadata) == 0 {
		if err := state(); err != nil {
			return err
		}
	} else {
		p.op(opEmptyDict, opMark)
		if f.Config != nil {
			p.text("config")
			if err := p.plain(f.Config); err != nil {
				return fmt.Errorf("config: %w", err)
			}
		}
		plain := make(map[string]any, len(f.Metadata))
		for k, v := range f.Metadata {
			if k != "config" { // a safetensors file keeps it there, and here it has a place of its own
				plain[k] = v
			}
		}
		if len(plain) > 0 {
			p.text(metadataKey)
			if err := p.plain(plain); err != nil {
				return fmt.Errorf("metadata: %w", err)
			}
		}
		p.text("state_dict")
		if err := state(); err != nil {
			return err
		}
		p.op(opSetItems)
	}
	p.op(opStop)

	z := &torchZip{counted: counter{w: w}}
	z.out = zip.NewWriter(&z.counted)
	z.add("data.pkl", p.Bytes())
	z.add("byteorder", []byte("little"))
	for i, name := range names {
		z.add("data/"+strconv.Itoa(i), f.Tensors[name].Bytes())
	}
	z.add("version", []byte("3\n"))
	if z.err != nil {
		return z.err
	}
	return z.out.Close()
}

// torchZip writes stored entries whose bytes are aligned.
type torchZip struct {
	out     *zip.Writer
	counted counter
	err     error
}

// counter knows how many bytes went through it.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

func (z *torchZip) add(name string, data []byte) {
	if z.err != nil {
		return
	}
	if uint64(len(data)) >= math.MaxUint32 {
		z.err = fmt.Errorf("entry %s has %d bytes, and one of 4 GiB or more would need a Zip64 header that norn does not write", name, len(data))
		return
	}
	if z.err = z.out.Flush(); z.err != nil { // or the count would lag behind
		return
	}
	name = torchFolder + "/" + name
	// The local header takes 30 bytes and the name; an extra field of the type that torch uses, "FB", fills up to the boundary.
	const header, extraHeader = 30, 4
	at := z.counted.n + header + int64(len(name)) + extraHeader
	padding := int((torchAlign - at%torchAlign) % torchAlign)
	extra := binary.LittleEndian.AppendUint16([]byte("FB"), uint16(padding))
	extra = append(extra, bytes.Repeat([]byte("Z"), padding)...)
	entry, err := z.out.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Store, Extra: extra, CRC32: crc32.ChecksumIEEE(data),
		CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(len(data))})
	if err == nil {
		_, err = entry.Write(data)
	}
	z.err = err
}

// A pickler writes the opcodes that the machine of unpickle knows.
type pickler struct{ bytes.Buffer }

func (p *pickler) op(codes ...byte) { p.Write(codes) }

func (p *pickler) text(s string) {
	p.op(opBinUnicode)
	p.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(s))))
	p.WriteString(s)
}

func (p *pickler) global(module, name string) {
	p.op(opGlobal)
	p.WriteString(module + "\n" + name + "\n")
}

func (p *pickler) orderedDict() {
	p.global("collections", "OrderedDict")
	p.op(opEmptyTuple, opReduce)
}

// integer writes a whole number in the shortest of Python's forms.
func (p *pickler) integer(v int64) {
	switch {
	case v >= 0 && v <= math.MaxUint8:
		p.op(opBinInt1, byte(v))
	case v >= 0 && v <= math.MaxUint16:
		p.op(opBinInt2, byte(v), byte(v>>8))
	case v >= math.MinInt32 && v <= math.MaxInt32:
		p.op(opBinInt)
		p.Write(binary.LittleEndian.AppendUint32(nil, uint32(v)))
	default:
		p.op(opLong1, 8)
		p.Write(binary.LittleEndian.AppendUint64(nil, uint64(v)))
	}
}

func (p *pickler) integers(vs []int) {
	p.op(opMark)
	for _, v := range vs {
		p.integer(int64(v))
	}
	p.op(opTuple)
}

func (p *pickler) bool(v bool) {
	if v {
		p.op(opNewTrue)
	} else {
		p.op(opNewFalse)
	}
}

// tensor writes the call that rebuilds a dense tensor over a storage of its own.
func (p *pickler) tensor(t *Tensor, key string) error {
	class := ""
	for name, dtype := range storageTypes {
		if dtype == t.DType {
			class = name
		}
	}
	if class == "" {
		return fmt.Errorf("torch has no storage class for %s", t.DType)
	}
	p.global("torch._utils", "_rebuild_tensor_v2")
	p.op(opMark)
	p.op(opMark)
	p.text("storage")
	p.global("torch", class)
	p.text(key)
	p.text("cpu")
	p.integer(int64(t.Elements()))
	p.op(opTuple, opBinPersID)
	p.integer(0)
	p.integers(t.Shape)
	p.integers(denseStrides(t.Shape))
	p.bool(false) // requires_grad
	p.orderedDict()
	p.op(opTuple, opReduce)
	return nil
}

// plain writes the values of a configuration.
func (p *pickler) plain(v any) error {
	switch v := v.(type) {
	case nil:
		p.op(opNone)
	case bool:
		p.bool(v)
	case int64:
		p.integer(v)
	case float64:
		p.op(opBinFloat)
		p.Write(binary.BigEndian.AppendUint64(nil, math.Float64bits(v)))
	case string:
		p.text(v)
	case []any:
		p.op(opEmptyList, opMark)
		for _, e := range v {
			if err := p.plain(e); err != nil {
				return err
			}
		}
		p.op(opAppends)
	case map[string]any:
		p.op(opEmptyDict, opMark)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			p.text(key)
			if err := p.plain(v[key]); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
		p.op(opSetItems)
	default:
		return fmt.Errorf("a %T is not plain data", v)
	}
	return nil
}
