package columns

// TaskOperators sums the CPU of samples of tasks by operator, in seconds. of says which tasks; the
// result has a map from Model.Operators for each of them that has samples. CPU of no operator has
// the key None.
func (m *Model) TaskOperators(of map[uint32]bool) map[uint32]map[int]float64 {
	out := map[uint32]map[int]float64{}
	m.each(m.scope(Selection{}), func(_ int, label, task uint32, cpu float64) {
		if !of[task] {
			return
		}
		if out[task] == nil {
			out[task] = map[int]float64{}
		}
		out[task][m.Labels[label].Operator] += cpu * nano
	})
	return out
}
