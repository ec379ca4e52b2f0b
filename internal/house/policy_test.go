package house

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// policy says which room may know which. It is the plan of the house, not a record of it: a package that does not fit is
// moved or mended. Change this text only together with a page in docs/decisions.
//
// "a, b < c" means that c may import a and b, and all they may import. A folder inside a room belongs to the room, except
// where a line names it: warehouse/* are the adapters, which only the command line may name. predict is the one room that
// stands outside internal/, for other people's programs. Tests may also use the
// adapters, outside the model half. A "group" names several rooms or import paths.
const policy = `
NONE                    < diag, tensor, house
diag                    < frame, blob, sql
sql                     < project < analyze < plan
frame                   < warehouse < warehouse/*
tensor, frame, blob     < tabular < fitted < predict
plan, warehouse, fitted < run < serve
analyze                 < lsp, policy
policy, serve, lsp, warehouse/* < cli < cmd

group: the SQL half     = sql, project, analyze, policy, plan, warehouse, warehouse/*
group: the model half   = tensor, tabular, fitted, predict
group: database drivers = database/sql, github.com/duckdb, github.com/jackc/pgx, github.com/lib/pq, modernc.org/sqlite

never: tensor -> anything but the standard library
never: sql -> anything but the standard library and norn
never: analyze -> anything but the standard library and norn
never: plan -> anything but the standard library and norn
never: the SQL half -> the model half
never: the model half -> the SQL half
never: net/http outside serve, blob/s3, tabular/hub
never: database drivers outside warehouse/*, run/river, analyze/referee tests
`

// A neverRule forbids what the order alone does not. Rules of the first form have From and To or Only; rules of the
// second have What and Outside.
type neverRule struct {
	Text    string
	From    []string // rooms
	To      []string // rooms
	Only    string   // "std" or "std+norn": the outside modules that may be imported, which are none
	What    []string // import path prefixes
	Outside []string // places: a room, a folder of one, or "folder tests"
}

// A plan is the policy, read.
type plan struct {
	Rooms  []string            // in the order of the text
	Direct map[string][]string // what stands left of a room, as written
	Never  []neverRule
}

// parsePolicy reads a policy text. It refuses text that it does not understand, so that a typing error in a rule is
// not a rule fewer.
func parsePolicy(text string) (*plan, error) {
	p := &plan{Direct: make(map[string][]string)}
	groups := make(map[string][]string)
	expand := func(name string) []string {
		if g, ok := groups[name]; ok {
			return g
		}
		return []string{name}
	}
	for row := range strings.Lines(text) {
		row = strings.TrimSpace(row)
		if row == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(row, "group:"); ok {
			name, members, ok := strings.Cut(rest, "=")
			if !ok {
				return nil, fmt.Errorf("a group without members: %q", row)
			}
			groups[strings.TrimSpace(name)] = list(members)
			continue
		}
		if rest, ok := strings.CutPrefix(row, "never:"); ok {
			rule := neverRule{Text: row}
			if what, outside, ok := strings.Cut(rest, " outside "); ok {
				rule.What, rule.Outside = expand(strings.TrimSpace(what)), list(outside)
			} else if from, to, ok := strings.Cut(rest, "->"); ok {
				rule.From = expand(strings.TrimSpace(from))
				switch to = strings.TrimSpace(to); to {
				case "anything but the standard library":
					rule.Only = "std"
				case "anything but the standard library and norn":
					rule.Only = "std+norn"
				default:
					rule.To = expand(to)
				}
			} else {
				return nil, fmt.Errorf("a rule that says nothing: %q", row)
			}
			p.Never = append(p.Never, rule)
			continue
		}
		chain := strings.Split(row, "<")
		if len(chain) < 2 {
			return nil, fmt.Errorf("not an order: %q", row)
		}
		for i := 1; i < len(chain); i++ {
			for _, room := range list(chain[i]) {
				if !slices.Contains(p.Rooms, room) {
					p.Rooms = append(p.Rooms, room)
				}
				for _, low := range list(chain[i-1]) {
					if low == "NONE" {
						continue
					}
					if !slices.Contains(p.Rooms, low) {
						return nil, fmt.Errorf("%s stands below %s before it has a place of its own", low, room)
					}
					p.Direct[room] = append(p.Direct[room], low)
				}
			}
		}
	}
	return p, nil
}

func list(text string) []string {
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// allowed returns every room that a room may import: those below it and those below them.
func (p *plan) allowed(room string) map[string]bool {
	seen := make(map[string]bool)
	var visit func(string)
	visit = func(r string) {
		for _, low := range p.Direct[r] {
			if !seen[low] {
				seen[low] = true
				visit(low)
			}
		}
	}
	visit(room)
	return seen
}

// roomOf returns the room of a folder below internal/, such as "tabular/prep", or "" where the policy has none for it.
func (p *plan) roomOf(folder string) string {
	first, _, nested := strings.Cut(folder, "/")
	if nested && slices.Contains(p.Rooms, first+"/*") {
		return first + "/*"
	}
	if slices.Contains(p.Rooms, first) {
		return first
	}
	return ""
}

// inside reports whether a folder lies in a place of an "outside" rule: "serve" is the room, "blob/s3" the folder,
// "warehouse/*" any folder of the room, "analyze/referee tests" only test files.
func inside(folder string, test bool, places []string) bool {
	return slices.ContainsFunc(places, func(place string) bool {
		place, onlyTests := strings.CutSuffix(place, " tests")
		if onlyTests && !test {
			return false
		}
		if room, ok := strings.CutSuffix(place, "/*"); ok {
			return strings.HasPrefix(folder, room+"/")
		}
		return folder == place || strings.HasPrefix(folder, place+"/")
	})
}

func mustPolicy(t *testing.T) *plan {
	t.Helper()
	p, err := parsePolicy(policy)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The policy reads as DESIGN intends: a few edges that must and must not be there.
func TestPolicyText(t *testing.T) {
	p := mustPolicy(t)
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"project", "diag", true}, {"tabular", "diag", true}, {"run", "tensor", true}, {"cli", "warehouse/*", true},
		{"run", "warehouse/*", false}, {"warehouse", "warehouse/*", false}, {"sql", "frame", false},
		{"predict", "fitted", true}, {"predict", "run", false}, {"cli", "predict", false},
		{"fitted", "plan", false}, {"analyze", "tabular", false}, {"diag", "frame", false}, {"tensor", "diag", false},
	} {
		if got := p.allowed(c.from)[c.to]; got != c.want {
			t.Errorf("%s may import %s: %v, want %v", c.from, c.to, got, c.want)
		}
	}
	for _, bad := range []string{"a < b\na, b", "sql, frame", "never: sleep", "group: nothing", "sql < project"} {
		if _, err := parsePolicy(bad); err == nil {
			t.Errorf("the policy %q was accepted", bad)
		}
	}
	for folder, want := range map[string]string{"tabular/prep": "tabular", "warehouse/duckdb": "warehouse/*", "warehouse": "warehouse", "util": ""} {
		if got := p.roomOf(folder); got != want {
			t.Errorf("the room of %s is %q, want %q", folder, got, want)
		}
	}
}
