//go:build e2e

package e2e

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// metrics are the receiver's series that are not 0.
type metrics []metric

type metric struct {
	name   string // without otelcol_receiver_spark_profile_
	labels string // as written, braces and all; "" none
	value  float64
}

var metricLine = regexp.MustCompile(`(?m)^otelcol_receiver_spark_profile_(\w+)(\{.*\})? (\S+)$`)

// scrape reads a Collector's own metrics in Prometheus' text format.
func scrape(t *testing.T, port int) metrics {
	t.Helper()
	m, err := tryScrape(port)
	require.NoError(t, err)
	require.NotEmpty(t, m, "metrics of the receiver")
	return m
}

// tryScrape is scrape of a Collector that may have counted nothing yet.
func tryScrape(port int) (m metrics, err error) {
	text, err := get("http://127.0.0.1:" + strconv.Itoa(port) + "/metrics")
	if err != nil {
		return nil, err
	}
	for _, f := range metricLine.FindAllStringSubmatch(text, -1) {
		v, err := strconv.ParseFloat(f[3], 64)
		if err != nil {
			return nil, fmt.Errorf("value of %q: %w", f[0], err)
		}
		if v != 0 {
			m = append(m, metric{name: f[1], labels: f[2], value: v})
		}
	}
	return m, nil
}

// value sums the series of one metric whose labels contain a text; 0 if there is none.
func (m metrics) value(name, label string) (sum float64) {
	for _, one := range m {
		if one.name == name && strings.Contains(one.labels, label) {
			sum += one.value
		}
	}
	return sum
}

func (m metrics) String() string {
	var lines []string
	for _, one := range m {
		lines = append(lines, fmt.Sprintf("%s%s %g", one.name, one.labels, one.value))
	}
	return strings.Join(lines, "\n")
}
