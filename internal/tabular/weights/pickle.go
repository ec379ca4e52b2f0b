package weights

import (
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf8"
)

// A pickle is a program for a stack machine, and Python's own machine imports and calls
// whatever the program names. The machine below knows the opcodes that torch.save emits and
// the globals of the table allowed; every other opcode or global ends the run with its name
// and byte offset. Calls are not looked up anywhere: each allowed callable is one case of a
// switch that builds plain data.

// Bounds on what a pickle may ask for. The pickle of the largest released model (391
// tensors) takes about 60 KB.
const (
	maxPickle = 64 << 20 // bytes of the program
	maxStack  = 1 << 20  // values on the stack; each costs the program at least one byte
	maxMemo   = 1 << 20  // remembered values
	maxDepth  = 64       // nesting of the configuration
	maxNodes  = 1 << 16  // values in the configuration: lists that share parts could multiply without it
)

// pickleError is trouble at one byte of the program.
type pickleError struct {
	offset  int
	problem string
}

func (e *pickleError) Error() string { return e.problem }

// What the stack holds, besides nil, bool, int64, float64 and string.
type (
	pyMark   struct{}
	pyTuple  []any // never changed once it is made
	pyList   struct{ items []any }
	pyDict   struct{ entries map[string]any } // keys are strings; a model's other keys are refused
	pyGlobal struct{ module, name string }
	// pyStorage is torch's persistent id: element type, key of the zip entry, number of
	// elements.
	pyStorage struct {
		dtype DType
		key   string
		numel int
	}
)

// storageTypes are the storage classes of torch by the type of their elements.
var storageTypes = map[string]DType{
	"FloatStorage": F32, "HalfStorage": F16, "BFloat16Storage": BF16, "DoubleStorage": F64, "LongStorage": I64,
	"IntStorage": I32, "ShortStorage": I16, "CharStorage": I8, "ByteStorage": U8, "BoolStorage": Bool,
}

// allowed reports whether a pickle of weights may name the global.
func allowed(g pyGlobal) bool {
	switch g {
	case pyGlobal{"collections", "OrderedDict"}, pyGlobal{"torch", "Size"},
		pyGlobal{"torch._utils", "_rebuild_tensor_v2"}, pyGlobal{"torch._utils", "_rebuild_parameter"}:
		return true
	}
	_, ok := storageTypes[g.name]
	return g.module == "torch" && ok
}

// machine runs one pickle. load turns a storage into its bytes.
type machine struct {
	code  []byte
	pos   int
	op    int // offset of the running opcode
	stack []any
	memo  map[int]any
	load  func(pyStorage) ([]byte, error)
}

// unpickle runs the program and returns the one value it leaves.
func unpickle(code []byte, load func(pyStorage) ([]byte, error)) (result any, err error) {
	m := &machine{code: code, memo: map[int]any{}, load: load}
	defer func() {
		// The machine's own way out of deep nesting; anything else is a bug and goes on.
		if r := recover(); r != nil {
			e, ok := r.(*pickleError)
			if !ok {
				panic(r)
			}
			result, err = nil, e
		}
	}()
	if len(code) > maxPickle {
		m.fail("the program has %d bytes, more than any weights file needs", len(code))
	}
	for m.step() {
		if len(m.stack) > maxStack {
			m.fail("more than %d values on the stack", maxStack)
		}
	}
	if len(m.stack) != 1 {
		m.fail("the program ends with %d values instead of one", len(m.stack))
	}
	if m.pos != len(code) {
		m.fail("%d bytes follow the end of the program", len(code)-m.pos)
	}
	return m.stack[0], nil
}

// fail leaves the machine; unpickle turns the panic into its error.
func (m *machine) fail(format string, args ...any) {
	panic(&pickleError{m.op, fmt.Sprintf(format, args...)})
}

