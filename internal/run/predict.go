package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/plan"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/warehouse"
)

// rowColumn numbers the rows of a prediction's input, so that answers find their row again whatever the keys are.
const rowColumn = "__norn_row"

// answerEdition counts the ways in which norn has answered with the same weights. It is raised by hand when a prediction would
// come out otherwise than before: another preprocessing, another split of the rows, other columns of the answer.
const answerEdition = 1

// Identity names what answers under a model name: norn's way of asking, and the weights.
func Identity(m tabular.Models) string { return fmt.Sprintf("%d\n%s", answerEdition, m.Identity()) }

// A scratch is the pair of tables that a prediction step works with. They stand in norn's own schema, because input and
// answers must outlive the transaction that reads the rows and end with the one that publishes them.
type scratch struct {
	input, answers warehouse.Name
}

func scratchOf(step *plan.Step) scratch {
	return scratch{
		input:   warehouse.Name{Schema: StateSchema, Relation: "input_" + step.Node},
		answers: warehouse.Name{Schema: StateSchema, Relation: "answers_" + step.Node},
	}
}

func (t scratch) drop(ctx context.Context, s warehouse.Session) error {
	return errors.Join(s.Drop(ctx, t.input), s.Drop(ctx, t.answers))
}

// predict builds a prediction: freeze the input, let the model answer outside any transaction, then write, audit and
// publish in one.
func (b *builder) predict(ctx context.Context, step *plan.Step, result *Result) error {
	work := scratchOf(step)
	rows, err := b.freeze(ctx, step, work)
	if err != nil {
		return err
	}
	published := false
	defer func() {
		if !published {
			// The user's context may be over; what is left behind is norn's own and the next build would replace it.
			_ = work.drop(context.WithoutCancel(ctx), b.warehouse)
		}
	}()
	header := step.Model.Predict
	spec := b.spec(step, rows)
	models, err := b.options.Models(ctx, header.Model.Text)
	if err == nil {
		_, err = models.For(spec.Task)
	}
	if err != nil {
		return noModel(ctx, step, err)
	}
	if result.Prediction, err = fitted.Fill(ctx, models, spec, rows.Without(rowColumn)); err != nil {
		return err
	}
	err = b.warehouse.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error {
		if err := writeAnswers(ctx, s, work.answers, result.Prediction, rows); err != nil {
			return fmt.Errorf("writing the answers of %s: %w", step.Node, err)
		}
		query, err := answerQuery(b.warehouse.Dialect(), spec, work, result.Prediction, rows)
		if err != nil {
			return err
		}
		if result.Rows, err = s.CreateTableAs(ctx, name(step.Relation), query); err != nil {
			return err
		}
		if err := work.drop(ctx, s); err != nil {
			return err
		}
		return b.publish(ctx, s, step, result)
	})
	published = err == nil
	return err
}

// noModel turns weights that cannot be loaded into a problem of the node, so that the others are built.
func noModel(ctx context.Context, step *plan.Step, err error) error {
	if _, ok := errors.AsType[*diag.Problem](err); ok || ctx.Err() != nil {
		return err
	}
	at := step.Model.Predict.Model.Span
	if at.IsZero() {
		at = step.Model.Predict.Target.Span
	}
	p := diag.New("E1706", at, "the model of %s cannot be loaded: %v", step.Node, err)
	if hint := diag.Hint(err); hint != "" {
		return p.WithHelp("%s", hint)
	}
	return p.WithHelp("name another model, or leave it out to use the built-in demo")
}

// spec reads a prediction's header. The task follows from the target's type alone, never from its values: the columns of
// the result were promised by norn check, which has seen no rows.
func (b *builder) spec(step *plan.Step, rows *frame.Frame) fitted.Spec {
	header := step.Model.Predict
	spec := fitted.Spec{Target: header.Target.Text, AsOf: header.AsOf.Text, Task: tabular.Task(header.Task.Text), Options: b.options.Predict}
	if target, ok := rows.Column(header.Target.Text); ok && spec.Task == "" {
		spec.Task = tabular.Classification
		if target.Kind.Numeric() {
			spec.Task = tabular.Regression
		}
	}
	for _, k := range header.Keys {
		spec.Keys = append(spec.Keys, k.Text)
	}
	if header.Members > 0 {
		spec.Options.Members = header.Members
	}
	if !header.SeedSpan.IsZero() {
		spec.Options.Seed = uint64(header.Seed)
	}
	if h := header.Holdout; h != nil {
		spec.Holdout = fitted.HoldoutSize{Share: h.Share, Rows: h.Rows, Off: h.Off}
		if !h.SeedSpan.IsZero() {
			seed := uint64(h.Seed)
			spec.Holdout.Seed = &seed
		}
	}
	return spec
}

// freeze writes the rows of a prediction's query into a table and reads them, in the order of the keys and then of all
// columns: a retry and the final join see the same rows in the same order, and so does the next build, whatever order the
// warehouse's threads found them in. The draw of the holdout depends on it. Keys may repeat, as customers do who are asked
// about each month; rows that are equal in every column can stand for each other.
func (b *builder) freeze(ctx context.Context, step *plan.Step, work scratch) (rows *frame.Frame, err error) {
	err = b.warehouse.Atomically(ctx, func(ctx context.Context, s warehouse.Session) error {
		if err := work.drop(ctx, s); err != nil {
			return err
		}
		columns, err := s.Describe(ctx, step.SQL)
		if err != nil {
			return err
		}
		var order []string
		for _, key := range step.Model.Predict.Keys {
			order = append(order, warehouse.Quote(key.Text))
		}
		for _, c := range columns {
			order = append(order, warehouse.Quote(c.Name))
		}
		_, err = s.CreateTableAs(ctx, work.input, "SELECT row_number() OVER (ORDER BY "+strings.Join(order, ", ")+") AS "+rowColumn+", q.*\nFROM (\n"+step.SQL+"\n) AS q")
		return err
	})
	if err != nil {
		return nil, err
	}
	rows, err = b.warehouse.Query(ctx, "SELECT * FROM "+work.input.String()+" ORDER BY "+rowColumn)
	if err != nil {
		return nil, fmt.Errorf("reading the rows of %s: %w", step.Node, err)
	}
	return rows, nil
}

