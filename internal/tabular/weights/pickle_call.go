package weights

import "errors"

// The few calls a weights pickle makes, each turned into plain data. Arguments are checked
// by shape and type before anything is looked up: a pickle is a program, and its author may
// not wish us well.

// global pushes a name that was on the allow list. Refusing here, and not when the name is
// called, means that a forbidden name never exists on the stack at all.
func (m *machine) global(g pyGlobal) {
	if !allowed(g) {
		m.fail("the pickle names %s.%s, which a weights file has no use for", g.module, g.name)
	}
	m.push(g)
}

// persistent resolves ("storage", <class>, key, device, number of elements).
func (m *machine) persistent(id any) {
	t, ok := id.(pyTuple)
	if !ok || len(t) != 5 || t[0] != "storage" {
		m.fail("a persistent id that is not a storage")
	}
	// The device (t[3]) says where the numbers were when they were saved, which is of no
	// interest.
	class, ok1 := t[1].(pyGlobal)
	key, ok2 := t[2].(string)
	numel, ok3 := t[4].(int64)
	dtype, ok4 := storageTypes[class.name]
	if !ok1 || !ok2 || !ok3 || !ok4 || numel < 0 || numel > maxElements {
		m.fail("a storage with impossible particulars")
	}
	m.push(pyStorage{dtype, key, int(numel)})
}

// call is REDUCE: the callee was on the allow list when it was pushed.
func (m *machine) call(callee pyGlobal, args pyTuple) any {
	switch callee.name {
	case "OrderedDict":
		if len(args) == 0 {
			return &pyDict{map[string]any{}}
		}
	case "Size":
		if len(args) == 1 {
			if t, ok := args[0].(pyTuple); ok {
				return t
			}
		}
	case "_rebuild_parameter":
		// (tensor, requires_grad, hooks): the tensor is all that matters at inference.
		if len(args) == 3 {
			if t, ok := args[0].(*Tensor); ok {
				return t
			}
		}
	case "_rebuild_tensor_v2":
		// (storage, offset, size, stride, requires_grad, hooks[, metadata])
		if len(args) == 6 || len(args) == 7 {
			return m.tensor(args)
		}
	}
	m.fail("%s.%s is called with arguments that torch never writes", callee.module, callee.name)
	return nil
}

// tensor builds a view of a storage from torch's own particulars: offset, sizes and strides
// are counted in elements. Several calls may name the same storage.
func (m *machine) tensor(args pyTuple) *Tensor {
	storage, ok1 := args[0].(pyStorage)
	offset, ok2 := args[1].(int64)
	shape, ok3 := ints(args[2])
	strides, ok4 := ints(args[3])
	if !ok1 || !ok2 || !ok3 || !ok4 {
		m.fail("a tensor with impossible particulars")
	}
	data, err := m.load(storage)
	if err != nil {
		if e, ok := errors.AsType[*Error](err); ok {
			m.fail("tensor of storage %s: %s: %s", storage.key, e.Part, e.Problem)
		}
		m.fail("tensor of storage %s: %v", storage.key, err)
	}
	if offset < 0 || offset > maxElements {
		m.fail("a tensor that starts at element %d", offset)
	}
	t, problem := view(storage.dtype, data, int(offset), shape, strides)
	if problem != "" {
		m.fail("tensor of storage %s: %s", storage.key, problem)
	}
	return t
}

// ints reads a tuple of sizes or strides. torch never writes negative ones, though Python
// could.
func ints(v any) ([]int, bool) {
	t, ok := v.(pyTuple)
	if !ok {
		return nil, false
	}
	out := make([]int, len(t))
	for i, e := range t {
		n, ok := e.(int64)
		if !ok || n < 0 || n > maxElements {
			return nil, false
		}
		out[i] = int(n)
	}
	return out, true
}
