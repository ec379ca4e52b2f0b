package cli

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/project"
)

// TestLineageSVG: a drawing is well-formed XML whatever the names are, shows every node once, and no two boxes overlap.
func TestLineageSVG(t *testing.T) {
	bad := `a<b>&"c"` + "\x01"
	a := &analyze.Result{Models: []*analyze.Model{}}
	g := &lineage{project: &project.Project{}, analysis: a, root: place{"last", bad}, up: true}
	g.places = []place{g.root, {"left", "x"}, {"left", "y"}, {"middle" + bad, "x"}, {"other", "x"}}
	g.steps = []lineageStep{
		{from: place{"left", "x"}, to: g.root, kind: "direct"},
		{from: place{"middle" + bad, "x"}, to: g.root, kind: "aggregation", condition: true},
		{from: place{"left", "y"}, to: place{"middle" + bad, "x"}, kind: "cast"},
		{from: place{"other", "x"}, to: place{"middle" + bad, "x"}, kind: "filter"},
	}
	svg := g.svg()
	texts := make(map[string]int)
	d := xml.NewDecoder(strings.NewReader(svg))
	inText := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		switch x := token.(type) {
		case xml.StartElement:
			inText = x.Name.Local == "text"
		case xml.CharData:
			if inText {
				texts[string(x)]++
			}
		case xml.EndElement:
			inText = false
		}
	}
	shown := strings.ReplaceAll(bad, "\x01", "\ufffd")
	for _, want := range []string{"last", shown, "left", "middle" + shown, "other", "direct", "cast", "aggregation", "filter"} {
		if texts[want] != 1 {
			t.Errorf("%q stands %d times in the drawing", want, texts[want])
		}
	}
	if strings.Contains(svg, "<b>") {
		t.Error("a name is not escaped")
	}
}

// TestLineageLayers: everything stands to the right of what it reads, and boxes of a layer do not touch.
func TestLineageLayers(t *testing.T) {
	d := &drawing{byName: make(map[string]*box)}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		b := &box{model: name, columns: []string{"x", "y"}}
		d.byName[name], d.boxes = b, append(d.boxes, b)
	}
	for _, pair := range []string{"ab", "bc", "ac", "ad", "de", "ec", "fc"} {
		d.steps = append(d.steps, lineageStep{from: place{pair[:1], "x"}, to: place{pair[1:], "y"}, kind: "direct"})
	}
	d.rank()
	d.arrange()
	for _, s := range d.steps {
		if from, to := d.byName[s.from.model], d.byName[s.to.model]; from.x+from.width >= to.x {
			t.Errorf("%s does not stand to the left of %s", from.model, to.model)
		}
	}
	for _, layer := range d.layers {
		for i, b := range layer[1:] {
			if above := layer[i]; above.y+above.height() > b.y {
				t.Errorf("%s overlaps %s", above.model, b.model)
			}
		}
	}
	for _, b := range d.boxes {
		if b.y < drawingMargin-0.01 {
			t.Errorf("%s stands outside of the drawing, at %g", b.model, b.y)
		}
	}
}

// TestToolFormats: the documents of fmt, lineage and test stand on their pages.
func TestToolFormats(t *testing.T) {
	for page, document := range map[string]any{"fmt-json.md": fmtJSON{}, "lineage-json.md": lineageJSON{}, "test-json.md": testsJSON{}} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", "formats", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, member := range undescribed(string(text), reflect.TypeOf(document)) {
			t.Errorf("docs/formats/%s says nothing about %s", page, member)
		}
	}
}
