package usualcost

import (
	"maps"
	"slices"

	"github.com/planflame/planflame/costmodel"
)

// mostOperators bounds the operators that a Book remembers. The speed is a median over them: of 512
// its standard error is below a tenth of the spread of single operators.
const mostOperators = 512

// Book learns the speed of a host from what operators cost there. An operator of a query counts
// once, with its newest run, so that a query which runs all the time does not decide alone. Not
// safe for concurrent use.
type Book struct {
	model *costmodel.Model
	by    map[Key]costmodel.Ratio
	order []Key // the first one learned goes first
}

// Key tells operators of all queries apart.
type Key struct{ Query, Place, Operator string }

// NewBook returns an empty Book.
func NewBook(m *costmodel.Model) *Book { return &Book{model: m, by: map[Key]costmodel.Ratio{}} }

// Learn notes what an operator cost.
func (b *Book) Learn(k Key, o *costmodel.Operator) {
	r, known := b.model.Ratio(o)
	if !known {
		return
	}
	if _, known := b.by[k]; !known {
		if len(b.order) >= mostOperators {
			delete(b.by, b.order[0])
			b.order = b.order[1:]
		}
		b.order = append(b.order, k)
	}
	b.by[k] = r
}

// Speed returns the host's speed (costmodel.Speed).
func (b *Book) Speed() (speed float64, known bool) {
	return costmodel.Speed(slices.Collect(maps.Values(b.by)))
}

// Predict is costmodel.Model.Predict.
func (b *Book) Predict(o *costmodel.Operator, speed float64) costmodel.Usual {
	return b.model.Predict(o, speed)
}
