// Package project turns a folder into a [Project]: configuration, models, sources, seeds, tests and audits, with every
// reference between them resolved. It reads text and nothing else; no database is opened here.
//
// The data goes one way. [Find] walks up to the folder that holds norn.toml or sqlbuild_project.toml. [Load] reads that
// file, lists the folders that have a meaning, and reads every file in them on a bounded number of goroutines. A file
// becomes one value ([Model], [Source], [Seed], [Test], [SingularAudit]) and the problems found in it; only then are names
// joined: duplicates, references, cycles. The result does not depend on which goroutine was faster.
//
// Invariants:
//
//   - All problems of all files are reported in one run. A file that cannot be used still claims its name, so that one
//     mistake does not make every reader of that model wrong as well.
//   - Models, sources and seeds share one namespace. Names are compared without regard to case, as DuckDB compares them;
//     they are shown as written.
//   - Every slice is sorted by name (tests and audits by path); [Project.Order] is one fixed topological order.
//   - What is accepted is either obeyed, or kept and listed in [Project.Ignored], or refused. A key that would change the
//     rows of a table and that norn does not obey yet is always refused.
//   - What a file says depends on the file and on the configuration alone until names are joined. That is what lets
//     [Options.Memory] stand in for files that have not changed (memory.go).
//   - Every value that a later room may complain about carries the span it was written at.
package project

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// A Project is a folder that was read. It is immutable once [Load] has returned it.
type Project struct {
	Name    string
	Config  *Config
	Target  *Target // the chosen target; nil when there is none to choose (a problem says why)
	Models  []*Model
	Sources []*Source
	Seeds   []*Seed
	Tests   []*Test
	Audits  []*SingularAudit
	// Functions are those of functions/, by name. Their names are of the namespace of nodes, and they are called, not read by name.
	Functions []*Function
	// Statements are the queries in hooks and in the project's own audits, those of models first.
	Statements []*Statement
	Rules      []*Script // the files of rules/, by path
	// Order holds the enabled models, producers before their readers; models that are equally ready stand in name order.
	// Members of a cycle come last, in name order: they can be checked one by one, but not built.
	Order []*Model
	// Ignored lists what was read and understood but has no effect yet, in order of place.
	Ignored []Ignored

	nodes  map[string]Node     // by folded name
	root   fs.FS               // the folder
	unread map[*diag.File]bool // files that may be without their text, see Complete
}

// Ignored is a setting that norn accepts and does not act on.
type Ignored struct {
	Span diag.Span
	Key  string // dotted, as written: "settings.concurrency", "row_diff_sample_rows"
}

// Kind says what a [Node] is.
type Kind uint8

// The kinds of nodes.
const (
	KindModel Kind = iota
	KindSource
	KindSeed
	KindFunction // read only as a table function
)

// String is the word used in messages.
func (k Kind) String() string { return [...]string{"model", "source", "seed", "function"}[k] }

// A Node is something that a query can read: *[Model], *[Source], *[Seed], or a *[Function] that yields rows.
type Node interface {
	// NodeName is the name in the project's one namespace, as written.
	NodeName() string
	NodeKind() Kind
	// Place is where the node is defined: the first byte of a model or seed file, the name of a source.
	Place() diag.Span
}

// Node returns what a name means, without regard to case; nil when it means nothing.
func (p *Project) Node(name string) Node { return p.nodes[fold(name)] }

// Model returns the model of that name, or nil.
func (p *Project) Model(name string) *Model {
	m, _ := p.Node(name).(*Model)
	return m
}

// Names lists the names of all nodes, sorted and each once, for suggestions.
func (p *Project) Names() []string {
	names := make([]string, 0, len(p.Models)+len(p.Sources)+len(p.Seeds))
	for _, m := range p.Models {
		names = append(names, m.Name)
	}
	for _, s := range p.Sources {
		names = append(names, s.Name)
	}
	for _, s := range p.Seeds {
		names = append(names, s.Name)
	}
	sortFold(names)
	return slices.CompactFunc(names, strings.EqualFold)
}
