// Package agreement keeps how far norn's numbers lie from those of the reference implementations, for tests: a prediction is
// worth what its agreement with the published model is worth, so the distances are told and not only judged.
//
// A [Group] stands for one folder of fixtures. Tests hand it each distance with what is allowed, and fail by themselves where
// it is too large; when the test ends the group writes one line with the largest distance of each kind of number. The lines
// of all groups are the table of
//
//	go test ./internal/tabular/... -v | grep -o 'fixtures .*'
//
// Invariants: a group says nothing about a test that compared nothing; kinds are listed in the order of the alphabet, so that
// the line does not depend on which test ran first.
package agreement

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A Group collects the distances of one folder of fixtures. Parallel tests may share it.
type Group struct {
	name  string
	mu    sync.Mutex
	kinds map[string]*farthest
}

// A farthest is the distance that takes the largest part of what it is allowed.
type farthest struct {
	distance, allowed float64
	count             int
}

// New starts a group that writes its line when t and all its subtests have ended.
func New(t testing.TB, name string) *Group {
	g := &Group{name: name, kinds: make(map[string]*farthest)}
	t.Cleanup(func() {
		if line := g.line(); line != "" {
			t.Log(line)
		}
	})
	return g
}

// See takes one distance, in the unit of what is allowed: 0 asks for equal numbers. A distance that is no number counts as
// farther than any.
func (g *Group) See(kind string, distance, allowed float64) {
	if math.IsNaN(distance) {
		distance = math.Inf(1)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	f := g.kinds[kind]
	if f == nil {
		f = &farthest{distance: distance, allowed: allowed}
		g.kinds[kind] = f
	}
	f.count++
	// Compared without a division, because 0 is a tolerance. Where nothing lies apart the wider tolerance is told.
	if a, b := distance*f.allowed, f.distance*allowed; a > b || a == b && distance > f.distance || distance == 0 && f.distance == 0 && allowed > f.allowed {
		f.distance, f.allowed = distance, allowed
	}
}

// line is the group's line; "" where nothing was compared.
func (g *Group) line() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(g.kinds)) {
		f := g.kinds[kind]
		if f.allowed == 0 {
			parts = append(parts, fmt.Sprintf("%s %.2g of 0 (%d)", kind, f.distance, f.count))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %.2g of %.2g (%d)", kind, f.distance, f.allowed, f.count))
	}
	if parts == nil {
		return ""
	}
	return "fixtures " + g.name + ": " + strings.Join(parts, "; ")
}
