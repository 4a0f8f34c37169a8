//go:build e2e

package e2e

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// What must not stand in any log.
const (
	fleetToken        = "token-of-the-fleet-7f3a"
	wrongToken        = "token-of-nobody-51c0"
	pyroscopePassword = "password-of-pyroscope-9d2e"
)

// fleetOutage is for how long the hosts have no network: two windows.
const fleetOutage = 10 * time.Second

// fleetSignals are what nodes send, as the Collector's own metrics name it.
var fleetSignals = []string{"metric_points", "profile_samples"}

// TestFleet runs two hosts with a network of their own, each with a Collector on the shipped
// node.yaml and a real Spark. They reach a gateway on the shipped gateway.yaml by TLS and a token.
// One Prometheus and one Pyroscope have the operators of both, and all that the nodes sent has
// arrived, also what was sampled while the hosts had no network. Meanwhile the gateway is killed,
// and another takes its place. A node with a wrong token and one that trusts another authority are
// refused, and count it.
func TestFleet(t *testing.T) {
	if os.Geteuid() != 0 {
		lacks(t, "root: hosts are namespaces")
	}
	if _, err := exec.LookPath("nsenter"); err != nil {
		lacks(t, "nsenter (util-linux)")
	}
	started := time.Now()
	server := pyroscopetest.Start(t)
	hosts := []*host{newHost(t, "node-a", 0), newHost(t, "node-b", 1)}
	f := newFleet(t, hosts)
	g := f.startGateway(t, server.URL)
	m := startMonitoring(t, rootUser, g.prometheus, "127.0.0.1:"+strconv.Itoa(g.metrics))
	var nodes []*collector
	for i, h := range hosts {
		nodes = append(nodes, f.startNode(t, h))
		job := partitionsJob(t, rootUser, h.enter(), "--master", "local[2]", "--name", "nightly-"+strconv.Itoa(i), "--jars", built(t, "plugin", "planflame-spark.jar"),
			"--conf", "spark.plugins=io.planflame.spark.PlanflamePlugin")
		log := &logBuffer{}
		job.Env = append(job.Env, quickJava)
		job.Stdout, job.Stderr = log, log
		require.NoError(t, job.Start())
		done := make(chan error, 1)
		go func() { done <- job.Wait() }()
		defer func() { require.NoError(t, <-done, "%s", log) }()
	}
	at := net.JoinHostPort(hosts[0].outside.String(), f.port)
	stranger := f.startTeller(t, at, "PLANFLAME_TOKEN_FILE="+f.write(t, "wrong-token", []byte(wrongToken)))
	deceived := f.startTeller(t, at, "PLANFLAME_TLS_CA="+f.write(t, "wrong-ca.crt", newAuthority(t).pem()))
	refused(t, stranger.collector, "provided authorization does not match")
	refused(t, deceived.collector, "certificate signed by unknown authority")

	for _, n := range nodes {
		eventually(t, patience, func() error {
			if total(t, n, "otelcol_exporter_sent_profile_samples") == 0 {
				return errors.New("no window was sent yet")
			}
			return nil
		})
	}
	for _, h := range hosts {
		h.plug(t, false)
	}
	outage := time.After(fleetOutage)
	accepted := map[string]float64{}
	for _, signal := range fleetSignals {
		accepted[signal] = total(t, g.collector, "otelcol_receiver_accepted_"+signal)
	}
	lost := g.collector
	lost.kill()
	g = f.startGateway(t, server.URL)
	<-outage
	for _, h := range hosts {
		h.plug(t, true)
	}
	eventually(t, patience, func() error {
		for _, h := range hosts {
			for _, metric := range []string{operatorSeconds, "spark_sql_operator_rows_total"} {
				got, err := m.ask(fmt.Sprintf(`sum by (spark_sql_operator_id) (%s{host_name="%s", spark_sql_operator_id=~"(filter|aggregate)@.*"}) > 0`, metric, h.name))
				if err != nil || len(got) < 2 {
					return fmt.Errorf("%s of %s in Prometheus: %v %w", metric, h.name, got, err)
				}
			}
		}
		return nil
	})
	eventually(t, time.Minute, func() error {
		found, err := server.LabelValues(t.Context(), pyroscopetest.Query{Selector: `{operator=~"filter@.*"}`}, "host_name")
		if slices.Sort(found); err == nil && !slices.Equal(found, []string{"node-a", "node-b"}) {
			err = fmt.Errorf("hosts in Pyroscope: %q", found)
		}
		return err
	})
	t.Logf("operators of both hosts are in both servers after %.0f s", time.Since(started).Seconds())
	for _, signal := range fleetSignals {
		eventually(t, time.Minute, func() error {
			sent, accepted := 0., accepted[signal]+total(t, g.collector, "otelcol_receiver_accepted_"+signal)
			for _, n := range nodes {
				sent += total(t, n, "otelcol_exporter_sent_"+signal)
			}
			if sent == 0 || sent > accepted { // what was accepted without a word is sent again
				return fmt.Errorf("%s: the nodes sent %g, the gateways accepted %g", signal, sent, accepted)
			}
			return nil
		})
		for _, n := range nodes {
			assert.Zero(t, total(t, n, "otelcol_exporter_send_failed_"+signal), "lost by the outage")
			assert.Zero(t, total(t, n, "otelcol_exporter_enqueue_failed_"+signal), "lost by the outage")
		}
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.cmd.Process.Pid))
	require.NoError(t, err)
	t.Logf("the gateway's peak memory and threads: %q", regexp.MustCompile(`(VmHWM|Threads):.*`).FindAllString(string(status), -1))
	for _, n := range nodes {
		stopBehind(t, n)
	}
	g.stop(t)
	for _, c := range append(nodes, lost, g.collector, stranger.collector, deceived.collector) {
		for _, secret := range []string{fleetToken, wrongToken, pyroscopePassword} {
			assert.NotContains(t, c.log.String(), secret)
		}
	}
}

