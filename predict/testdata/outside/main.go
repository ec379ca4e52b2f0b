// Command app is a program of another module that predicts.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/norn-data/norn/predict"
)

func main() {
	ctx := context.Background()
	model, err := predict.Open(ctx, "")
	if err != nil {
		log.Fatal(err)
	}
	table, err := predict.NewTable(
		predict.Values("x", []float64{1, 2, 3, 4, 11, 12, 13, 14}),
		predict.Values("y", []string{"red", "red", "red", "red", "blue", "blue", "blue", "blue"}))
	if err != nil {
		log.Fatal(err)
	}
	taught, err := model.Fit(ctx, table, "y", predict.Options{Members: 4})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := predict.NewTable(predict.Values("x", []float64{2.5}))
	if err != nil {
		log.Fatal(err)
	}
	answer, err := taught.Predict(ctx, rows)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Labels[0], answer.Classes)
}
