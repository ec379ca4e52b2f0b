package referee_test

import (
	"fmt"
	"strings"
	"testing"
)

// tally is the row of the report for one kind of input.
type tally struct {
	name     string
	counts   [len(classNames)]int
	findings []verdict // of the classes that must not be, and of those that are watched
}

func newTally(name string) *tally { return &tally{name: name} }

func (c *tally) add(verdicts ...verdict) {
	for _, v := range verdicts {
		c.counts[v.class]++
		if v.class >= unknown {
			c.findings = append(c.findings, v)
		}
	}
}

func (c *tally) total() (n int) {
	for _, k := range c.counts {
		n += k
	}
	return n
}

// check fails the test for what must not be and logs the rest.
func (c *tally) check(t *testing.T) {
	t.Helper()
	shown := [len(classNames)]int{}
	for _, v := range c.findings {
		if shown[v.class]++; shown[v.class] > *showAtMost {
			continue
		}
		if v.bad() {
			t.Errorf("%v", v)
		} else if testing.Verbose() {
			t.Logf("%v", v)
		}
	}
	t.Log("\n" + table([]*tally{c}))
}

// table writes the report for people.
func table(rows []*tally) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s %9s", "input", "queries")
	for _, n := range classNames {
		fmt.Fprintf(&b, " %*s", max(9, len(n)), n)
	}
	b.WriteByte('\n')
	for _, r := range rows {
		fmt.Fprintf(&b, "%-28s %9d", r.name, r.total())
		for i, n := range classNames {
			fmt.Fprintf(&b, " %*d", max(9, len(n)), r.counts[i])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
