package tabular

// A levelled is a recipe that can tell the values of a text column that taught.
type levelled interface {
	levels(column string) ([]string, bool)
}

// Levels are the different values that a text column had in the rows that taught, in the order of their codes. ok is false
// for columns of another kind and for those that did not teach.
func (e *Estimator) Levels(column string) (values []string, ok bool) {
	r, ok := e.recipe.(levelled)
	if !ok {
		return nil, false
	}
	return r.levels(column)
}

func (r *tabiclRecipe) levels(column string) ([]string, bool) { return r.pipeline.Levels(column) }

func (r *kumoRecipe) levels(column string) ([]string, bool) {
	for _, s := range r.learnt.State().Sources {
		if s.Name != column || s.Levels == nil || s.Kind != "text" {
			continue
		}
		values := make([]string, len(s.Levels.Texts))
		for i, t := range s.Levels.Texts {
			values[i] = string(t)
		}
		return values, true
	}
	return nil, false
}