// refused waits until a node has counted what the gateway did not take, and said why.
func refused(t *testing.T, c *collector, why string) {
	t.Helper()
	eventually(t, time.Minute, func() error {
		if n := total(t, c, "otelcol_exporter_send_failed_metric_points"); n != 1 || !strings.Contains(c.log.String(), why) {
			return fmt.Errorf("%g points have failed, want 1 and %q; its log:\n%s", n, why, c.log)
		}
		return nil
	})
}

// total is the sum of one of a Collector's own metrics.
func total(t *testing.T, c *collector, metric string) (sum float64) {
	t.Helper()
	text, err := get("http://" + c.metricsAt + "/metrics")
	require.NoError(t, err)
	for _, f := range regexp.MustCompile(`(?m)^`+metric+`(?:_total)?(?:\{.*\})? (\S+)$`).FindAllStringSubmatch(text, -1) {
		v, err := strconv.ParseFloat(f[1], 64)
		require.NoError(t, err)
		sum += v
	}
	return sum
}

// fleet is what the Collectors of a fleet share.
type fleet struct {
	port, prometheus string // of the gateway, and the address of its costs
	queue            string // the gateway's folder
	dir              string // certificates and tokens
}

func newFleet(t *testing.T, hosts []*host) *fleet {
	t.Helper()
	f := &fleet{
		port: strconv.Itoa(freePort(t)), prometheus: "127.0.0.1:" + strconv.Itoa(freePort(t)), queue: rootUser.tempDir(t), dir: rootUser.tempDir(t),
	}
	var at []net.IP
	for _, h := range hosts {
		at = append(at, h.outside)
	}
	ca := newAuthority(t)
	cert, key := ca.issue(t, at)
	f.write(t, "token", []byte(fleetToken+"\n"))
	f.write(t, "ca.crt", ca.pem())
	f.write(t, "tls.crt", cert)
	f.write(t, "tls.key", key)
	return f
}

func (f *fleet) write(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(f.dir, name)
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return path
}

// startGateway runs gateway.yaml in the test's own network. Another one later takes its place.
func (f *fleet) startGateway(t *testing.T, pyroscope string) *gateway {
	t.Helper()
	g := &gateway{prometheus: f.prometheus}
	g.collector = f.run(t, &host{name: "gateway"}, []string{"gateway.yaml"}, nil,
		"PYROSCOPE_URL="+pyroscope, "PYROSCOPE_USERNAME=planflame", "PYROSCOPE_PASSWORD="+pyroscopePassword,
		"PLANFLAME_OTLP_ENDPOINT=0.0.0.0:"+f.port, "PLANFLAME_TLS_CERT="+filepath.Join(f.dir, "tls.crt"), "PLANFLAME_TLS_KEY="+filepath.Join(f.dir, "tls.key"),
		"PLANFLAME_COSTS_ENDPOINT="+g.prometheus, "PLANFLAME_QUEUE_DIR="+f.queue)
	return g
}

