package recheck

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// When nothing but texts of models has changed, most of the project need not even be unpacked. A part is the models whose texts
// are others, the models that can come out another way because of that, and what these read. Only it is loaded and analysed, and
// what is said of the rest stays as it was.
//
// Why that says what a run over everything says:
//
//   - No file and no folder is another but for the texts of models, so configuration, macros, sources, seeds, tests and the list of
//     models are as they were.
//   - Each changed model shows others the same face ([project.SameFace]): names mean what they meant, the graph is the same, and all
//     problems of reading and joining are the old ones. None of them lies in the file of a model that is looked at, where it
//     would have moved.
//   - What binding a model learns about others goes through what it asked for ([analyze.Record]). What the models of a part ask is
//     in the part, or else no node; that is looked up afterwards, because a new text can ask for something new.
//   - What others learn of a model is its record's Seen. While it is as it was, they come out as they did; where it is not, the
//     part grows by all who read it and is looked at once more.
//   - There is no mistake in the project before or after. Mistakes are told once and counted by all who suffer from them, wherever
//     they are, so no part has all of it. Neither is there anything that looks at the project as a whole: no rules of its own,
//     functions, hooks or generic audits, no test or audit that is checked each time ([catalog.divisible]).
//
// Wherever one of these does not hold, the answer is no, and all of the project is looked at as if nobody had asked. So it is after
// every error, for it may come from the part being one.
type part struct {
	before  *entry
	found   verdict
	now     *recorder
	catalog *catalog
	texts   []int        // nodes whose text is another
	whole   map[int]bool // nodes of the part that are bound or recalled
	kept    map[string][]byte
	mu      sync.Mutex
}

// mostParts bounds a part, as a share of all nodes: 1 in mostParts. Past it a run over everything is not much more.
const mostParts = 3

// mostRounds bounds how often a part grows: each time it is analysed from its beginning.
const mostRounds = 4

// errNoPart says that something is in the way of looking at a part.
var errNoPart = errors.New("no part of the project can be looked at by itself")

// runPart checks a part. ok is false when there is none.
func (o Options) runPart(ctx context.Context, s store, before *entry, found verdict) (out *Outcome, e *entry, ok bool) {
	started := time.Now()
	p := &part{before: before, found: found, whole: map[int]bool{}}
	if o.undivided || !p.begin() {
		return nil, nil, false
	}
	for range mostRounds {
		p.now, p.kept = newRecorder(s.dir, o.Env), map[string][]byte{}
		p.now.listings = found.listings
		held, ok := p.held()
		if !ok || len(p.whole)+len(held) > len(p.catalog.nodes)/mostParts+8 {
			return nil, nil, false
		}
		pr, r, err := p.analyze(ctx, o, held)
		if err != nil || !p.same() {
			return nil, nil, false
		}
		more, ok := p.affected(r)
		if !ok {
			return nil, nil, false
		}
		if len(more) > 0 {
			for _, n := range more {
				p.whole[n] = true
			}
			continue
		}
		if out, ok = p.outcome(pr, r); !ok || !p.untorn() {
			return nil, nil, false
		}
		e, out.Analysed = p.entry(out, r), time.Since(started)
		if o.Nodes && !e.tell(out) {
			return nil, nil, false
		}
		return out, e, ctx.Err() == nil
	}
	return nil, nil, false
}

// begin finds the models whose texts have changed.
func (p *part) begin() bool {
	if p.found.moved || diag.HasErrors(p.before.out.Problems) || !p.before.openCatalog() || !p.before.catalog.divisible {
		return false
	}
	p.catalog = p.before.catalog
	byFile := map[string]int{}
	for _, i := range p.found.changed {
		byFile[p.before.looked.files[i].name] = -1
	}
	for i := range p.catalog.nodes {
		if n := &p.catalog.nodes[i]; n.kind == modelNode {
			if at, wanted := byFile[n.file]; wanted && at < 0 {
				byFile[n.file] = i
			}
		}
	}
	for _, i := range byFile {
		if i < 0 {
			return false // a file of something else, or of a model that is disabled
		}
		p.texts = append(p.texts, i)
		p.whole[i] = true
	}
	return len(p.texts) > 0
}

// held are the nodes that are only read by those of the part.
func (p *part) held() (held map[int]bool, ok bool) {
	held = map[int]bool{}
	for n := range p.whole {
		reads, ok := p.catalog.nodes[n].reads.of(p.catalog)
		if !ok {
			return nil, false
		}
		for _, to := range reads {
			if !p.whole[to] {
				held[to] = true
			}
		}
	}
	return held, true
}

