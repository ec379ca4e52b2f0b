package prep

import "testing"

// averageLogits is what the wrapper of the reference does with the members' logits: the mean in the order of the classes, then
// one softmax. norn itself adds while members answer, see sumTally in package tabular.
func averageLogits(outputs []Matrix[float32], orders [][]int) Matrix[float64] {
	out := NewMatrix[float64](outputs[0].Rows, outputs[0].Cols)
	for r := range out.Rows {
		row := out.Row(r)
		for e, o := range outputs {
			for c := range row {
				row[c] += float64(o.Row(r)[orders[e][c]]) / float64(len(outputs))
			}
		}
		Softmax(row, DefaultTemperature)
	}
	return out
}

// rawQuantiles averages the repaired quantiles of the members, level by level, in the target's unit.
func rawQuantiles(t *testing.T, scale TargetScale, outputs []Matrix[float32]) Matrix[float64] {
	t.Helper()
	head, err := NewQuantileHead(outputs[0].Cols)
	if err != nil {
		t.Fatal(err)
	}
	out := NewMatrix[float64](outputs[0].Rows, outputs[0].Cols)
	for _, o := range outputs {
		for r := range out.Rows {
			for i, q := range head.Distribution(o.Row(r)).q {
				out.Row(r)[i] += scale.Back(q) / float64(len(outputs))
			}
		}
	}
	return out
}
