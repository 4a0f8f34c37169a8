package hotspot

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

var start = time.Unix(1000, 0)

// run is the method of newWorld.
func run() *jvmlog.Method {
	return &jvmlog.Method{Ptr: methodAt, Flags: jvmlog.MethodHasLines, Class: "org.a.B", Name: "run", Descriptor: "(J)V", SourceFile: "B.scala",
		Lines: []jvmlog.LineEntry{{StartBCI: 0, Line: 7}, {StartBCI: 5, Line: 9}, {StartBCI: 17, Line: 300}}}
}

func TestName(t *testing.T) {
	for feature, layout := range map[uint32]string{17: layout17, 25: layout25} {
		w, l := newWorld(t, layout, feature)
		n := NewNamer(l, w)
		m, record, err := n.Name(methodAt, start)
		require.NoError(t, err)
		assert.Equal(t, run(), record, "JDK %d", feature)
		texts, table := uint64(len("org/a/Brun(J)VB.scala")), 112-l.constBytes-20
		assert.Equal(t, texts+8*table, n.Bytes())
		code := constAt + l.constBytes
		for bcp, want := range map[uint64]int32{code: 0, code + 19: 19, code + 20: -1, code - 1: -1, 0: -1} {
			assert.Equal(t, want, m.BCI(bcp))
		}
	}
}

func TestNativeAndPlainMethods(t *testing.T) {
	w, l := newWorld(t, layout17, 17)
	w.u16(methodAt+l.methodAccess, 0x0101)
	w.u16(poolAt+l.poolSource, 0)
	m, record, err := NewNamer(l, w).Name(methodAt, start)
	require.NoError(t, err)
	assert.Equal(t, &jvmlog.Method{Ptr: methodAt, Flags: jvmlog.MethodNative, Class: "org.a.B", Name: "run", Descriptor: "(J)V"}, record)
	assert.EqualValues(t, -1, m.BCI(constAt+l.constBytes), "native code has no bytecodes")

	w.u16(methodAt+l.methodAccess, 1)
	w.u16(constAt+l.constFlags, 0xfffe)
	m, record, err = NewNamer(l, w).Name(methodAt, start)
	require.NoError(t, err)
	assert.Nil(t, record.Lines, "compiled without debug information")
	assert.Zero(t, record.Flags)
	assert.EqualValues(t, 3, m.BCI(constAt+l.constBytes+3))
}

// The JVM makes MethodHandle.linkToStatic and its like in pools of their own.
func TestLinkers(t *testing.T) {
	w, l := newWorld(t, layout17, 17)
	w.u32(poolAt+l.poolLength, 3)
	w.u16(constAt+l.constName, 1)
	w.u16(constAt+l.constSignature, 2)
	w.u16(constAt+l.constFlags, 0)
	w.u64(poolAt+l.poolBytes+8, methodName)
	w.u64(poolAt+l.poolBytes+16, descriptor)
	w.u64(klassAt+l.klassConstants, 0x77770)
	_, _, err := NewNamer(l, w).Name(methodAt, start)
	require.ErrorContains(t, err, "org.a.B with a pool of its own: impossible")
	w.symbol(className, "java/lang/invoke/MethodHandle")
	_, record, err := NewNamer(l, w).Name(methodAt, start)
	require.NoError(t, err)
	assert.Equal(t, &jvmlog.Method{Ptr: methodAt, Class: "java.lang.invoke.MethodHandle", Name: "run", Descriptor: "(J)V"}, record)
}

