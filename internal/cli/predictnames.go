package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// answerNames are the columns that an answer adds to a table. They are settled before anything is computed, so that a name
// that is taken does not cost a prediction.
type answerNames struct {
	predicted, spread string
	values            []string // a probability for each class, or a value for each level
}

func (n answerNames) all() []string {
	return append([]string{n.predicted, n.spread}, n.values...)
}

// nameAnswer names the columns after the target. Labels that differ only in case, and levels that differ only beyond a
// millionth of a per cent, would give two columns one name, so the later ones get a number: y_p_yes, y_p_yes_2.
func nameAnswer(target string, task tabular.Task, classes *frame.Column, levels []float64) answerNames {
	names := answerNames{predicted: target + "_predicted", spread: target + "_spread"}
	taken := make(map[string]bool)
	add := func(name string) {
		unique := name
		for n := 2; taken[strings.ToLower(unique)]; n++ {
			unique = fmt.Sprintf("%s_%d", name, n)
		}
		taken[strings.ToLower(unique)] = true
		names.values = append(names.values, unique)
	}
	if task == tabular.Regression {
		for _, level := range levels {
			add(target + "_" + quantileName(level))
		}
		return names
	}
	for class := range classes.Len() {
		add(target + "_p_" + classes.Text(class))
	}
	return names
}

// refuseTaken refuses names that columns of the table have. A dropped column gives way to the answer's.
func (n answerNames) refuseTaken(table *frame.Frame, file string, dropped []string) error {
	var problems diag.Problems
	var taken []string
	for _, name := range n.all() {
		c, ok := table.Column(name)
		if !ok || slices.ContainsFunc(dropped, func(d string) bool { return sameName(d, name) }) {
			continue
		}
		taken = append(taken, c.Name)
		problems = append(problems, diag.New("E1618", diag.WholeFile(file), "the answer has a column %s, and %s has a column %s already", name, file, c.Name))
	}
	for _, p := range problems {
		p.Help = "rename the column, or let the answer take its place: " + fitted.DropFlag(taken)
	}
	if problems != nil {
		return problems
	}
	return nil
}

// quantileName is a level in per cent as part of a column's name: q05, q50, q97_5.
func quantileName(level float64) string {
	text := strconv.FormatFloat(math.Round(level*1e8)/1e6, 'f', -1, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	if len(whole) < 2 {
		whole = "0" + whole
	}
	if fraction != "" {
		whole += "_" + fraction
	}
	return "q" + whole
}
