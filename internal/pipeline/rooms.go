package pipeline

import (
	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler/codemap"
)

// newCodeMap is the code map of one JVM.
func newCodeMap(w Without) *codemap.Map {
	return codemap.NewMap(codemap.Settings{Unrepaired: w.LineRepair})
}

func newAttributor() *attribution.Attributor { return attribution.New() }
