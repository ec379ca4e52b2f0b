package weights

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"
)

// littleEndian says whether this machine keeps numbers in memory as weights files do, so that bytes can be looked at as
// numbers where they lie.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// NewTensor makes a dense tensor of little-endian numbers in row-major order, which are not copied and must not be changed
// afterwards.
func NewTensor(dtype DType, data []byte, shape ...int) (*Tensor, error) {
	n, ok := product(shape)
	if size := dtype.Size(); size == 0 || !ok || n > len(data)/size || n*size != len(data) {
		return nil, fmt.Errorf("tensor of shape %v of %s: %d bytes given", shape, dtype, len(data))
	}
	return &Tensor{DType: dtype, Shape: slices.Clone(shape), Strides: denseStrides(shape), storage: data}, nil
}

// Bytes are the elements in row-major order, little endian: a window of what the tensor was read from where it is dense,
// and a copy where it is not.
func (t *Tensor) Bytes() []byte {
	n, size := t.Elements(), t.DType.Size()
	if t.dense() {
		at := t.Offset * size
		return t.storage[at : at+n*size : at+n*size]
	}
	out := make([]byte, 0, n*size)
	t.each(func(_, at int) { out = append(out, t.storage[at:at+size]...) })
	return out
}

// View32 gives the elements of a dense F32 tensor without a copy where the machine and the alignment allow it; the result
// must then not be written to, and lives as long as the bytes that the tensor was made from. ok is false for other tensors.
func (t *Tensor) View32() (values []float32, ok bool) {
	if t.DType != F32 || !t.dense() {
		return nil, false
	}
	data := t.Bytes()
	if len(data) == 0 {
		return []float32{}, true
	}
	at := unsafe.Pointer(unsafe.SliceData(data))
	if !littleEndian || uintptr(at)%4 != 0 {
		return t.Float32(), true
	}
	return unsafe.Slice((*float32)(at), len(data)/4), true
}

// Bytes32 gives numbers as the bytes of an F32 tensor, without a copy where the machine allows it.
func Bytes32(values []float32) []byte {
	if len(values) == 0 {
		return nil
	}
	if littleEndian {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), 4*len(values))
	}
	t, err := NewFloat32(values, len(values))
	if err != nil {
		panic("weights: " + err.Error()) // as many values as there are
	}
	return t.storage
}
