package analyze

import (
	"crypto/sha256"
	"slices"

	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/project/pack"
)

// A test in which nothing is wrong is not checked again while its text, and everything that it was told about nodes of the project,
// is as it was. A test with a mistake is: its messages name what is near, which may be anything in the project.

// testAnswer is everything that a test is told about a node, as a row of bytes; ok is false when it cannot be told.
func (a *analysis) testAnswer(c *pack.Coder, name string) bool {
	n := a.nodes[name]
	there := n != nil
	if c.Truth(&there); !there {
		return true
	}
	kind := n.source.NodeKind()
	c.Text(&n.name)
	pack.Number(c, &kind)
	c.Fixed(n.seen[:])
	if m := n.model; m != nil {
		predict, cyclic := m.Predict != nil, m.Cyclic()
		c.Truth(&predict)
		c.Truth(&cyclic)
		targets(c, m.References)
	}
	return n.seen != Digest{}
}

// targets writes what references mean.
func targets(c *pack.Coder, references []project.Reference) {
	for i := range references {
		to, rows := "", !references[i].Header
		if t := references[i].To; t != nil {
			to = t.NodeName()
		}
		c.Text(&to)
		c.Truth(&rows)
	}
}

// A checkedText is what is bound behind the models, of a unit test or of an audit.
type checkedText struct {
	path       string
	text       Digest
	references []project.Reference
}

func checkedTest(t *project.Test) checkedText {
	return checkedText{t.File.Path, t.Digest(), t.References}
}

func checkedAudit(t *project.SingularAudit) checkedText {
	return checkedText{t.File.Path, t.Digest(), t.References}
}

// testKey stands for everything that checking a text depends on, given the nodes it asks for.
func (a *analysis) testKey(t checkedText, asked []string) (d Digest, ok bool) {
	text := t.text
	if text == (Digest{}) {
		return d, false
	}
	c := &pack.Coder{}
	// The number is raised when what a check finds changes without the program being another.
	version, dialect, path := "test 1", a.p.Dialect().Name, t.path
	c.Text(&version)
	c.Text(&dialect)
	c.Text(&path)
	c.Fixed(text[:])
	count := len(t.references)
	pack.Number(c, &count)
	targets(c, t.references)
	for _, name := range asked {
		c.Text(&name)
		if !a.testAnswer(c, name) {
			return d, false
		}
	}
	return sha256.Sum256(c.Row()), true
}

// recallTest takes a test or an audit from the record of an earlier check, if nothing that it depends on is another.
func (a *analysis) recallTest(t checkedText, out *testResult) bool {
	if a.recaller == nil {
		return false
	}
	r := a.recaller(t.path)
	if r == nil || r.Key == (Digest{}) {
		return false
	}
	if key, ok := a.testKey(t, r.Asked); !ok || key != r.Key {
		return false
	}
	aside, ok := r.readAside()
	if !ok {
		return false
	}
	out.record, out.aside, out.recalled = r, aside, true
	return true
}

// keepTest makes the record of a test in which nothing is wrong.
func (a *analysis) keepTest(t *project.Test, c *testCheck, clean bool, out *testResult) {
	if a.recaller == nil || !clean {
		return
	}
	for _, cte := range c.plan.CTEs {
		if cte.Node != nil {
			c.node(fold(cte.Node.NodeName()))
		}
	}
	a.keepText(checkedTest(t), c, out)
}

// keepText makes the record of a text in which nothing is wrong.
func (a *analysis) keepText(t checkedText, c *testCheck, out *testResult) {
	asked := slices.Clone(c.asked)
	if key, ok := a.testKey(t, asked); ok && (out.aside == nil || !out.aside.moves) {
		out.record = &Record{Key: key, Asked: asked}
		out.record.keepAside(out.aside)
	}
}

// Tests are the unit tests and audits that a later analysis need not check again ([Options.Recall]), by path.
func (r *Result) Tests() (paths []string, records []*Record) { return r.testPaths, r.testRecords }
