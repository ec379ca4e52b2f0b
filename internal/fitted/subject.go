package fitted

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// maxGuessedClasses is the largest number of distinct whole numbers that TaskOf takes for classes. It is also the number
// of classes the published models answer for.
const maxGuessedClasses = 10

// maxTextLevels is how many different texts a column may have whatever its length. Beyond it, text that is new in more
// than every second row is not a category.
const maxTextLevels = 100

// A subject is a spec and its table after everything that can be wrong with them has been looked for.
type subject struct {
	spec     Spec
	task     tabular.Task
	table    *frame.Frame
	target   *frame.Column
	features *frame.Frame // the columns the model sees, all rows
	asOf     *frame.Column
	labelled []int    // rows with a label, ascending
	asked    []int    // rows without
	classes  []int    // per labelled row, the index of its label among the distinct labels; nil for regression
	counts   []int    // rows per distinct label
	empty    []string // features without a value in any row that teaches
	notes    []string
}

// inspect finds everything in a table that keeps a model from answering, and reports all of it at once. A column may also be
// dropped where only the rows to predict, test, have it.
func inspect(spec Spec, table, test *frame.Frame) (*subject, error) {
	s := &subject{spec: spec, table: table}
	var problems diag.Problems
	report := func(p *diag.Problem) { problems = append(problems, p) }

	target, ok := table.Column(spec.Target)
	if !ok {
		report(noColumn("E1601", "the target", spec.Target, table))
	}
	left := map[string]string{strings.ToLower(spec.Target): "target"}
	named := func(role string, names ...string) {
		for _, name := range names {
			if name == "" {
				continue
			}
			if _, ok := table.Column(name); !ok {
				if _, asked := column(test, name); !asked || role != dropped {
					report(noColumn("E1603", "a "+role, name, table))
				}
				continue
			}
			switch other := left[strings.ToLower(name)]; {
			case other == "target":
				report(diag.New("E1610", diag.Span{}, "column %s is the target and cannot be a %s", name, role).
					WithHelp("name another column as the %s", role))
				continue
			case other == dropped && role != dropped, role == dropped && other != "" && other != dropped:
				report(diag.New("E1610", diag.Span{}, "column %s cannot be a %s and a %s", name, other, role).
					WithHelp("name it once: no model sees a key, and a dropped column is only copied through as well"))
				continue
			}
			left[strings.ToLower(name)] = role
		}
	}
	named("key", spec.Keys...)
	named("time column", spec.AsOf)
	named(dropped, spec.Drop...)
	if problems != nil {
		return nil, problems
	}
	s.target = withoutNegativeZero(target)
	if spec.AsOf != "" {
		s.asOf, _ = table.Column(spec.AsOf)
	}

	s.splitRows(report)
	if problems == nil {
		s.readTarget(report)
	}
	if problems == nil {
		s.sample()
	}
	s.refuseEarlierAnswers(left, report)
	s.pickFeatures(left, report)
	if problems != nil {
		return nil, problems
	}
	s.noteTelling()
	return s, nil
}

// dropped is the role of a column that is left out.
const dropped = "dropped column"

// column finds a column of a table that may not be there.
func column(f *frame.Frame, name string) (*frame.Column, bool) {
	if f == nil {
		return nil, false
	}
	return f.Column(name)
}

// splitRows tells the rows that teach from the rows that ask.
func (s *subject) splitRows(report func(*diag.Problem)) {
	for i := range s.table.Rows() {
		if s.target.IsMissing(i) {
			s.asked = append(s.asked, i)
		} else {
			s.labelled = append(s.labelled, i)
		}
	}
	switch {
	case s.table.Rows() == 0:
		report(diag.New("E1609", diag.Span{}, "the table has no rows").WithHelp("give rows with a value of %s to learn from", s.spec.Target))
	case len(s.labelled) == 0:
		report(diag.New("E1602", diag.Span{}, "no row has a value of %s, so there is nothing to learn from", s.spec.Target).
			WithHelp("fill %s in the rows where it is known and leave it empty where it is to be predicted", s.spec.Target))
	case len(s.labelled) == 1:
		report(diag.New("E1609", diag.Span{}, "only one row has a value of %s; a prediction needs at least two that differ", s.spec.Target).
			WithHelp("add rows with a known %s", s.spec.Target))
	}
}

// readTarget settles the task and looks at the labels.
func (s *subject) readTarget(report func(*diag.Problem)) {
	name := s.spec.Target
	if s.target.Kind == frame.Other || s.target.Kind == frame.Date || s.target.Kind == frame.Timestamp {
		report(diag.New("E1612", diag.Span{}, "the target %s has the type %s, which cannot be predicted", name, s.target.Type).
			WithHelp("make it text, a boolean or a number, such as the days until it"))
		return
	}
	s.task = s.spec.Task
	if s.task == "" {
		s.task, _ = TaskOf(s.target)
	}
	if s.task == tabular.Regression && !s.target.Kind.Numeric() {
		report(diag.New("E1612", diag.Span{}, "regression needs numbers, but the target %s has the type %s", name, s.target.Type).
			WithHelp("ask for classification, or make the target a number"))
		return
	}
	for _, row := range s.labelled {
		if v := s.target.Float64(row); s.target.Kind.Numeric() && (math.IsNaN(v) || math.IsInf(v, 0)) {
			report(diag.New("E1607", diag.Span{}, "the target %s is %v in row %d", name, v, row+1).
				WithHelp("leave the cell empty if the value is not known, or remove the row"))
			return
		}
	}
	if s.task == tabular.Regression && s.halfRange() > 0 {
		s.checkPrecision(report)
	}
	s.countLabels(report)
}

