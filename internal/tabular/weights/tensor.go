package weights

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// DType is the type of a tensor's elements, spelt as in a safetensors header.
type DType string

// The element types of both containers.
const (
	F64  DType = "F64"
	F32  DType = "F32"
	F16  DType = "F16"
	BF16 DType = "BF16"
	I64  DType = "I64"
	I32  DType = "I32"
	I16  DType = "I16"
	I8   DType = "I8"
	U64  DType = "U64"
	U32  DType = "U32"
	U16  DType = "U16"
	U8   DType = "U8"
	Bool DType = "BOOL"
)

// Size is the number of bytes of one element, 0 for a type that is not known.
func (d DType) Size() int {
	switch d {
	case F64, I64, U64:
		return 8
	case F32, I32, U32:
		return 4
	case F16, BF16, I16, U16:
		return 2
	case I8, U8, Bool:
		return 1
	}
	return 0
}

// Tensor is a view of little-endian numbers: element (i, j, …) lies at Offset +
// i·Strides[0] + j·Strides[1] + …, counted in elements. Several tensors may share one
// storage.
type Tensor struct {
	DType   DType
	Shape   []int
	Strides []int
	Offset  int

	storage []byte
}

// NewFloat32 makes a dense tensor from values in row-major order.
func NewFloat32(values []float32, shape ...int) (*Tensor, error) {
	n, ok := product(shape)
	if !ok || n != len(values) {
		return nil, fmt.Errorf("tensor of shape %v: %d values given", shape, len(values))
	}
	storage := make([]byte, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(storage[4*i:], math.Float32bits(v))
	}
	return &Tensor{DType: F32, Shape: slices.Clone(shape), Strides: denseStrides(shape), storage: storage}, nil
}

// NewFloat64 makes a dense tensor from values in row-major order.
func NewFloat64(values []float64, shape ...int) (*Tensor, error) {
	storage := make([]byte, 0, 8*len(values))
	for _, v := range values {
		storage = binary.LittleEndian.AppendUint64(storage, math.Float64bits(v))
	}
	return NewTensor(F64, storage, shape...)
}

// Elements is the number of elements of the view; 1 for a scalar.
func (t *Tensor) Elements() int {
	n, _ := product(t.Shape)
	return n
}

// Float32 returns the elements in row-major order, rounded to the nearest float32 where the
// type is wider. Booleans become 0 and 1.
func (t *Tensor) Float32() []float32 {
	out := make([]float32, t.Elements())
	if t.DType == F32 && t.dense() && littleEndian {
		// The case of nearly every tensor of nearly every file: the bytes are the numbers.
		copy(Bytes32(out), t.Bytes())
		return out
	}
	if t.DType == F32 {
		// No detour through float64, which would quieten signalling NaNs.
		t.each(func(i, at int) { out[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.storage[at:])) })
		return out
	}
	t.each(func(i, at int) { out[i] = float32(t.decode(at)) })
	return out
}

// Float64 returns the elements in row-major order. Integers beyond 2^53 are rounded.
func (t *Tensor) Float64() []float64 {
	out := make([]float64, t.Elements())
	t.each(func(i, at int) { out[i] = t.decode(at) })
	return out
}

// each calls f with the row-major position and the byte offset of every element.
func (t *Tensor) each(f func(i, at int)) {
	n, size := t.Elements(), t.DType.Size()
	if n == 0 {
		return
	}
	if t.dense() {
		for i := range n {
			f(i, (t.Offset+i)*size)
		}
		return
	}
	// An odometer over the indices: the last axis turns fastest, and an axis that comes
	// round gives back what it had added to the position.
	index := make([]int, len(t.Shape))
	at := t.Offset
	for i := range n {
		f(i, at*size)
		for d := len(index) - 1; d >= 0; d-- {
			index[d]++
			at += t.Strides[d]
			if index[d] < t.Shape[d] {
				break
			}
			at -= index[d] * t.Strides[d]
			index[d] = 0
		}
	}
}

// dense reports whether the elements lie one after another in row-major order.
func (t *Tensor) dense() bool { return slices.Equal(t.Strides, denseStrides(t.Shape)) }

