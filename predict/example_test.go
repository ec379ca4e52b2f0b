package predict_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/norn-data/norn/predict"
)

// shop are customers of whom it is known whether they left, and two of whom it is not.
func shop() (known, unknown *predict.Table, err error) {
	known, err = predict.NewTable(
		predict.Values("plan", []string{"basic", "basic", "pro", "basic", "pro", "pro", "basic", "pro", "basic", "pro", "basic", "pro"}),
		predict.Values("months", []int64{2, 3, 40, 1, 30, 25, 4, 51, 2, 36, 5, 44}),
		predict.Values("spend", []float64{10, 12, 95, math.NaN(), 80, 77, 15, 120, 8, 101, 13, 99}),
		predict.Values("left", []bool{true, true, false, true, false, false, true, false, true, false, true, false}))
	if err != nil {
		return nil, nil, err
	}
	unknown, err = predict.NewTable( // in another order: columns are found by name
		predict.Values("spend", []float64{9, 110}),
		predict.Values("months", []int64{1, 48}),
		predict.Values("plan", []string{"basic", "pro"}))
	return known, unknown, err
}

// Learn from rows whose answer is known, and answer for others.
func Example() {
	ctx := context.Background()
	known, unknown, err := shop()
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := predict.Open(ctx, "") // the built-in demo
	if err != nil {
		fmt.Println(err)
		return
	}
	taught, err := model.Fit(ctx, known, "left", predict.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := taught.Predict(ctx, unknown)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("classes", answer.Classes)
	for row, label := range answer.Labels {
		fmt.Println(label, answer.Probabilities[row][1] > 0.9)
	}
	// Output:
	// classes [false true]
	// true true
	// false false
}

// A number is answered with its distribution.
func Example_quantiles() {
	ctx := context.Background()
	var size, price []float64
	for i := range 40 {
		size = append(size, float64(30+5*i))
		price = append(price, 1000*float64(30+5*i)+500*float64(i%3)+0.5)
	}
	known, err := predict.NewTable(predict.Values("size", size), predict.Values("price", price))
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := predict.Open(ctx, "demo")
	if err != nil {
		fmt.Println(err)
		return
	}
	taught, err := model.Fit(ctx, known, "price", predict.Options{Levels: []float64{0.05, 0.5, 0.95}})
	if err != nil {
		fmt.Println(err)
		return
	}
	unknown, err := predict.NewTable(predict.Values("size", []float64{100}))
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := taught.Predict(ctx, unknown)
	if err != nil {
		fmt.Println(err)
		return
	}
	low, high := answer.Quantiles[0][0], answer.Quantiles[2][0]
	fmt.Println(answer.Task, low < 101_000 && 101_000 < high)
	// Output: regression true
}

// A context is saved once and read by as many programs as like; the answers are the same to the last bit.
func ExampleContext_Save() {
	ctx := context.Background()
	known, unknown, err := shop()
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := predict.Open(ctx, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	taught, err := model.Fit(ctx, known, "left", predict.Options{Cache: "compact"})
	if err != nil {
		fmt.Println(err)
		return
	}
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "left.context")
	if err := taught.Save(ctx, path); err != nil {
		fmt.Println(err)
		return
	}
	read, err := model.Load(ctx, path, predict.Options{Threads: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	before, err := taught.Predict(ctx, unknown)
	if err != nil {
		fmt.Println(err)
		return
	}
	after, err := read.Predict(ctx, unknown)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(read.Info().Features, before.Probabilities[0][0] == after.Probabilities[0][0])
	// Output: [plan months spend] true
}

// What is wrong with a table has a code, a sentence and a next step.
func ExampleProblem() {
	ctx := context.Background()
	model, err := predict.Open(ctx, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := predict.NewTable(predict.Values("x", []float64{1, 2, 3}), predict.Values("y", []string{"a", "a", "a"}))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = model.Fit(ctx, table, "y", predict.Options{})
	if problem, ok := errors.AsType[*predict.Problem](err); ok {
		fmt.Println(problem.Code)
		fmt.Println(problem.Message)
		fmt.Println(problem.Help)
	}
	// Output:
	// E1604
	// y is 'a' in all 3 rows that have it, so there is nothing to tell apart
	// give rows with at least two different values of y
}

// Cells without a value of their own for "missing" have a mask.
func ExampleColumn_Missing() {
	bought := predict.Values("bought", []int64{3, 0, 7}).Missing([]bool{false, true, false})
	since := predict.Values("since", []time.Time{time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC), {}, time.Date(2026, 1, 9, 0, 0, 0, 0, time.UTC)})
	table, err := predict.NewTable(bought, since)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Rows())
	// Output: 3
}
