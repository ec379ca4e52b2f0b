package cli

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// A report is the document of norn predict --report: one HTML file that needs nothing else, no script, no font, no image.
// Every text that comes from a table or a file name is escaped by the methods that write it; nothing else writes text.
type report struct {
	b strings.Builder
}

// raw writes markup of our own.
func (r *report) raw(markup string) { r.b.WriteString(markup + "\n") }

// element writes a text inside an element.
func (r *report) element(name, format string, args ...any) {
	fmt.Fprintf(&r.b, "<%s>%s</%s>\n", name, html.EscapeString(fmt.Sprintf(format, args...)), name)
}

// table writes rows of cells below a header. The cells of numeric columns stand at the right.
func (r *report) table(caption string, header []string, numeric []bool, rows [][]string) {
	cell := func(tag string, i int, text string) {
		class := ""
		if numeric[i] {
			class = ` class="number"`
		}
		fmt.Fprintf(&r.b, "<%s%s>%s</%s>", tag, class, html.EscapeString(visible(text)), strings.Fields(tag)[0])
	}
	fmt.Fprintf(&r.b, "<div class=\"scroll\"><table><caption>%s</caption><thead><tr>", html.EscapeString(caption))
	for i, h := range header {
		cell(`th scope="col"`, i, h)
	}
	r.raw("</tr></thead><tbody>")
	for _, row := range rows {
		r.b.WriteString("<tr>")
		for i, text := range row {
			if i == 0 {
				cell(`th scope="row"`, i, text)
			} else {
				cell("td", i, text)
			}
		}
		r.raw("</tr>")
	}
	r.raw("</tbody></table></div>")
}

// figure writes a drawing with a caption.
func (r *report) figure(svg, caption string) {
	fmt.Fprintf(&r.b, "<figure>%s<figcaption>%s</figcaption></figure>\n", svg, html.EscapeString(caption))
}

// writeReport writes the report of a prediction. The file appears whole or not at all.
func writeReport(path string, r predictRequest, train *frame.Frame, p *fitted.Prediction) error {
	if err := writeFile(path, []byte(reportDocument(r, train, p))); err != nil {
		return fmt.Errorf("writing the report %s: %w", path, err)
	}
	return nil
}

