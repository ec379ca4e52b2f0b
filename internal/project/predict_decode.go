package project

import (
	"math"
	"strconv"

	"github.com/norn-data/norn/internal/diag"
)

// predict reads the predict block of a MODEL header. It returns the block even where a part of it is wrong, so that the
// rest is checked; only a block without a target is none.
func (d *decoder) predict(e Entry) *Predict {
	if e.Value.Kind != BlockValue {
		d.wrong(e, "a block in parentheses")
		return nil
	}
	p := &Predict{Span: e.Span()}
	hasTarget := false
	d.block("predict", e.Value.Items, keyTable{
		"target": func(d *decoder, e Entry) { hasTarget, p.Target = true, d.name(e, "the name of a column") },
		"key":    func(d *decoder, e Entry) { p.Keys = d.names(e, "a column or a list of columns") },
		"model":  func(d *decoder, e Entry) { p.Model = d.name(e, "the name of a predictor, or a file in quotes") },
		"task": func(d *decoder, e Entry) {
			if i := d.choice(e, "task", "classification", "regression"); i >= 0 {
				p.Task = Word{Text: [...]string{"classification", "regression"}[i], Span: e.Value.Span}
			}
		},
		"trust": func(d *decoder, e Entry) { p.Trust = d.names(e, "a column or a list of columns") },
		"as_of": func(d *decoder, e Entry) { p.AsOf = d.name(e, "the name of a column") },
		"members": func(d *decoder, e Entry) {
			if n, ok := d.whole(e, 1); ok && n <= math.MaxInt32 {
				p.Members, p.MembersSpan = int(n), e.Value.Span
			} else if ok {
				d.wrong(e, "a smaller number")
			}
		},
		"seed": func(d *decoder, e Entry) {
			if n, ok := d.whole(e, 0); ok {
				p.Seed, p.SeedSpan = n, e.Value.Span
			}
		},
		"holdout": func(d *decoder, e Entry) { p.Holdout = d.holdout(e) },
	})
	if !hasTarget {
		d.r.add(diag.New("E0106", e.Key.Span, "predict does not say what to predict").
			WithHelp("add target, the column whose empty cells are to be filled"))
	}
	if !p.Target.Given() {
		return nil
	}
	taken := map[string]string{fold(p.Target.Text): "the target"}
	claim := func(w Word, role string) {
		if other, ok := taken[fold(w.Text)]; ok {
			d.r.add(diag.New("E0118", w.Span, "%s is %s and cannot be %s as well", w.Text, other, role).
				WithNote(p.Target.Span, "the target").WithHelp("choose another column"))
		}
	}
	for _, k := range p.Keys {
		claim(k, "a key")
	}
	if p.AsOf.Given() {
		claim(p.AsOf, "the moment of prediction")
	}
	return p
}

// holdout reads holdout none or holdout ( share 0.2 | rows 100, seed 1 ).
func (d *decoder) holdout(e Entry) *Holdout {
	h := &Holdout{Span: e.Span()}
	if e.Value.Kind == WordValue && fold(e.Value.Text) == "none" {
		h.Off = true
		return h
	}
	if e.Value.Kind != BlockValue {
		if e.Value.Kind == NumberValue {
			key := "rows"
			if f, err := strconv.ParseFloat(e.Value.Text, 64); err == nil && f < 1 {
				key = "share"
			}
			d.r.add(diag.New("E0104", e.Value.Span, "holdout expects none or a block in parentheses, found %s", e.Value.Text).
				WithHelp("write holdout (%s %s)", key, e.Value.Text).WithFix(e.Value.Span, "("+key+" "+e.Value.Text+")"))
			return nil
		}
		d.wrong(e, "none or a block in parentheses")
		return nil
	}
	var rows diag.Span
	d.block("holdout", e.Value.Items, keyTable{
		"share": func(d *decoder, e Entry) {
			f, ok := d.number(e)
			if ok && (f <= 0 || f >= 1) {
				d.r.add(diag.New("E0104", e.Value.Span, "share expects a number between 0 and 1, found %s", e.Value.Text).
					WithHelp("write the part of the labelled rows to keep back, such as 0.2"))
				return
			}
			h.Share = f
		},
		"rows": func(d *decoder, e Entry) {
			n, _ := d.whole(e, 1)
			h.Rows, rows = int(min(n, math.MaxInt32)), e.Key.Span
		},
		"seed": func(d *decoder, e Entry) {
			if n, ok := d.whole(e, 0); ok {
				h.Seed, h.SeedSpan = n, e.Value.Span
			}
		},
	})
	if h.Share > 0 && h.Rows > 0 {
		d.r.add(diag.New("E0118", rows, "holdout has both a share and a number of rows").WithHelp("keep one of the two"))
		h.Rows = 0
	}
	return h
}
