package hotspot_test

import (
	"bufio"
	"errors"
	"fmt"
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
	"github.com/planflame/planflame/sampler/unwind"
)

// What a reader finds of compiled methods in the JVM's memory is what the agent tells of them:
// sizes, frames, regions with their methods and bytecodes, proofs.
func TestCodeAgreesWithEvents(t *testing.T) {
	testkit.JVM(t)
	lib, err := filepath.Abs(library)
	require.NoError(t, err)
	_, err = os.Stat(lib)
	testkit.Requires(t, "the agent (make -C agent-jvmti/native)", err)
	dir := t.TempDir()
	out, err := exec.Command("javac", "--release", "17", "-d", dir, "testdata/java/Code.java").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, java := range javas(t) {
		t.Run(strings.Trim(strings.ReplaceAll(java, "/", "-"), "-."), func(t *testing.T) { codeAgrees(t, java, lib, dir) })
	}
}

// toldCode is what the agent has told of a JVM's code.
type toldCode struct {
	feature uint32
	layout  hotspot.CodeLayout
	namer   hotspot.Layout
	loads   map[uint64]*jvmlog.CodeLoad // that live, by address
	methods map[jvmlog.MethodID]*jvmlog.Method
	trap    uint64 // the uncommon trap
	n       int    // of records
}

func (c *toldCode) apply(r jvmlog.Record) (err error) {
	c.n++
	switch r := r.(type) {
	case *jvmlog.Method:
		c.methods[r.ID] = r
	case *jvmlog.CodeLoad:
		c.loads[r.Address] = r
	case *jvmlog.CodeUnload:
		delete(c.loads, r.Address)
	case *jvmlog.Stub:
		if r.Name == "UncommonTrapBlob" {
			c.trap = r.Address
		}
	case *jvmlog.VMLayout:
		if c.layout, err = hotspot.ParseCodeLayout(r.JSON, c.feature); err != nil {
			return err
		}
		c.namer, err = hotspot.ParseLayout(r.JSON, c.feature)
	}
	return err
}

func codeAgrees(t *testing.T, java, lib, classes string) {
	cmd := exec.Command(java, "-agentpath:"+lib, "-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints", "-XX:CompileThresholdScaling=0.05", "-Xbatch",
		"-Xmx128m", "-XX:+UseSerialGC", "-cp", classes, "Code")
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
	require.NotNil(t, log)
	defer func() { assert.NoError(t, log.Close()) }()
	header, err := log.Header()
	require.NoError(t, err)
	told := &toldCode{feature: header.JDKFeature, loads: map[uint64]*jvmlog.CodeLoad{}, methods: map[jvmlog.MethodID]*jvmlog.Method{}}
	var next uint64
	require.Eventually(t, func() bool { // the agent writes in the background: until it has nothing new for a while
		before := told.n
		var missed, bad uint64
		next, missed, bad, err = log.Records(next, func(_ jvmlog.MonoTime, r jvmlog.Record) error { return told.apply(r) })
		assert.NoError(t, err)
		assert.Zero(t, missed+bad)
		return t.Failed() || before > 0 && told.n == before
	}, 20*time.Second, 500*time.Millisecond)
	memory := unwind.NewProcessMemory(cmd.Process.Pid)
	defer func() { assert.NoError(t, memory.Close()) }()
	cache, err := hotspot.NewCodeCache(told.layout, memory)
	require.NoError(t, err)
	a := agreement{t: t, told: told, cache: cache, namer: hotspot.NewNamer(told.namer, memory), named: map[uint64]jvmlog.MethodID{}, numbers: map[string]jvmlog.MethodID{}}
	began := time.Now()
	for _, load := range told.loads {
		a.compare(load)
	}
	t.Logf("JDK %s: %d compiled methods told, %d read with %d regions and %d proofs, %d gone, %d differ, %v each",
		header.JDKVersion, len(told.loads), a.same, a.regions, a.proofs, a.gone, len(a.differ), time.Since(began)/time.Duration(len(told.loads)))
	for _, d := range a.differ[:min(20, len(a.differ))] {
		t.Log(d)
	}
	assert.Greater(t, a.same, 500)
	assert.Greater(t, a.regions, 20*500)
	assert.Greater(t, a.proofs, 100)
	assert.LessOrEqual(t, a.gone, len(told.loads)/50, "unloaded since")
	assert.Empty(t, a.differ)
}

// agreement compares both sources.
type agreement struct {
	t                           *testing.T
	told                        *toldCode
	cache                       *hotspot.CodeCache
	namer                       *hotspot.Namer
	named                       map[uint64]jvmlog.MethodID // by Method*
	numbers                     map[string]jvmlog.MethodID // of texts
	same, gone, regions, proofs int
	differ                      []string
}