// countLabels groups the labelled rows by label and refuses targets that teach nothing.
func (s *subject) countLabels(report func(*diag.Problem)) {
	name, index, labels := s.spec.Target, make(map[string]int), []string(nil)
	s.classes = make([]int, len(s.labelled))
	for i, row := range s.labelled {
		label := s.target.Text(row)
		class, ok := index[label]
		if !ok {
			class = len(labels)
			index[label], labels = class, append(labels, label)
			s.counts = append(s.counts, 0)
		}
		s.classes[i] = class
		s.counts[class]++
	}
	switch {
	case len(labels) == 1:
		report(diag.New("E1604", diag.Span{}, "%s is %s in all %d rows that have it, so there is nothing to tell apart", name, quoted(labels[0]), len(s.labelled)).
			WithHelp("give rows with at least two different values of %s", name))
	case s.task == tabular.Regression:
	case len(labels) == len(s.labelled):
		help := fmt.Sprintf("name a target whose values repeat; is %s an identifier?", name)
		if s.target.Kind.Numeric() {
			help += " If it is a quantity, --task regression"
		}
		report(diag.New("E1605", diag.Span{}, "%s has a different value in each of its %d rows, so no class can be learnt", name, len(labels)).WithHelp("%s", help))
	case slices.Max(s.counts) > 0 && slices.Min(s.counts) == 1:
		var alone []string
		for class, n := range s.counts {
			if n == 1 {
				alone = append(alone, quoted(labels[class]))
			}
		}
		s.notes = append(s.notes, fmt.Sprintf("%s has a single row with %s: it teaches, but cannot be checked", name, diag.Listing(alone)))
	}
	s.noteBlank(labels)
	if s.noteGuess(labels); s.task == tabular.Regression {
		s.classes, s.counts = nil, nil
	}
}

// noteBlank names labels that nobody can see: an empty text in a file that tells it from a missing cell, or white space. They
// are labels like any other, and most often somebody meant that the value is not known.
func (s *subject) noteBlank(labels []string) {
	if s.target.Kind != frame.Text {
		return
	}
	first, rows := 0, 0
	for i, class := range s.classes {
		if strings.TrimSpace(labels[class]) != "" {
			continue
		}
		if rows++; rows == 1 {
			first = s.labelled[i] + 1
		}
	}
	switch {
	case rows == 1:
		s.notes = append(s.notes, fmt.Sprintf("%s is blank, but not missing, in row %d: it teaches that as a label; leave the cell empty (NULL) if the value is not known", s.spec.Target, first))
	case rows > 1:
		s.notes = append(s.notes, fmt.Sprintf("%s is blank, but not missing, in %d rows, the first of them row %d: they teach that as a label; leave the cells empty (NULL) where the value is not known", s.spec.Target, rows, first))
	}
}

// pickFeatures settles which columns the model sees.
func (s *subject) pickFeatures(left map[string]string, report func(*diag.Problem)) {
	var features, texts []*frame.Column
	for _, c := range s.table.Columns {
		switch {
		case left[strings.ToLower(c.Name)] != "":
			continue
		case c.Kind == frame.Other:
			report(diag.New("E1613", diag.Span{}, "column %s has the type %s, which no model reads", c.Name, c.Type).
				WithHelp("leave it out, or turn it into numbers or text first"))
			continue
		}
		if s.lookAtFeature(c) {
			texts = append(texts, c)
		}
		features = append(features, c)
	}
	s.refuseTexts(texts, report)
	if len(features) == 0 {
		report(diag.New("E1608", diag.Span{}, "no column is left to predict %s from", s.spec.Target).
			WithHelp("the table needs at least one column besides the target and the keys"))
	}
	var err error
	s.features, err = frame.New(s.table.Rows(), features...)
	diag.Assert(err == nil, "columns of one table do not make a table: %v", err)
}

// levels counts the different values of a column among the rows that teach, and the cells that have one.
func (s *subject) levels(c *frame.Column) (distinct, given int) {
	seen := make(map[string]bool)
	for _, row := range s.labelled {
		if !c.IsMissing(row) {
			seen[c.Text(row)] = true
			given++
		}
	}
	return len(seen), given
}

