package cli

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/norn-data/norn/internal/diag"
)

// The drawing is layered: a node stands to the right of everything it reads, columns are rows of their node's box, and
// each step is a curve in the colour of its kind. Text is set in a monospaced font, so that its width is known without
// one: glyphWidth is that of 12 px in the common ones.
const (
	glyphWidth    = 7.25
	columnHeight  = 22.0
	titleHeight   = 30.0
	boxSpace      = 26.0
	layerSpace    = 110.0
	drawingMargin = 24.0
)

// stepColours are the kinds of steps in the order of the legend.
var stepColours = []struct{ kind, colour string }{
	{"reads", "#64748b"}, {"direct", "#2563eb"}, {"cast", "#0d9488"}, {"expression", "#d97706"}, {"aggregation", "#9333ea"},
	{"filter", "#94a3b8"}, {"join", "#94a3b8"}, {"group", "#94a3b8"}, {"order", "#94a3b8"},
}

// kindColours are the edges of boxes by the kind of node.
var kindColours = map[string]string{"source": "#0f766e", "seed": "#0f766e", "prediction": "#9333ea"}

// A box is a node of the drawing.
type box struct {
	model   string
	kind    string
	columns []string
	layer   int
	x, y    float64
	width   float64
}

func (b *box) height() float64 {
	return titleHeight + columnHeight*float64(len(b.columns)) + 6*float64(min(len(b.columns), 1))
}

// port is the height at which steps of a column touch the box; those of the node as a whole touch its head.
func (b *box) port(column string) float64 {
	if i := slices.Index(b.columns, column); i >= 0 {
		return b.y + titleHeight + columnHeight*(float64(i)+0.5)
	}
	return b.y + titleHeight/2
}

// A drawing is the lineage as boxes in layers.
type drawing struct {
	boxes  []*box
	byName map[string]*box
	layers [][]*box
	steps  []lineageStep
	root   place
}

func (g *lineage) writeSVG(path string) error {
	if err := writeFile(path, []byte(g.svg())); err != nil {
		return diag.WithHint(fmt.Errorf("writing %s: %w", path, err), "name a file in a folder that exists and can be written")
	}
	return nil
}

func (g *lineage) svg() string {
	d := &drawing{byName: make(map[string]*box), steps: g.steps, root: g.root}
	for _, p := range g.places {
		b := d.byName[p.model]
		if b == nil {
			b = &box{model: p.model, kind: g.fact(place{model: p.model}).kind}
			d.byName[p.model] = b
			d.boxes = append(d.boxes, b)
		}
		if p.column != "" && !slices.Contains(b.columns, p.column) {
			b.columns = append(b.columns, p.column)
		}
	}
	for _, b := range d.boxes {
		if m, ok := g.analysis.Model(b.model); ok {
			order := func(name string) int {
				for i, c := range m.Columns {
					if c.Name == name {
						return i
					}
				}
				return len(m.Columns)
			}
			slices.SortStableFunc(b.columns, func(x, y string) int { return cmp.Compare(order(x), order(y)) })
		}
	}
	d.rank()
	d.arrange()
	return d.render()
}

// rank gives each box a layer: one more than the highest of those it reads. The models of a project have no cycles; in a
// project that has, the number of rounds bounds the work.
func (d *drawing) rank() {
	for range len(d.boxes) {
		moved := false
		for _, s := range d.steps {
			from, to := d.byName[s.from.model], d.byName[s.to.model]
			if from != to && to.layer <= from.layer && from.layer < len(d.boxes) {
				to.layer = from.layer + 1
				moved = true
			}
		}
		if !moved {
			break
		}
	}
	// Sources of long ways would all stand at the far left: each moves up to just before its first reader.
	for _, b := range slices.Backward(d.boxes) {
		nearest := -1
		incoming := false
		for _, s := range d.steps {
			if s.from.model == b.model && s.to.model != b.model {
				if l := d.byName[s.to.model].layer; nearest < 0 || l < nearest {
					nearest = l
				}
			}
			incoming = incoming || s.to.model == b.model && s.from.model != b.model
		}
		if !incoming && nearest > 0 {
			b.layer = nearest - 1
		}
	}
	for _, b := range d.boxes {
		for len(d.layers) <= b.layer {
			d.layers = append(d.layers, nil)
		}
		d.layers[b.layer] = append(d.layers[b.layer], b)
	}
	d.layers = slices.DeleteFunc(d.layers, func(l []*box) bool { return len(l) == 0 })
}