func (a *agreement) compare(told *jvmlog.CodeLoad) {
	n, err := a.cache.Find(told.Address + uint64(told.Size) - 1)
	if err == nil && n.CompileID != told.CompileID {
		a.gone++
		return
	}
	var got *jvmlog.CodeLoad
	if err == nil {
		got, err = a.cache.Load(n, a.told.trap, a.read)
	}
	what := fmt.Sprintf("%#x level %d id %d %s", told.Address, told.Level, told.CompileID, a.text(a.told.methods[told.Method]))
	if errors.Is(err, hotspot.ErrNoCode) {
		a.gone++
		return
	}
	if err != nil {
		a.differ = append(a.differ, fmt.Sprintf("%s: %v", what, err))
		return
	}
	want := a.renumbered(told)
	toldHead, readHead := *want, *got
	for _, r := range []*jvmlog.CodeLoad{&toldHead, &readHead} {
		r.PCs, r.Frames, r.Proofs = nil, nil, nil
	}
	switch {
	case fmt.Sprint(toldHead) != fmt.Sprint(readHead):
		a.differ = append(a.differ, fmt.Sprintf("%s: told %+v, read %+v", what, toldHead, readHead))
	case !slices.EqualFunc(want.PCs, got.PCs, func(x, y jvmlog.PCRegion) bool { return sameRegion(want, got, x, y) }):
		a.differ = append(a.differ, fmt.Sprintf("%s: regions: %s", what, regionsDiffer(want, got)))
	case !slices.Equal(want.Proofs, got.Proofs):
		a.differ = append(a.differ, fmt.Sprintf("%s: proofs: told %v, read %v", what, want.Proofs, got.Proofs))
	default:
		a.same++
		a.regions += len(got.PCs)
		a.proofs += len(got.Proofs)
	}
}

// read numbers a Method* by what memory says of it.
func (a *agreement) read(ptr uint64) jvmlog.MethodID {
	number, known := a.named[ptr]
	if !known {
		_, m, err := a.namer.Name(ptr, time.Now())
		require.NoError(a.t, err)
		number = a.number(m)
		a.named[ptr] = number
	}
	return number
}

// renumbered is what was told, numbered as read numbers.
func (a *agreement) renumbered(r *jvmlog.CodeLoad) *jvmlog.CodeLoad {
	out := *r
	out.Flags &^= jvmlog.CodeReplayed
	out.Method = a.number(a.told.methods[r.Method])
	out.Frames = slices.Clone(r.Frames)
	for i := range out.Frames {
		out.Frames[i].Method = a.number(a.told.methods[out.Frames[i].Method])
	}
	return &out
}

// number is a number of a method's text, the same for each that has it.
func (a *agreement) number(m *jvmlog.Method) jvmlog.MethodID {
	text := a.text(m)
	number, known := a.numbers[text]
	if !known {
		number = jvmlog.MethodID(len(a.numbers) + 1)
		a.numbers[text] = number
	}
	return number
}

// text is what names a method. All that link method handles are one jmethodID to JVMTI, which tells
// the name of any of them. Memory has the right one.
func (a *agreement) text(m *jvmlog.Method) string {
	require.NotNil(a.t, m)
	if m.Class == "java.lang.invoke.MethodHandle" && (strings.HasPrefix(m.Name, "linkTo") || m.Name == "invokeBasic") {
		return "a linker"
	}
	return fmt.Sprint(m.Class, ".", m.Name, m.Descriptor, " ", m.SourceFile, byBCI(m.Lines))
}

func sameRegion(told, read *jvmlog.CodeLoad, x, y jvmlog.PCRegion) bool {
	return x.End == y.End && slices.Equal(told.Frames[x.First:x.First+x.Count], read.Frames[y.First:y.First+y.Count])
}

// regionsDiffer describes the first region that differs.
func regionsDiffer(told, read *jvmlog.CodeLoad) string {
	for i := range min(len(told.PCs), len(read.PCs)) {
		if x, y := told.PCs[i], read.PCs[i]; !sameRegion(told, read, x, y) {
			return fmt.Sprintf("%d told, %d read, number %d: told %d %v, read %d %v", len(told.PCs), len(read.PCs), i,
				x.End, told.Frames[x.First:x.First+x.Count], y.End, read.Frames[y.First:y.First+y.Count])
		}
	}
	return fmt.Sprintf("%d told, %d read", len(told.PCs), len(read.PCs))
}
