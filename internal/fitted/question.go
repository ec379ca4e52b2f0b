package fitted

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// A Question is a spec and its tables after everything that can be wrong with them has been looked for, and before
// anything is computed. What the answer will look like is known by then.
type Question struct {
	Task    tabular.Task
	Classes *frame.Column // classification: the labels, in the order of the answer's classes; nil for regression
	Rows    int           // labelled rows that teach

	subject *subject
	query   *frame.Frame
	asked   []int // places of the query's rows in the user's table
}

// Ask looks at the rows that teach and at the rows to predict: those of test, or, where test is nil, the rows of train that
// have no label.
func Ask(spec Spec, train, test *frame.Frame) (*Question, error) {
	spec.Options.Once = !spec.Explain // an explanation asks the same members many times
	s, err := inspect(spec, train, test)
	if err != nil {
		return nil, placed(err, spec.Place)
	}
	q := &Question{Task: s.task, Rows: len(s.labelled), subject: s}
	if test == nil {
		q.query, q.asked = train.Take(s.asked), s.asked
	} else {
		q.query, q.asked = test, indices(test.Rows())
		s.noteExtra(test)
	}
	if err := s.checkQuery(q.query); err != nil {
		return nil, placed(err, spec.AskPlace)
	}
	q.query = s.withoutUntaught(q.query)
	s.noteUnseen(q.query)
	if s.task == tabular.Classification {
		if q.Classes, err = tabular.Classes(s.target.Take(s.labelled)); err != nil {
			return nil, placed(explain(err, s.labelled), spec.Place)
		}
	}
	return q, nil
}

// Notes are what is known about the table before anything is computed.
func (q *Question) Notes() []string { return slices.Clone(q.subject.notes) }

// Answer scores the model on labelled rows that it holds back, teaches it with all of them and answers.
func (q *Question) Answer(ctx context.Context, models tabular.Models) (*Prediction, error) {
	return q.subject.predict(ctx, models, q.query, q.asked)
}

// placed says in which file a problem with a table is. The memory budget and the choice of a model are not the file's.
func placed(err error, span diag.Span) error {
	var problems diag.Problems
	if list, ok := errors.AsType[diag.Problems](err); ok {
		problems = list
	} else if p, ok := errors.AsType[*diag.Problem](err); ok {
		problems = diag.Problems{p}
	}
	for _, p := range problems {
		if p.Span.IsZero() && strings.HasPrefix(p.Code, "E16") && p.Code != "E1617" && p.Code != "E1620" && p.Code != "E1622" {
			p.Span = span
		}
	}
	return err
}

// Progress is how far a prediction is: what it does, and the share of all its work that is done, from 0 to 1.
type Progress struct {
	Part string // "score", "learn" or "predict"
	Done float64
}

// A tracker adds up pieces of work. Work is counted in rows that the whole ensemble has seen: the time of a row hardly
// depends on whether it teaches or asks, and a row less than all members have seen counts for that part.
type tracker struct {
	tell func(Progress)
	all  float64

	mu   sync.Mutex
	part string
	done float64
}

// begin says that another part of the work starts.
func (t *tracker) begin(part string) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.part = part
	t.tell(Progress{Part: part, Done: min(1, t.done/t.all)})
}

func (t *tracker) add(p tabular.Progress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done += float64(p.Rows) / float64(p.Members)
	t.tell(Progress{Part: t.part, Done: min(1, t.done/t.all)})
}

// track makes every fit and prediction of the subject tell how far it is, where the spec wants to know.
func (s *subject) track(asked int) *tracker {
	if s.spec.Progress == nil {
		return nil
	}
	work := len(s.labelled) + asked
	if taught, held := s.holdBack(s.holdoutSeed()); len(held) > 0 && !s.spec.Holdout.Off {
		work += len(taught) + len(held)
		if s.spec.Explain {
			rows := s.weighed(len(held))
			work += rows * (1 + shuffles*len(s.features.Columns))
		}
	}
	t := &tracker{tell: s.spec.Progress, all: float64(max(1, work))}
	s.spec.Options.Progress = t.add
	return t
}