// analyze loads and analyses the part.
func (p *part) analyze(ctx context.Context, o Options, held map[int]bool) (*project.Project, *analyze.Result, error) {
	only := &project.Part{Models: map[string]bool{}, Sources: map[string]bool{}, SourceFiles: map[string]bool{}, Seeds: map[string]bool{}}
	records, holds := map[string]*analyze.Record{}, map[string]bool{}
	for _, set := range []map[int]bool{p.whole, held} {
		for i := range set {
			n := &p.catalog.nodes[i]
			switch n.kind {
			case modelNode:
				only.Models[n.file] = p.whole[i]
				holds[n.name] = !p.whole[i]
			case sourceNode:
				only.Sources[n.name], only.SourceFiles[n.file] = true, true
			case seedNode:
				only.Seeds[n.file] = true
			default:
				return nil, nil, errNoPart
			}
			r, ok := p.record(i)
			if !ok || n.kind == modelNode && p.catalog.findRow(n.file) < 0 {
				return nil, nil, errNoPart
			}
			records[n.name] = r
		}
	}
	pr, _, err := project.Load(ctx, p.now, project.Options{Target: o.Target, Vars: o.Vars, Env: p.now.env, NoFingerprints: true, MaxTrees: maxTrees, Memory: p, Part: only})
	if err != nil {
		return nil, nil, err
	}
	r, err := analyze.Analyze(ctx, pr, analyze.Options{Families: o.Families, Discard: true, Workers: o.workers,
		Recall: func(name string) *analyze.Record { return records[name] }, Held: func(name string) bool { return holds[name] }})
	return pr, r, err
}

// record is what the last run knew of a node.
func (p *part) record(i int) (*analyze.Record, bool) {
	if b := &p.catalog.nodes[i].blob; p.before.read(b) {
		return recordOf(b.data)
	}
	return nil, false
}

// Recall implements [project.Memory].
func (p *part) Recall(path string) []byte {
	file, row := p.before.looked.find(path), p.catalog.findRow(path)
	if file < 0 || row < 0 {
		return nil
	}
	if _, changed := slices.BinarySearch(p.found.changed, file); changed {
		return nil
	}
	// Rows are asked for from several goroutines, and reading one leaves it in the catalog.
	p.mu.Lock()
	defer p.mu.Unlock()
	b := &p.catalog.rows[row].blob
	if !p.before.read(b) {
		return nil
	}
	p.now.recalled(path, p.before.looked.files[file].seen)
	return b.data
}

// Keep implements [project.Memory].
func (p *part) Keep(path string, row []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept[path] = row
}

// same reports whether each changed model shows the face that it showed.
func (p *part) same() bool {
	for _, i := range p.texts {
		row := p.catalog.findRow(p.catalog.nodes[i].file)
		if row < 0 || !p.before.read(&p.catalog.rows[row].blob) || !project.SameFace(p.catalog.rows[row].data, p.kept[p.catalog.nodes[i].file]) {
			return false
		}
	}
	return true
}

// affected finds the models that can come out another way because of what came out of the part, and are not in it. ok is false
// where that cannot be told.
func (p *part) affected(r *analyze.Result) (more []int, ok bool) {
	// Hardly any name is not of the part, so there is no index for them.
	node := func(name string) bool {
		return slices.ContainsFunc(p.catalog.nodes, func(n nodeItem) bool { return fold(n.name) == name })
	}
	other := map[int]bool{}
	for i := range p.whole {
		m, there := r.Model(p.catalog.nodes[i].name)
		before, known := p.record(i)
		if !there || !known || m.Record() == nil {
			return nil, false
		}
		now := m.Record()
		// A record without a key stands for a model that is bound each time, for reasons that look further than a part.
		if now.Key == (analyze.Digest{}) || before.Key == (analyze.Digest{}) || now.Seen == (analyze.Digest{}) {
			return nil, false
		}
		if _, consequences, ok := now.Problems(); !ok || consequences > 0 {
			return nil, false
		}
		for _, name := range now.Asked {
			if _, in := r.Model(name); !in && node(name) {
				return nil, false
			}
		}
		if now.Seen != before.Seen {
			other[i] = true
		}
	}
	if len(other) == 0 {
		return nil, true
	}
	concerned := func(list numbers) bool {
		numbers, read := list.of(p.catalog)
		ok = ok && read
		return slices.ContainsFunc(numbers, func(n int) bool { return other[n] })
	}
	ok = true
	for i := range p.catalog.tests {
		if concerned(p.catalog.tests[i].asks) {
			return nil, false
		}
	}
	// Their readers may come out as they did, so those who read them are for the next round.
	for i := range p.catalog.nodes {
		if !p.whole[i] && concerned(p.catalog.nodes[i].reads) {
			more = append(more, i)
		}
	}
	return more, ok
}

