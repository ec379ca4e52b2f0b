package project

import "github.com/norn-data/norn/internal/diag"

// A Predict is the predict block of a model: the query yields labelled and unlabelled rows together, the rows with a
// label teach, the rows without get one.
type Predict struct {
	Span   diag.Span // the block, from its key to its closing parenthesis
	Target Word      // the column whose gaps are filled
	Keys   []Word    // copied through, never a feature
	Model  Word      // the predictor's name or file; not given means the built-in one
	Task   Word      // classification or regression; not given: the target's type decides
	AsOf   Word      // the column that holds the moment of prediction; not given: rows have no order in time
	// Trust are features whose author vouches for them: made of the same column as the target, yet known before it, such
	// as an event counted in an earlier window of time.
	Trust []Word
	// Members is the size of the ensemble, Seed the start of its random numbers; the zero values of their spans mean that
	// nobody wrote them and the predictor's own defaults hold.
	Members     int
	MembersSpan diag.Span
	Seed        int64
	SeedSpan    diag.Span
	Holdout     *Holdout // nil: the default holdout
}

// Holdout is the part of the labelled rows that is kept back to score the predictor at build.
type Holdout struct {
	Span     diag.Span
	Share    float64 // between 0 and 1; 0 when not written
	Rows     int     // 0 when not written; at most one of Share and Rows is
	Seed     int64
	SeedSpan diag.Span // zero when not written
	Off      bool      // "holdout none": no score is computed
}
