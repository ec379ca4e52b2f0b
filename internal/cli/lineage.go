package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// newLineageCommand shows where the values of a column come from and where they go.
func newLineageCommand(out *invocation) *cobra.Command {
	var flags projectFlags
	var up, down bool
	var depth int
	var svg string
	cmd := &cobra.Command{
		Use:   "lineage MODEL[.COLUMN]",
		Short: "Show where a column comes from and where it goes",
		Long: `norn lineage follows a column through the models of a project: which columns it is made of and what happens to their
values on the way (direct, cast, expression, aggregation), or, with --down, what is made of it. Columns that only decide
which rows there are stand there too: filter, join, group, order. Without a column it follows the model as a whole.`,
		Example: "  norn lineage churn\n  norn lineage customers.total\n  norn lineage orders.amount --down --depth 2\n  norn lineage customers.total --svg total.svg",
		Args:    argumentCount("the name of a model, or of a column as MODEL.COLUMN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if depth < 0 {
				return mistake(cmd, "--depth cannot be negative")
			}
			w, err := openWorkspace(cmd.Context(), flags)
			if err != nil {
				return err
			}
			if w.analysis == nil {
				return w.refuse()
			}
			root, err := findColumn(w.analysis, args[0])
			if err != nil {
				return err
			}
			g := &lineage{project: w.project, analysis: w.analysis, root: root, depth: depth, up: up || !down, down: down}
			g.broken = w.brokenNodes()
			if _, err := interruptible(cmd.Context(), func() (struct{}, error) { g.follow(); return struct{}{}, nil }); err != nil {
				return err
			}
			if svg != "" {
				if err := g.writeSVG(svg); err != nil {
					return err
				}
			}
			if out.json {
				if err := out.JSON(g.document()); err != nil {
					return err
				}
			} else {
				g.draw(out.stdout)
				g.doubts(out)
				if svg != "" {
					out.Next(svg)
				}
			}
			if g.untraced(root) {
				return &usageMistake{message: fmt.Sprintf("%s cannot be traced: %s has %s", root, root.model, count(g.broken[root.model], "problem")), hint: "norn check says what they are"}
			}
			return nil
		},
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&up, "up", false, "what it is made of (the default)")
	cmd.Flags().BoolVar(&down, "down", false, "what is made of it; with --up, both")
	cmd.Flags().IntVar(&depth, "depth", 0, "how many steps to follow (default: all)")
	cmd.Flags().StringVar(&svg, "svg", "", "also draw it into this file")
	return cmd
}

// A place is a column of a node, or with an empty column a node as a whole.
type place struct {
	model, column string // as the analysis spells them
}

func (p place) String() string {
	if p.column == "" {
		return p.model
	}
	return p.model + "." + p.column
}

// A lineageStep leads from a place to one that is made of it.
type lineageStep struct {
	from, to place
	kind     string // direct, cast, expression, aggregation; filter, join, group, order; reads between models
	// condition is set when the column only decides which other value is taken.
	condition bool
}

// A lineage is the part of the graph that can be reached from a column or model.
type lineage struct {
	project  *project.Project
	analysis *analyze.Result
	root     place
	depth    int // 0: without limit
	up, down bool

	places []place       // in the order in which they were reached
	steps  []lineageStep // the same
	known  map[place]bool
	broken map[string]int // models with errors in their files, and how many

	readers map[place][]lineageStep // the steps out of each place, by its folded names; made when first needed
}

// findColumn reads MODEL or MODEL.COLUMN without regard to case. Names of nodes may have dots in them.
func findColumn(a *analyze.Result, arg string) (place, error) {
	if m, ok := a.Model(arg); ok {
		return place{model: m.Name}, nil
	}
	var names []string
	for _, m := range a.Models {
		names = append(names, m.Name)
	}
	for i, c := range arg {
		if c != '.' {
			continue
		}
		m, ok := a.Model(arg[:i])
		if !ok {
			continue
		}
		wanted := arg[i+1:]
		if column, ok := m.Column(wanted); ok {
			return place{m.Name, column.Name}, nil
		}
		if m.Open {
			return place{m.Name, wanted}, nil // it may have the column: not all are known
		}
		var columns []string
		for _, c := range m.Columns {
			columns = append(columns, c.Name)
		}
		u := &usageMistake{message: fmt.Sprintf("%s has no column %s", m.Name, wanted), hint: "it has " + diag.Listing(columns)}
		if near := diag.Nearest(wanted, columns); near != "" {
			u.hint = "did you mean norn lineage " + m.Name + "." + near + "?"
		}
		return place{}, u
	}
	model, _, _ := strings.Cut(arg, ".")
	u := &usageMistake{message: fmt.Sprintf("the project has nothing called %s", model), hint: "it has " + diag.Listing(names)}
	if near := diag.Nearest(model, names); near != "" {
		u.hint = "did you mean norn lineage " + near + "?"
	}
	return place{}, u
}

