package script

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"github.com/norn-data/norn/internal/diag"
)

// A Record is a value with named fields that a script can read and not change. A field that it does not have is an error with
// the nearest one that it has. Fields are made when they are first read, so a record must not be shared by goroutines.
type Record struct {
	// Span is what a problem about the record points at.
	Span diag.Span

	kind   string
	fields []Field
}

// A Field is a part of a record.
type Field struct {
	Name  string
	Value starlark.Value
	// Make makes the value when it is first read, where Value is nil.
	Make func() starlark.Value
}

// NewRecord makes a record. The kind is the word for it in messages, such as column.
func NewRecord(kind string, at diag.Span, fields ...Field) *Record {
	return &Record{Span: at, kind: kind, fields: fields}
}

// Attr implements [starlark.HasAttrs].
func (r *Record) Attr(name string) (starlark.Value, error) {
	for i := range r.fields {
		f := &r.fields[i]
		if f.Name != name {
			continue
		}
		if f.Value == nil {
			f.Value = f.Make()
			f.Value.Freeze()
		}
		return f.Value, nil
	}
	if near := diag.Nearest(name, r.AttrNames()); near != "" {
		return nil, fmt.Errorf("a %s has no %s; did you mean %s?", r.kind, name, near)
	}
	return nil, fmt.Errorf("a %s has no %s; it has %s", r.kind, name, diag.Listing(r.AttrNames()))
}

// AttrNames implements [starlark.HasAttrs].
func (r *Record) AttrNames() []string {
	names := make([]string, len(r.fields))
	for i, f := range r.fields {
		names[i] = f.Name
	}
	slices.Sort(names)
	return names
}

// String is what str gives.
func (r *Record) String() string {
	if v, err := r.Attr("name"); err == nil {
		if s, ok := starlark.AsString(v); ok {
			return s
		}
	}
	return "<" + r.kind + ">"
}

// Type is what type gives.
func (r *Record) Type() string { return r.kind }

// Freeze implements [starlark.Value]: a record is frozen from the start.
func (r *Record) Freeze() {}

// Truth implements [starlark.Value].
func (r *Record) Truth() starlark.Bool { return true }

// Hash implements [starlark.Value].
func (r *Record) Hash() (uint32, error) { return 0, fmt.Errorf("a %s cannot be a key", r.kind) }

// Text is a text as a value.
func Text(s string) starlark.Value { return starlark.String(s) }

// Texts is a list of texts.
func Texts(list []string) starlark.Value {
	values := make([]starlark.Value, len(list))
	for i, s := range list {
		values[i] = starlark.String(s)
	}
	return starlark.NewList(values)
}

// List is a list of records.
func List[T any](items []T, make1 func(T) starlark.Value) starlark.Value {
	values := make([]starlark.Value, len(items))
	for i, item := range items {
		values[i] = make1(item)
	}
	return starlark.NewList(values)
}
