package kumo

import (
	"errors"
	"fmt"
	"math"
)

// Table is one member's rows, prepared by its recipe: row-major, NaN where a cell is missing.
type Table struct {
	X              []float32 // [Rows, Features]
	Rows, Features int
	// Categorical says of each column whether its numbers stand for categories. It belongs to
	// the rows that teach; rows that ask have the same columns and need not repeat it.
	Categorical []bool
}

func (t Table) check() error {
	if t.Features < 1 {
		return errors.New("a table without feature columns")
	}
	if t.Rows < 0 || t.Rows > len(t.X)/t.Features || len(t.X) != t.Rows*t.Features {
		return fmt.Errorf("%d values for %d rows of %d features", len(t.X), t.Rows, t.Features)
	}
	for i, v := range t.X {
		if math.IsInf(float64(v), 0) {
			return fmt.Errorf("the cell of row %d and column %d is infinite; NaN marks a missing cell", i/t.Features, i%t.Features)
		}
	}
	return nil
}

// Labels are what the rows of a table teach.
type Labels struct {
	// Y has one label a row: the number of its class, from 0 on, or a standardised number.
	Y []float32
	// Classes is the number of classes of the target, those without a row included; 0 for a
	// regression.
	Classes int
	// Codes say, where there are more classes than the network tells apart in one go, what
	// each task calls them: Codes[task][class] is a symbol below [Task].MaxClasses, the last
	// of which stands for the rest. Every class has a symbol of its own kind, other than the
	// rest, in at least one task. Recipes draw them.
	Codes [][]int
}

// tasks checks the labels of so many rows against the network and returns what each task
// learns from.
func (n *Network) tasks(l Labels, rows int) ([][]float32, error) {
	if rows == 0 || len(l.Y) != rows {
		return nil, fmt.Errorf("%d rows with %d labels", rows, len(l.Y))
	}
	for i, v := range l.Y {
		if v-v != 0 {
			return nil, fmt.Errorf("the label of row %d is %v, want a finite number", i, v)
		}
	}
	most := n.config.Classes
	if (l.Classes == 0) != (most == 0) {
		return nil, fmt.Errorf("%d classes for a network that does %s", l.Classes, n.Task().Kind)
	}
	for i, v := range l.Y {
		if l.Classes > 0 && (v != float32(int(v)) || v < 0 || int(v) >= l.Classes) {
			return nil, fmt.Errorf("the label of row %d is %v, want a class number from 0 to %d", i, v, l.Classes-1)
		}
	}
	if l.Classes <= most {
		if l.Codes != nil {
			return nil, fmt.Errorf("codes for %d classes, which the network tells apart without", l.Classes)
		}
		return [][]float32{l.Y}, nil
	}
	if err := checkCodes(l.Codes, l.Classes, most); err != nil {
		return nil, err
	}
	tasks := make([][]float32, len(l.Codes))
	for t, code := range l.Codes {
		tasks[t] = make([]float32, rows)
		for i, v := range l.Y {
			tasks[t][i] = float32(code[int(v)])
		}
	}
	return tasks, nil
}