// reportDocument is the whole file.
func reportDocument(request predictRequest, train *frame.Frame, p *fitted.Prediction) string {
	r, info := &report{}, p.Context.Model().Info
	r.raw(`<!DOCTYPE html>`)
	r.raw(`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`)
	// Nothing may be loaded and no script may run, whatever a cell says.
	r.raw(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`)
	r.element("title", "%s: how far to trust the prediction", visible(request.target))
	r.raw("<style>" + reportStyle + "</style></head><body><main>")
	r.element("h1", "Predicting %s", visible(request.target))
	asked := "every row has a value, so nothing was left to predict"
	if len(p.Asked) > 0 {
		asked = count(len(p.Asked), "row") + " predicted"
	}
	r.element("p", "%s of %s from %s by %s; %s taught, %s.", strings.ToUpper(string(info.Task[:1]))+string(info.Task[1:]), visible(request.target),
		count(len(p.Context.Features), "column"), info.Name, count(p.Context.Rows, "row"), asked)
	if h := p.Holdout; h == nil {
		r.element("p", "There is no score: too few rows have a known %s to hold some back.", visible(request.target))
	} else {
		r.score(h)
		if e := h.Explanation; e != nil {
			r.importance(h, e)
			if info.Task == tabular.Classification {
				r.calibration(e)
			} else {
				r.intervals(e)
			}
		}
	}
	r.notes(p)
	r.data(request, train, p)
	r.model(request, p)
	r.raw("</main></body></html>")
	return r.b.String()
}

// score shows the holdout score beside the baselines'.
func (r *report) score(h *fitted.Holdout) {
	main := h.Main()
	r.element("h2", "Is it better than something simple?")
	how := "at random"
	if h.Ordered {
		how = "the latest in time"
	}
	r.element("p", "%s that the model had not seen (%s; %s taught) say: %s %s ± %s. Intervals are 95 %%, from drawing these rows again and again.",
		count(h.Rows, "row"), how, count(h.Taught, "row"), metricName(main.Metric), fixed(main.Value), fixed(1.96*main.Spread))
	if e := h.Explanation; e != nil {
		var rows []bar
		var cells [][]string
		for _, s := range e.Standings {
			low, high := s.Value-1.96*s.Spread, s.Value+1.96*s.Spread
			if main.Metric.HigherIsBetter() {
				high = min(high, 1) // nothing is better than all right
			}
			rows = append(rows, bar{s.Name, s.Value, low, high, s.Baseline, fmt.Sprintf("%s ± %s", fixed(s.Value), fixed(1.96*s.Spread))})
			cells = append(cells, []string{s.Name, fixed(s.Value), fixed(low), fixed(high)})
		}
		direction := "further right is better"
		if !main.Metric.HigherIsBetter() {
			direction = "further left is better"
		}
		name := metricName(main.Metric)
		r.figure(bars("score", name+" of the model and of baselines", scoreSentence(e), rows, name+", "+direction), "The model and three baselines on the same rows, with 95 % intervals.")
		r.table(name+" on the rows held back", []string{"model", name, "from", "to"}, []bool{false, true, true, true}, cells)
	}
	var cells [][]string
	for _, s := range h.Scores {
		cells = append(cells, []string{metricName(s.Metric), fixed(s.Value), fixed(1.96 * s.Spread), fixed(s.Baseline)})
	}
	r.table("All metrics", []string{"metric", "model", "±", h.Baseline}, []bool{false, true, true, true}, cells)
}

// scoreSentence says what the chart of scores shows.
func scoreSentence(e *fitted.Explanation) string {
	var parts []string
	for _, s := range e.Standings {
		parts = append(parts, s.Name+" "+fixed(s.Value))
	}
	return strings.Join(parts, ", ") + "."
}

// mostBars is how many columns the chart of importance shows; its table has more.
const (
	mostBars = 20
	mostRows = 100
)

// importance shows which columns matter.
func (r *report) importance(h *fitted.Holdout, e *fitted.Explanation) {
	r.element("h2", "Which columns matter?")
	if len(e.Importance) == 0 {
		r.element("p", "The rows held back do not define the metric, so no column can be weighed.")
		return
	}
	name := metricName(h.Main().Metric)
	r.element("p", "Each column in turn had its cells shuffled among %s held back, %d times: the bar is how much %s got worse, the line one standard deviation to each side. "+
		"A column near zero is not needed beside the others; that does not make it meaningless.", count(e.ImportanceRows, "row"), e.Shuffles, name)
	var rows []bar
	var cells [][]string
	for i, c := range e.Importance {
		text := fmt.Sprintf("%s ± %s", fixed(c.Drop), fixed(c.Spread))
		if i < mostBars {
			rows = append(rows, bar{c.Column, c.Drop, c.Drop - c.Spread, c.Drop + c.Spread, false, text})
		}
		if i < mostRows {
			cells = append(cells, []string{c.Column, fixed(c.Drop), fixed(c.Spread)})
		}
	}
	caption := "The columns that matter, the most important first."
	if len(e.Importance) > mostBars {
		caption = fmt.Sprintf("The %d columns of %d that matter most.", mostBars, len(e.Importance))
	}
	r.figure(bars("importance", "Fall of "+name+" when a column is shuffled", "The most important column is "+visible(e.Importance[0].Column)+".", rows, "fall of "+name), caption)
	r.raw("<details><summary>The same as a table</summary>")
	r.table("Fall of "+name, []string{"column", "fall", "± (one deviation)"}, []bool{false, true, true}, cells)
	r.raw("</details>")
}

// calibration shows whether confidence can be believed.
func (r *report) calibration(e *fitted.Explanation) {
	r.element("h2", "Is it as sure as it should be?")
	r.element("p", "Rows are put together by how sure the model was of its answer. On the dashed line, answers given with 80 %% confidence are right in 80 %% of the cases; below it the model is too sure. "+
		"Expected calibration error %s (0 is perfect); Brier score %s, with the class shares alone %s (lower is better).", fixed(e.ECE), fixed(e.Brier), fixed(e.BrierPrior))
	var spots []spot
	var cells [][]string
	most := 1
	for _, b := range e.Bins {
		most = max(most, b.Rows)
	}
	for _, b := range e.Bins {
		spots = append(spots, spot{x: b.Confidence, y: b.Accuracy, radius: 3 + 9*math.Sqrt(float64(b.Rows)/float64(most))})
		cells = append(cells, []string{fmt.Sprintf("%.0f to %.0f %%", 100*b.Low, 100*b.High), fmt.Sprint(b.Rows), percent(b.Confidence), percent(b.Accuracy)})
	}
	r.raw(`<div class="beside">`)
	r.figure(square("calibration", "Accuracy against confidence", fmt.Sprintf("Expected calibration error %s over %s.", fixed(e.ECE), count(len(e.Bins), "bin")),
		spots, 0, 1, "confidence", "share that is right"), "Larger dots stand for more rows.")
	r.table("By confidence", []string{"confidence", "rows", "mean", "right"}, []bool{false, true, true, true}, cells)
	r.raw("</div>")
}

// intervals shows whether predicted intervals hold, and where predictions miss.
func (r *report) intervals(e *fitted.Explanation) {
	r.element("h2", "Do its intervals hold, and how far off is it?")
	r.element("p", "An interval between two predicted quantiles claims to hold a share of the truth. On the dashed line it does; below it the model is too sure. Lines are 95 %% intervals of the share.")
	var spots []spot
	var cells [][]string
	for _, c := range e.Coverage {
		spots = append(spots, spot{c.Nominal, c.Share, c.Low, c.High, 5})
		cells = append(cells, []string{percent(c.Nominal), percent(c.Share), percent(c.Low), percent(c.High)})
	}
	r.raw(`<div class="beside">`)
	if len(spots) > 0 {
		r.figure(square("coverage", "Share of truths inside an interval against the claim", fmt.Sprintf("%d intervals.", len(spots)), spots, 0, 1, "claimed share", "share inside"), "")
		r.table("Coverage", []string{"claimed", "inside", "from", "to"}, []bool{true, true, true, true}, cells)
	} else {
		r.element("p", "No two of the asked levels stand symmetrically about the median.")
	}
	r.raw(`</div><div class="beside">`)
	spots, low, high := nil, math.Inf(1), math.Inf(-1)
	for i, t := range e.Truth {
		spots = append(spots, spot{x: e.Predicted[i], y: t, radius: 2.5})
		low, high = min(low, t, e.Predicted[i]), max(high, t, e.Predicted[i])
	}
	r.figure(square("residuals", "Truth against prediction", "Each dot is a row held back.", spots, low, high, "predicted", "true"), "Each dot is a row held back; above the line the truth is larger.")
	cells = nil
	for _, q := range e.Residuals {
		name := percent(q.Level)
		switch q.Level {
		case 0:
			name = "smallest"
		case 0.5:
			name = "median"
		case 1:
			name = "largest"
		}
		cells = append(cells, []string{name, rounded(q.Value)})
	}
	r.table("Truth minus prediction", []string{"quantile", "value"}, []bool{false, true}, cells)
	r.raw("</div>")
}

// notes repeats what norn said about the table.
func (r *report) notes(p *fitted.Prediction) {
	if len(p.Notes) == 0 {
		return
	}
	r.element("h2", "Notes")
	r.raw("<ul>")
	for _, n := range p.Notes {
		r.element("li", "%s", visible(n))
	}
	r.raw("</ul>")
}

// data describes the columns that taught.
func (r *report) data(request predictRequest, train *frame.Frame, p *fitted.Prediction) {
	r.element("h2", "The data")
	files := visible(request.file)
	if request.test != "" {
		files += "; rows predicted from " + visible(request.test)
	}
	r.element("p", "%s, %s and %s.", files, count(train.Rows(), "row"), count(len(train.Columns), "column"))
	used := make(map[string]bool)
	for _, f := range p.Context.Features {
		used[f] = true
	}
	var cells [][]string
	for i, c := range train.Columns {
		if i == mostRows {
			break
		}
		role := "not used"
		switch {
		case sameName(c.Name, request.target):
			role = "target"
		case used[c.Name]:
			role = "feature"
		}
		cells = append(cells, append([]string{c.Name, c.Type, role}, describeColumn(c)...))
	}
	r.table("Columns", []string{"column", "type", "role", "empty", "different", "values"}, []bool{false, false, false, true, true, false}, cells)
	if n := len(train.Columns) - mostRows; n > 0 {
		r.element("p", "%s more.", count(n, "column"))
	}
}

// describeColumn counts a column's gaps and values, and shows its range or its most frequent values.
func describeColumn(c *frame.Column) []string {
	counts, first := make(map[string]int), []string(nil)
	low, high, mean, n := math.Inf(1), math.Inf(-1), 0.0, 0.0
	for i := range c.Len() {
		if c.IsMissing(i) {
			continue
		}
		text := c.Text(i)
		if counts[text]++; counts[text] == 1 {
			first = append(first, text)
		}
		if v := c.Float64(i); c.Kind.Numeric() && !math.IsNaN(v) {
			low, high, n = min(low, v), max(high, v), n+1
			mean += (v - mean) / n
		}
	}
	values := ""
	switch {
	case n > 0:
		values = fmt.Sprintf("%s to %s, mean %s", rounded(low), rounded(high), rounded(mean))
	case len(first) > 0:
		const shown = 3
		values = strings.Join(first[:min(len(first), shown)], ", ")
		if len(first) > shown {
			values += ", …"
		}
		values = cut(visible(values), 60)
	}
	return []string{fmt.Sprint(c.MissingCount()), fmt.Sprint(len(first)), values}
}

// model says what answered, so that the report can be made again.
func (r *report) model(request predictRequest, p *fitted.Prediction) {
	info := p.Context.Model().Info
	r.element("h2", "The model")
	rows := [][]string{{"name", info.Name}, {"family", info.Family}, {"parameters", thousands(info.Parameters)}, {"licence", info.Licence}, {"where", info.Where},
		{"sha256", info.Digest}, {"members", fmt.Sprint(p.Context.Members())}, {"seed", fmt.Sprint(request.options.Seed)}, {"precision", request.precision}, {"norn", build()}}
	for _, option := range p.Context.Spec.Options.Changed() {
		rows = append(rows, []string{strings.ReplaceAll(option.Name, "_", " "), option.Value})
	}
	if info.Note != "" {
		rows = append(rows, []string{"note", info.Note})
	}
	r.table("What answered", []string{"", ""}, []bool{false, false}, rows)
}

// fixed writes a score with three decimals; percent a share.
func fixed(x float64) string {
	if math.Abs(x) >= 100 {
		return rounded(x)
	}
	return fmt.Sprintf("%.3f", x)
}

func percent(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