// above are the steps that lead into a place.
func (g *lineage) above(p place) []lineageStep {
	m, ok := g.analysis.Model(p.model)
	if !ok {
		return nil
	}
	var steps []lineageStep
	if p.column == "" {
		for _, up := range m.Upstream {
			steps = append(steps, lineageStep{from: g.spelt(up, ""), to: p, kind: "reads"})
		}
		return steps
	}
	if c, ok := m.Column(p.column); ok {
		for _, o := range c.Origins {
			steps = append(steps, lineageStep{from: g.spelt(o.Model, o.Column), to: p, kind: o.Transform.String(), condition: o.Condition})
		}
	}
	return steps
}

// below are the steps that lead out of a place.
func (g *lineage) below(p place) []lineageStep {
	if g.readers == nil {
		g.index()
	}
	return g.readers[folded(p)]
}

func folded(p place) place { return place{strings.ToLower(p.model), strings.ToLower(p.column)} }

// index turns the steps of the analysis around, which knows for each column only what it is made of.
func (g *lineage) index() {
	g.readers = make(map[place][]lineageStep)
	add := func(from, to place, kind string, condition bool) {
		key := folded(from)
		g.readers[key] = append(g.readers[key], lineageStep{from: g.spelt(from.model, from.column), to: to, kind: kind, condition: condition})
	}
	for _, m := range g.analysis.Models {
		for _, up := range m.Upstream {
			add(place{model: up}, place{model: m.Name}, "reads", false)
		}
		for _, c := range m.Columns {
			for _, o := range c.Origins {
				add(place{o.Model, o.Column}, place{m.Name, c.Name}, o.Transform.String(), o.Condition)
			}
		}
		for _, u := range m.Uses {
			add(place{u.Model, u.Column}, place{model: m.Name}, u.Kind.String(), false)
		}
	}
}

// uses are the columns that decide which rows the root's model has, where the root is one of its columns.
func (g *lineage) uses() []lineageStep {
	m, ok := g.analysis.Model(g.root.model)
	if !ok || !g.up {
		return nil
	}
	var steps []lineageStep
	for _, u := range m.Uses {
		steps = append(steps, lineageStep{from: g.spelt(u.Model, u.Column), to: place{model: m.Name}, kind: u.Kind.String()})
	}
	return steps
}

// spelt is a place with the names of the analysis.
func (g *lineage) spelt(model, column string) place {
	if m, ok := g.analysis.Model(model); ok {
		model = m.Name
		if c, ok := m.Column(column); ok {
			column = c.Name
		}
	}
	return place{model, column}
}

// follow collects places and steps, nearest first.
func (g *lineage) follow() {
	g.known = map[place]bool{g.root: true}
	g.places = []place{g.root}
	seen := make(map[lineageStep]bool)
	walk := func(next func(place) []lineageStep, far func(lineageStep) place) {
		front := []place{g.root}
		visited := map[place]bool{g.root: true}
		for depth := 0; len(front) > 0 && (g.depth == 0 || depth < g.depth); depth++ {
			var reached []place
			for _, p := range front {
				for _, s := range next(p) {
					if !seen[s] {
						seen[s] = true
						g.steps = append(g.steps, s)
					}
					at := far(s)
					if !g.known[at] {
						g.known[at] = true
						g.places = append(g.places, at)
					}
					// What a filter leads to is the rows of a model, and not one of its columns: the way ends there.
					if !visited[at] && (at.column == "") == (g.root.column == "") {
						visited[at] = true
						reached = append(reached, at)
					}
				}
			}
			front = reached
		}
	}
	if g.up {
		walk(g.above, func(s lineageStep) place { return s.from })
	}
	if g.down {
		walk(g.below, func(s lineageStep) place { return s.to })
	}
}

