//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The pod and container of TestNotebookInAPod.
const (
	podUID      = "8a1b0c2d-0000-4000-8000-00000000beef"
	containerID = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
)

// newContainer makes a cgroup like a container's in a pod and returns the file that takes its
// processes; "" if this user or machine cannot.
func newContainer(t *testing.T) (procs string) {
	t.Helper()
	for _, hierarchy := range []string{"/sys/fs/cgroup/pids", "/sys/fs/cgroup"} { // v1, v2
		if _, err := os.Stat(filepath.Join(hierarchy, "cgroup.procs")); err != nil {
			continue
		}
		parent := filepath.Join(hierarchy, "planflame-"+runID)
		pod := filepath.Join(parent, "pod"+podUID)
		dir := filepath.Join(pod, containerID)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Logf("no container: %v", err)
			return ""
		}
		t.Cleanup(func() {
			for _, d := range []string{dir, pod, parent} {
				eventually(t, time.Minute, func() error { return syscall.Rmdir(d) }) // when its last process has ended
			}
		})
		return filepath.Join(dir, "cgroup.procs")
	}
	return ""
}

// TestNotebookInAPod runs a notebook's two applications, in one JVM and in the cgroup of a pod,
// beside a Collector, and looks at the resources of its profiles.
func TestNotebookInAPod(t *testing.T) {
	s, u := sparkOld(t), ordinaryUser.here() // TestShapes has the newest
	c := startCollector(t, rootUser.here(), "http://127.0.0.1:1", "--set=service::pipelines::profiles::exporters=[debug]", "--config=yaml:exporters::debug::verbosity: detailed")
	procs := newContainer(t)
	dir := u.tempDir(t)
	command, env := sessionsJob(t, s, u, sessionsSpec{shape: "notebook"})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := u.command(ctx, dir, "/bin/sh", append([]string{"-c", `read -r go; exec "$@"`, "notebook"}, command...)...)
	cmd.Env = append(append(cmd.Env, env...), quickJava, "PYSPARK_SUBMIT_ARGS=--properties-file "+sparkDefaults(t, u, dir)+" pyspark-shell")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	if procs != "" {
		require.NoError(t, os.WriteFile(procs, []byte(strconv.Itoa(cmd.Process.Pid)), 0o644))
	}
	_, err = start.Write([]byte("\n"))
	require.NoError(t, err)
	require.NoError(t, cmd.Wait(), "%s", &stderr)
	var resources []map[string]string
	eventually(t, time.Minute, func() error {
		if resources = resourcesOf(c.log.String()); len(resources) == 0 || resources[len(resources)-1]["spark.application.name"] != "notebook, session 2" {
			return errors.New("no profile of the second application yet")
		}
		return nil
	})
	c.stop(t)
	uid := max(u.uid, 0)
	if u.uid < 0 {
		uid = os.Getuid()
	}
	queries, ids := map[string]string{}, map[string]string{}
	for _, r := range resourcesOf(c.log.String()) {
		assert.Equal(t, strconv.Itoa(uid), r["process.user.id"])
		if procs != "" {
			assert.Equal(t, [2]string{containerID, podUID}, [2]string{r["container.id"], r["k8s.pod.uid"]})
		}
		assert.Equal(t, r["spark.application.name"], r["service.name"])
		if app := r["spark.application.name"]; app != "" { // "": before the plugin has said it
			queries[app] += r["queries"]
			ids[app] = r["spark.application.id"]
		}
	}
	require.Len(t, queries, 2, "%v", queries)
	assert.NotEqual(t, ids["notebook, session 1"], ids["notebook, session 2"])
	for i, name := range []string{ordersQuery, partsQuery} {
		app := fmt.Sprintf("notebook, session %d", i+1)
		assert.Contains(t, queries[app], name)
		assert.NotContains(t, queries[app], []string{partsQuery, ordersQuery}[i])
	}
}

// resourcesOf reads the attributes of the resources of profiles from what the debug exporter says
// of them, and the names of their queries as "queries".
func resourcesOf(log string) (out []map[string]string) {
	attribute := regexp.MustCompile(`(?m)-> ([\w.]+): \w+\((.*)\)$`)
	for i, part := range strings.Split(log, "ResourceProfiles #") {
		if i == 0 {
			continue
		}
		head, rest, _ := strings.Cut(part, "ScopeProfiles #")
		r := map[string]string{}
		for _, m := range attribute.FindAllStringSubmatch(head, -1) {
			r[m[1]] = m[2]
		}
		for _, m := range attribute.FindAllStringSubmatch(rest, -1) {
			if m[1] == "spark.query.name" {
				r["queries"] += m[2] + "\n"
			}
		}
		out = append(out, r)
	}
	return out
}
