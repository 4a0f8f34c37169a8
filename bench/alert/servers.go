package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/planflame/planflame/internal/loopback"
)

// tap is put over the shipped files. It has the receiver take the JVMs of this bench alone. It adds
// a pipeline that copies what single runs cost to the recorder, and changes none of the others.
const tap = `
receivers:
  spark_profile: {include: [{label: {team: %s}}]}
processors:
  filter/record:
    error_mode: propagate
    metrics: {metric: ['not IsMatch(name, "^spark[.]sql[.]execution[.]")']}
exporters:
  otlp_http/record: {endpoint: "%s", encoding: json, compression: none}
service:
  pipelines:
    metrics/record: {receivers: [spark_profile], processors: [filter/record], exporters: [otlp_http/record]}
`

// servers are the Collector, Prometheus and the Alertmanager, on the shipped files.
type servers struct {
	alertmanager string // URL
	collectorLog string // path
	all          []*server
}

// server is one process, which writes to a log.
type server struct {
	cmd *exec.Cmd
	log *os.File
}

// startServers starts all of them. sink is the recorder's URL, which stands for Pyroscope and
// Prometheus' webhooks, too.
func (o *options) startServers(ctx context.Context, sink string) (s *servers, err error) {
	ports, err := loopback.Ports(5)
	if err != nil {
		return nil, err
	}
	at := make([]string, len(ports))
	for i, p := range ports {
		at[i] = fmt.Sprintf("127.0.0.1:%d", p)
	}
	health, own, costs, prometheus, alertmanager := at[0], at[1], at[2], at[3], at[4]
	s = &servers{alertmanager: "http://" + alertmanager, collectorLog: filepath.Join(o.dir, "collector.log")}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	overlay := filepath.Join(o.dir, "tap.yaml")
	rules := filepath.Join(o.dir, "rules")
	err = errors.Join(os.WriteFile(overlay, fmt.Appendf(nil, tap, o.team, sink), 0o644), os.RemoveAll(rules), os.CopyFS(rules, os.DirFS("config/prometheus/rules")),
		o.adapt("alertmanager.yml", "http://127.0.0.1:9094", sink), o.adapt("prometheus.yml", "127.0.0.1:8889", costs, "127.0.0.1:8888", own, "127.0.0.1:9093", alertmanager))
	if err != nil {
		return s, err
	}
	env := []string{"PYROSCOPE_URL=" + sink, "PLANFLAME_QUEUE_DIR=" + filepath.Join(o.dir, "queue"), "PLANFLAME_HEALTH_ENDPOINT=" + health,
		"PLANFLAME_METRICS_PORT=" + own[strings.Index(own, ":")+1:], "PLANFLAME_COSTS_ENDPOINT=" + costs, "GOMAXPROCS=1"} // as config/systemd has it
	err = s.start(ctx, "http://"+health, o.dir, env, o.collector, "--config", "config/collector.yaml", "--config", "config/operator-costs.yaml", "--config", overlay)
	if err != nil {
		return s, err
	}
	err = s.start(ctx, s.alertmanager+"/-/ready", o.dir, nil, filepath.Join(o.tools, "alertmanager"), "--config.file", filepath.Join(o.dir, "alertmanager.yml"),
		"--storage.path", filepath.Join(o.dir, "alertmanager"), "--web.listen-address", alertmanager, "--cluster.listen-address=")
	if err != nil {
		return s, err
	}
	return s, s.start(ctx, "http://"+prometheus+"/-/ready", o.dir, nil, filepath.Join(o.tools, "prometheus"), "--config.file", filepath.Join(o.dir, "prometheus.yml"),
		"--storage.tsdb.path", filepath.Join(o.dir, "prometheus"), "--web.listen-address", prometheus)
}

// adapt copies one of the shipped files with other addresses: pairs of what is there and what takes
// its place.
func (o *options) adapt(name string, pairs ...string) error {
	text, err := os.ReadFile(filepath.Join("config", "prometheus", name))
	if err != nil {
		return err
	}
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(string(text), pairs[i]) {
			return fmt.Errorf("config/prometheus/%s: has no %s", name, pairs[i])
		}
	}
	return os.WriteFile(filepath.Join(o.dir, name), []byte(strings.NewReplacer(pairs...).Replace(string(text))), 0o644)
}

// start starts a server with a log of its own in dir, and waits until a URL says that it is ready.
func (s *servers) start(ctx context.Context, ready, dir string, env []string, name string, args ...string) error {
	tool := strings.TrimPrefix(filepath.Base(name), "planflame-")
	log, err := os.Create(filepath.Join(dir, tool+".log"))
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second
	if err := cmd.Start(); err != nil {
		return errors.Join(err, log.Close())
	}
	s.all = append(s.all, &server{cmd, log})
	if err := loopback.Await(ctx, ready); err != nil {
		return fmt.Errorf("%s does not come up, see %s: %w", tool, log.Name(), err)
	}
	return nil
}

// stop ends all of them, the last one first.
func (s *servers) stop() (err error) {
	for len(s.all) > 0 {
		last := s.all[len(s.all)-1]
		s.all = s.all[:len(s.all)-1]
		stopped := errors.Join(last.cmd.Process.Signal(syscall.SIGTERM), last.cmd.Wait(), last.log.Close())
		if stopped != nil {
			err = errors.Join(err, fmt.Errorf("stop %s, see %s: %w", filepath.Base(last.cmd.Path), last.log.Name(), stopped))
		}
	}
	return err
}

// firing is one alert as the Alertmanager has it.
type firing struct {
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

// shifts are the active alerts of operators of a team's applications that shifted.
func (s *servers) shifts(ctx context.Context, team string) (out []firing, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.alertmanager+"/api/v2/alerts?active=true&filter=alertname%3D~%22PlanflameOperatorCostShifted.*%22&filter=team%3D%22"+team+"%22", nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() // read only: nothing to lose
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("alerts of %s: %s: %s", s.alertmanager, resp.Status, text)
	}
	return out, json.Unmarshal(text, &out)
}