// decode widens the element at a byte offset. Every type fits into a float64 except 64-bit
// integers beyond 2^53, which no weights hold.
func (t *Tensor) decode(at int) float64 {
	b, le := t.storage[at:], binary.LittleEndian
	switch t.DType {
	case F64:
		return math.Float64frombits(le.Uint64(b))
	case F32:
		return float64(math.Float32frombits(le.Uint32(b)))
	case F16:
		return halfToFloat(le.Uint16(b))
	case BF16:
		return float64(math.Float32frombits(uint32(le.Uint16(b)) << 16))
	case I64:
		return float64(int64(le.Uint64(b)))
	case I32:
		return float64(int32(le.Uint32(b)))
	case I16:
		return float64(int16(le.Uint16(b)))
	case I8:
		return float64(int8(b[0]))
	case U64:
		return float64(le.Uint64(b))
	case U32:
		return float64(le.Uint32(b))
	case U16:
		return float64(le.Uint16(b))
	case U8:
		return float64(b[0])
	case Bool:
		if b[0] != 0 {
			return 1
		}
		return 0
	}
	panic("weights: tensor of unknown type " + string(t.DType))
}

// halfToFloat widens an IEEE 754 binary16 number, subnormals and infinities included.
func halfToFloat(h uint16) float64 {
	exp, frac := int(h>>10&31), float64(h&1023)
	var v float64
	switch exp {
	case 0:
		v = math.Ldexp(frac, -24)
	case 31:
		if v = math.Inf(1); frac != 0 {
			return math.NaN()
		}
	default:
		v = math.Ldexp(1024+frac, exp-25)
	}
	if h>>15 != 0 {
		return -v
	}
	return v
}

// maxElements bounds a tensor far above any real parameter (2^33 numbers are 32 GiB of
// float32) and low enough that no later product of sizes and strides can overflow.
const maxElements = 1 << 33

// maxRepeated bounds a view that repeats its storage by a stride of 0: such a view can be
// larger than the file, so a tiny file could ask for any amount of memory.
const maxRepeated = 1 << 24

// product multiplies sizes; false if one is negative or the result is out of bounds.
func product(shape []int) (int, bool) {
	n := 1
	for _, s := range shape {
		if s < 0 {
			return 0, false
		}
		if s > 0 && n > maxElements/s {
			// A zero further right still makes the whole product zero.
			if slices.Contains(shape, 0) {
				return 0, true
			}
			return 0, false
		}
		n *= s
	}
	return n, true
}

// denseStrides are the strides of a row-major tensor, as torch writes them.
func denseStrides(shape []int) []int {
	strides := make([]int, len(shape))
	step := 1
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = step
		// Torch keeps counting an empty axis as one, so that strides never become 0.
		step *= max(shape[i], 1)
	}
	return strides
}

// view checks that every element of the view lies within the storage and returns the
// tensor, or says what is wrong.
func view(dtype DType, storage []byte, offset int, shape, strides []int) (*Tensor, string) {
	if dtype.Size() == 0 {
		return nil, fmt.Sprintf("unknown element type %q", dtype)
	}
	if len(shape) != len(strides) {
		return nil, fmt.Sprintf("%d sizes but %d strides", len(shape), len(strides))
	}
	// torch stops at 64 axes; weights have four at most.
	if len(shape) > 16 {
		return nil, fmt.Sprintf("%d axes are too many", len(shape))
	}
	n, ok := product(shape)
	if !ok {
		return nil, fmt.Sprintf("shape %v is not possible", shape)
	}
	// From here on everything is counted in elements, and every comparison is written as a
	// division or a difference that cannot overflow.
	have := len(storage) / dtype.Size()
	if offset < 0 || offset > have {
		return nil, fmt.Sprintf("it starts at element %d of a storage of %d", offset, have)
	}
	last, repeated := offset, false
	for i, s := range strides {
		if s < 0 || s > maxElements {
			return nil, fmt.Sprintf("stride %d is not possible", s)
		}
		if n == 0 || shape[i] <= 1 {
			continue
		}
		repeated = repeated || s == 0
		if s > 0 && shape[i]-1 > (have-last)/s {
			return nil, fmt.Sprintf("shape %v with strides %v from element %d reaches beyond its storage of %d elements", shape, strides, offset, have)
		}
		last += (shape[i] - 1) * s
	}
	if n > 0 && last >= have {
		return nil, fmt.Sprintf("shape %v from element %d reaches beyond its storage of %d elements", shape, offset, have)
	}
	// Without repetition distinct indices may still meet (strides 1, 1), so the bound looks
	// at the sizes alone.
	if n > have && (n > maxRepeated || !repeated) {
		return nil, fmt.Sprintf("a view of %d elements repeats a storage of %d", n, have)
	}
	return &Tensor{DType: dtype, Shape: shape, Strides: strides, Offset: offset, storage: storage}, ""
}
