package procfs

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Cgroup returns the paths of a process's cgroups from /proc/PID/cgroup, without duplicates: one
// with cgroup v2, one for each distinct path of a hierarchy with v1. A path is relative to the
// cgroup namespace of this process, so it may begin with "/..". See cgroups(7).
func (fs FS) Cgroup(pid int) ([]string, error) {
	b, err := os.ReadFile(fs.path(strconv.Itoa(pid), "cgroup"))
	if err != nil {
		return nil, err
	}
	paths, err := parseCgroup(string(b))
	if err != nil {
		return nil, fmt.Errorf("cgroup of pid %d: %w", pid, err)
	}
	return paths, nil
}

// parseCgroup parses lines "hierarchy:controllers:path"; a path may hold colons.
func parseCgroup(text string) ([]string, error) {
	var paths []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		parts := strings.SplitN(line, ":", 3)
		if len(parts) != 3 || !strings.HasPrefix(parts[2], "/") {
			return nil, fmt.Errorf("line %q is not hierarchy:controllers:path", line)
		}
		if !slices.Contains(paths, parts[2]) {
			paths = append(paths, parts[2])
		}
	}
	return paths, nil
}

// containerUnit matches the name of a container's cgroup: the id alone (cgroupfs driver),
// "RUNTIME-ID.scope" (systemd driver), or "SLICE:RUNTIME:ID" (containerd with the systemd driver on
// one side only).
var containerUnit = regexp.MustCompile(`^(?:.*[-:])?([0-9a-f]{64})(?:\.scope)?$`)

// podUnit matches the name of a pod's cgroup: "podUID" (cgroupfs driver) or "…-podUID.slice" with
// underscores for dashes (systemd driver). A static pod has a hash there, which the API server does
// not know: no match.
var podUnit = regexp.MustCompile(`(?:^|-)pod([0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12})(?:\.slice)?(?::|$)`)

// Container is where a container runtime put a process. Fields are "" if the cgroup does not tell.
type Container struct {
	ID     string // 64 hexadecimal digits
	PodUID string // Kubernetes' uid of the pod, with dashes
}

// ContainerOf reads a container's id and its pod's uid from cgroup paths (FS.Cgroup) of containerd,
// CRI-O, Docker or Podman. The innermost container counts.
func ContainerOf(paths []string) Container {
	var c Container
	for _, path := range paths {
		units := strings.Split(path, "/")
		for _, unit := range slices.Backward(units) {
			if m := containerUnit.FindStringSubmatch(unit); m != nil && c.ID == "" && !strings.Contains(unit, "conmon") {
				c.ID = m[1]
			}
			if m := podUnit.FindStringSubmatch(unit); m != nil && c.PodUID == "" {
				c.PodUID = strings.ReplaceAll(m[1], "_", "-")
			}
		}
	}
	return c
}

// Place is what the kernel says of where a process runs and as whom.
type Place struct {
	Container
	UID     int      // effective
	Cgroups []string // paths, as of FS.Cgroup
}

// Place reads the cgroup and the uid of a process.
func (fs FS) Place(pid int) (Place, error) {
	paths, err := fs.Cgroup(pid)
	if err != nil {
		return Place{}, err
	}
	uid, err := fs.UID(pid)
	if err != nil {
		return Place{}, err
	}
	return Place{ContainerOf(paths), uid, paths}, nil
}

// UID returns the effective uid of a process, as this process's user namespace sees it.
func (fs FS) UID(pid int) (int, error) {
	path := fs.path(strconv.Itoa(pid), "status")
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	ids, err := parseIDs(string(b), "Uid:")
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return int(ids[1]), nil
}
