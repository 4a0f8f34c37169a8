package hotspot_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/hotspot"
	"github.com/planflame/planflame/sampler/internal/testkit"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/sampler/unwind"
)

const library = "../../build/native/libplanflame.so"

// javas are the java commands of the machine: the default one and those beside it.
func javas(t *testing.T) []string {
	t.Helper()
	standard, err := exec.LookPath("java")
	testkit.Requires(t, "a JDK", err)
	standard, err = filepath.EvalSymlinks(standard)
	require.NoError(t, err)
	found, err := filepath.Glob("/usr/lib/jvm/*/bin/java") // all that have debug information in their classes
	require.NoError(t, err)
	found = append(found, standard)
	seen := map[string]bool{}
	return slices.DeleteFunc(found, func(java string) bool {
		real, err := filepath.EvalSymlinks(java)
		known := err != nil || seen[real]
		seen[real] = true
		return known
	})
}

// Every method that the agent has named through JVMTI gets the same names, and the same lines, from
// outside.
func TestNamesAgreeWithJVMTI(t *testing.T) {
	testkit.JVM(t)
	lib, err := filepath.Abs(library)
	require.NoError(t, err)
	_, err = os.Stat(lib)
	testkit.Requires(t, "the agent (make -C agent-jvmti/native)", err)
	dir := t.TempDir()
	out, err := exec.Command("javac", "--release", "11", "-encoding", "UTF-8", "-d", dir, "testdata/java/Names.java").CombinedOutput()
	require.NoError(t, err, "%s", out)
	tested := 0
	for _, java := range javas(t) {
		t.Run(strings.Trim(strings.ReplaceAll(java, "/", "-"), "-."), func(t *testing.T) {
			if agree(t, java, lib, dir) {
				tested++
			}
		})
	}
	require.Positive(t, tested, "JVMs with our agent")
}

// agree starts a JVM and compares; false where the agent does not work in it (JDK 11).
func agree(t *testing.T, java, lib, classes string) bool {
	cmd := exec.Command(java, "-agentpath:"+lib, "-Xcomp", "-XX:TieredStopAtLevel=1", "-XX:-Inline", "-Xmx128m", "-XX:+UseSerialGC", "-cp", classes, "Names")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer func() {
		assert.NoError(t, stdin.Close())
		assert.NoError(t, cmd.Wait())
	}()
	lines := bufio.NewScanner(stdout)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "ready") {
	}
	log := openLog(t, cmd.Process.Pid)
	if log == nil {
		return false
	}
	defer func() { assert.NoError(t, log.Close()) }()
	header, err := log.Header()
	require.NoError(t, err)
	var methods []*jvmlog.Method
	var layout hotspot.Layout
	names := map[string]bool{}
	var next uint64
	require.Eventually(t, func() bool { // the agent writes in the background
		var missed, bad uint64
		next, missed, bad, err = log.Records(next, func(_ jvmlog.MonoTime, r jvmlog.Record) error {
			switch r := r.(type) {
			case *jvmlog.Method:
				methods = append(methods, r)
				names[r.Name] = true
			case *jvmlog.VMLayout:
				layout, err = hotspot.ParseLayout(r.JSON, header.JDKFeature)
				return err
			}
			return nil
		})
		assert.NoError(t, err)
		assert.Zero(t, missed+bad)
		return t.Failed() || !slices.ContainsFunc(wanted, func(name string) bool { return !names[name] })
	}, 20*time.Second, 20*time.Millisecond)
	memory := unwind.NewProcessMemory(cmd.Process.Pid)
	defer func() { assert.NoError(t, memory.Close()) }()
	compare(t, hotspot.NewNamer(layout, memory), methods)
	t.Logf("JDK %s: %d methods", header.JDKVersion, len(methods))
	return true
}

// wanted are methods of testdata/java/Names.java.
var wanted = []string{"grüße", "aé€𝒜", "far", "size", "<init>", "applyAsInt", "lambda$main$0"}

func compare(t *testing.T, namer *hotspot.Namer, methods []*jvmlog.Method) {
	require.Greater(t, len(methods), 500, "-Xcomp compiles what runs")
	now := time.Now()
	seen, told := map[string]bool{}, map[uint64]*jvmlog.Method{}
	var gone, withLines, native int
	for _, want := range methods {
		require.NotZero(t, want.Ptr, "%s.%s", want.Class, want.Name)
		_, record, err := namer.Name(want.Ptr, now)
		if err != nil && strings.Contains(want.Class, "/0x") { // hidden classes unload
			gone++
			continue
		}
		require.NoError(t, err, "%s.%s", want.Class, want.Name)
		w := *want
		w.ID, w.Loader = 0, 0
		if w.Class == "java.lang.invoke.MethodHandle" && (strings.HasPrefix(w.Name, "linkTo") || w.Name == "invokeBasic") {
			w.SourceFile = "" // the JVM's own methods: their pool names no source
		}
		w.Lines = byBCI(w.Lines)
		if record != nil {
			told[want.Ptr] = record
		}
		g := *told[want.Ptr] // the agent may have written it twice
		g.Lines = byBCI(g.Lines)
		require.Equal(t, w, g)
		seen[w.Name] = true
		if len(w.Lines) > 0 {
			withLines++
		}
		if w.Flags&jvmlog.MethodNative != 0 {
			native++
		}
	}
	for _, name := range wanted {
		assert.True(t, seen[name], name)
	}
	assert.Less(t, gone, len(methods)/20)
	assert.Greater(t, withLines, len(methods)/2)
	assert.Positive(t, native)
	again, record, err := namer.Name(methods[0].Ptr, now.Add(time.Hour))
	require.NoError(t, err)
	assert.Nil(t, record, "looked at again, the same method")
	assert.NotNil(t, again)
}

// byBCI makes line tables comparable whose order among equal indices the agent leaves open.
func byBCI(lines []jvmlog.LineEntry) []jvmlog.LineEntry {
	if len(lines) == 0 {
		return nil
	}
	lines = slices.Clone(lines)
	slices.SortFunc(lines, func(a, b jvmlog.LineEntry) int {
		return int(int64(a.StartBCI)<<32+int64(a.Line)) - int(int64(b.StartBCI)<<32+int64(b.Line))
	})
	return lines
}

// openLog maps the log of a process; nil if it has none.
func openLog(t *testing.T, pid int) *jvmlog.Log {
	p, ok, err := procfs.FS{}.Agent(pid)
	require.NoError(t, err)
	if !ok {
		return nil
	}
	memory, err := p.Open()
	require.NoError(t, err)
	defer func() { require.NoError(t, memory.Close()) }()
	log, err := jvmlog.Open(memory.Log)
	require.NoError(t, err)
	return log
}
