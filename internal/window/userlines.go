package window

import (
	"slices"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
)

var _ pipeline.UserLineConsumer = (*Accumulator)(nil)

// mostUserLines is how many lines are kept of one query or operator: the same query may be written
// in several places.
const mostUserLines = 3

// UserLine implements UserLineConsumer.
func (a *Accumulator) UserLine(id sampler.JVMID, of pipeline.UserLineOf, line string) {
	if !a.settings.UserLines {
		return
	}
	s := a.of(id)
	if s.lines == nil {
		s.lines = map[pipeline.UserLineOf][]string{}
	}
	known := s.lines[of]
	if len(known) < mostUserLines && !slices.Contains(known, line) {
		s.lines[of] = append(known, line)
	}
}
