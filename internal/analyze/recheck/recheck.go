// Package recheck checks a project, and checks it again without doing the work twice: when nothing that was read last time has
// changed, what was said last time is said again; when something has, only what can come out another way is worked out.
//
// The data goes one way. [Run] reads the project through a [recorder], which writes down everything that was looked at: the
// names in each folder, the stamp of each file, files that were looked for and not found, variables of the environment. What
// the analysis says becomes an [Outcome]. Both are the head of a file below .norn/cache; behind it lies, for each file, what
// reading made of it, and for each model, what binding found out about it, with a [catalog] of these. The next run looks at the
// same things:
//
//   - All are as they were: the outcome in the head is the answer, and nothing else is read.
//   - Texts of models are not, and look the same to the rest of the project: these models are bound again, and whoever sees
//     something new in them. Nothing else is unpacked; see [part].
//   - Files of models, sources, seeds, tests or audits are not, or there are others: the rest of them is neither read nor parsed
//     ([memory]). Names are joined and the graph is made anew, which is cheap. A model is bound again when its text, or the
//     answer to something that it asked about another relation, is another; see [analyze.Record].
//   - Anything else is not, such as the configuration or a file of macros: everything is worked out.
//
// Invariants:
//
//   - The cache is never wrong and never in the way. Whatever is odd about it (torn, foreign, locked, not writable, written
//     by another norn) is a miss. No error comes from it. The oracle is a run with [Options.NoCache]; the tests hold both to
//     the same bytes over thousands of edits.
//   - A stamp (size, times, inode) is trusted only for a file that had been left alone for a while when it was read: a
//     file system's clock is coarse, and two edits in one tick give one stamp. Younger files are held to a digest of what
//     was read.
//   - Files appear whole: a temporary name, then a rename; none is written to in place. There is no fsync, which may take longer
//     than the check itself: a crash of the machine may leave a renamed file whose bytes never reached the disk, and lengths and
//     checksums tell that, which is a miss. Every piece is checked when it is read, so it is a miss too when somebody cuts the
//     file short while a run reads it. Of two runs at once the one that ends last leaves its entry, or its edits ([delta]). The cache
//     holds one entry a target, and few of targets that are not used any more.
//   - No secret is stored: of the environment there are digests only.
//   - Rules that a project brings along take part through a [Hook], and their problems are kept like those of the analysis.
package recheck

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// Options say how to check.
type Options struct {
	Target   string                           // as in [project.Options]
	Vars     map[string]string                // as in [project.Options]
	Env      func(name string) (string, bool) // as in [project.Options]
	Families []analyze.Family
	// Extra makes the hook of a run; nil for none.
	Extra Extra
	// Identity names the program: what another program stored is not replayed. Empty means [Executable]; where that does not know
	// either, nothing is replayed and nothing stored, as with NoCache.
	Identity string
	// Nodes asks for the nodes of the outcome. Most who check want the problems only.
	Nodes bool
	// NoCache neither reads nor writes the cache.
	NoCache bool
	// Store is handed what stores the outcome for the next run, to be called or not once Run has returned. Nil stores at once.
	Store func(save func())

	workers   int           // as in [analyze.Options]; tests want to know which model comes when
	undivided bool          // never looks at a part, for tests
	identify  func() string // in place of [Executable], for tests
}

// An Outcome is what a check says.
type Outcome struct {
	Project, Target string
	// Nodes are as in [analyze.Result]: sources and seeds, then models. Nil without [Options.Nodes].
	Nodes []Node
	// Problems are those of reading and of analysis, sorted.
	Problems []*diag.Problem
	// Asides are what was not understood of functions, hooks, unit tests and audits.
	Asides []*analyze.Aside
	// NodeCount, ColumnCount and Unanalysed sum up the nodes; Unanalysed counts what is in Asides, too.
	NodeCount, ColumnCount, Unanalysed int

	// Recalled counts the models that were as they had been in the run before and were not bound again.
	Recalled int

	// Replayed says that nothing was computed. Read and Analysed are how long the two halves took otherwise.
	Replayed       bool
	Read, Analysed time.Duration

	parted bool // only a part of the project was looked at
}

// A Node is what is said about a source, a seed or a model.
type Node struct {
	Name, Kind, File string
	Columns          []Column
	Upstream         []string
	Open             bool
	OpenInput        string // the relation because of which it is open
	Unanalysed       int
	// Skips are what was not understood, and Wanted what the query names of open relations, as in [analyze.Model].
	Skips  []analyze.Skip
	Wanted []analyze.Wish
}

// A Column is what is said about a column.
type Column struct {
	Name, Type string
	Nullable   bool
}

// maxTrees bounds the text of models whose trees are kept between reading and analysis: trees take about seven times their
// text, so 12 MiB of it are some 100 MB of trees. Only projects of many thousand models come past it, and parse the rest twice.
const maxTrees = 12 << 20

