package recheck

import (
	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/pack"
)

// An entry is what one run leaves to the next. Its head is enough to say again what was said; the catalog, which says where what is
// known of single nodes and files lies, and the rest, where it lies, are read only when something has changed or somebody wants the
// columns.
type entry struct {
	looked looked
	out    *Outcome

	source  *source // where catalog and rest are read; nil once they are all in memory
	catalog *catalog
	edits   *delta // what was changed in the entry of an earlier run without writing it anew
}

// A head is the part of an entry that every run reads.
type head struct {
	looked looked
	out    *Outcome
	// How much follows, and the checksum of the catalog, which has those of everything in the rest.
	catalogSize, restSize int
	catalogSum            uint32
}

// pack describes the head. An entry of another program or target fails.
func (h *head) pack(c *pack.Coder, o Options) {
	identity, target := o.Identity, o.Target
	c.Text(&identity)
	c.Text(&target)
	// The name of the entry is a digest of the target and says nothing of the program, so both are checked.
	if identity != o.Identity || target != o.Target {
		c.Fail()
		return
	}
	pack.Number(c, &h.catalogSize)
	pack.Number(c, &h.catalogSum)
	pack.Number(c, &h.restSize)
	// What was looked at comes before what was said, as it is asked for.
	h.looked.pack(c)
	h.out.pack(c)
}

// pack describes what is said of the project as a whole.
func (out *Outcome) pack(c *pack.Coder) {
	c.Text(&out.Project)
	c.Text(&out.Target)
	pack.Number(c, &out.NodeCount)
	pack.Number(c, &out.ColumnCount)
	pack.Number(c, &out.Unanalysed)
	packProblems(c, &out.Problems)
	pack.Slice(c, &out.Asides, func(x **analyze.Aside) {
		if *x == nil {
			*x = &analyze.Aside{}
		}
		(*x).Pack(c)
	})
}

// packProblems writes or reads problems with the texts of the files they show, which are not always those on disk: of a seed only
// the line with its names is kept.
func packProblems(c *pack.Coder, problems *[]*diag.Problem) {
	var files []*diag.File
	if !c.Reading() {
		known := map[*diag.File]bool{nil: true}
		each(*problems, func(s *diag.Span) {
			if !known[s.File] {
				known[s.File] = true
				files = append(files, s.File)
			}
		})
	}
	pack.Slice(c, &files, func(f **diag.File) {
		var path, text string
		if *f != nil {
			path, text = (*f).Path, (*f).Text
		}
		c.Text(&path)
		if c.Text(&text); c.Reading() {
			*f = diag.NewFile(path, text)
		}
	})
	// Places are numbers of files in this list. It is taken away again, so that a field behind the problems cannot lean on it.
	c.Files = files
	c.Problems(problems)
	c.Files = nil
}

// each calls visit for every span of the problems, by its address: writing collects the files, and [Outcome.fill] puts whole texts
// in the place of files that were let go.
func each(problems []*diag.Problem, visit func(s *diag.Span)) {
	for _, p := range problems {
		visit(&p.Span)
		for i := range p.Notes {
			visit(&p.Notes[i].Span)
		}
		if p.Fix != nil {
			visit(&p.Fix.Span)
		}
	}
}
