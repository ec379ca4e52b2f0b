package run

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The order in which the warehouse finds the rows of a prediction is nobody's business: not where keys repeat, and not where
// there are none. The holdout that is drawn and the answers are the same.
func TestPredictionOrder(t *testing.T) {
	for name, keys := range map[string]string{"repeated keys": ", key k", "no key": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var results [2][]string
			var scores [2]any
			for i, order := range []string{"f", "hash(f)"} {
				w := newWorld(t, map[string]string{
					"sources/s.yml":    "sources:\n  - name: given\n    columns:\n      - {name: k, type: BIGINT}\n      - {name: f, type: BIGINT}\n      - {name: y, type: BOOLEAN}\n",
					"models/guess.sql": "MODEL (materialized table, predict (target y" + keys + ", members 2));\nSELECT k, f, f * f AS g, y FROM given\n",
				})
				w.exec("CREATE TABLE given AS SELECT f % 7 AS k, f, CASE WHEN f % 5 <> 0 THEN f % 3 = 0 OR f > 40 END AS y FROM range(60) AS r(f) ORDER BY "+order, true)
				pl, report, problems := w.build(w.db, buildWish{})
				if report == nil || report.Count(Built) != 1 {
					t.Fatalf("the prediction was not built: %v", append(problems, report.Results[0].Problems...))
				}
				results[i] = w.rows(w.db, pl.Step("guess"))
				scores[i] = report.Results[0].Prediction.Holdout.Scores
			}
			if len(results[0]) != 61 || !strings.Contains(results[0][0], "y_predicted") {
				t.Errorf("the prediction has %d lines: %s", len(results[0]), results[0][0])
			}
			if d := cmp.Diff(results[0], results[1]); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(scores[0], scores[1]); d != "" {
				t.Errorf("the holdout: %s", d)
			}
		})
	}
}