// Run checks the project in a folder. What its author has to mend is in the outcome; the error is what the world did.
func Run(ctx context.Context, dir string, o Options) (*Outcome, error) {
	if o.Identity == "" {
		identify := Executable
		if o.identify != nil {
			identify = o.identify
		}
		o.Identity = identify()
	}
	o.NoCache = o.NoCache || o.Identity == ""
	for _, name := range slices.Sorted(maps.Keys(o.Vars)) {
		o.Identity += "\x00" + name + "=" + o.Vars[name] // what was stored with other values is of no use
	}
	started := time.Now()
	dir = filepath.Clean(dir)
	s, rec := store{dir: dir, name: entryName(o)}, newRecorder(dir, o.Env)
	load := project.Options{Target: o.Target, Vars: o.Vars, Env: rec.env, NoFingerprints: true, MaxTrees: maxTrees}
	look := analyze.Options{Families: o.Families, Discard: true, Workers: o.workers}
	var mem *memory
	if !o.NoCache {
		var out *Outcome
		if out, mem = o.again(ctx, s, rec); ctx.Err() != nil {
			return nil, fmt.Errorf("reading the project in %s: %w", dir, context.Cause(ctx))
		} else if out != nil {
			out.Read = time.Since(started) - out.Analysed
			return out, nil
		}
		load.Memory, look.Recall = mem, mem.record
	}
	var root fs.FS = rec
	if o.NoCache {
		root = project.Dir(dir) // nobody wants to know what was read
	}
	p, problems, err := project.Load(ctx, root, load)
	if err != nil {
		return nil, fmt.Errorf("reading the project in %s: %w", dir, err)
	}
	out := &Outcome{Project: p.Name}
	if p.Target != nil {
		out.Target = p.Target.Name
	}
	hook, err := o.hook(ctx, root, p, &look)
	if err != nil {
		return nil, fmt.Errorf("checking the project in %s: %w", dir, err)
	}
	out.Read, started = time.Since(started), time.Now()
	r, err := analyze.Analyze(ctx, p, look)
	if err != nil {
		return nil, fmt.Errorf("checking the project in %s: %w", dir, err)
	}
	problems = append(problems, r.Problems...)
	if hook.Project != nil {
		for _, m := range r.Models {
			m.Expand()
		}
		for _, m := range p.Models {
			m.Expand()
		}
		more, err := hook.Project(ctx, p, r)
		if err != nil {
			return nil, fmt.Errorf("checking the project in %s: %w", dir, err)
		}
		problems = append(problems, more...)
	}
	if err := complete(p, problems); err != nil {
		return nil, fmt.Errorf("checking the project in %s: %w", dir, err)
	}
	out.fill(problems, r, o.Nodes)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("checking the project in %s: %w", dir, context.Cause(ctx))
	}
	if mem != nil {
		divisible := hook.Key == "" && hook.Model == nil && hook.Project == nil
		e := &entry{looked: rec.looked(), out: out, catalog: mem.leave(p, r, divisible)}
		// A file that changed during the run belongs to neither of its states.
		if !rec.torn {
			o.store(func() { s.save(e, o) })
		}
	}
	out.Recalled, out.Analysed = r.Recalled, time.Since(started)
	return out, nil
}

// again looks at what the last run left. It returns the outcome, where that follows from it alone or from it and a part of the
// project, and otherwise what of it helps to look at everything.
func (o Options) again(ctx context.Context, s store, rec *recorder) (*Outcome, *memory) {
	now := time.Now()
	before := s.load(ctx, o)
	if before == nil {
		return nil, newMemory(rec, nil, nil)
	}
	found := before.looked.look(s.dir, o.Env, now)
	switch {
	case ctx.Err() != nil:
	case found.same && (!o.Nodes || before.tell(before.out)):
		before.out.Replayed = true
		if len(found.healed) > 0 {
			o.store(func() { s.saveHealed(before, found.healed, o) })
			return before.out, nil
		}
		before.close()
		return before.out, nil
	case found.usable && !found.same:
		if out, e, ok := o.runPart(ctx, s, before, found); ok {
			o.store(func() { s.saveEdits(e, o) })
			return out, nil
		}
	default:
		before.close()
		before = nil
	}
	defer before.close()
	rec.listings = found.listings
	return nil, newMemory(rec, before, found.changed)
}

// store has an outcome stored, now or by who asked to do so.
func (o Options) store(save func()) {
	if o.Store != nil {
		o.Store(save)
		return
	}
	save()
}

// hook makes the hook of a run and hangs it into the analysis.
func (o Options) hook(ctx context.Context, root fs.FS, p *project.Project, look *analyze.Options) (Hook, error) {
	if o.Extra == nil {
		return Hook{}, nil
	}
	h, err := o.Extra(ctx, root, p)
	look.Salt, look.Extra, look.Lineage = h.Key, h.Model, h.Project != nil
	return h, err
}

// complete gives the files that problems show their texts.
func complete(p *project.Project, problems []*diag.Problem) error {
	var failed error
	whole := map[*diag.File]*diag.File{}
	each(problems, func(s *diag.Span) {
		f, known := whole[s.File]
		if !known {
			var err error
			if f, err = p.Complete(s.File); err != nil {
				failed = cmp.Or(failed, err)
			}
			whole[s.File] = f
		}
		s.File = f
	})
	return failed
}

// fill writes an analysis into the outcome.
func (out *Outcome) fill(problems []*diag.Problem, r *analyze.Result, nodes bool) {
	out.Problems, out.Asides = problems, r.Asides
	diag.Sort(out.Problems)
	for _, x := range out.Asides {
		out.Unanalysed += x.Unanalysed
	}
	for _, m := range r.Models {
		n := m.Record()
		out.NodeCount++
		out.ColumnCount += n.Columns
		out.Unanalysed += n.Unanalysed
		if nodes {
			whole, ok := n.Model()
			diag.Assert(ok, "the record of %s cannot be unpacked", m.Name)
			out.Nodes = append(out.Nodes, nodeOf(whole))
		}
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
