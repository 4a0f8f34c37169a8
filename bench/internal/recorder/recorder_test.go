package recorder

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRecorderKeepsMetricsOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "requests.jsonl")
	r, err := Start(path)
	require.NoError(t, err)
	for at, body := range map[string]string{"/v1/metrics": `{"resourceMetrics":[]}`, "/push.v1.PusherService/Push": "pprof"} {
		resp, err := http.Post(r.URL+at, "application/json", strings.NewReader(body))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, http.StatusOK, resp.StatusCode)
	}
	http.DefaultClient.CloseIdleConnections()
	require.NoError(t, r.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "{\"resourceMetrics\":[]}\n", string(text))
}

func TestReadLeavesOutAnUnfinishedLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "requests.jsonl")
	require.NoError(t, os.WriteFile(path, []byte("{\"resourceMetrics\":[]}\n{\"resourceMetrics\":[]}\n{\"resou"), 0o644))
	got, err := Read(path)
	require.NoError(t, err)
	assert.Len(t, got, 2)
	require.NoError(t, os.WriteFile(path, []byte("{\"resourceMetrics\":[]}\nnonsense\n"), 0o644))
	_, err = Read(path)
	assert.ErrorContains(t, err, "requests.jsonl, line 2")
}