func TestDamage(t *testing.T) {
	for name, x := range map[string]struct {
		damage func(w *world, l Layout)
		want   string
	}{
		"no ConstMethod":           {func(w *world, l Layout) { w.u64(methodAt+l.methodConst, 0) }, "ConstMethod* 0x0: impossible"},
		"an odd ConstMethod":       {func(w *world, l Layout) { w.u64(methodAt+l.methodConst, constAt+3) }, "ConstMethod* 0x10203: impossible"},
		"ConstMethod of nowhere":   {func(w *world, l Layout) { w.u64(methodAt+l.methodConst, 0x999000) }, "ConstMethod: 0x999000 is not mapped"},
		"ConstMethod at the end":   {func(w *world, l Layout) { w.u64(methodAt+l.methodConst, ^uint64(7)) }, "impossible"},
		"more code than bytes":     {func(w *world, l Layout) { w.u16(constAt+l.constCodeSize, 800) }, "ConstMethod of 112 bytes with 800 of code"},
		"a huge ConstMethod":       {func(w *world, l Layout) { w.u32(constAt+l.constSize, 1<<31) }, "ConstMethod of 17179869184 bytes"},
		"no pool":                  {func(w *world, l Layout) { w.u64(constAt+l.constPool, 0) }, "pool 0x0, name 3"},
		"no name":                  {func(w *world, l Layout) { w.u16(constAt+l.constName, 0) }, "name 0, descriptor 5: impossible"},
		"a name beyond the pool":   {func(w *world, l Layout) { w.u32(poolAt+l.poolLength, 5) }, "ConstantPool of 5 slots"},
		"too many slots":           {func(w *world, l Layout) { w.u32(poolAt+l.poolLength, 65536) }, "ConstantPool of 65536 slots"},
		"no class":                 {func(w *world, l Layout) { w.u64(poolAt+l.poolHolder, 0) }, "slots of class 0x0: impossible"},
		"a class of another pool":  {func(w *world, l Layout) { w.u64(klassAt+l.klassConstants, poolAt+8) }, "class 0x10600 has the pool 0x10408, not 0x10400"},
		"no name symbol":           {func(w *world, l Layout) { w.u64(poolAt+l.poolBytes+8*3, 0) }, "symbol of the name 0x0: impossible"},
		"a symbol of nowhere":      {func(w *world, l Layout) { w.u64(klassAt+l.klassName, 0x999000) }, "name of the class: 0x999000 is not mapped"},
		"a symbol beyond the end":  {func(w *world, _ Layout) { w.u16(sourceName+4, 0xffff) }, "source file of 65535 bytes: 0x10c06 is not mapped"},
		"an empty class":           {func(w *world, _ Layout) { w.u16(className+4, 0) }, `"" is no name of a class`},
		"an array":                 {func(w *world, _ Layout) { w.symbol(className, "[org/a") }, `"[org/a" is no name of a class`},
		"an empty method":          {func(w *world, _ Layout) { w.u16(methodName+4, 0) }, `"" is no name of a method`},
		"no method name":           {func(w *world, _ Layout) { w.symbol(methodName, "<i>") }, `"<i>" is no name of a method`},
		"a zero byte":              {func(w *world, _ Layout) { w.symbol(methodName, "r\x00n") }, "name: not modified UTF-8: byte 0x0"},
		"no descriptor":            {func(w *world, _ Layout) { w.symbol(descriptor, "J()V") }, `"J()V" is no descriptor`},
		"a descriptor without end": {func(w *world, _ Layout) { w.symbol(descriptor, "(J)") }, `"(J)" is no descriptor`},
		"a wrong line table":       {func(w *world, l Layout) { w.b[constAt-base+l.constBytes+20] = 31 << 3 }, "line table: bytecode 31 of 20"},
	} {
		t.Run(name, func(t *testing.T) {
			w, l := newWorld(t, layout17, 17)
			x.damage(w, l)
			n := NewNamer(l, w)
			m, _, err := n.Name(methodAt, start)
			require.ErrorContains(t, err, x.want)
			require.ErrorContains(t, err, "name the method at 0x10100: ")
			assert.Nil(t, m)
		})
	}
	failed, l := newWorld(t, layout17, 17)
	failed.symbol(descriptor, "(J)")
	n := NewNamer(l, failed)
	_, _, err := n.Name(methodAt, start)
	require.Error(t, err)
	assert.EqualValues(t, len("org/a/Brun(J)"), n.Bytes(), "it costs as much")
	for _, ptr := range []uint64{0, methodAt + 4, ^uint64(7), 0x999000} {
		w, l := newWorld(t, layout17, 17)
		_, _, err := NewNamer(l, w).Name(ptr, start)
		assert.Error(t, err, "%#x", ptr)
	}
	_, _, err = NewNamer(Layout{}, &world{}).Name(methodAt, start)
	assert.Error(t, err, "the zero layout names nothing")
}

