//go:build e2e

package e2e

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// oldestGlibc is the minor version of the oldest glibc that the agent loads on: 2.17, as
// manylinux_2_17 and RHEL 7 have it.
const oldestGlibc = 17

// agentEntries are the library's ways in: -agentpath, System.load, and a native of each signature's
// shape.
var agentEntries = []string{"Agent_OnLoad", "JNI_OnLoad", "Java_io_planflame_agent_NativeAgent_start", "Java_io_planflame_agent_NativeAgent_taskStart"}

// TestLibraryNeeds reads what the agent's library asks of a machine.
func TestLibraryNeeds(t *testing.T) {
	f, err := elf.Open(built(t, "native", "libplanflame.so"))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()

	libraries, err := f.ImportedLibraries()
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"libc.so.6", "libdl.so.2", "libpthread.so.0"}, libraries, "names that musl's loader takes for its own")
	needs, err := f.DynamicVersionNeeds()
	require.NoError(t, err)
	require.Len(t, needs, 3)
	for _, need := range needs {
		for _, v := range need.Needs {
			minor, err := glibcMinor(v.Dep)
			require.NoError(t, err, "%s of %s", v.Dep, need.Name)
			assert.LessOrEqual(t, minor, oldestGlibc, "%s of %s", v.Dep, need.Name)
		}
	}
	flags, err := f.DynValue(elf.DT_FLAGS)
	require.NoError(t, err)
	require.Len(t, flags, 1)
	assert.Zero(t, elf.DynFlag(flags[0])&elf.DF_STATIC_TLS, "initial-exec TLS: musl does not load it late")
	flags, err = f.DynValue(elf.DT_FLAGS_1)
	require.NoError(t, err)
	assert.Equal(t, []uint64{uint64(elf.DF_1_NOW | elf.DF_1_NODELETE)}, flags)
}

// glibcMinor is 17 for "GLIBC_2.17" and 2 for "GLIBC_2.2.5".
func glibcMinor(version string) (int, error) {
	rest, ok := strings.CutPrefix(version, "GLIBC_2.")
	if !ok {
		return 0, fmt.Errorf("%q is no version of glibc 2", version)
	}
	minor, _, _ := strings.Cut(rest, ".")
	return strconv.Atoi(minor)
}

// TestLibraryReproducible builds the agent in another folder.
func TestLibraryReproducible(t *testing.T) {
	dir := t.TempDir()
	for _, part := range []string{"agent-jvmti/native", "scripts"} {
		require.NoError(t, os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join(root(t), part))))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "build"), 0o755))
	require.NoError(t, os.Symlink(built(t, "tools"), filepath.Join(dir, "build", "tools")))
	log, err := output(t, exec.CommandContext(t.Context(), "make", "-C", filepath.Join(dir, "agent-jvmti", "native")))
	require.NoError(t, err, log)
	want, err := os.ReadFile(built(t, "native", "libplanflame.so"))
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(dir, "build", "native", "libplanflame.so"))
	require.NoError(t, err)
	assert.Equal(t, sha256.Sum256(want), sha256.Sum256(got))
	for _, path := range []string{root(t), dir, "/usr/lib/jvm"} {
		assert.False(t, bytes.Contains(got, []byte(path)), "the library holds %s, a path of this machine", path)
	}
}

// TestLibraryOnMusl links a program that needs each symbol that the library needs against musl, and
// loads the library with musl's loader if that can be had. `make test-c` runs the agent's own tests
// on musl. No JVM for musl is tested.
func TestLibraryOnMusl(t *testing.T) {
	t.Parallel()
	library := built(t, "native", "libplanflame.so")
	dir := t.TempDir()
	names := filepath.Join(dir, "names.c")
	require.NoError(t, os.WriteFile(names, []byte(namesOf(t, library)), 0o644))
	muslProgram(t, filepath.Join(dir, "names"), names)
	program := filepath.Join(dir, "dlopen")
	muslProgram(t, program)
	t.Run("loader", func(t *testing.T) {
		loader, err := exec.CommandContext(t.Context(), filepath.Join(root(t), "scripts", "fetch-musl")).Output()
		if err != nil {
			t.Skip("no musl loader on this machine, and none from its package manager: no failure in CI either, the link test stands")
		}
		log, err := output(t, exec.CommandContext(t.Context(), strings.TrimSpace(string(loader)), append([]string{program, library}, agentEntries...)...))
		require.NoError(t, err, log)
		assert.Equal(t, "loaded, sampling 0\n", log)
	})
}

// namesOf is a C source that refers to each symbol that the library imports.
func namesOf(t *testing.T, library string) string {
	t.Helper()
	f, err := elf.Open(library)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	symbols, err := f.ImportedSymbols()
	require.NoError(t, err)
	require.Greater(t, len(symbols), 40)
	var source, all strings.Builder
	for i, s := range symbols {
		fmt.Fprintf(&source, "extern char name%d[] __asm__(%q);\n", i, s.Name)
		fmt.Fprintf(&all, "name%d, ", i)
	}
	return source.String() + "char *const names[] = {" + all.String() + "};\n"
}

// muslProgram builds testdata/dlopen.c against musl.
func muslProgram(t *testing.T, path string, more ...string) {
	t.Helper()
	args := append([]string{"cc", "-target", "x86_64-linux-musl", "-dynamic", "-o", path, filepath.Join("testdata", "dlopen.c")}, more...)
	cmd := exec.CommandContext(t.Context(), built(t, "tools", "zig", "bin", "zig"), args...)
	cache := built(t, "tools", "zig", "cache")
	cmd.Env = append(os.Environ(), "ZIG_GLOBAL_CACHE_DIR="+cache, "ZIG_LOCAL_CACHE_DIR="+cache)
	log, err := output(t, cmd)
	require.NoError(t, err, log)
}
