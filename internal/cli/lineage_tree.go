package cli

import (
	"fmt"
	"strings"

	"github.com/fatih/color"
	"github.com/mattn/go-runewidth"
)

// A leaf is one line of the tree.
type leaf struct {
	branch string // the lines that lead to it
	label  string // what happens on the way
	name   string
	typ    string
	where  string
	note   string
}

// draw writes the lineage as a tree:
//
//	customers.total         DECIMAL(38,2)  models/customers.sql:1
//	└─ aggregation orders.amount      DECIMAL(10,2)  models/orders.sql:2
//	   └─ cast raw_orders.amount      DOUBLE         seeds/raw_orders.csv:1
//
// What was shown above is not shown again with all that is below it: lineages of a large project are no trees.
func (g *lineage) draw(s *stream) {
	var leaves []leaf
	leaves = append(leaves, g.leaf(g.root, "", "", ""))
	if g.up {
		leaves = g.branches(leaves, g.root, "", g.above, func(s lineageStep) place { return s.from }, map[place]bool{g.root: true}, 1)
	}
	if g.down {
		if g.up {
			leaves = append(leaves, leaf{}, g.leaf(g.root, "", "", "read by:"))
		}
		leaves = g.branches(leaves, g.root, "", g.below, func(s lineageStep) place { return s.to }, map[place]bool{g.root: true}, 1)
	}
	if g.root.column != "" {
		if uses := g.uses(); len(uses) > 0 {
			leaves = append(leaves, leaf{}, leaf{name: "rows of " + g.root.model})
			for i, u := range uses {
				l := g.leaf(u.from, branch(i == len(uses)-1), u.kind, "")
				leaves = append(leaves, l)
			}
		}
	}
	nameWidth, typeWidth := 0, 0
	for _, l := range leaves {
		nameWidth = max(nameWidth, runewidth.StringWidth(l.branch+l.label+l.name)+1)
		typeWidth = max(typeWidth, runewidth.StringWidth(l.typ))
	}
	nameWidth, typeWidth = min(nameWidth, 72), min(typeWidth, 28)
	faint, bold, kind := s.paint(color.Faint), s.paint(color.Bold), s.paint(color.FgCyan)
	for _, l := range leaves {
		head := l.branch
		plain := l.branch
		if l.label != "" {
			head += kind(l.label) + " "
			plain += l.label + " "
		}
		name := l.name
		if l.branch == "" {
			name = bold(name)
		}
		head, plain = faintBranch(head, l.branch, faint)+name, plain+l.name
		fill := strings.Repeat(" ", max(0, nameWidth-runewidth.StringWidth(plain)))
		text := head + fill + "  " + pad(cut(l.typ, typeWidth), typeWidth) + "  " + faint(l.where)
		if l.note != "" {
			text = head + fill + "  " + l.note
		}
		fmt.Fprintln(s, strings.TrimRight(text, " "))
	}
}

func faintBranch(text, branch string, faint func(string) string) string {
	if branch == "" {
		return text
	}
	return faint(branch) + strings.TrimPrefix(text, branch)
}

func branch(last bool) string {
	if last {
		return "└─ "
	}
	return "├─ "
}

func (g *lineage) leaf(p place, branch, label, note string) leaf {
	f := g.fact(p)
	l := leaf{branch: branch, label: label, name: visible(p.String()), typ: f.typ, note: note}
	if p.column == "" {
		l.typ = f.kind
	}
	if f.open || g.untraced(p) {
		l.typ = "unknown"
	}
	if f.file != "" {
		l.where = fmt.Sprintf("%s:%d", f.file, f.line)
	}
	return l
}

// branches adds what is reached from a place, depth first.
func (g *lineage) branches(leaves []leaf, from place, indent string, next func(place) []lineageStep, far func(lineageStep) place, shown map[place]bool, depth int) []leaf {
	steps := next(from)
	for i, s := range steps {
		last := i == len(steps)-1
		at := far(s)
		label := s.kind
		if s.condition {
			label += " (condition)"
		}
		if s.kind == "reads" {
			label = ""
		}
		l := g.leaf(at, indent+branch(last), label, "")
		more := (at.column == "") == (g.root.column == "") && (g.depth == 0 || depth < g.depth)
		if shown[at] && more && len(next(at)) > 0 {
			l.note = "shown above"
		}
		leaves = append(leaves, l)
		if !more || shown[at] {
			continue
		}
		shown[at] = true
		deeper := indent + "│  "
		if last {
			deeper = indent + "   "
		}
		leaves = g.branches(leaves, at, deeper, next, far, shown, depth+1)
	}
	if len(steps) == 0 && from.column != "" && from == g.root {
		if m, ok := g.analysis.Model(from.model); ok {
			switch c, found := m.Column(from.column); {
			case g.untraced(from):
				leaves = append(leaves, leaf{branch: branch(true), name: "unknown"})
			case m.Kind == "source" || m.Kind == "seed" || m.Kind == "function" || !found:
			case len(c.Origins) == 0 && g.up && !g.down:
				leaves = append(leaves, leaf{branch: branch(true), name: c.Transform.String()})
			}
		}
	}
	return leaves
}
