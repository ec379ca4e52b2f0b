package fitted

import (
	"context"
	"math"
)

// Limits of the search for a minimum. Logistic regression on standardised columns needs 20 to 100 steps; what is left
// after them changes no digit that a score shows.
const (
	mostSteps    = 200
	rememberedBy = 10   // pairs of steps and gradients that stand for the curvature
	flat         = 1e-4 // largest component of the gradient at which the search ends
)

// minimise finds the minimum of a smooth convex function from a start, which it overwrites, by L-BFGS (Nocedal and
// Wright, Numerical Optimization, algorithm 7.5) with a line search that halves the step until the function falls enough.
// f gives the value and writes the gradient.
func minimise(ctx context.Context, x []float64, f func(x, gradient []float64) float64) ([]float64, error) {
	n := len(x)
	gradient, next, nextGradient, direction := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	value := f(x, gradient)
	var steps, changes [][]float64
	for range mostSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if largest(gradient) < flat {
			break
		}
		descend(direction, gradient, steps, changes)
		slope := dot(direction, gradient)
		size := 1.0
		if len(steps) == 0 {
			size = min(1, 1/largest(gradient))
		}
		for {
			for i := range x {
				next[i] = x[i] + size*direction[i]
			}
			v := f(next, nextGradient)
			if v <= value+1e-4*size*slope {
				value = v
				break
			}
			if size /= 2; size < 1e-12 {
				return x, nil // rounding hides any further descent
			}
		}
		step, change := make([]float64, n), make([]float64, n)
		for i := range x {
			step[i], change[i] = next[i]-x[i], nextGradient[i]-gradient[i]
		}
		if dot(step, change) > 0 {
			steps, changes = append(steps, step), append(changes, change)
			if len(steps) > rememberedBy {
				steps, changes = steps[1:], changes[1:]
			}
		}
		copy(x, next)
		copy(gradient, nextGradient)
	}
	return x, nil
}

// descend writes minus the inverse curvature times the gradient: the two-loop recursion.
func descend(direction, gradient []float64, steps, changes [][]float64) {
	for i, g := range gradient {
		direction[i] = -g
	}
	weights := make([]float64, len(steps))
	for k := len(steps) - 1; k >= 0; k-- {
		weights[k] = dot(steps[k], direction) / dot(steps[k], changes[k])
		for i := range direction {
			direction[i] -= weights[k] * changes[k][i]
		}
	}
	if k := len(steps) - 1; k >= 0 {
		scale := dot(steps[k], changes[k]) / dot(changes[k], changes[k])
		for i := range direction {
			direction[i] *= scale
		}
	}
	for k := range steps {
		b := dot(changes[k], direction) / dot(steps[k], changes[k])
		for i := range direction {
			direction[i] += (weights[k] - b) * steps[k][i]
		}
	}
}

// solve solves a·w = b for a symmetric positive definite matrix, of which the lower half is read and overwritten, by
// Cholesky's decomposition.
func solve(a, b []float64) []float64 {
	n := len(b)
	for j := range n {
		for i := j; i < n; i++ {
			sum := a[i*n+j]
			for k := range j {
				sum -= a[i*n+k] * a[j*n+k]
			}
			if i == j {
				a[j*n+j] = math.Sqrt(sum)
			} else {
				a[i*n+j] = sum / a[j*n+j]
			}
		}
	}
	w := append([]float64(nil), b...)
	for i := range n {
		for k := range i {
			w[i] -= a[i*n+k] * w[k]
		}
		w[i] /= a[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			w[i] -= a[k*n+i] * w[k]
		}
		w[i] /= a[i*n+i]
	}
	return w
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

func largest(x []float64) float64 {
	most := 0.0
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	return most
}