// sweeps is how often the order of the layers is improved from both sides; more changes little.
const sweeps = 6

// arrange orders the boxes of each layer by the middle of what they are joined to, and then places them.
func (d *drawing) arrange() {
	x := drawingMargin
	for _, layer := range d.layers {
		widest := 0.0
		for _, b := range layer {
			chars := utf8.RuneCountInString(b.model)
			for _, c := range b.columns {
				chars = max(chars, utf8.RuneCountInString(c)+1)
			}
			b.width = max(120, float64(chars)*glyphWidth+28)
			widest = max(widest, b.width)
		}
		for _, b := range layer {
			b.x, b.width = x, widest
		}
		x += widest + layerSpace
	}
	d.stack()
	for range sweeps {
		for i := range d.layers {
			d.settle(d.layers[i])
		}
		for _, layer := range slices.Backward(d.layers) {
			d.settle(layer)
		}
	}
	d.moveToMargin()
}

// stack places the boxes of each layer below one another.
func (d *drawing) stack() {
	for _, layer := range d.layers {
		y := 0.0
		for _, b := range layer {
			b.y = y
			y += b.height() + boxSpace
		}
	}
}

// settle moves the boxes of a layer towards the middle of what they are joined to, keeping them apart.
func (d *drawing) settle(layer []*box) {
	want := make(map[*box]float64, len(layer))
	for _, b := range layer {
		sum, n := 0.0, 0
		for _, s := range d.steps {
			from, to := d.byName[s.from.model], d.byName[s.to.model]
			switch {
			case from == to:
			case from == b:
				sum, n = sum+to.port(s.to.column)-(b.port(s.from.column)-b.y), n+1
			case to == b:
				sum, n = sum+from.port(s.from.column)-(b.port(s.to.column)-b.y), n+1
			}
		}
		want[b] = b.y
		if n > 0 {
			want[b] = sum / float64(n)
		}
	}
	slices.SortStableFunc(layer, func(a, b *box) int { return cmp.Compare(want[a], want[b]) })
	// Place them from the top; what does not fit where it wants to be pushes the rest down, and then the whole layer
	// moves back by half of what it was pushed.
	pushed, y := 0.0, 0.0
	for i, b := range layer {
		b.y = want[b]
		if i > 0 && b.y < y {
			pushed = max(pushed, y-b.y)
			b.y = y
		}
		y = b.y + b.height() + boxSpace
	}
	for _, b := range layer {
		b.y -= pushed / 2
	}
}

func (d *drawing) moveToMargin() {
	top := 0.0
	for i, b := range d.boxes {
		if i == 0 || b.y < top {
			top = b.y
		}
	}
	for _, b := range d.boxes {
		b.y += drawingMargin - top
	}
}

// svgStyle is the look of the drawing; it follows the reader's preference for dark pages.
const svgStyle = `<style>
svg { background: #ffffff; font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.box { fill: #ffffff; stroke-width: 1.25; } .head { fill: #f1f5f9; } .name { fill: #0f172a; font-weight: 600; }
.column { fill: #334155; } .root { fill: #dbeafe; } .legend { fill: #475569; font-size: 11px; } .step { fill: none; stroke-width: 1.6; }
@media (prefers-color-scheme: dark) {
svg { background: #0b1120; } .box { fill: #111827; } .head { fill: #1e293b; } .name { fill: #f1f5f9; } .column { fill: #cbd5e1; }
.root { fill: #1e3a8a; } .legend { fill: #94a3b8; } }
</style>
`

