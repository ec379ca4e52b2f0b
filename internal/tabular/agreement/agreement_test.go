package agreement

import (
	"math"
	"testing"
)

// The line keeps, of each kind, the distance that takes the largest part of what it is allowed.
func TestLine(t *testing.T) {
	g := New(t, "made/up")
	if got := g.line(); got != "" {
		t.Errorf("nothing was compared, and the line is %q", got)
	}
	g.See("rows", 1e-6, 1e-5)
	g.See("rows", 5e-6, 1e-3) // larger, and a smaller part
	g.See("rows", 0, 1e-5)
	g.See("plans", 0, 0)
	g.See("plans", 0, 0)
	g.See("answers", math.NaN(), 1e-4)
	g.See("answers", 1e-5, 1e-4)
	if got, want := g.line(), "fixtures made/up: answers +Inf of 0.0001 (2); plans 0 of 0 (2); rows 1e-06 of 1e-05 (3)"; got != want {
		t.Errorf("the line is\n%s\nwant\n%s", got, want)
	}
}
