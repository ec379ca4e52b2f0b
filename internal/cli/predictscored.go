package cli

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// answersFirst is what a person looks at: which row, what the answer is and how sure it is, and only then the columns it
// was made from. Rows are counted from 1, as editors count them.
func answersFirst(scored *frame.Frame, r predictRequest, names answerNames, rows []int) *frame.Frame {
	shown := scored.Take(rows)
	number := &frame.Column{Field: frame.Field{Name: "row", Kind: frame.Int, Type: "BIGINT"}, Ints: make([]int64, len(rows))}
	for i, row := range rows {
		number.Ints[i] = int64(row) + 1
	}
	var first, last []*frame.Column
	for _, c := range shown.Columns {
		switch {
		case c.Name == names.predicted || c.Name == names.spread: // the first is true of every row shown, the second is for programs
		case sameName(c.Name, r.target) || slices.Contains(names.values, c.Name) || slices.ContainsFunc(r.keys, func(k string) bool { return sameName(k, c.Name) }):
			first = append(first, c)
		default:
			last = append(last, c)
		}
	}
	columns := append(first, last...)
	if _, taken := shown.Column(number.Name); !taken {
		columns = append([]*frame.Column{number}, columns...)
	}
	f, err := frame.New(len(rows), columns...)
	diag.Assert(err == nil, "the columns of an answer do not make a table: %v", err)
	return f
}

// scoredTable is the table with its gaps filled: all columns as they were, then whether the target was predicted, and
// how sure the model is. A target column that the table does not have is added; a dropped column whose name the answer
// takes gives way to it.
func scoredTable(table *frame.Frame, target string, names answerNames, p *fitted.Prediction) *frame.Frame {
	filled := make([]int, table.Rows()) // index of a row's answer, -1 where it was given
	for i := range filled {
		filled[i] = -1
	}
	for i, row := range p.Asked {
		filled[row] = i
	}
	given, ok := table.Column(target)
	if !ok {
		given = nil
	}
	columns := append([]*frame.Column(nil), table.Without(append(names.all(), target)...).Columns...)
	columns = append(columns, filledTarget(target, given, filled, p))
	predicted := &frame.Column{Field: frame.Field{Name: names.predicted, Kind: frame.Bool, Type: "BOOLEAN"}, Bools: make([]bool, len(filled))}
	for row, i := range filled {
		predicted.Bools[row] = i >= 0
	}
	columns = append(columns, predicted)
	number := func(name string, at func(i int) float64) {
		c := &frame.Column{Field: frame.Field{Name: name, Kind: frame.Float, Type: "DOUBLE"}, Floats: make([]float64, len(filled)), Missing: make([]bool, len(filled))}
		for row, i := range filled {
			if c.Missing[row] = i < 0; i >= 0 {
				c.Floats[row] = at(i)
			}
		}
		columns = append(columns, c)
	}
	a := p.Answer
	if a.Task == tabular.Classification {
		for class := range a.Classes.Len() {
			number(names.values[class], func(i int) float64 { return a.Probabilities[i][class] })
		}
	} else {
		for level, q := range a.Quantiles {
			number(names.values[level], func(i int) float64 { return q[i] })
		}
	}
	number(names.spread, func(i int) float64 { return a.Spread[i] })
	scored, err := frame.New(table.Rows(), columns...)
	diag.Assert(err == nil, "the columns of the answer were named, and yet do not make a table: %v", err)
	return scored
}

// filledTarget is the target column with a value in every row: a class as its label, a number as the predicted mean.
func filledTarget(name string, given *frame.Column, filled []int, p *fitted.Prediction) *frame.Column {
	a := p.Answer
	source := func(row int) (*frame.Column, int) { return given, row }
	answers := a.Classes
	if a.Task == tabular.Regression {
		answers = &frame.Column{Field: frame.Field{Name: name, Kind: frame.Float, Type: "DOUBLE"}, Floats: a.Mean}
	}
	out := &frame.Column{Field: frame.Field{Name: name, Kind: answers.Kind, Type: answers.Type}}
	for row, i := range filled {
		from, at := source(row)
		if i >= 0 {
			from, at = answers, i
			if a.Task == tabular.Classification {
				at = a.Labels[i]
			}
		}
		switch out.Kind {
		case frame.Bool:
			out.Bools = append(out.Bools, from.Bools[at])
		case frame.Int:
			out.Ints = append(out.Ints, from.Ints[at])
		case frame.Float:
			out.Floats = append(out.Floats, from.Float64(at))
		default:
			out.Texts = append(out.Texts, from.Text(at))
		}
	}
	return out
}