// render writes the drawing. All text that comes from the project is escaped.
func (d *drawing) render() string {
	right, bottom := 0.0, 0.0
	for _, b := range d.boxes {
		right, bottom = max(right, b.x+b.width), max(bottom, b.y+b.height())
	}
	used := make(map[string]bool)
	for _, s := range d.steps {
		used[s.kind] = true
	}
	legend := 0.0
	for _, c := range stepColours {
		if used[c.kind] {
			legend += 44 + float64(len(c.kind))*glyphWidth
		}
	}
	width, height := max(right, legend)+drawingMargin, bottom+drawingMargin+34
	var s strings.Builder
	fmt.Fprintf(&s, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n", width, height, width, height)
	fmt.Fprintf(&s, "<title>Lineage of %s</title>\n%s", escaped(d.root.String()), svgStyle)
	for _, step := range d.steps {
		d.curve(&s, step)
	}
	for _, b := range d.boxes {
		d.box(&s, b)
	}
	x := drawingMargin
	for _, c := range stepColours {
		if !used[c.kind] {
			continue
		}
		fmt.Fprintf(&s, "<line x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\" class=\"step\" stroke=\"%s\"%s/>", x, height-22, x+20, height-22, c.colour, dashes(c.kind, false))
		fmt.Fprintf(&s, "<text x=\"%.0f\" y=\"%.0f\" class=\"legend\">%s</text>\n", x+26, height-18, c.kind)
		x += 44 + float64(len(c.kind))*glyphWidth
	}
	s.WriteString("</svg>\n")
	return s.String()
}

// dashes tells steps that carry no value from those that do.
func dashes(kind string, condition bool) string {
	switch kind {
	case "filter", "join", "group", "order":
		return ` stroke-dasharray="4 3"`
	}
	if condition {
		return ` stroke-dasharray="4 3"`
	}
	return ""
}

func (d *drawing) curve(s *strings.Builder, step lineageStep) {
	from, to := d.byName[step.from.model], d.byName[step.to.model]
	if from == to {
		return
	}
	colour := stepColours[0].colour
	for _, c := range stepColours {
		if c.kind == step.kind {
			colour = c.colour
		}
	}
	x1, y1, x2, y2 := from.x+from.width, from.port(step.from.column), to.x, to.port(step.to.column)
	bend := max(40, (x2-x1)/2)
	label := fmt.Sprintf("%s → %s: %s", step.from, step.to, step.kind)
	if step.condition {
		label += " (condition)"
	}
	fmt.Fprintf(s, "<path d=\"M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f\" class=\"step\" stroke=\"%s\"%s><title>%s</title></path>", x1, y1, x1+bend, y1, x2-bend, y2, x2-6, y2,
		colour, dashes(step.kind, step.condition), escaped(label))
	fmt.Fprintf(s, "<path d=\"M%.1f %.1f l-7 -3.5 v7 z\" fill=\"%s\"/>\n", x2, y2, colour)
}

func (d *drawing) box(s *strings.Builder, b *box) {
	edge := orDefault(kindColours[b.kind], "#475569")
	fmt.Fprintf(s, "<g><title>%s (%s)</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"6\" class=\"box\" stroke=\"%s\"/>", escaped(b.model), escaped(b.kind), b.x, b.y, b.width, b.height(), edge)
	class := "head"
	if b.model == d.root.model && d.root.column == "" {
		class = "root"
	}
	fmt.Fprintf(s, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\" class=\"%s\"/>", b.x+1, b.y+1, b.width-2, titleHeight-2, class)
	fmt.Fprintf(s, "<text x=\"%.1f\" y=\"%.1f\" class=\"name\">%s</text>", b.x+12, b.y+19, escaped(b.model))
	for i, c := range b.columns {
		y := b.y + titleHeight + columnHeight*float64(i)
		if (place{b.model, c}) == d.root {
			fmt.Fprintf(s, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"4\" class=\"root\"/>", b.x+4, y+1, b.width-8, columnHeight-2)
		}
		fmt.Fprintf(s, "<text x=\"%.1f\" y=\"%.1f\" class=\"column\">%s</text>", b.x+14, y+15, escaped(c))
	}
	s.WriteString("</g>\n")
}

// escaped makes text safe inside of XML; characters that XML does not know become the replacement character.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder does not fail
	return b.String()
}
