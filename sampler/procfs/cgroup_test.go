package procfs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	containerA = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9"
	containerB = "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"
	podDashes  = "8a1bc2d3-e4f5-4678-9abc-def012345678"
	podUnders  = "8a1bc2d3_e4f5_4678_9abc_def012345678"
	otherPod   = "11112222-3333-4444-5555-666677778888"
)

func TestContainerOf(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want Container
	}{
		"containerd, systemd driver, v2": {
			"0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + podUnders + ".slice/cri-containerd-" + containerA + ".scope\n",
			Container{containerA, podDashes},
		},
		"containerd, systemd driver, guaranteed": {
			"0::/kubepods.slice/kubepods-pod" + podUnders + ".slice/cri-containerd-" + containerA + ".scope\n",
			Container{containerA, podDashes},
		},
		"containerd, cgroupfs driver, v2": {
			"0::/kubepods/besteffort/pod" + podDashes + "/" + containerA + "\n",
			Container{containerA, podDashes},
		},
		"containerd, cgroupfs driver, v1": {
			"12:pids:/kubepods/burstable/pod" + podDashes + "/" + containerA + "\n" +
				"11:cpu,cpuacct:/kubepods/burstable/pod" + podDashes + "/" + containerA + "\n" +
				"1:name=systemd:/kubepods/burstable/pod" + podDashes + "/" + containerA + "\n" +
				"0::/\n",
			Container{containerA, podDashes},
		},
		"kubelet with systemd's driver, containerd without": {
			"1:name=systemd:/system.slice/containerd.service/kubepods-burstable-pod" + podUnders + ".slice:cri-containerd:" + containerA + "\n",
			Container{containerA, podDashes},
		},
		"CRI-O, v2": {
			"0::/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" + podUnders + ".slice/crio-" + containerB + ".scope\n",
			Container{containerB, podDashes},
		},
		"CRI-O with crun: a cgroup below the scope": {
			"0::/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" + podUnders + ".slice/crio-" + containerB + ".scope/container\n",
			Container{containerB, podDashes},
		},
		"CRI-O, v1": {
			"4:memory:/kubepods.slice/kubepods-pod" + podUnders + ".slice/crio-" + containerB + ".scope\n",
			Container{containerB, podDashes},
		},
		"CRI-O's monitor is in no container": {
			"0::/kubepods.slice/kubepods-pod" + podUnders + ".slice/crio-conmon-" + containerB + ".scope\n",
			Container{"", podDashes},
		},
		"cri-dockerd": {
			"0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + podUnders + ".slice/docker-" + containerB + ".scope\n",
			Container{containerB, podDashes},
		},
		"Docker, systemd driver":  {"0::/system.slice/docker-" + containerA + ".scope\n", Container{containerA, ""}},
		"Docker, cgroupfs driver": {"9:cpuset:/docker/" + containerA + "\n0::/docker/" + containerA + "\n", Container{containerA, ""}},
		"Podman without root": {
			"0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" + containerB + ".scope/container\n",
			Container{containerB, ""},
		},
		"seen from another pod's cgroup namespace": {
			"0::/../../kubepods-besteffort-pod" + podUnders + ".slice/cri-containerd-" + containerA + ".scope\n",
			Container{containerA, podDashes},
		},
		"seen from another pod's cgroup namespace, cgroupfs driver": {
			"0::/../../../burstable/pod" + podDashes + "/" + containerA + "\n",
			Container{containerA, podDashes},
		},
		"seen from the same pod":            {"0::/../cri-containerd-" + containerB + ".scope\n", Container{containerB, ""}},
		"its own cgroup namespace":          {"0::/\n", Container{}},
		"a node that is a container itself": {"1:cpu:/docker/" + containerA + "/kubelet/kubepods/pod" + otherPod + "/" + containerB + "\n", Container{containerB, otherPod}},
		"YARN": {
			"7:cpu,cpuacct:/hadoop-yarn/container_1700000000000_0001_01_000002\n1:name=systemd:/system.slice/hadoop-yarn-nodemanager.service\n",
			Container{},
		},
		"a service":    {"0::/system.slice/planflame-collector.service\n", Container{}},
		"a login":      {"0::/user.slice/user-1000.slice/session-3.scope\n", Container{}},
		"a static pod": {"0::/kubepods/burstable/pod0123456789abcdef0123456789abcdef/" + containerA + "\n", Container{containerA, ""}},
		"63 digits":    {"0::/docker/" + containerA[:63] + "\n", Container{}},
		"upper case":   {"0::/docker/" + strings.ToUpper(containerA) + "\n", Container{}},
		"no cgroups":   {"", Container{}},
	} {
		t.Run(name, func(t *testing.T) {
			paths, err := parseCgroup(c.text)
			require.NoError(t, err)
			assert.Equal(t, c.want, ContainerOf(paths))
		})
	}
}

