package analyze

import (
	"path"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/sql"
)

// The tasks of a prediction.
const (
	Classification = "classification"
	Regression     = "regression"
)

// prediction checks the predict block of a model against the shape of its query, and returns the shape of the prediction:
// the keys, the target, and what the task adds. Readers bind against that shape even when the block is wrong.
func (a *analysis) prediction(b *binder, n *node, s *shape) *shape {
	m := n.model
	p := m.Predict
	out := &Prediction{Target: p.Target.Text, AsOf: p.AsOf.Text}
	n.out.Prediction = out

	keys := b.keys(p, s)
	for _, k := range keys {
		out.Keys = append(out.Keys, k.name)
	}
	if slices.ContainsFunc(append(slices.Clip(p.Keys), p.AsOf), func(w project.Word) bool { return fold(w.Text) == fold(p.Target.Text) }) {
		// Said when the header was read. What such a prediction would look like is anybody's guess.
		return &shape{open: true, openBy: n.name, rows: s.rows}
	}
	target := b.target(p, s)
	out.Task = a.task(b, m, target)
	a.family(b, p, out)
	features := b.features(p, s)
	for _, f := range features {
		out.Features = append(out.Features, f.name)
	}
	var leaked map[string]bool
	if target != nil {
		leaked = a.leaks(b, n, target, features)
	}
	b.staleTrust(p, s.open, target, features, leaked)
	if p.AsOf.Given() && s.find(fold(p.AsOf.Text)) < 0 && !s.open {
		if _, ok := b.excused(s, p.AsOf.Text); ok {
			return b.predicted(p, s, keys, target, features, out.Task)
		}
		names := s.names()
		pr := b.add(diag.New("E1303", p.AsOf.Span, "as_of %s is no column of the query; it has %s", p.AsOf.Text, diag.Listing(names)))
		suggest(pr, p.AsOf.Text, names)
	}
	if i := s.find(fold(p.AsOf.Text)); i >= 0 && p.AsOf.Given() {
		b.moment(p, &s.cols[i])
	}
	return b.predicted(p, s, keys, target, features, out.Task)
}

// keys finds the key columns. A missing one does not stop the rest from being checked.
func (b *binder) keys(p *project.Predict, s *shape) []*column {
	if len(p.Keys) == 0 {
		b.add(diag.New("E1304", p.Target.Span, "the prediction has no key").
			WithHelp("add key, the column that tells the rows apart: it is copied through and never a feature"))
	}
	var keys []*column
	for _, k := range p.Keys {
		if i := s.find(fold(k.Text)); i >= 0 {
			keys = append(keys, &s.cols[i])
			continue
		}
		if p, follows := b.excused(s, k.Text); follows || s.open {
			keys = append(keys, &column{name: k.Text, fold: fold(k.Text), value: value{null: true, poison: p}, span: rangeOf(k.Span)})
			continue
		}
		names := s.names()
		pr := b.add(diag.New("E1303", k.Span, "key %s is no column of the query; it has %s", k.Text, diag.Listing(names)))
		suggest(pr, k.Text, names)
	}
	return keys
}

// target finds the target and refuses one that cannot teach anything; nil when there is none.
func (b *binder) target(p *project.Predict, s *shape) *column {
	i := s.find(fold(p.Target.Text))
	if i < 0 {
		if s.open {
			b.follow(s.poison)
			return nil
		}
		if pr, ok := b.excused(s, p.Target.Text); ok {
			return &column{name: p.Target.Text, fold: fold(p.Target.Text), value: poisoned(pr), span: rangeOf(p.Target.Span)}
		}
		names := s.names()
		pr := b.add(diag.New("E1301", p.Target.Span, "target %s is no column of the query; it has %s", p.Target.Text, diag.Listing(names)))
		suggest(pr, p.Target.Text, names)
		return nil
	}
	c := &s.cols[i]
	switch {
	case c.void:
		b.add(diag.New("E1302", p.Target.Span, "target %s is NULL in every row: there is nothing to learn from", c.name).
			WithNote(c.span.Span(b.file), "the column").
			WithHelp("rows that teach need a value, for example UNION ALL of labelled and unlabelled rows"))
	case c.fixed:
		b.add(diag.New("E1302", p.Target.Span, "target %s has the same value in every row", c.name).
			WithNote(c.span.Span(b.file), "the column").WithHelp("select the column that holds what is to be predicted"))
	}
	return c
}

