package prep

import (
	"fmt"
	"strconv"
	"strings"
)

// DuplicateColumnError says that two columns have one name, so that matching by name has no meaning.
type DuplicateColumnError struct{ Column string }

func (e *DuplicateColumnError) Error() string {
	return fmt.Sprintf("two columns are named %q; rename one", e.Column)
}

// MissingColumnError names columns that training had and these rows lack.
type MissingColumnError struct{ Columns []string }

func (e *MissingColumnError) Error() string {
	quoted := make([]string, len(e.Columns))
	for i, c := range e.Columns {
		quoted[i] = strconv.Quote(c)
	}
	noun := "column"
	if len(quoted) > 1 {
		noun = "columns"
	}
	return fmt.Sprintf("%s %s, seen in training, not found in these rows; add it, with gaps if its values are unknown", noun, strings.Join(quoted, ", "))
}

// KindError says that a column is of another kind than in training.
type KindError struct {
	Column   string
	Was, Got Kind
}

func (e *KindError) Error() string {
	return fmt.Sprintf("column %q is %s here and was %s in training; convert it", e.Column, e.Got, e.Was)
}

// InfinityError names the first infinite value of a column. Row counts from 0.
type InfinityError struct {
	Column string
	Row    int
	Value  float64
}

func (e *InfinityError) Error() string {
	return fmt.Sprintf("column %q is infinite (%v) in row %d; make it a gap or a large number", e.Column, e.Value, e.Row+1)
}

// RangeError names a column whose training values are too large to be standardised: their variance
// is beyond float64, and the column would turn into zeros without a word. Row is that of the largest
// value, counted from 0.
type RangeError struct {
	Column string
	Row    int
	Value  float64
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("column %q holds values too large to standardise (%g in row %d); divide the column or take logarithms", e.Column, e.Value, e.Row+1)
}

// LevelsError names a text or category column with more levels than the limit.
type LevelsError struct {
	Column        string
	Levels, Limit int
}

func (e *LevelsError) Error() string {
	return fmt.Sprintf("column %q has %d different values and the limit is %d; leave it out, group its values or raise the limit", e.Column, e.Levels, e.Limit)
}

// TargetError says why a target cannot be learnt from. Row counts from 0 and is -1 where no row is to
// blame.
type TargetError struct {
	Column string
	Row    int
	Reason string
}

func (e *TargetError) Error() string {
	if e.Row < 0 {
		return fmt.Sprintf("target %q %s", e.Column, e.Reason)
	}
	return fmt.Sprintf("target %q %s in row %d", e.Column, e.Reason, e.Row+1)
}

// NoFeaturesError says that no column is left to learn from.
type NoFeaturesError struct {
	// Dropped are columns that were there but are of no use.
	Dropped []string
}

func (e *NoFeaturesError) Error() string {
	if len(e.Dropped) == 0 {
		return "there is no feature column to learn from; add one"
	}
	return fmt.Sprintf("no feature column is left to learn from; not usable: %s", strings.Join(e.Dropped, ", "))
}
