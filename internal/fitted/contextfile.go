package fitted

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// Write writes the context as one file, from which [Open] and [Stored.Restore] make a context with the same answers to the last bit.
// The file is a safetensors file of what the members' contexts keep, or, where they keep nothing, of the rows that taught;
// it holds no weights and no code. Equal contexts give equal bytes.
func (c *Context) Write(ctx context.Context, w io.Writer) error {
	defer runtime.KeepAlive(c) // its arrays may be mapped memory
	pieces, err := c.encode(ctx)
	if err != nil {
		return fmt.Errorf("writing a context: %w", err)
	}
	// In pieces that a cancelled context can stop between: a tensor may have gigabytes.
	const most = 16 << 20
	for _, p := range pieces {
		for len(p) > 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(len(p), most)
			if _, err := w.Write(p[:n]); err != nil {
				return fmt.Errorf("writing a context: %w", err)
			}
			p = p[n:]
		}
	}
	return nil
}

// encode gives the bytes of the file in pieces.
func (c *Context) encode(ctx context.Context) ([][]byte, error) {
	info := c.Model().Info
	content, err := c.Model().Content()
	if err != nil {
		return nil, err
	}
	head := fileHead{Task: c.Task, Rows: c.Rows, Cache: tabular.CacheNone, Model: fileModel{info.Name, info.Family, info.Digest, content}, Spec: specOf(c.Spec), Columns: c.columns}
	tensors := make(map[string]*weights.Tensor)
	if _, kept := c.estimator.Kept(); kept {
		state, err := c.estimator.State()
		if err != nil {
			return nil, err
		}
		head.Cache, head.Recipe, head.Members, tensors = state.Cache, state.Recipe, state.Members, state.Tensors
		if classes := c.estimator.Classes(); classes != nil {
			cells(tensors, classesPrefix, classes)
		}
	} else {
		for i, column := range append(append([]*frame.Column(nil), c.features.Columns...), c.labels) {
			cells(tensors, columnPrefix(i), column)
		}
	}
	metadata, err := head.metadata()
	if err != nil {
		return nil, err
	}
	pieces, err := weights.EncodeSafetensors(&weights.File{Tensors: tensors, Metadata: metadata})
	if err != nil {
		return nil, err
	}
	sum, err := checksum(ctx, pieces)
	if err != nil {
		return nil, err
	}
	at := checksumPlace(pieces[0], noChecksum)
	diag.Assert(at >= 0, "the header of a context has no place for its checksum")
	copy(pieces[0][at:], sum)
	return pieces, nil
}

// Names of tensors that are the file's own start with these.
const classesPrefix = "classes."

func columnPrefix(i int) string { return fmt.Sprintf("column.%d.", i) }

// A Stored context is a context file whose bytes were checked, before it is put together with the weights that it was
// fitted with.
type Stored struct {
	name    string // for messages
	bytes   int64
	head    fileHead
	schema  *frame.Frame // features, without rows
	tensors map[string]*weights.Tensor
	mapping *weights.Mapping // nil where the bytes are the caller's
}

// Open maps a context file and checks all of it.
func Open(ctx context.Context, path string) (*Stored, error) {
	m, err := weights.OpenMapping(ctx, path)
	if err != nil {
		return nil, diag.WithHint(fmt.Errorf("opening the context %s: %w", path, err), "norn fit writes one")
	}
	s, err := check(ctx, path, m.Data)
	if err != nil {
		_ = m.Close() // the first trouble is the one to tell
		return nil, err
	}
	s.mapping = m
	// Whoever only looks at a file lets it go as well. Restore takes the mapping over.
	runtime.AddCleanup(s, func(m *weights.Mapping) { _ = m.Close() }, m)
	return s, nil
}

// check takes a file apart and says what is wrong with it in a user's words.
func check(ctx context.Context, name string, data []byte) (*Stored, error) {
	s, err := decodeContext(ctx, data)
	if err != nil {
		if errors.Is(err, ctx.Err()) && ctx.Err() != nil {
			return nil, err
		}
		return nil, diag.WithHint(fmt.Errorf("reading the context %s: %w", name, err), "the file is damaged or of another kind; fit again and write it anew")
	}
	s.name = name
	return s, nil
}

