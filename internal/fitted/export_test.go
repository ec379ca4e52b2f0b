package fitted

import (
	"bytes"
	"context"
	"encoding/binary"
	"regexp"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// DecodeContext reads a context file without its weights: its outline, and the rows that taught where it has them.
func DecodeContext(data []byte) (s *Stored, features *frame.Frame, err error) {
	if s, err = decodeContext(context.Background(), data); err != nil || s.head.Cache != tabular.CacheNone {
		return s, nil, err
	}
	features, _, err = s.rows()
	return s, features, err
}

var sealed = regexp.MustCompile(`"checksum":"([^"]{64})"`)

// Resealed edits a context file's header once and gives the file a header length and a checksum that fit.
func Resealed(data []byte, old, becomes string) []byte {
	data = bytes.Clone(data)
	if old != "" {
		data = bytes.Replace(data, []byte(old), []byte(becomes), 1)
		binary.LittleEndian.PutUint64(data, binary.LittleEndian.Uint64(data)+uint64(len(becomes)-len(old)))
	}
	m := sealed.FindSubmatchIndex(data)
	if m == nil {
		return data
	}
	sum, err := checksum(context.Background(), blanked(data, m[2]))
	if err != nil {
		panic(err)
	}
	copy(data[m[2]:m[3]], sum)
	return data
}

// Explain turns an error into a problem for the user.
func Explain(err error) error { return explain(err, nil) }

// Fit checks the table and fits the model of the spec's task on the rows that have a label. Problems with the table come
// back as diag.Problems.
func Fit(ctx context.Context, models tabular.Models, spec Spec, table *frame.Frame) (*Context, error) {
	s, err := inspect(spec, table, nil)
	if err != nil {
		return nil, placed(err, spec.Place)
	}
	fit, err := s.fit(ctx, models, s.labelled)
	return fit, placed(err, spec.Place)
}

// Answer teaches with the labelled rows of one table and answers for all rows of another.
func Answer(ctx context.Context, models tabular.Models, spec Spec, train, test *frame.Frame) (*Prediction, error) {
	q, err := Ask(spec, train, test)
	if err != nil {
		return nil, err
	}
	return q.Answer(ctx, models)
}

// Check reports what is wrong with a table for a spec, as diag.Problems, without fitting anything.
func Check(spec Spec, table *frame.Frame) error {
	_, err := inspect(spec, table, nil)
	return placed(err, spec.Place)
}

// Read makes a context from the bytes of a context file, which it may keep and only reads. name is for messages; for the
// rest see [Stored.Restore].
func Read(ctx context.Context, models tabular.Models, name string, data []byte, machine tabular.Options) (*Context, error) {
	s, err := check(ctx, name, data)
	if err != nil {
		return nil, err
	}
	return s.Restore(ctx, models, machine)
}

// Kept reports whether the members' contexts will be kept, and so be in a file.
func (d *Draft) Kept() bool { return d.draft.Kept() }
