package project

import "github.com/norn-data/norn/internal/diag"

// A Header is the block in front of a query, such as MODEL (materialized table, tags [daily]).
type Header struct {
	Kind    string // upper case: MODEL, TEST, AUDIT, SCENARIO, …
	Span    diag.Span
	Entries []Entry // nil again in a Model, which has everything that they say
	// End is the offset of the first byte behind the header and its optional semicolon: where the query starts.
	End int
}

// An Entry is one part of a header, block, list or call.
//
// Inside a header, block or call it is a key with a value; a lone word is a Key without a Value, and a lone string,
// number, list or call is a Value without a Key. Inside a list it is always a Value without a Key.
type Entry struct {
	Key   Word
	Value Value
}

// Span covers the entry from key to value.
func (e Entry) Span() diag.Span {
	switch {
	case !e.Key.Given():
		return e.Value.Span
	case e.Value.Kind == NoValue:
		return e.Key.Span
	}
	return diag.Span{File: e.Key.Span.File, Start: e.Key.Span.Start, End: e.Value.Span.End}
}

// ValueKind is the form of a [Value].
type ValueKind uint8

// The forms of values.
const (
	NoValue       ValueKind = iota
	WordValue               // enforced, tabicl-v2, *
	NumberValue             // 8, 0.75, -1e-3
	StringValue             // "text" or 'text'; Text is without the quotes
	DurationValue           // 30d, 1h30m
	ListValue               // [a, b]
	SetValue                // {a, b}
	BlockValue              // (key value, …)
	CallValue               // name(…); Text is the name
	PhraseValue             // several values in a row: TIMESTAMP WITH TIME ZONE, INTEGER[], >= 0.75
	OperatorValue           // >=, <, = …: only inside a phrase
)

// A Value is what stands behind a key.
type Value struct {
	Kind  ValueKind
	Text  string
	Span  diag.Span
	Items []Entry // of a list, block, call or phrase
}
