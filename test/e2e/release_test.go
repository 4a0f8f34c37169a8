//go:build e2e

package e2e

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// released is the one file of dist/ that a pattern matches.
func released(t *testing.T, pattern string) string {
	t.Helper()
	hits, err := filepath.Glob(filepath.Join(root(t), "dist", pattern))
	require.NoError(t, err)
	require.Len(t, hits, 1, "dist/%s: run this through make test-e2e", pattern)
	return hits[0]
}

// version is the version of this source tree.
func version(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root(t), "VERSION"))
	require.NoError(t, err)
	return strings.TrimSpace(string(b))
}

// TestWheel installs the wheel beside PySpark, as pip does it for a user, and profiles a Python
// program.
func TestWheel(t *testing.T) {
	t.Parallel()
	s, u := sparkNewest(t), user{uid: -1}
	wheel := released(t, "*.whl")
	checkRecord(t, wheel)

	cache, err := os.UserCacheDir() // scripts/fetch-spark has left PySpark in pip's
	require.NoError(t, err)
	venv := filepath.Join(u.tempDir(t), "venv")
	ctx, cancel := context.WithTimeout(t.Context(), jobTime)
	defer cancel()
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := u.command(ctx, filepath.Dir(venv), name, args...)
		cmd.Env = append(cmd.Env, "SPARK_LOCAL_IP=127.0.0.1", "VIRTUAL_ENV="+venv, "PIP_CACHE_DIR="+filepath.Join(cache, "pip"), quickJava, "PATH="+filepath.Join(venv, "bin")+":"+os.Getenv("PATH"))
		log, err := output(t, cmd)
		require.NoError(t, err, "%s %q:\n%s", name, args, log)
		return log
	}
	run(filepath.Join(s.venv, "bin", "python"), "-m", "venv", venv)
	run(filepath.Join(venv, "bin", "pip"), "--disable-pip-version-check", "install", "--quiet", wheel, "pyspark=="+s.version)

	planflame := filepath.Join(venv, "bin", "planflame")
	assert.Contains(t, run(planflame, "version"), "planflame "+version(t)+"\nplugin jar: inside the binary")
	log := run(planflame, "run", "--out", "out", "--", "python", filepath.Join(root(t), "test", "e2e", "testdata", "released.py"))
	assert.Regexp(t, `(?m)^ +CPU s +± .* stage  operator$`, log)
	assert.Regexp(t, `(?m)^ +\d+\.\d\d[~ ] .*HashAggrega\S* .*sum\(x\)( · \S+)?$`, log)
	var sum summary
	readJSON(t, filepath.Join(filepath.Dir(venv), "out", "summary.json"), &sum)
	assert.Positive(t, sum.Samples)
	assert.Positive(t, sum.AttributedShare)
}

// checkRecord holds each file of a wheel against RECORD, and RECORD against the files.
func checkRecord(t *testing.T, wheel string) {
	t.Helper()
	r, err := zip.OpenReader(wheel)
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()
	sums := map[string]string{}
	var record string
	for _, f := range r.File {
		in, err := f.Open()
		require.NoError(t, err)
		b, err := io.ReadAll(in)
		require.NoError(t, err)
		if strings.HasSuffix(f.Name, "/RECORD") {
			record, sums[f.Name] = string(b), ""
			continue
		}
		sum := sha256.Sum256(b)
		sums[f.Name] = fmt.Sprintf("sha256=%s,%d", base64.RawURLEncoding.EncodeToString(sum[:]), len(b))
	}
	rows, err := csv.NewReader(strings.NewReader(record)).ReadAll()
	require.NoError(t, err)
	recorded := map[string]string{}
	for _, row := range rows {
		recorded[row[0]] = strings.TrimSuffix(row[1]+","+row[2], ",")
	}
	assert.Equal(t, sums, recorded)
	assert.Contains(t, sums, "planflame-"+version(t)+".data/scripts/planflame")
}

// containerCapabilities are what the DaemonSet adds to none.
const containerCapabilities = "IPC_LOCK,PERFMON,SYS_PTRACE"