// task is what the type of the target asks for, unless the block says otherwise.
func (a *analysis) task(b *binder, m *project.Model, target *column) string {
	given := m.Predict.Task.Text
	if target == nil {
		return given
	}
	t := target.typ
	classes := t.kind == kBoolean || t.kind == kVarchar || t.kind == kEnum || t.kind == kUUID
	switch {
	case t.kind == kUnknown || t.kind == kNull:
		return given
	case given != "" && (classes || t.numeric()):
		b.taskFits(m.Predict, target, classes)
		return given
	case classes:
		return Classification
	case t.integral():
		// A whole number may count, or be the name of a class. The two answers have other columns and other scores, so
		// guessing is no service. Of the two, a wrong classification is the one that a build refuses, so it is the fix.
		end := m.Predict.Target.Span
		end.Start = end.End
		pr := b.add(diag.New("E1312", m.Predict.Target.Span, "the target %s is a whole number: say task classification or task regression", target.name).
			WithNote(target.span.Span(b.file), "the column is %s", t).
			WithHelp("add task classification when its values are classes, task regression when they are amounts").
			WithFix(end, ", task classification"))
		target.poison = pr
		return ""
	case t.numeric():
		return Regression
	}
	p := b.add(diag.New("E1309", m.Predict.Target.Span, "a target of type %s cannot be predicted", t).
		WithNote(target.span.Span(b.file), "the column"))
	if help := featureHelp(t); help != "" {
		p.WithHelp("%s", help)
	} else {
		p.WithHelp("predict text, a boolean or a number")
	}
	return ""
}

// taskFits reports a task that the type of the target contradicts: no amount is made of text. Classes of type DOUBLE are let
// through: whole numbers come that way out of tools that write a column with gaps, and only the values tell.
func (b *binder) taskFits(p *project.Predict, target *column, classes bool) {
	t := target.typ
	if p.Task.Text != Regression || !classes {
		return
	}
	pr := b.add(diag.New("E1310", p.Task.Span, "regression predicts amounts, and the target %s is %s", target.name, t).
		WithNote(target.span.Span(b.file), "the column"))
	if t.kind == kBoolean {
		pr.WithHelp("leave task out to predict which of the two it is")
	} else {
		pr.WithHelp("leave task out to predict a class, or cast the target to a number")
	}
}

// moment checks the type of as_of: it must put rows in order, and the order of text is that of its letters.
func (b *binder) moment(p *project.Predict, c *column) {
	t := c.typ
	switch t.kind {
	case kUnknown, kNull, kDate, kTimestamp, kTimestampTZ, kTimestampNS, kTimestampMS, kTimestampS:
		return
	}
	if t.numeric() {
		return
	}
	pr := b.add(diag.New("E1309", p.AsOf.Span, "as_of %s is %s, which is no moment", c.name, t).WithNote(c.span.Span(b.file), "the column"))
	if t.kind == kVarchar {
		pr.WithHelp("cast it in the query: CAST(%s AS DATE) or AS TIMESTAMP", writeName(c.name))
	} else {
		pr.WithHelp("name a column of type DATE or TIMESTAMP, or a number that grows with time")
	}
}

// family finds the predictor by name. A file of weights says itself what it is when it is read.
func (a *analysis) family(b *binder, p *project.Predict, out *Prediction) {
	if !p.Model.Given() {
		return // the built-in one
	}
	out.Family = p.Model.Text
	switch strings.ToLower(path.Ext(p.Model.Text)) {
	case ".ckpt", ".safetensors", ".pt":
		return
	}
	if len(a.families) == 0 {
		return // nobody told which there are
	}
	var names []string
	for _, f := range a.families {
		names = append(names, f.Name)
		if !strings.EqualFold(f.Name, p.Model.Text) {
			continue
		}
		out.Classes = f.MaxClasses
		can := len(f.Tasks) == 0 || out.Task == ""
		for _, t := range f.Tasks {
			can = can || t == out.Task
		}
		if !can {
			b.add(diag.New("E1306", p.Model.Span, "%s does %s, and the target asks for %s", f.Name, strings.Join(f.Tasks, " and "), out.Task).
				WithHelp("choose another model, or cast the target"))
		}
		return
	}
	pr := b.add(diag.New("E1306", p.Model.Span, "unknown predictor %s; there are %s", p.Model.Text, diag.Listing(names)))
	if suggest(pr, p.Model.Text, names) == "" {
		pr.WithHelp("name one of them, or a file ending in .ckpt, .safetensors or .pt")
	}
}