// Opcodes of pickle protocols 2 to 4 that appear in weights files (CPython, Lib/pickle.py).
const (
	opMark, opStop, opBinFloat, opBinInt, opBinInt1, opBinInt2 = '(', '.', 'G', 'J', 'K', 'M'
	opNone, opReduce, opBinUnicode, opShortUnicode             = 'N', 'R', 'X', 0x8c
	opAppend, opAppends, opBuild, opGlobal                     = 'a', 'e', 'b', 'c'
	opEmptyDict, opEmptyList, opEmptyTuple                     = '}', ']', ')'
	opBinGet, opLongBinGet, opBinPut, opLongBinPut, opMemoize  = 'h', 'j', 'q', 'r', 0x94
	opSetItem, opSetItems, opTuple                             = 's', 'u', 't'
	opTuple1, opTuple2, opTuple3                               = 0x85, 0x86, 0x87
	opProto, opNewTrue, opNewFalse, opLong1                    = 0x80, 0x88, 0x89, 0x8a
	opBinPersID, opStackGlobal, opFrame                        = 'Q', 0x93, 0x95
)

// step runs one opcode; false after STOP. Each opcode takes at least one byte of the
// program, so a program of n bytes ends after n steps: there are no jumps.
func (m *machine) step() bool {
	m.op = m.pos
	switch op := m.take(1)[0]; op {
	case opStop:
		return false
	case opProto:
		if v := m.take(1)[0]; v < 2 || v > 4 {
			m.fail("pickle protocol %d; torch writes 2", v)
		}
	case opFrame:
		m.take(8) // only a hint for readers of streams
	case opMark:
		m.push(pyMark{})
	case opNone:
		m.push(nil)
	case opNewTrue:
		m.push(true)
	case opNewFalse:
		m.push(false)
	case opBinInt:
		m.push(int64(int32(binary.LittleEndian.Uint32(m.take(4)))))
	case opBinInt1:
		m.push(int64(m.take(1)[0]))
	case opBinInt2:
		m.push(int64(binary.LittleEndian.Uint16(m.take(2))))
	case opLong1:
		m.push(m.long(m.take(int(m.take(1)[0]))))
	case opBinFloat:
		m.push(math.Float64frombits(binary.BigEndian.Uint64(m.take(8))))
	case opBinUnicode:
		m.push(m.text(int(binary.LittleEndian.Uint32(m.take(4)))))
	case opShortUnicode:
		m.push(m.text(int(m.take(1)[0])))
	case opEmptyDict:
		m.push(&pyDict{map[string]any{}})
	case opEmptyList:
		m.push(&pyList{})
	case opEmptyTuple:
		m.push(pyTuple{})
	case opTuple:
		m.push(pyTuple(m.popMark()))
	case opTuple1, opTuple2, opTuple3:
		m.push(pyTuple(m.popN(int(op-opTuple1) + 1)))
	case opAppend:
		v := m.pop()
		m.list().items = append(m.list().items, v)
	case opAppends:
		vs := m.popMark()
		m.list().items = append(m.list().items, vs...)
	case opSetItem:
		m.set(m.popN(2))
	case opSetItems:
		m.set(m.popMark())
	case opBinPut:
		m.remember(int(m.take(1)[0]))
	case opLongBinPut:
		m.remember(int(binary.LittleEndian.Uint32(m.take(4))))
	case opMemoize:
		m.remember(len(m.memo))
	case opBinGet:
		m.recall(int(m.take(1)[0]))
	case opLongBinGet:
		m.recall(int(binary.LittleEndian.Uint32(m.take(4))))
	case opGlobal:
		module := m.line()
		m.global(pyGlobal{module, m.line()})
	case opStackGlobal:
		names := m.popN(2)
		module, ok1 := names[0].(string)
		name, ok2 := names[1].(string)
		if !ok1 || !ok2 {
			m.fail("the name of a global is not text")
		}
		m.global(pyGlobal{module, name})
	case opBinPersID:
		m.persistent(m.pop())
	case opReduce:
		args, ok := m.pop().(pyTuple)
		callee, isGlobal := m.pop().(pyGlobal)
		if !ok || !isGlobal {
			m.fail("it calls something that is not a known function")
		}
		m.push(m.call(callee, args))
	case opBuild:
		// The state of an ordered dict is torch's _metadata (module versions); nothing here
		// needs it.
		m.pop()
		if _, ok := m.top().(*pyDict); !ok {
			m.fail("it sets the state of something that is not a dict")
		}
	default:
		m.fail("opcode 0x%02x (%q) has no place in a weights file", op, rune(op))
	}
	return true
}