// TestImageAndMavenRepository unpacks the image and runs it as a container runtime would, as its
// own user with the DaemonSet's capabilities. The Spark that it profiles belongs to another user
// and has the plugin from the Maven repository.
func TestImageAndMavenRepository(t *testing.T) {
	if os.Geteuid() != 0 {
		lacks(t, "root: chroot and capabilities")
	}
	image := unpackImage(t)
	assert.Equal(t, "0:0", image.Config.User)
	assert.Equal(t, version(t), image.Config.Labels["org.opencontainers.image.version"])
	confine := filepath.Join(t.TempDir(), "confine")
	out, err := exec.Command("go", "build", "-o", confine, "./confine").CombinedOutput()
	require.NoError(t, err, "%s", out)

	server := pyroscopetest.Start(t)
	health := "127.0.0.1:" + strconv.Itoa(freePort(t))
	c := &collector{log: &logBuffer{}, done: make(chan error, 1), metrics: freePort(t), health: "http://" + health}
	args := []string{"-root", image.root, "-caps", containerCapabilities, "-no-new-privs", "--"}
	args = append(append(args, image.Config.Entrypoint...), image.Config.Cmd...)
	args = append(args, "--set="+include("{label: {"+runLabel+": "+runID+"}}"))
	c.cmd = rootUser.command(context.Background(), "/", confine, args...)
	c.cmd.Env = append(image.Config.Env, "PYROSCOPE_URL="+server.URL, "PLANFLAME_WINDOW=5s", "PLANFLAME_HEALTH_ENDPOINT="+health,
		"PLANFLAME_METRICS_PORT="+strconv.Itoa(c.metrics))
	c.cmd.Stdout, c.cmd.Stderr = c.log, c.log
	require.NoError(t, c.cmd.Start())
	go func() { c.done <- c.cmd.Wait() }()
	t.Cleanup(func() {
		c.kill()
		c.log.keep(t, "collector")
	})
	eventually(t, time.Minute, c.healthy)

	j := startJob(t, sparkNewest(t), ordinaryUser, jobSpec{seconds: 5, data: "sf0.3", conf: []string{
		"--repositories", "file://" + filepath.Join(root(t), "dist", "maven"),
		"--packages", "io.planflame:planflame-spark:" + version(t),
		"--conf", "spark.jars.ivy=" + ordinaryUser.tempDir(t),
		"--conf", "spark.plugins=io.planflame.spark.PlanflamePlugin",
		"--conf", "spark.planflame.label.team=margin",
	}})
	j.wait(t)
	assert.Contains(t, j.log.String(), "found io.planflame#planflame-spark;"+version(t))
	checkTotal(t, server, "margin", j, 20)
	c.stop(t)
	checkPyroscope(t, server, "margin")
}

// unpackedImage is an image's configuration and its file system in a folder.
type unpackedImage struct {
	root   string
	Config struct {
		User            string
		Entrypoint, Cmd []string
		Env             []string
		Labels          map[string]string
	} `json:"config"`
}

// unpackImage reads the image as `docker load` does.
func unpackImage(t *testing.T) unpackedImage {
	t.Helper()
	archive := rootUser.tempDir(t)
	tar := func(args ...string) {
		t.Helper()
		out, err := exec.Command("tar", args...).CombinedOutput()
		require.NoError(t, err, "tar %q: %s", args, out)
	}
	tar("-C", archive, "-xf", released(t, "*-image.tar"))
	var manifest []struct {
		Config   string
		RepoTags []string
		Layers   []string
	}
	readJSON(t, filepath.Join(archive, "manifest.json"), &manifest)
	require.Len(t, manifest, 1)
	assert.Equal(t, []string{"planflame-collector:" + version(t)}, manifest[0].RepoTags)

	image := unpackedImage{root: rootUser.tempDir(t)}
	readJSON(t, filepath.Join(archive, manifest[0].Config), &image)
	for _, layer := range manifest[0].Layers {
		tar("-C", image.root, "-xzf", filepath.Join(archive, layer))
	}
	certificates, err := os.ReadFile(filepath.Join(image.root, "etc", "ssl", "certs", "ca-certificates.crt"))
	require.NoError(t, err)
	assert.Greater(t, bytes.Count(certificates, []byte("BEGIN CERTIFICATE")), 80)
	assert.FileExists(t, filepath.Join(image.root, "usr", "bin", "planflame"), "for kubectl exec … -- /usr/bin/planflame doctor")
	return image
}

// TestLicenseInside looks for the license in what users hand on by itself.
func TestLicenseInside(t *testing.T) {
	jar, err := zip.OpenReader(released(t, filepath.Join("maven", "io", "planflame", "planflame-spark", "*", "*.jar")))
	require.NoError(t, err)
	defer func() { require.NoError(t, jar.Close()) }()
	_, err = fs.Stat(jar, "META-INF/LICENSE")
	assert.NoError(t, err)
	out, err := exec.Command("tar", "-xzOf", released(t, "planflame-*.tgz"), "planflame/LICENSE").CombinedOutput()
	assert.NoError(t, err, "%s", out)
}