// decodeContext holds every part of a file to what Write promises, save for what only a model can tell.
func decodeContext(ctx context.Context, data []byte) (*Stored, error) {
	file, err := weights.ReadSafetensors("", data)
	if e, ok := errors.AsType[*weights.Error](err); ok {
		return nil, fmt.Errorf("%s: %s", e.Part, e.Problem) // its help is about weights
	} else if err != nil {
		return nil, err
	}
	// The version comes before the checksum: another version may compute it in another way.
	s := &Stored{bytes: int64(len(data)), tensors: file.Tensors}
	if s.head, err = readHead(file.Metadata); err != nil {
		return nil, err
	}
	if err := verify(ctx, data, file.Metadata["checksum"]); err != nil {
		return nil, err
	}
	columns := make([]*frame.Column, len(s.head.Columns))
	for i, c := range s.head.Columns {
		if columns[i], err = emptyColumn(c); err != nil {
			return nil, err
		}
	}
	// All columns together first: the target's name must not be a feature's.
	if _, err := frame.New(0, columns...); err != nil {
		return nil, err
	}
	s.schema, err = frame.New(0, columns[:len(columns)-1]...)
	return s, err
}

// verify compares a file with its checksum, whose own digits are read as zeros.
func verify(ctx context.Context, data []byte, sum string) error {
	at := checksumPlace(data, sum)
	if len(sum) != len(noChecksum) || at < 0 {
		return errors.New("it has no checksum")
	}
	got, err := checksum(ctx, blanked(data, at))
	if err != nil {
		return err
	}
	if got != sum {
		return errors.New("its checksum does not fit: bytes were changed since it was written")
	}
	return nil
}

// Model is the name of the model that the context was fitted with.
func (s *Stored) Model() string { return s.head.Model.Name }

// Target is the column that the context predicts.
func (s *Stored) Target() string { return s.head.Spec.Target }

// Schema is a table without rows of the columns that rows to predict must have, with their types.
func (s *Stored) Schema() *frame.Frame { return s.schema }

// Like is the schema with one row of zeros, empty texts and no gaps: a table that a file of rows to predict can be read
// like, where a table without rows would say nothing.
func (s *Stored) Like() *frame.Frame {
	columns := make([]*frame.Column, len(s.schema.Columns))
	for i, c := range s.schema.Columns {
		columns[i] = &frame.Column{Field: c.Field}
		switch c.Kind {
		case frame.Bool:
			columns[i].Bools = make([]bool, 1)
		case frame.Float:
			columns[i].Floats = make([]float64, 1)
		case frame.Int, frame.Date, frame.Timestamp:
			columns[i].Ints = make([]int64, 1)
		case frame.Decimal:
			columns[i].Texts = []string{"0"}
		default:
			columns[i].Texts = make([]string, 1)
		}
	}
	like, err := frame.New(1, columns...)
	diag.Assert(err == nil, "a row of zeros does not fit its own schema: %v", err)
	return like
}

// Cache is what the file holds of the rows that taught.
func (s *Stored) Cache() tabular.Cache { return s.head.Cache }

// Bytes is the size of the file.
func (s *Stored) Bytes() int64 { return s.bytes }