// take reads n bytes of the program. They are a window, not a copy.
func (m *machine) take(n int) []byte {
	if n < 0 || n > len(m.code)-m.pos {
		m.fail("the program breaks off: %d bytes wanted, %d left", n, len(m.code)-m.pos)
	}
	b := m.code[m.pos : m.pos+n]
	m.pos += n
	return b
}

// line reads up to the next newline: the arguments of GLOBAL are the only text written that
// way.
func (m *machine) line() string {
	const longest = 256
	for i, c := range m.code[m.pos:min(len(m.code), m.pos+longest)] {
		if c == '\n' {
			s := string(m.code[m.pos : m.pos+i])
			m.pos += i + 1
			return s
		}
	}
	m.fail("the name of a global does not end")
	return ""
}

// text reads n bytes that must be UTF-8: names of parameters end up in messages and in
// other files.
func (m *machine) text(n int) string {
	s := string(m.take(n))
	if !utf8.ValidString(s) {
		m.fail("text that is not UTF-8")
	}
	return s
}

// long decodes a two's complement number of any width that fits in 64 bits.
func (m *machine) long(b []byte) int64 {
	if len(b) > 8 {
		m.fail("a whole number of %d bytes", len(b))
	}
	var u uint64
	for i, c := range b {
		u |= uint64(c) << (8 * i)
	}
	if n := len(b); n > 0 && n < 8 && b[n-1]&0x80 != 0 {
		u |= ^uint64(0) << (8 * n)
	}
	return int64(u)
}

func (m *machine) push(v any) { m.stack = append(m.stack, v) }

// top is the value that the next opcode works on; it stays where it is.
func (m *machine) top() any {
	if len(m.stack) == 0 {
		m.fail("the stack is empty")
	}
	return m.stack[len(m.stack)-1]
}

func (m *machine) pop() any { return m.popN(1)[0] }

// popN takes n values that are not marks; the result is a copy that later pushes cannot
// change.
func (m *machine) popN(n int) []any {
	if n > len(m.stack) {
		m.fail("the stack holds %d values, %d wanted", len(m.stack), n)
	}
	vs := append([]any(nil), m.stack[len(m.stack)-n:]...)
	for _, v := range vs {
		if _, ok := v.(pyMark); ok {
			m.fail("a mark where a value is wanted")
		}
	}
	m.stack = m.stack[:len(m.stack)-n]
	return vs
}

// popMark takes everything above the last mark, and the mark.
func (m *machine) popMark() []any {
	for i := len(m.stack) - 1; i >= 0; i-- {
		if _, ok := m.stack[i].(pyMark); ok {
			vs := append([]any(nil), m.stack[i+1:]...)
			m.stack = m.stack[:i]
			return vs
		}
	}
	m.fail("no mark on the stack")
	return nil
}

// list is the list on top of the stack, which APPEND and APPENDS add to.
func (m *machine) list() *pyList {
	l, ok := m.top().(*pyList)
	if !ok {
		m.fail("it appends to something that is not a list")
	}
	return l
}

// set adds key and value pairs to the dict on top of the stack. A repeated key wins with
// its last value, as in Python.
func (m *machine) set(pairs []any) {
	d, ok := m.top().(*pyDict)
	if !ok || len(pairs)%2 != 0 {
		m.fail("it sets items of something that is not a dict")
	}
	for i := 0; i < len(pairs); i += 2 {
		key, ok := pairs[i].(string)
		if !ok {
			// Optimizer state is keyed by number; it is never read, so its entries may go.
			if _, number := pairs[i].(int64); number {
				continue
			}
			m.fail("a dict key that is neither text nor a number")
		}
		d.entries[key] = pairs[i+1]
	}
}

// remember keeps the top of the stack under a number. Containers are kept by reference, so
// what is added to them later shows; that is how a pickle shares and nests values.
func (m *machine) remember(i int) {
	if len(m.memo) >= maxMemo {
		m.fail("more than %d remembered values", maxMemo)
	}
	m.memo[i] = m.top()
}

func (m *machine) recall(i int) {
	v, ok := m.memo[i]
	if !ok {
		m.fail("value %d was never remembered", i)
	}
	m.push(v)
}