// TestDebianPackage looks into the .deb.
func TestDebianPackage(t *testing.T) {
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		lacks(t, "dpkg-deb (Debian/Ubuntu: dpkg)")
	}
	deb := released(t, "*.deb")
	dpkg := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("dpkg-deb", args...).CombinedOutput()
		require.NoError(t, err, "dpkg-deb %q: %s", args, out)
		return string(out)
	}
	assert.Equal(t, "planflame-collector\n", dpkg("-f", deb, "Package"))
	assert.Equal(t, version(t)+"-1\n", dpkg("-f", deb, "Version"))
	assert.Regexp(t, `(?m)^-rw------- root/root .* \./etc/planflame/environment$`, dpkg("-c", deb))

	dir := t.TempDir()
	dpkg("-R", deb, dir)
	conffiles, err := os.ReadFile(filepath.Join(dir, "DEBIAN", "conffiles"))
	require.NoError(t, err)
	assert.Subset(t, strings.Fields(string(conffiles)), []string{"/etc/planflame/collector.yaml", "/etc/planflame/environment"})
	postinst, err := os.ReadFile(filepath.Join(dir, "DEBIAN", "postinst"))
	require.NoError(t, err)
	for name, capabilities := range map[string]string{"planflame-collector.service": "CAP_PERFMON CAP_SYS_PTRACE", "planflame-gateway.service": ""} {
		unit, err := os.ReadFile(filepath.Join(dir, "usr", "lib", "systemd", "system", name))
		require.NoError(t, err)
		values := map[string]string{}
		for line := range strings.Lines(string(unit)) {
			if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
				values[key] = value
			}
		}
		assert.Contains(t, string(postinst), " "+values["User"]+"\n", "the package makes the user of %s", name)
		assert.Equal(t, capabilities, values["CapabilityBoundingSet"], name)
		// The unit's command, with every path inside of the package.
		command := strings.Fields(values["ExecStart"])
		for i, arg := range command {
			if strings.HasPrefix(arg, "/") {
				command[i] = filepath.Join(dir, arg)
			}
		}
		validate := exec.Command(command[0], append([]string{"validate"}, command[1:]...)...)
		validate.Env = append(os.Environ(), "PLANFLAME_QUEUE_DIR="+dir)
		out, err := validate.CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
	}
	out, err := exec.Command(filepath.Join(dir, "usr", "bin", "planflame-collector"), "--version").CombinedOutput()
	require.NoError(t, err)
	assert.Equal(t, "planflame-collector version "+version(t)+"\n", string(out))
	out, err = exec.Command(filepath.Join(dir, "usr", "bin", "planflame"), "version").CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(out), "planflame "+version(t)+"\n")
}

// TestForeignBuilder builds somebody else's Collector with our receiver in it, from nothing but a
// version of the module.
func TestForeignBuilder(t *testing.T) {
	t.Parallel()
	proxy, modules, dir := t.TempDir(), t.TempDir(), t.TempDir()
	out, err := exec.Command(built(t, "tools", "proxy"), "-root", root(t), "-version", "v"+version(t), "-out", proxy).CombinedOutput()
	require.NoError(t, err, "%s", out)
	builder := strings.ReplaceAll(`
dist: {name: mine, module: example.com/mine, output_path: OUT}
receivers:
  - gomod: github.com/planflame/planflame vVERSION
    import: github.com/planflame/planflame/collector-receiver/sparkprofile
    name: sparkprofile
exporters:
  - gomod: go.opentelemetry.io/collector/exporter/debugexporter v0.162.0
providers:
  - gomod: go.opentelemetry.io/collector/confmap/provider/yamlprovider v1.68.0
  - gomod: go.opentelemetry.io/collector/confmap/provider/envprovider v1.68.0
`, "VERSION", version(t))
	config := filepath.Join(dir, "builder.yaml")
	require.NoError(t, os.WriteFile(config, []byte(strings.ReplaceAll(builder, "OUT", dir)), 0o644))

	env, err := exec.Command("go", "env", "-json", "GOMODCACHE", "GOPROXY").Output()
	require.NoError(t, err)
	var goEnv struct{ GOMODCACHE, GOPROXY string }
	require.NoError(t, json.Unmarshal(env, &goEnv))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	u := user{uid: -1}
	cmd := u.command(ctx, dir, built(t, "tools", "ocb"), "--config", config)
	// A module cache of its own: our version in the user's would stay there. The user's serves all
	// other modules.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOMODCACHE="+modules, "GOFLAGS=-modcacherw -trimpath -buildvcs=false",
		"GOPROXY=file://"+proxy+",file://"+filepath.Join(goEnv.GOMODCACHE, "cache", "download")+","+goEnv.GOPROXY,
		"GONOSUMDB=github.com/planflame/planflame", "GOWORK=off")
	log, err := output(t, cmd)
	require.NoError(t, err, "%s", log)

	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^\s*github.com/planflame/planflame v`+version(t)+`$`, string(mod))
	assert.NotContains(t, string(mod), "replace")
	validate := exec.Command(filepath.Join(dir, "mine"), "validate", "--feature-gates=service.profilesSupport", "--config", `yaml:
receivers: {spark_profile: {}}
exporters: {debug: {}}
service: {pipelines: {profiles: {receivers: [spark_profile], exporters: [debug]}}}`)
	out, err = validate.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