func TestParseCgroup(t *testing.T) {
	paths, err := parseCgroup("12:pids:/a\n11:cpu,cpuacct:/a\n1:name=systemd:/b:c\n0::/\n")
	require.NoError(t, err)
	assert.Equal(t, []string{"/a", "/b:c", "/"}, paths)
	for _, bad := range []string{"0::", "0:/a", "x", "0::a"} {
		_, err := parseCgroup(bad + "\n")
		assert.ErrorContains(t, err, "is not hierarchy:controllers:path", bad)
	}
}

func TestParseIDs(t *testing.T) {
	const status = "Name:\tjava\nUid:\t1000\t185\t1001\t1002\nGid:\t3\t5\t7\t9\n"
	ids, err := parseIDs(status, "Uid:")
	require.NoError(t, err)
	assert.Equal(t, [4]uint32{1000, 185, 1001, 1002}, ids)
	ids, err = parseIDs(status, "Gid:")
	require.NoError(t, err)
	assert.Equal(t, [4]uint32{3, 5, 7, 9}, ids)
	for text, says := range map[string]string{
		"Name:\tjava\n":           "no line Uid:",
		"Uid:\t1000\t185\n":       "2 ids",
		"Uid:\t1\t-185\t1\t1":     "Uid: ",
		"Uid:\t1\t4294967296 1 1": "Uid: ",
	} {
		_, err := parseIDs(text, "Uid:")
		assert.ErrorContains(t, err, says)
	}
}

func TestCgroupAndUIDOfThisProcess(t *testing.T) {
	var fs FS
	paths, err := fs.Cgroup(os.Getpid())
	require.NoError(t, err)
	assert.NotEmpty(t, paths)
	uid, err := fs.UID(os.Getpid())
	require.NoError(t, err)
	assert.Equal(t, os.Geteuid(), uid)
	for _, read := range []func() error{
		func() error { _, err := fs.Cgroup(1 << 30); return err },
		func() error { _, err := fs.UID(1 << 30); return err },
	} {
		assert.ErrorIs(t, read(), os.ErrNotExist)
	}
}

func TestPlace(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "73")
	require.NoError(t, os.Mkdir(dir, 0o755))
	fs := FS{Root: root}
	_, err := fs.Place(73)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cgroup"), []byte("0::/kubepods/pod"+podDashes+"/"+containerA+"\n"), 0o644))
	_, err = fs.Place(73)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "status"), []byte("Uid:\t0\t185\t0\t0\n"), 0o644))
	got, err := fs.Place(73)
	require.NoError(t, err)
	assert.Equal(t, Place{Container{containerA, podDashes}, 185, []string{"/kubepods/pod" + podDashes + "/" + containerA}}, got)
}

// What cannot be parsed is an error that names the process.
func TestCgroupOfDamagedFiles(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "71")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cgroup"), []byte("damaged\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "status"), []byte("Name:\tjava\n"), 0o644))
	fs := FS{Root: root}
	_, err := fs.Cgroup(71)
	require.ErrorContains(t, err, "cgroup of pid 71")
	_, err = fs.UID(71)
	require.ErrorContains(t, err, "71/status")
}