func TestRemembers(t *testing.T) {
	w, l := newWorld(t, layout17, 17)
	n := NewNamer(l, w)
	_, current := n.Known(methodAt, start)
	assert.False(t, current)
	first, _, err := n.Name(methodAt, start)
	require.NoError(t, err)
	w.reads = 0
	again, record, err := n.Name(methodAt, start.Add(CheckInterval-1))
	require.NoError(t, err)
	assert.Same(t, first, again)
	assert.Nil(t, record)
	known, current := n.Known(methodAt, start.Add(CheckInterval-1))
	assert.Same(t, first, known)
	assert.True(t, current)
	assert.Zero(t, w.reads)
	known, current = n.Known(methodAt, start.Add(CheckInterval))
	assert.Same(t, first, known)
	assert.False(t, current)
	again, record, err = n.Name(methodAt, start.Add(CheckInterval))
	require.NoError(t, err)
	assert.Same(t, first, again)
	assert.Nil(t, record)
	assert.Equal(t, 3, w.reads, "Method, ConstMethod and the name's slot")

	_, current = n.Known(methodAt, start.Add(3*CheckInterval-1))
	assert.True(t, current, "it was right once, and is believed twice as long")
	now := start.Add(3 * CheckInterval)
	for range 10 {
		_, _, err = n.Name(methodAt, now)
		require.NoError(t, err)
		now = now.Add(MaxCheckInterval)
	}
	now = now.Add(-MaxCheckInterval)
	_, current = n.Known(methodAt, now.Add(MaxCheckInterval-1))
	assert.True(t, current)
	_, current = n.Known(methodAt, now.Add(MaxCheckInterval))
	assert.False(t, current, "never for longer")

	record, err = n.Record(methodAt)
	require.NoError(t, err)
	assert.Equal(t, run(), record, "again")
	_, current = n.Known(methodAt, now.Add(MaxCheckInterval))
	assert.False(t, current, "it remembers nothing")
	_, err = n.Record(methodAt + 8)
	assert.ErrorContains(t, err, "name the method at 0x10108: ")
}

// A Method* whose class was unloaded is used again.
func TestRenames(t *testing.T) {
	w, l := newWorld(t, layout17, 17)
	n := NewNamer(l, w)
	_, old, err := n.Name(methodAt, start)
	require.NoError(t, err)
	w.u64(poolAt+l.poolBytes+8*3, sourceName)
	w.symbol(sourceName, "fly")
	_, record, err := n.Name(methodAt, start.Add(CheckInterval))
	require.NoError(t, err)
	assert.Equal(t, "fly", record.Name)
	assert.Equal(t, "run", old.Name, "what was returned does not change")
	w.u64(constAt+l.constPool, 0)
	_, _, err = n.Name(methodAt, start.Add(2*CheckInterval))
	require.Error(t, err)
	_, record, again := n.Name(methodAt, start.Add(2*CheckInterval+RetryInterval-1))
	require.ErrorIs(t, again, errImpossible, "remembered")
	assert.Nil(t, record)
	w.u64(constAt+l.constPool, poolAt)
	_, record, err = n.Name(methodAt, start.Add(2*CheckInterval+RetryInterval))
	require.NoError(t, err)
	assert.NotNil(t, record)
}

// Samples of a JVM that has ended are unwound after its end.
func TestKeepsNamesOfAJVMThatHasEnded(t *testing.T) {
	w, l := newWorld(t, layout17, 17)
	n := NewNamer(l, w)
	m, _, err := n.Name(methodAt, start)
	require.NoError(t, err)
	w.err = errors.New("no such process")
	kept, record, err := n.Name(methodAt, start.Add(CheckInterval))
	require.NoError(t, err)
	assert.Same(t, m, kept)
	assert.Nil(t, record)
	_, _, err = n.Name(methodAt+8, start)
	require.ErrorIs(t, err, w.err)
}

func TestIsBounded(t *testing.T) {
	w, l := newWorld(t, layout17, 17)
	n := NewNamer(l, w)
	for i := range uint64(MaxMethods) {
		_, _, err := n.Name(0x900000+8*i, start)
		require.Error(t, err)
	}
	require.Len(t, n.known, MaxMethods)
	_, _, err := n.Name(methodAt, start)
	require.NoError(t, err)
	require.Len(t, n.known, 1)
}

