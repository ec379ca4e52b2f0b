package project

import "github.com/norn-data/norn/internal/diag"

// A Seed is a CSV file that becomes a table: seeds/**/<name>.csv, described by YAML beside it where somebody wrote one.
type Seed struct {
	Name        string
	File        *diag.File // its Text holds the header line only; rows are read again when the seed is built
	Path        string     // below the project root, with slashes
	Description string
	Schema      Word
	Database    Word
	Columns     []SeedColumn
	Audits      []AuditCall
	Rows        int    // data rows, the header not counted
	Digest      string // SHA-256 of the file's bytes, hexadecimal
	Fingerprint string // Digest and everything declared about the seed
	Broken      bool
}

// A SeedColumn is a column of a seed. Type is one of BOOLEAN, BIGINT, DOUBLE, DATE, TIMESTAMP, VARCHAR where norn found it
// out itself, else what the YAML says.
type SeedColumn struct {
	Name        string
	Type        string
	Declared    bool      // Type was written by somebody
	Nullable    bool      // at least one cell is empty
	Span        diag.Span // of the name in the header line
	TypeSpan    diag.Span // of the declared type
	Description string
	Audits      []AuditCall
}

// NodeName implements [Node].
func (s *Seed) NodeName() string { return s.Name }

// NodeKind implements [Node].
func (s *Seed) NodeKind() Kind { return KindSeed }

// Place implements [Node].
func (s *Seed) Place() diag.Span { return diag.Span{File: s.File} }