// outcome is what is said now: of the models of the part what was found, of all others what was said.
func (p *part) outcome(pr *project.Project, r *analyze.Result) (*Outcome, bool) {
	was := p.before.out
	out := &Outcome{parted: true, Project: was.Project, Target: was.Target, NodeCount: was.NodeCount, ColumnCount: was.ColumnCount, Unanalysed: was.Unanalysed, Asides: was.Asides}
	files := map[string]int{} // problems that were found in it last time
	for i := range p.whole {
		n := &p.catalog.nodes[i]
		before, ok := p.record(i)
		if !ok {
			return nil, false
		}
		found, consequences, ok := before.Problems()
		if !ok || consequences > 0 {
			return nil, false
		}
		files[n.file] = found
		m, _ := r.Model(n.name)
		out.ColumnCount += m.Record().Columns - before.Columns
		out.Unanalysed += m.Record().Unanalysed - before.Unanalysed
	}
	of := func(problem *diag.Problem) (path string, mine bool) {
		if problem.Span.File == nil {
			return "", false
		}
		_, mine = files[problem.Span.File.Path]
		return problem.Span.File.Path, mine
	}
	for _, problem := range was.Problems {
		if path, mine := of(problem); mine {
			files[path]--
			continue
		}
		foreign := false
		each([]*diag.Problem{problem}, func(s *diag.Span) {
			if s.File != nil {
				_, mine := files[s.File.Path]
				foreign = foreign || mine
			}
		})
		if foreign {
			return nil, false // what it shows may have moved
		}
		out.Problems = append(out.Problems, problem)
	}
	// One that is not of the analysis, or one of the analysis that lies in another file, cannot be taken back.
	for _, left := range files {
		if left != 0 {
			return nil, false
		}
	}
	for _, problem := range r.Problems {
		if _, mine := of(problem); !mine || problem.Severity == diag.Error || problem.Cascade > 0 {
			return nil, false
		}
	}
	if complete(pr, r.Problems) != nil {
		return nil, false
	}
	out.Problems = append(out.Problems, r.Problems...)
	diag.Sort(out.Problems)
	models := 0
	for i := range p.catalog.nodes {
		if p.catalog.nodes[i].kind == modelNode {
			models++
		}
	}
	out.Recalled = models - (len(pr.Order) - r.Recalled)
	return out, true
}

// untorn reports whether everything that was looked at during the run was as it had been found before it, but for the changed texts.
func (p *part) untorn() bool {
	if p.now.torn {
		return false
	}
	for name, f := range p.now.files {
		at := p.before.looked.find(name)
		if at < 0 {
			return false
		}
		if _, changed := slices.BinarySearch(p.found.changed, at); !changed && f.Stamp != p.before.looked.files[at].Stamp {
			return false
		}
	}
	for _, list := range []struct {
		now    map[string]digest
		before []named
	}{{p.now.folders, p.before.looked.folders}, {p.now.vars, p.before.looked.vars}} {
		known := make(map[string]digest, len(list.before))
		for _, n := range list.before {
			known[n.name] = n.digest
		}
		for name, d := range list.now {
			if was, ok := known[name]; !ok || was != d {
				return false
			}
		}
	}
	return true
}

// entry is what this run leaves: the entry of the last one with edits.
func (p *part) entry(out *Outcome, r *analyze.Result) *entry {
	e := &entry{looked: p.before.looked, out: out, source: p.before.source, catalog: p.catalog, edits: p.before.edits}
	x := e.editing()
	for _, at := range p.found.changed {
		if f := p.now.files[e.looked.files[at].name]; f != nil {
			e.looked.files[at].seen = *f
			x.files[at] = *f
		}
	}
	for _, at := range p.found.healed {
		x.files[at] = e.looked.files[at].seen
	}
	// All that the models of the part ask for is in it.
	byName := map[string]int{}
	held, _ := p.held()
	for _, set := range []map[int]bool{p.whole, held} {
		for i := range set {
			byName[fold(p.catalog.nodes[i].name)] = i
		}
	}
	for i := range p.whole {
		n := &p.catalog.nodes[i]
		m, _ := r.Model(n.name)
		data := rowOf(m.Record())
		if slices.Equal(data, n.data) {
			continue
		}
		// What the model names is as it was; what it asks for may not be.
		list, _ := n.reads.of(p.catalog)
		reads := numbersOf(asked(byName, list, m.Record().Asked))
		n.reads, n.blob = reads, blobOf(data)
		x.nodes[i] = nodeEdit{reads, data}
	}
	for path, data := range p.kept {
		if row := p.catalog.findRow(path); row >= 0 {
			p.catalog.rows[row].blob = blobOf(data)
			x.rows[row] = data
		}
	}
	return e
}
