package pipeline

import (
	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler/codemap"
)

// newCodeMap is the code map of one JVM.
func newCodeMap() *codemap.Map { return codemap.New() }

func newAttributor() *attribution.Attributor { return attribution.New() }
