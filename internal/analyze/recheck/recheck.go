// Package recheck checks a project, and checks it again without doing the work twice: when nothing that was read last time has
// changed, what was said last time is said again; when something has, only what can come out another way is worked out.
//
// The data goes one way. [Run] reads the project through a [recorder], which writes down everything that was looked at: the
// names in each folder, the stamp of each file, files that were looked for and not found, variables of the environment. What
// the analysis says becomes an [Outcome]. Both go into one file below .norn/cache, and with them, for each file, what reading
// made of it, and for each model, what binding found out about it ([memory]). The next run looks at the same things:
//
//   - All are as they were: the outcome in the file is the answer.
//   - Files of models, sources, seeds, tests or audits are not, or there are others: the rest of them is neither read nor parsed.
//     Names are joined and the graph is made anew, which is cheap. A model is bound again when its text, or the answer to
//     something that it asked about another relation, is another; see [analyze.Record].
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
//   - Files appear whole: a temporary name, then a rename. There is no fsync, which may take longer than the check itself: a crash
//     of the machine may leave a renamed file whose bytes never reached the disk, and the length and the checksum in front of
//     them tell that, which is a miss. Of two runs at once the one that ends last leaves its entry. The cache holds one entry a
//     target, and few of targets that are not used any more.
//   - No secret is stored: of the environment there are digests only.
//   - Rules that a project brings along take part through a [Hook], and their problems are kept like those of the analysis.
package recheck

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
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
	// Extra makes the hook of a run; nil for none.
	Extra Extra
	// Identity names the program: what another program stored is not replayed. Empty means [Executable]; where that does not know
	// either, nothing is replayed and nothing stored, as with NoCache.
	Identity string
	// NoCache neither reads nor writes the cache.
	NoCache bool
	// Store is handed what stores the outcome for the next run, to be called or not once Run has returned. Nil stores at once.
	Store func(save func())

	workers  int           // as in [analyze.Options]; tests want to know which model comes when
	identify func() string // in place of [Executable], for tests
}

// An Outcome is what a check says.
type Outcome struct {
	Project, Target string
	// Nodes are as in [analyze.Result]: sources and seeds, then models. Nil until [Outcome.Expand].
	Nodes []Node
	// Problems are those of reading and of analysis, sorted.
	Problems []*diag.Problem
	// NodeCount, ColumnCount and Unanalysed sum up the nodes.
	NodeCount, ColumnCount, Unanalysed int

	// Recalled counts the models that were as they had been in the run before and were not bound again.
	Recalled int

	// Replayed says that nothing was computed. Read and Analysed are how long the two halves took otherwise.
	Replayed       bool
	Read, Analysed time.Duration

	records []*analyze.Record // of the nodes
	rest    []byte            // where they are packed, of a replayed outcome
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
// text, so 8 MiB of it are 60 to 80 MB of trees. Only projects of a few thousand models come past it, and parse the rest twice.
const maxTrees = 8 << 20

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
	started := time.Now()
	s := store{dir: dir, name: entryName(o)}
	rec := newRecorder(dir, o.Env)
	load := project.Options{Target: o.Target, Env: rec.env, NoFingerprints: true, MaxTrees: maxTrees}
	look := analyze.Options{Families: o.Families, Discard: true, Workers: o.workers}
	var mem *memory
	if !o.NoCache {
		before := s.load(ctx, o)
		var found verdict
		if before != nil {
			found = before.rec.look(started)
		}
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("reading the project in %s: %w", dir, context.Cause(ctx))
		case found.same:
			if found.healed {
				o.store(func() { s.save(before, o) })
			}
			before.out.Replayed, before.out.Read = true, time.Since(started)
			return before.out, nil
		case !found.usable:
			before = nil
		}
		mem = newMemory(rec, before, found.changed)
		load.Memory, look.Recall = mem, mem.record
	}
	p, problems, err := project.Load(ctx, rec, load)
	if err != nil {
		return nil, fmt.Errorf("reading the project in %s: %w", dir, err)
	}
	out := &Outcome{Project: p.Name}
	if p.Target != nil {
		out.Target = p.Target.Name
	}
	hook, err := o.hook(ctx, rec, p, &look)
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
	if err := out.fill(p, problems, r); err != nil {
		return nil, fmt.Errorf("checking the project in %s: %w", dir, err)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("checking the project in %s: %w", dir, context.Cause(ctx))
	}
	if mem != nil {
		e := &entry{rec, out, mem.leave(r)}
		o.store(func() { s.save(e, o) })
	}
	out.Recalled, out.Analysed = r.Recalled, time.Since(started)
	return out, nil
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

// fill writes an analysis into the outcome, with the texts of the files that its problems show.
func (out *Outcome) fill(p *project.Project, problems []*diag.Problem, r *analyze.Result) error {
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
	out.Problems = problems
	diag.Sort(out.Problems)
	for _, m := range r.Models {
		n := m.Record()
		out.records = append(out.records, n)
		out.NodeCount++
		out.ColumnCount += n.Columns
		out.Unanalysed += n.Unanalysed
	}
	return failed
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
