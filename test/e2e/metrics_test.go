//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"io"
	"net/http"
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
func scrape(t *testing.T, port int) (m metrics) {
	t.Helper()
	resp, err := http.Get("http://127.0.0.1:" + strconv.Itoa(port) + "/metrics")
	require.NoError(t, err)
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, errors.Join(err, resp.Body.Close()))
	for _, f := range metricLine.FindAllStringSubmatch(string(b), -1) {
		v, err := strconv.ParseFloat(f[3], 64)
		require.NoError(t, err, "value of %q", f[0])
		if v != 0 {
			m = append(m, metric{name: f[1], labels: f[2], value: v})
		}
	}
	require.NotEmpty(t, m, "metrics of the receiver in:\n%s", b)
	return m
}

// value sums the series of one metric whose labels contain a text; 0 where there is none.
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
