package project

import (
	"io/fs"
	"sync"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/macro"
	"github.com/norn-data/norn/internal/sql"
)

// A Word is a piece of text with the place it was written at: a name, a type, the value of a setting. The zero Word was
// not written. A Word that comes from the defaults of the configuration has its span there.
type Word struct {
	Text string
	Span diag.Span
}

// Given reports whether the word was written at all.
func (w Word) Given() bool { return w.Text != "" }

// A Materialization is how a model's rows come to rest.
type Materialization uint8

// The materializations. norn builds views and tables. It checks models of the others, which SQLBuild projects have, and does not
// build them: building them as tables would give other rows.
const (
	View Materialization = iota
	Table
	Incremental
	Snapshot
	Custom // one that the project defines, in Python
)

// String is the word of the header, or custom.
func (m Materialization) String() string {
	return [...]string{"view", "table", "incremental", "snapshot", "custom"}[m]
}

// A Contract says how far the declared columns bind.
type Contract uint8

const (
	// ContractImplicit is the absence of the key: declared columns must exist and are cast to their type.
	ContractImplicit Contract = iota
	// ContractNone makes the declared columns casts only.
	ContractNone
	// ContractEnforced makes the declared columns the exact set of columns.
	ContractEnforced
)

// String is the word of the header, or implicit where none was written.
func (c Contract) String() string { return [...]string{"implicit", "none", "enforced"}[c] }

// A Model is a query with a name. Its file is models/**/<name>.sql.
type Model struct {
	Name   string
	File   *diag.File // the text with macros written out; see [Model.Locate]
	Header *Header    // nil when the file has none

	Description  string
	Tags         []string // of the defaults and of the header, sorted, each once
	Enabled      bool     // a disabled model is not part of the graph
	Database     Word
	Schema       Word     // header, else defaults, else the target's schema
	Alias        Word     // the name of the relation in the warehouse where it differs from Name
	Columns      []Column // after a Load with MaxTrees or Memory they are there when [Model.Expand] was called
	Contract     Contract
	ContractSpan diag.Span // zero when nobody wrote it
	Materialized Materialization
	Incremental  *IncrementalSettings // nil unless the model is incremental
	Snapshot     *SnapshotSettings    // nil unless it is a snapshot
	Hooks        []HookCall
	Calls        []FunctionCall // of functions of the project, in order of place
	// Opaque says why the query is not analysed though nothing is wrong with it; "" where it is. What is declared about the columns is
	// all that is known then.
	Opaque string
	// Unbuilt says what of the model norn does not build, each with the place that says so; empty where it builds all of it.
	Unbuilt   []Word
	Audits    []AuditCall // of the model as a whole; a column's own are in Columns
	UniqueKey []Word
	Predict   *Predict // nil unless the model is a prediction

	// Query is the parsed body. It is nil when the file has no query or when its syntax is too broken.
	Query *sql.Statement
	// References are all places where the query (or the header) reads another node, in order of place.
	References []Reference
	// Fingerprint is a SHA-256, in hexadecimal, over everything in the file and in the defaults that can change the rows
	// or the columns. White space and comments of the query do not count.
	Fingerprint string
	// Broken is set when the file has an error of its own, so that nobody reports what only follows from it.
	Broken bool

	cyclic  bool
	rank    int  // in the project's order
	bounded bool // the query asks for the interval of an incremental model
	custom  Word // its own materialization

	expansion *macro.Expansion // nil when the query calls no macros
	macros    bool             // it does, or tries to

	dialect  *sql.Dialect
	start    int    // where the query starts in the file
	declared []byte // Columns, packed; places are the files they lie in
	places   []*diag.File
	expand   sync.Once
	treeless bool   // the tree was let go or never made, see Options.MaxTrees and Options.Memory
	digest   Digest // of the text; only with a memory
	root     fs.FS  // where the text can be read again
}

// Digest is the SHA-256 of the file's text. It is there only when the project was loaded with [Options.Memory], and stands for
// everything in the model that does not come from the configuration.
func (m *Model) Digest() Digest { return m.digest }

// Dialect is the SQL that the query is written in.
func (m *Model) Dialect() *sql.Dialect { return m.dialect }

// NodeName implements [Node].
func (m *Model) NodeName() string { return m.Name }

// NodeKind implements [Node].
func (m *Model) NodeKind() Kind { return KindModel }

// Place implements [Node].
func (m *Model) Place() diag.Span { return diag.Span{File: m.File} }

// Cyclic reports whether the model is part of a cycle of references.
func (m *Model) Cyclic() bool { return m.cyclic }

// Rank is the place of an enabled model in [Project.Order]: those of what it reads are smaller, but for a reference that closes a cycle.
func (m *Model) Rank() int { return m.rank }

// Relation is the name of the model's relation in the warehouse.
func (m *Model) Relation() string {
	if m.Alias.Given() {
		return m.Alias.Text
	}
	return m.Name
}

// A Column is a declared column of a model, a source or a seed.
type Column struct {
	Name        Word
	Type        Word // as written, such as DECIMAL(10, 2); the zero Word when no type is declared
	Nullable    Truth
	NullSpan    diag.Span // of the word that says so
	Description string
	Audits      []AuditCall
}

// Truth is a yes, a no, or nothing said.
type Truth uint8

// The three truths.
const (
	Unsaid Truth = iota
	Yes
	No
)

// A Reference is one place where a node is read.
type Reference struct {
	// Name is what was written, without quotes and call; Span covers the whole reference, __ref("…") included.
	Name string
	Span diag.Span
	// Table is the place in the tree: *sql.TableName or *sql.RefTable. It is nil for references of a header, and when the tree was
	// let go.
	Table sql.TableExpr
	// Header says that the header names it, as the target of a relationships audit: the query gets no rows from it.
	Header bool
	// To is what is read; nil when the name means nothing (a problem was reported).
	To Node

	aside bool // stands in a subquery of an expression
}