// refuseTexts refuses free text, all columns of it at once.
func (s *subject) refuseTexts(columns []*frame.Column, report func(*diag.Problem)) {
	if len(columns) == 0 {
		return
	}
	var names, sizes []string
	for _, c := range columns {
		distinct, given := s.levels(c)
		names, sizes = append(names, c.Name), append(sizes, fmt.Sprintf("%d different values in %d rows", distinct, given))
	}
	subject := "column " + names[0] + " is"
	if len(names) > 1 {
		subject = "columns " + diag.Listing(names) + " are"
	}
	report(diag.New("E1615", diag.Span{}, "%s free text: %s, which no model here reads", subject, strings.Join(sizes, "; ")).
		WithHelp("%s leaves out what it cannot use; a column that names the row can be a --key, and categories or numbers made of the text can be used", DropFlag(names)))
}

// lookAtFeature notes what a reviewer would ask about a column, and reports whether it is free text, whose ordinal codes
// would be noise that looks like a feature.
func (s *subject) lookAtFeature(c *frame.Column) (freeText bool) {
	distinct, given := s.levels(c)
	switch {
	case given == 0 && len(s.labelled) > 0:
		s.notes = append(s.notes, fmt.Sprintf("column %s is empty in every row that teaches and tells nothing", c.Name))
		s.empty = append(s.empty, c.Name)
	case c.Kind == frame.Text && distinct > maxTextLevels && 2*distinct > given:
		return true
	case distinct == len(s.labelled) && len(s.labelled) > maxGuessedClasses && LooksLikeKey(c):
		s.notes = append(s.notes, fmt.Sprintf("column %s is different in every row and is used as a feature; if it names the row, make it a key", c.Name))
	}
	return false
}

// LooksLikeKey reports whether a column's name and kind are those of an identifier: whole numbers or text called id,
// key or uuid, or ending in _id or _key.
func LooksLikeKey(c *frame.Column) bool {
	name := strings.ToLower(c.Name)
	return (c.Kind == frame.Int || c.Kind == frame.Text) &&
		(name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_key") || name == "key" || name == "uuid")
}

// checkQuery looks at the rows that ask, where they come from another table.
func (s *subject) checkQuery(query *frame.Frame) error {
	for _, c := range s.features.Columns {
		other, ok := query.Column(c.Name)
		if !ok {
			return missingFeature(c.Name, query)
		}
		if other.MissingCount() == other.Len() || slices.Contains(s.empty, c.Name) {
			continue // a column without any value is typed by nothing
		}
		if c.Kind.Numeric() != other.Kind.Numeric() {
			return diag.Problems{diag.New("E1614", diag.Span{}, "column %s is %s in the rows that teach and %s in the rows to predict", c.Name, c.Type, other.Type).
				WithHelp("give both files the same kind of values in %s", c.Name)}
		}
	}
	return nil
}

// withoutUntaught empties the columns of the query that had no value in any row that teaches: their values say nothing to a
// model that has seen none, and their type, which only the query knows, is not that of an empty column.
func (s *subject) withoutUntaught(query *frame.Frame) *frame.Frame {
	columns := slices.Clone(query.Columns)
	for i, c := range columns {
		if own, ok := s.features.Column(c.Name); ok && own.Kind != c.Kind && containsFold(s.empty, c.Name) {
			gaps := own.Take(slices.Repeat(s.labelled[:1], query.Rows())) // a row that teaches, so a gap
			gaps.Name = c.Name
			columns[i] = gaps
		}
	}
	out, err := frame.New(query.Rows(), columns...)
	diag.Assert(err == nil, "columns of one table do not make a table: %v", err)
	return out
}

// noteExtra says which columns of another table are not used, because nothing taught what they mean.
func (s *subject) noteExtra(query *frame.Frame) {
	var extra []string
	for _, c := range query.Columns {
		if _, ok := s.table.Column(c.Name); !ok && !slices.ContainsFunc(s.spec.Drop, func(d string) bool { return strings.EqualFold(d, c.Name) }) {
			extra = append(extra, c.Name)
		}
	}
	switch len(extra) {
	case 0:
	case 1:
		s.notes = append(s.notes, fmt.Sprintf("column %s is not in the rows that teach and is not used", extra[0]))
	default:
		s.notes = append(s.notes, fmt.Sprintf("columns %s are not in the rows that teach and are not used", diag.Listing(extra)))
	}
}

func noColumn(code, role, name string, table *frame.Frame) *diag.Problem {
	p := diag.New(code, diag.Span{}, "%s is column %s, which the table does not have", role, name)
	if near := diag.Nearest(name, table.Names()); near != "" {
		return p.WithHelp("did you mean %s?", near)
	}
	return p.WithHelp("the columns are %s", diag.Listing(table.Names()))
}

func missingFeature(name string, query *frame.Frame) error {
	p := diag.New("E1611", diag.Span{}, "column %s is in the rows that teach, but not in the rows to predict", name)
	if near := diag.Nearest(name, query.Names()); near != "" {
		return diag.Problems{p.WithHelp("rename %s, or drop %s from both", near, name)}
	}
	return diag.Problems{p.WithHelp("add the column, or drop it from the rows that teach")}
}

func quoted(label string) string { return "'" + label + "'" }
