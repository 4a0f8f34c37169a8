package sparkprofile

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"go.opentelemetry.io/otel/attribute"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/semconv"
)

// A fleet's operators are many: the series of estimates stay bounded, and those that came first
// keep theirs.
func TestSeriesOfEstimatesAreBounded(t *testing.T) {
	m := newMetrics(nil, calibrationWindow)
	of := func(query, operator string) []attribute.KeyValue {
		return []attribute.KeyValue{attribute.String("query", query), attribute.String("operator", operator)}
	}
	assert.Equal(t, of("q1-a", "[gc]"), m.estimated(semconv.Operator{Query: "q1-a", Bucket: string(attribution.BucketGC)}))
	for i := range 2 * mostEstimated {
		m.estimated(semconv.Operator{Query: "q1-b", ID: fmt.Sprintf("scan@%d", i)})
	}
	assert.Len(t, m.named, mostEstimated)
	assert.Equal(t, of("q1-b", "scan@0"), m.estimated(semconv.Operator{Query: "q1-b", ID: "scan@0"}))
	assert.Equal(t, of("", "other"), m.estimated(semconv.Operator{Query: "q1-c", ID: "join@1"}))
}
