//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// monitoring is a real Prometheus and a real Alertmanager on the ready configuration of
// config/prometheus, of which nothing is other than the addresses and how often Prometheus scrapes
// and evaluates.
type monitoring struct {
	prometheus   string // URL
	alertmanager string // URL
	messages     *messageStore
}

// startMonitoring scrapes a Collector's costs and its own metrics, both host:port, and waits until
// the servers are ready.
func startMonitoring(t *testing.T, u user, costs, own string) *monitoring {
	t.Helper()
	dir := u.tempDir(t)
	at := func() string { return "127.0.0.1:" + strconv.Itoa(freePort(t)) }
	prometheus, alertmanager := at(), at()
	m := &monitoring{prometheus: "http://" + prometheus, alertmanager: "http://" + alertmanager, messages: &messageStore{}}
	receiver := httptest.NewServer(m.messages)
	t.Cleanup(receiver.Close)

	ready := filepath.Join(root(t), "config", "prometheus")
	require.NoError(t, os.CopyFS(filepath.Join(dir, "rules"), os.DirFS(filepath.Join(ready, "rules"))))
	adapt := func(name string, changes map[string]string) string {
		text, err := os.ReadFile(filepath.Join(ready, name))
		require.NoError(t, err)
		for was, is := range changes {
			require.Contains(t, string(text), was, name)
			text = []byte(strings.ReplaceAll(string(text), was, is))
		}
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, text, 0o644))
		return path
	}
	u.serve(t, "alertmanager", m.alertmanager, "--config.file", adapt("alertmanager.yml", map[string]string{"http://127.0.0.1:9094": receiver.URL}),
		"--storage.path", filepath.Join(dir, "alertmanager"), "--web.listen-address", alertmanager, "--cluster.listen-address=")
	u.serve(t, "prometheus", m.prometheus, "--config.file", adapt("prometheus.yml", map[string]string{
		"127.0.0.1:8889": costs, "127.0.0.1:8888": own, "127.0.0.1:9093": alertmanager, "interval: 15s": "interval: 3s",
	}), "--storage.tsdb.path", filepath.Join(dir, "prometheus"), "--web.listen-address", prometheus)
	return m
}

// serve starts one of the built tools, which ends with the test, and waits until it says that it is
// ready.
func (u user) serve(t *testing.T, tool, at string, args ...string) {
	t.Helper()
	log, done := &logBuffer{}, make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cmd := u.command(ctx, u.tempDir(t), built(t, "tools", tool), args...)
	cmd.Stdout, cmd.Stderr = log, log
	require.NoError(t, cmd.Start())
	go func() { done <- cmd.Wait() }()
	t.Cleanup(func() {
		cancel()
		<-done
		log.keep(t, tool)
	})
	eventually(t, time.Minute, func() error {
		resp, err := http.Get(at + "/-/ready")
		if err != nil {
			return fmt.Errorf("%s: %w; its log:\n%s", tool, err, log)
		}
		if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: %s %w; its log:\n%s", tool, resp.Status, err, log)
		}
		return nil
	})
}

// firing is an alert as the Alertmanager has it.
type firing struct {
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	StartsAt    time.Time         `json:"startsAt"`
	Receivers   []struct {
		Name string `json:"name"`
	} `json:"receivers"`
}

func (f firing) name() string { return f.Labels["alertname"] }

// firing are the alerts that are active at the Alertmanager.
func (m *monitoring) firing() (out []firing, err error) {
	text, err := get(m.alertmanager + "/api/v2/alerts?active=true&inhibited=false&silenced=false")
	if err == nil {
		err = json.Unmarshal([]byte(text), &out)
	}
	return out, err
}

// ask evaluates an expression now: the values by their series' labels, written as JSON.
func (m *monitoring) ask(expr string) (map[string]float64, error) {
	text, err := get(m.prometheus + "/api/v1/query?query=" + url.QueryEscape(expr))
	if err != nil {
		return nil, err
	}
	var answer struct {
		Error string
		Data  struct {
			Result []struct {
				Metric map[string]string
				Value  [2]any
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.Error != "" {
		return nil, fmt.Errorf("ask %s: %s %w", expr, answer.Error, err)
	}
	out := map[string]float64{}
	for _, r := range answer.Data.Result {
		labels, err := json.Marshal(r.Metric)
		if err != nil {
			return nil, err
		}
		value, _ := r.Value[1].(string)
		if out[string(labels)], err = strconv.ParseFloat(value, 64); err != nil {
			return nil, fmt.Errorf("ask %s: %w", expr, err)
		}
	}
	return out, nil
}

// message is what the Alertmanager sends to a webhook.
type message struct {
	path        string // of the receiver
	Status      string
	GroupLabels map[string]string
	Alerts      []firing
}

// messageStore takes messages.
type messageStore struct {
	mu   sync.Mutex
	have []message
}

func (s *messageStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	m := message{path: r.URL.Path}
	if err = errors.Join(err, json.Unmarshal(body, &m)); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.have = append(s.have, m)
}

// about are the messages of an alert.
func (s *messageStore) about(alert string) (out []message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.have {
		if m.GroupLabels["alertname"] == alert {
			out = append(out, m)
		}
	}
	return out
}
