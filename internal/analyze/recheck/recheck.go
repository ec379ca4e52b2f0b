// Package recheck checks a project, and checks it again without doing the work twice: when nothing that was read last time has
// changed, what was said last time is said again.
//
// The data goes one way. [Run] reads the project through a [recorder], which writes down everything that was looked at: the
// names in each folder, the stamp of each file, files that were looked for and not found, variables of the environment. What
// the analysis says becomes an [Outcome]. Both go into one file below .norn/cache. The next run looks at the same things; if
// all of them are as they were, the outcome in the file is the answer.
//
// Invariants:
//
//   - The cache is never wrong and never in the way. Whatever is odd about it (torn, foreign, locked, not writable, written
//     by another norn) is a miss. No error comes from it. The oracle is a run with [Options.NoCache]; the tests hold both to
//     the same bytes over thousands of edits.
//   - A stamp (size, times, inode) is trusted only for a file that had been left alone for a while when it was read: a
//     file system's clock is coarse, and two edits in one tick give one stamp. Younger files are held to a digest of what
//     was read.
//   - Files appear whole: a temporary name, then a rename.
//   - No secret is stored: of the environment there are digests only.
package recheck

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// Options say how to check.
type Options struct {
	Target   string                           // as in [project.Options]
	Env      func(name string) (string, bool) // as in [project.Options]
	Families []analyze.Family
	// Identity names the program: what another program stored is not replayed. Empty means [Executable].
	Identity string
	// NoCache neither reads nor writes the cache.
	NoCache bool
}

// An Outcome is what a check says.
type Outcome struct {
	Project, Target string
	// Nodes are as in [analyze.Result]: sources and seeds, then models. Nil after a replay until [Outcome.Expand].
	Nodes []Node
	// Problems are those of reading and of analysis, sorted.
	Problems []*diag.Problem
	// NodeCount, ColumnCount and Unanalysed sum up the nodes.
	NodeCount, ColumnCount, Unanalysed int

	// Replayed says that nothing was computed. Read and Analysed are how long the two halves took otherwise.
	Replayed       bool
	Read, Analysed time.Duration

	packed []byte // the nodes of a replayed outcome
}

// A Node is what is said about a source, a seed or a model.
type Node struct {
	Name, Kind, File string
	Columns          []Column
	Upstream         []string
	Open             bool
	Unanalysed       int
}

// A Column is what is said about a column.
type Column struct {
	Name, Type string
	Nullable   bool
}

// maxTrees bounds the text of models whose trees are kept between reading and analysis: trees take about seven times their
// text, so 16 MiB of it are 110 MB of trees. Only projects of several thousand models come past it, and parse the rest twice.
const maxTrees = 16 << 20

// Run checks the project in a folder. What its author has to mend is in the outcome; the error is what the world did.
func Run(ctx context.Context, dir string, o Options) (*Outcome, error) {
	if o.Identity == "" {
		o.Identity = Executable()
	}
	started := time.Now()
	s := store{dir: dir, name: entryName(o)}
	if !o.NoCache {
		if out, ok := s.replay(ctx, dir, o); ok {
			out.Read = time.Since(started)
			return out, nil
		}
	}
	rec := newRecorder(dir, o.Env)
	p, problems, err := project.Load(ctx, rec, project.Options{Target: o.Target, Env: rec.env, NoFingerprints: true, MaxTrees: maxTrees})
	if err != nil {
		return nil, fmt.Errorf("reading the project in %s: %w", dir, err)
	}
	out := &Outcome{Project: p.Name, Read: time.Since(started)}
	if p.Target != nil {
		out.Target = p.Target.Name
	}
	started = time.Now()
	r, err := analyze.Analyze(ctx, p, analyze.Options{Families: o.Families, Discard: true})
	if err != nil {
		return nil, fmt.Errorf("checking the project in %s: %w", dir, err)
	}
	out.Analysed = time.Since(started)
	out.fill(problems, r)
	if !o.NoCache {
		s.save(rec, o, out)
	}
	return out, nil
}

// fill writes an analysis into the outcome.
func (out *Outcome) fill(problems []*diag.Problem, r *analyze.Result) {
	out.Problems = append(problems, r.Problems...)
	diag.Sort(out.Problems)
	out.Nodes = make([]Node, len(r.Models))
	for i, m := range r.Models {
		n := Node{Name: m.Name, Kind: m.Kind, File: m.File, Upstream: m.Upstream, Open: m.Open, Unanalysed: m.Unanalysed}
		n.Columns = make([]Column, len(m.Columns))
		for j, c := range m.Columns {
			n.Columns[j] = Column{c.Name, c.Type, c.Nullable}
		}
		out.Nodes[i] = n
		out.NodeCount++
		out.ColumnCount += len(m.Columns)
		out.Unanalysed += m.Unanalysed
	}
}

// Executable identifies the running program by its file: one that is built anew has another stamp.
func Executable() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(stampOf(info))
}