// startNode runs collector.yaml and node.yaml on a host.
func (f *fleet) startNode(t *testing.T, h *host) *collector {
	t.Helper()
	own := []string{"--set=" + include("{label: {"+runLabel+": "+runID+"}}")} // before a Collector of this machine that takes all JVMs
	return f.run(t, h, []string{"collector.yaml", "node.yaml"}, own, "PLANFLAME_WINDOW=5s", "PLANFLAME_BASE_HZ=100", "PLANFLAME_GATEWAY="+net.JoinHostPort(h.outside.String(), f.port))
}

// startTeller runs what a node runs, but in the test's own network, and with one point of a metric
// in place of JVMs. Retries end soon.
func (f *fleet) startTeller(t *testing.T, at string, env ...string) *gateway {
	t.Helper()
	g := &gateway{otlp: "127.0.0.1:" + strconv.Itoa(freePort(t))}
	input := `yaml:{receivers: {otlp: {protocols: {http: {endpoint: "` + g.otlp + `"}}}}, service: {pipelines: {profiles: {receivers: [otlp]}, metrics/costs: {receivers: [otlp]}}}}`
	g.collector = f.run(t, &host{name: "teller"}, []string{"collector.yaml", "node.yaml"}, []string{"--config", input, "--set=exporters::otlp_grpc/gateway::retry_on_failure={initial_interval: 100ms, max_interval: 200ms, max_elapsed_time: 500ms}"},
		append(env, "PLANFLAME_GATEWAY="+at)...)
	md := pmetric.NewMetrics()
	m := md.ResourceMetrics().AppendEmpty().ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName(operatorSeconds)
	m.SetEmptyGauge().DataPoints().AppendEmpty().SetDoubleValue(1)
	g.send(t, md)
	return g
}

// run runs a Collector on shipped files and waits until it is healthy. The later of two values of a
// variable counts.
func (f *fleet) run(t *testing.T, h *host, files, args []string, env ...string) *collector {
	t.Helper()
	address, port := cmp.Or(h.address, "127.0.0.1"), freePort(t)
	health := net.JoinHostPort(address, strconv.Itoa(freePort(t)))
	c := &collector{log: &logBuffer{}, done: make(chan error, 1), metrics: port, metricsAt: net.JoinHostPort(address, strconv.Itoa(port)), health: "http://" + health}
	all := []string{built(t, "planflame-collector")}
	if h.pid != 0 {
		all = append(h.enter(), all...)
	}
	for _, file := range files {
		all = append(all, "--config", filepath.Join(root(t), "config", file))
	}
	all = append(all, args...)
	dir := rootUser.tempDir(t)
	c.cmd = rootUser.command(context.Background(), dir, all[0], all[1:]...)
	c.cmd.Env = append(append(c.cmd.Env, "PLANFLAME_TLS_CA="+filepath.Join(f.dir, "ca.crt"), "PLANFLAME_TOKEN_FILE="+filepath.Join(f.dir, "token"), "PLANFLAME_QUEUE_DIR="+dir,
		"PLANFLAME_HEALTH_ENDPOINT="+health, "PLANFLAME_METRICS_HOST="+address, "PLANFLAME_METRICS_PORT="+strconv.Itoa(port)), env...)
	c.cmd.Stdout, c.cmd.Stderr = c.log, c.log
	require.NoError(t, c.cmd.Start())
	go func() { c.done <- c.cmd.Wait() }()
	t.Cleanup(func() {
		c.kill()
		c.log.keep(t, h.name)
	})
	eventually(t, time.Minute, c.healthy)
	return c
}

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "planflame test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return authority{cert, key}
}

func (a authority) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
}

// issue returns a server's certificate for some addresses, and its key.
func (a authority) issue(t *testing.T, at []net.IP) (cert, key []byte) {
	t.Helper()
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(2), NotBefore: a.cert.NotBefore, NotAfter: a.cert.NotAfter, IPAddresses: at,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, own.Public(), a.key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(own)
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})
}
