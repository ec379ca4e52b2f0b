package cli

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// hostile is a name that ends every context it could be put into.
const hostile = "a\"'><script>alert(1)</script>&\x00\u202e]]>--><title>"

// A report is well formed whatever a table says, each drawing has a title and a description, and what it names by id is
// there once.
func TestReportIsWellFormed(t *testing.T) {
	for _, task := range []tabular.Task{tabular.Classification, tabular.Regression} {
		document := hostileReport(t, task)
		d := xml.NewDecoder(strings.NewReader(document))
		d.Strict, d.AutoClose, d.Entity = false, []string{"meta"}, xml.HTMLEntity
		ids, named, open, drawings, described := map[string]int{}, []string{}, []string{}, 0, 0
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", task, err)
			}
			switch e := token.(type) {
			case xml.StartElement:
				open = append(open, e.Name.Local)
				switch e.Name.Local {
				case "script", "img", "link", "iframe", "object":
					t.Errorf("%s: the report has the element %s", task, e.Name.Local)
				case "svg":
					drawings++
				case "desc":
					described++
				}
				for _, a := range e.Attr {
					if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" || a.Name.Local == "src" {
						t.Errorf("%s: the element %s has the attribute %s", task, e.Name.Local, a.Name.Local)
					}
					if a.Name.Local == "id" {
						ids[a.Value]++
					}
					if a.Name.Local == "aria-labelledby" {
						named = append(named, strings.Fields(a.Value)...)
					}
				}
			case xml.EndElement:
				if len(open) == 0 || open[len(open)-1] != e.Name.Local {
					t.Fatalf("%s: </%s> ends %v", task, e.Name.Local, open)
				}
				open = open[:len(open)-1]
			}
		}
		if len(open) > 0 || drawings < 3 || described != drawings {
			t.Errorf("%s: %v stay open; %d drawings, %d descriptions", task, open, drawings, described)
		}
		for _, id := range named {
			if ids[id] != 1 {
				t.Errorf("%s: %d elements have the id %s", task, ids[id], id)
			}
		}
		if strings.Contains(document, "NaN") || strings.Contains(document, "Inf\"") {
			t.Errorf("%s: a drawing has a coordinate that is no number", task)
		}
	}
}

func hostileReport(t *testing.T, task tabular.Task) string {
	t.Helper()
	ctx := context.Background()
	draw := rand.New(rand.NewPCG(1, 1))
	const n = 60
	x := &frame.Column{Field: frame.Field{Name: hostile, Kind: frame.Float, Type: hostile}, Floats: make([]float64, n)}
	c := &frame.Column{Field: frame.Field{Name: "c", Kind: frame.Text, Type: "VARCHAR"}, Texts: make([]string, n)}
	y := &frame.Column{Field: frame.Field{Name: hostile + "y", Kind: frame.Float, Type: "DOUBLE"}, Floats: make([]float64, n)}
	if task == tabular.Classification {
		y.Kind, y.Floats, y.Texts = frame.Text, nil, make([]string, n)
	}
	for i := range n {
		x.Floats[i] = draw.NormFloat64()
		c.Texts[i] = fmt.Sprint(hostile, i%3)
		if task == tabular.Classification {
			y.Texts[i] = fmt.Sprint(hostile, x.Floats[i] > 0)
		} else {
			y.Floats[i] = x.Floats[i]
		}
	}
	table, err := frame.New(n, x, c, y)
	if err != nil {
		t.Fatal(err)
	}
	models, err := tabular.Find(ctx, "", tabular.Places{})
	if err != nil {
		t.Fatal(err)
	}
	r := predictRequest{file: hostile, target: y.Name, options: tabular.DefaultOptions(), report: "r.html"}
	r.options.Members = 2
	p, err := fitted.Fill(ctx, models, r.spec(), table)
	if err != nil {
		t.Fatal(err)
	}
	p.Notes = append(p.Notes, hostile)
	return reportDocument(r, table, p)
}

func TestAxis(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{-0.3, 1, "-0.5 0.0 0.5 1.0"},
		{0, 0.0072, "0.000 0.002 0.004 0.006 0.008"},
		{25, 346, "0 100 200 300 400"},
		{3, 3, "2.4 2.6 2.8 3.0 3.2 3.4 3.6"},
		{1e9, 3e9, "1e+09 1.5e+09 2e+09 2.5e+09 3e+09"},
	} {
		a := newAxis(c.low, c.high, 0, 100)
		var labels []string
		for _, tick := range a.ticks {
			labels = append(labels, a.label(tick))
			if at := a.at(tick); math.IsNaN(at) || at < -1e-9 || at > 100+1e-9 {
				t.Errorf("%v to %v: the tick %v stands at %v", c.low, c.high, tick, at)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v to %v: ticks %q, want %q", c.low, c.high, got, c.want)
		}
	}
}