// brokenNodes counts the errors in the files of nodes, by the nodes' names.
func (w *workspace) brokenNodes() map[string]int {
	inFile := make(map[string]int)
	for _, p := range w.problems {
		if p.Severity == diag.Error && !p.Span.IsZero() {
			inFile[p.Span.File.Path]++
		}
	}
	broken := make(map[string]int)
	for _, m := range w.analysis.Models {
		if n := inFile[m.File]; n > 0 && m.File != "" {
			broken[m.Name] = n
		}
	}
	return broken
}

// untraced reports whether nothing is known of a column because its model has errors. It looks like a constant of no type.
func (g *lineage) untraced(p place) bool {
	m, ok := g.analysis.Model(p.model)
	if !ok || p.column == "" || g.broken[m.Name] == 0 {
		return false
	}
	c, ok := m.Column(p.column)
	return ok && c.Type == "" && len(c.Origins) == 0
}

// doubts says which of the models that were reached have errors: of those, not all that leads in is known.
func (g *lineage) doubts(out *invocation) {
	said := make(map[string]bool)
	for _, p := range g.places {
		if n := g.broken[p.model]; n > 0 && !said[p.model] {
			said[p.model] = true
			out.Line(line{Label: "note", Cells: []string{fmt.Sprintf("%s has %s, so not all of its lineage is known (norn check)", p.model, count(n, "problem"))}, Took: -1})
		}
	}
}

// A fact is what is known about a place.
type fact struct {
	kind, typ, file string
	line            int
	open            bool // not declared: its node may have more columns than are known
}

func (g *lineage) fact(p place) fact {
	m, ok := g.analysis.Model(p.model)
	if !ok {
		return fact{}
	}
	f := fact{kind: m.Kind, file: m.File}
	if node := g.project.Node(p.model); node != nil && node.Place().File != nil {
		at := node.Place().Begin()
		f.file, f.line = node.Place().File.Path, at.Line
	}
	if p.column == "" {
		return f
	}
	c, ok := m.Column(p.column)
	if !ok {
		f.open = true
		return f
	}
	f.typ = c.Type
	if !c.Span.IsZero() {
		f.file, f.line = c.Span.File.Path, c.Span.Begin().Line
	}
	return f
}

// The document of norn lineage --json: docs/formats/lineage-json.md.
type lineageJSON struct {
	Root  string            `json:"root"`
	Up    bool              `json:"up"`
	Down  bool              `json:"down"`
	Depth int               `json:"depth"`
	Nodes []lineageNodeJSON `json:"nodes"`
	Edges []lineageEdgeJSON `json:"edges"`
	Uses  []lineageEdgeJSON `json:"uses"`
}

type lineageNodeJSON struct {
	ID     string `json:"id"`
	Model  string `json:"model"`
	Column string `json:"column"`
	Kind   string `json:"kind"`
	Type   string `json:"type"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Open   bool   `json:"open"`
}

type lineageEdgeJSON struct {
	From      string `json:"from"`
	To        string `json:"to"`
	Kind      string `json:"kind"`
	Condition bool   `json:"condition"`
}

func (g *lineage) document() lineageJSON {
	doc := lineageJSON{Root: g.root.String(), Up: g.up, Down: g.down, Depth: g.depth, Nodes: []lineageNodeJSON{}, Edges: []lineageEdgeJSON{}, Uses: []lineageEdgeJSON{}}
	for _, p := range g.places {
		f := g.fact(p)
		doc.Nodes = append(doc.Nodes, lineageNodeJSON{p.String(), p.model, p.column, f.kind, f.typ, f.file, f.line, f.open})
	}
	edge := func(s lineageStep) lineageEdgeJSON {
		return lineageEdgeJSON{s.from.String(), s.to.String(), s.kind, s.condition}
	}
	for _, s := range g.steps {
		doc.Edges = append(doc.Edges, edge(s))
	}
	for _, s := range g.uses() {
		doc.Uses = append(doc.Uses, edge(s))
	}
	return doc
}