// writeAnswers writes one row per answer: the input row it belongs to and the numbers of the answer. Classification has
// the index of the label, its probability and all probabilities; regression has the mean and three quantiles.
func writeAnswers(ctx context.Context, s warehouse.Session, name warehouse.Name, p *fitted.Prediction, rows *frame.Frame) error {
	id, ok := rows.Column(rowColumn)
	diag.Assert(ok, "the frozen input has no row numbers")
	columns := []*frame.Column{{Field: frame.Field{Name: "id", Kind: frame.Int, Type: "BIGINT"}, Ints: id.Take(p.Asked).Ints}}
	if columns[0].Ints == nil {
		columns[0].Ints = []int64{}
	}
	number := func(name string, at func(i int) float64) {
		c := &frame.Column{Field: frame.Field{Name: name, Kind: frame.Float, Type: "DOUBLE"}, Floats: make([]float64, p.Answer.Rows)}
		for i := range c.Floats {
			c.Floats[i] = at(i)
		}
		columns = append(columns, c)
	}
	if p.Answer.Task == tabular.Classification {
		number("label", func(i int) float64 { return float64(p.Answer.Labels[i]) })
		number("confidence", func(i int) float64 { return p.Answer.Probabilities[i][p.Answer.Labels[i]] })
		for class := range p.Answer.Classes.Len() {
			number(fmt.Sprintf("p%d", class), func(i int) float64 { return p.Answer.Probabilities[i][class] })
		}
	} else {
		number("mean", func(i int) float64 { return p.Answer.Mean[i] })
		for _, level := range shownLevels {
			q, ok := p.Answer.Quantile(level)
			diag.Assert(ok, "the answer has no quantile %v", level)
			number(quantileName(level), func(i int) float64 { return q[i] })
		}
	}
	table, err := frame.New(p.Answer.Rows, columns...)
	if err != nil {
		return err
	}
	definitions := make([]string, len(columns))
	for i, c := range columns {
		definitions[i] = warehouse.Quote(c.Name) + " " + c.Type
	}
	if err := s.Exec(ctx, "CREATE TABLE "+name.String()+" ("+strings.Join(definitions, ", ")+")"); err != nil {
		return err
	}
	return s.Append(ctx, name, table)
}

// shownLevels are the quantiles that a regression's table shows: the middle and the ends of an 80 % interval.
var shownLevels = [...]float64{0.1, 0.5, 0.9}

func quantileName(level float64) string { return fmt.Sprintf("q%02.0f", level*100) }

// answerQuery joins input and answers into the prediction's table: keys, target, whether it was predicted, and how sure
// the model is. Rows whose label was given have no probabilities and no quantiles.
func answerQuery(dialect string, spec fitted.Spec, work scratch, p *fitted.Prediction, rows *frame.Frame) (string, error) {
	target, ok := rows.Column(spec.Target)
	diag.Assert(ok, "the frozen input has no target")
	in := "i." + warehouse.Quote(target.Name)
	var out []string
	add := func(expression, name string) { out = append(out, expression+" AS "+warehouse.Quote(name)) }
	for _, key := range spec.Keys {
		column, ok := rows.Column(key)
		diag.Assert(ok, "the frozen input has no key %s", key)
		add("i."+warehouse.Quote(column.Name), column.Name)
	}
	if p.Answer.Task == tabular.Classification {
		labels, pairs := "", make([]string, p.Answer.Classes.Len())
		for class := range pairs {
			label := "CAST(" + warehouse.Literal(p.Answer.Classes.Text(class)) + " AS " + target.Type + ")"
			labels += fmt.Sprintf(" WHEN %d THEN %s", class, label)
			pairs[class] = fmt.Sprintf("%s: a.p%d", label, class)
		}
		if dialect != "duckdb" {
			return "", fmt.Errorf("predictions cannot be written to %s yet", dialect)
		}
		add("coalesce("+in+", CASE a.label"+labels+" END)", target.Name)
		add(in+" IS NULL", target.Name+"_predicted")
		add("CASE WHEN a.id IS NOT NULL THEN MAP {"+strings.Join(pairs, ", ")+"} END", target.Name+"_p")
		add("a.confidence", target.Name+"_confidence")
	} else {
		add("coalesce("+in+", CAST(a.mean AS "+target.Type+"))", target.Name)
		add(in+" IS NULL", target.Name+"_predicted")
		for _, level := range shownLevels {
			add("a."+quantileName(level), target.Name+"_"+quantileName(level))
		}
	}
	return "SELECT " + strings.Join(out, ",\n\t") + "\nFROM " + work.input.String() + " AS i\nLEFT JOIN " + work.answers.String() +
		" AS a ON a.id = i." + rowColumn + "\nORDER BY i." + rowColumn, nil
}