// features are the columns the predictor reads: all but keys, target and as_of.
func (b *binder) features(p *project.Predict, s *shape) []*column {
	reserved := map[string]bool{fold(p.Target.Text): true}
	for _, k := range p.Keys {
		reserved[fold(k.Text)] = true
	}
	if p.AsOf.Given() {
		reserved[fold(p.AsOf.Text)] = true
	}
	var features []*column
	for i := range s.cols {
		if c := &s.cols[i]; !reserved[c.fold] {
			features = append(features, c)
		}
	}
	if len(features) == 0 && !s.open {
		b.add(diag.New("E1305", p.Span, "the query has no column left to learn from: every one is a key, the target or as_of").
			WithHelp("select at least one more column"))
	}
	for _, c := range features {
		if help := featureHelp(c.typ); help != "" {
			b.add(diag.New("E1309", c.span.Span(b.file), "column %s is %s, which no predictor reads", c.name, c.typ)).WithHelp("%s", help)
		}
	}
	return features
}

// featureHelp says what to do with a type that no predictor reads; "" for those they read.
func featureHelp(t typ) string {
	switch t.kind {
	case kList, kArray:
		return "select its parts or a summary, such as list_avg(x) or len(x)"
	case kStruct, kUnion:
		return "select its fields, such as x.field"
	case kMap:
		return "select single entries, such as x['key']"
	case kJSON, kVariant:
		return "select single values, such as x ->> '$.field'"
	case kBlob, kBit, kGeometry:
		return "leave it out, or compute something from it that is text or a number"
	case kInterval:
		return "turn it into a number, such as epoch(x)"
	case kTime, kTimeTZ, kTimeNS:
		return "turn it into a number, such as hour(x)"
	case kUUID:
		return "leave it out or make it a key: an identifier tells nothing about other rows"
	}
	return ""
}

// rangeOf is a span as a range of the same file.
func rangeOf(s diag.Span) sql.Range { return sql.Range{Start: int32(s.Start), End: int32(s.End)} }

// predicted is the shape of a prediction's rows.
func (b *binder) predicted(p *project.Predict, s *shape, keys []*column, target *column, features []*column, task string) *shape {
	out := &shape{rows: s.rows}
	names := map[string]bool{}
	for _, k := range keys {
		c := *k
		out.cols = append(out.cols, c)
		names[c.fold] = true
	}
	// Every prediction is made of all features and of the labels that taught it.
	reaches := make([]reach, 0, len(features)+1)
	var targetType typ
	name := p.Target.Text
	if target != nil {
		targetType, name = target.typ, target.name
		reaches = append(reaches, target.reach)
	}
	for _, f := range features {
		reaches = append(reaches, f.reach)
	}
	made := reached(merge(reaches...).then(Expression).apply(), nil)
	double := scalar(kDouble)
	// Rows that came with a target carry it on; what was thought about the answer is only there where one was given.
	add := func(suffix string, t typ) {
		null := suffix != "" && suffix != "_predicted"
		c := column{name: name + suffix, fold: fold(name + suffix), value: value{typ: t, null: null, reach: made}, span: rangeOf(p.Target.Span)}
		if names[c.fold] {
			b.add(diag.New("E1308", p.Target.Span, "the prediction adds a column %s, and a key has that name", c.name).
				WithHelp("rename the key in the query"))
			return
		}
		names[c.fold] = true
		out.cols = append(out.cols, c)
	}
	add("", targetType)
	add("_predicted", scalar(kBoolean))
	switch task {
	case Classification:
		add("_p", mapOf(targetType, double))
		add("_confidence", double)
	case Regression:
		add("_q10", double)
		add("_q50", double)
		add("_q90", double)
	default:
		// Which columns there are depends on a type that is not known.
		out.open, out.openBy, out.poison = true, s.openBy, s.poison
		if target != nil && target.poison != nil {
			out.poison = target.poison
		}
		if target != nil && out.openBy == "" && len(target.reach.edges()) > 0 {
			out.openBy = b.bases[target.reach.edges()[0].rel].name
		}
	}
	return out.seal()
}