func TestParseLayout(t *testing.T) {
	for name, x := range map[string]struct{ text, want string }{
		"no JSON":        {"{", "read the JVM's layout: unexpected end"},
		"nothing in it":  {`{"offsets":{},"sizes":{}}`, "Method._constMethod, Method._access_flags, ConstMethod._constants"},
		"one missing":    {strings.Replace(layout17, "Klass._name", "Klass._nom", 1), "read the JVM's layout: Klass._name missing"},
		"out of range":   {strings.Replace(layout17, `"InstanceKlass._constants":232`, `"InstanceKlass._constants":5000`, 1), "InstanceKlass._constants is 5000, at most 4096"},
		"a small header": {strings.Replace(layout17, `"ConstantPool":72`, `"ConstantPool":56`, 1), "ConstantPool has 56 bytes, its fields end at 64"},
		"a far text":     {strings.Replace(layout17, `"Symbol._body":6`, `"Symbol._body":64`, 1), "Symbol has its length at 4, its text at 64"},
		"an odd header":  {strings.Replace(layout17, `"ConstMethod":48`, `"ConstMethod":46`, 1), "ConstMethod has 46 bytes, its fields end at 38"},
	} {
		_, err := ParseLayout([]byte(x.text), 17)
		assert.ErrorContains(t, err, x.want, name)
	}
}

func TestTexts(t *testing.T) {
	for b, want := range map[string]string{
		"run": "run", "gr\xc3\xbc\xc3\x9fe": "grüße", "\xe2\x82\xac": "€", "\xed\xa0\xb5\xed\xb2\x9c": "𝒜", "a\xc0\x80": "a\x00", "\xed\xa0\xb5": "\ufffd", "": "",
	} {
		got, err := decodeText([]byte(b))
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, b := range []string{"\x00", "\xf0\x9d\x92\x9c", "\xc3", "\xe2\x82", "\x80", "\xc3a", "\xff"} {
		_, err := decodeText([]byte(b))
		assert.ErrorIs(t, err, errText, "% x", b)
	}
	for internal, want := range map[string]string{
		"java/lang/String": "java.lang.String", "Main": "Main", "a/B$$Lambda$14+0x00000008000b0c40": "a.B$$Lambda$14/0x00000008000b0c40", "a/B+C": "a.B+C",
	} {
		got, err := binaryName(internal)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

// FuzzName lets the memory be anything around a method that is right: words at any places replaced.
func FuzzName(f *testing.F) {
	f.Add([]byte{0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, uint64(methodAt), true)
	f.Add([]byte{0x18, 4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, uint64(methodAt), false)
	f.Add([]byte{0x50, 2, 0xff, 0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, uint64(constAt), false)
	f.Fuzz(func(t *testing.T, changes []byte, ptr uint64, newer bool) {
		layout, feature := layout17, uint32(17)
		if newer {
			layout, feature = layout25, 25
		}
		w, l := newWorld(t, layout, feature)
		for ; len(changes) >= 10; changes = changes[10:] { // u16 place, u64 value
			at := int(binary.LittleEndian.Uint16(changes)) % (worldBytes - 8)
			copy(w.b[at:], changes[2:10])
		}
		n := NewNamer(l, w)
		m, record, err := n.Name(ptr, start)
		if (err == nil) != (m != nil) || (err == nil) != (record != nil) {
			t.Fatal("neither a method nor an error, or both")
		}
		if record != nil && (record.Class == "" || record.Name == "" || record.Ptr != ptr || len(record.Lines) > worldBytes) {
			t.Fatalf("%+v", record)
		}
		if w.reads > 20 {
			t.Fatalf("%d reads for one name", w.reads)
		}
	})
}

func BenchmarkName(b *testing.B) {
	w, l := newWorld(b, layout17, 17)
	for name, step := range map[string]time.Duration{"remembered": 0, "checked": CheckInterval} {
		b.Run(name, func(b *testing.B) {
			n := NewNamer(l, w)
			now := start
			for b.Loop() {
				now = now.Add(step)
				if m, _, err := n.Name(methodAt, now); err != nil || m == nil {
					b.Fatal(err)
				}
			}
		})
	}
}