// Restore puts a context together with its weights. The models must hold those that it was fitted with, in whatever file:
// other weights would answer, and differently. Of machine Threads, Memory, Once, Progress and, where they are set, Levels
// and (for a file of rows) Cache are used. With a cache of full or compact nothing is computed and the arrays stay where they are, mapped from the file;
// with none the rows that taught are in the file and are prepared again.
func (s *Stored) Restore(ctx context.Context, models tabular.Models, machine tabular.Options) (*Context, error) {
	defer runtime.KeepAlive(s)
	model, err := models.For(s.head.Task)
	if err != nil {
		return nil, err
	}
	if err := s.sameWeights(model); err != nil {
		return nil, err
	}
	h := s.head
	spec := Spec{Target: h.Spec.Target, Keys: h.Spec.Keys, Drop: h.Spec.Drop, AsOf: h.Spec.AsOf, Task: h.Task, Options: h.Spec.options(machine)}
	if h.Cache == tabular.CacheNone {
		// What is kept in memory is the machine's own business, unless it does not say.
		spec.Options.Cache = cmp.Or(machine.Cache, tabular.CacheNone)
		features, labels, err := s.rows()
		if err != nil {
			return nil, s.damaged(err)
		}
		return teach(ctx, model, spec, h.Task, features, labels, nil)
	}
	estimator, err := s.estimator(model, spec.Options)
	_, small := errors.AsType[*tabular.MemoryError](err)
	if _, ok := errors.AsType[*tabular.OptionError](err); ok || small { // those of the file were held to the rules when it was opened
		return nil, explain(err, nil)
	}
	if err != nil {
		return nil, s.damaged(err)
	}
	if s.mapping != nil {
		// The stored file and the estimator share the mapping: the second to go takes it along.
		runtime.AddCleanup(estimator, func(*Stored) {}, s)
	}
	return &Context{Spec: spec, Task: h.Task, Rows: h.Rows, Features: s.schema.Names(), estimator: estimator, schema: s.schema, columns: h.Columns}, nil
}

// damaged is trouble that only shows when the file is used. A file with a checksum that fits was written like that.
func (s *Stored) damaged(err error) error {
	return diag.WithHint(fmt.Errorf("reading the context %s: %w", s.name, err), "the file was not written by norn fit; fit again and write it anew")
}

// sameWeights compares the weights with those of the fit: their file first, which is known, then what it says.
func (s *Stored) sameWeights(model *tabular.Model) error {
	want := s.head.Model
	if model.Info.Digest == want.Digest {
		return nil
	}
	content, err := model.Content()
	if err != nil {
		return err
	}
	if content == want.Content {
		return nil
	}
	return diag.WithHint(fmt.Errorf("the context %s was fitted with other weights: %s with the digest %.12s…, and %s has %.12s…",
		s.name, want.Name, want.Content, model.Info.Name, content), "name the weights that it was fitted with: --model")
}

// rows reads the rows that taught.
func (s *Stored) rows() (*frame.Frame, *frame.Column, error) {
	columns := make([]*frame.Column, len(s.head.Columns))
	left := maps.Clone(s.tensors)
	for i, c := range s.head.Columns {
		var err error
		if columns[i], err = readColumn(columnPrefix(i), c, s.head.Rows, left); err != nil {
			return nil, nil, err
		}
	}
	for name := range left {
		return nil, nil, fmt.Errorf("the tensor %s belongs to no column", name)
	}
	last := len(columns) - 1
	features, err := frame.New(s.head.Rows, columns[:last]...)
	return features, columns[last], err
}

// estimator restores the members.
func (s *Stored) estimator(model *tabular.Model, o tabular.Options) (*tabular.Estimator, error) {
	left := maps.Clone(s.tensors)
	var classes *frame.Column
	if s.head.Task == tabular.Classification {
		target := s.head.Columns[len(s.head.Columns)-1]
		target.Missing = false
		var err error
		if classes, err = readColumn(classesPrefix, target, -1, left); err != nil {
			return nil, err
		}
	}
	return tabular.Restore(model, &tabular.State{Rows: s.head.Rows, Cache: s.head.Cache, Recipe: s.head.Recipe, Members: s.head.Members, Tensors: left}, classes, o)
}

// IsContextFile reports whether a file says that it is a context, of whatever version, without checking it.
func IsContextFile(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() // nothing was written, so its error tells nothing
	head := make([]byte, 8)
	if _, err := io.ReadFull(f, head); err != nil {
		return false
	}
	const longest = 100_000_000 // the format's own limit
	length := binary.LittleEndian.Uint64(head)
	if length > longest {
		return false
	}
	header, err := io.ReadAll(io.LimitReader(f, int64(length)))
	return err == nil && bytes.Contains(header, []byte(`"format":"`+fileFormat+`"`))
}
