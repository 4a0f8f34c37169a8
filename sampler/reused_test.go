package sampler

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"

	"github.com/planflame/planflame/sampler/hotspot"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/unwind"
)

// metaspace is the memory of a fake JVM of JDK 17 with one Method*, whose class can be unloaded for
// another one.
type metaspace struct{ b [0x2000]byte }

const (
	metaspaceBase = 0x10000
	reusedMethod  = metaspaceBase + 0x100
	metaLayout    = `{"offsets":{"Method._constMethod":8,"Method._access_flags":40,"ConstMethod._constants":8,"ConstMethod._constMethod_size":24,
	"ConstMethod._flags":28,"ConstMethod._code_size":32,"ConstMethod._name_index":34,"ConstMethod._signature_index":36,
	"ConstantPool._pool_holder":24,"ConstantPool._source_file_name_index":54,"ConstantPool._length":60,"Klass._name":24,
	"InstanceKlass._constants":232,"Symbol._length":4,"Symbol._body":6},"addresses":{},"sizes":{"ConstMethod":48,"ConstantPool":72}}`
	metaCodeBytes = 20
)

func (m *metaspace) ReadAt(dst []byte, addr uint64) error {
	if addr < metaspaceBase || addr+uint64(len(dst)) > metaspaceBase+uint64(len(m.b)) {
		return fmt.Errorf("%#x is not mapped", addr)
	}
	copy(dst, m.b[addr-metaspaceBase:])
	return nil
}

// load puts the method CLASS.run()V, whose structures lie from an address on, at reusedMethod. It
// returns the address of its bytecodes.
func (m *metaspace) load(class string, at uint64) (code uint64) {
	le := binary.LittleEndian
	u16 := func(addr uint64, v uint16) { le.PutUint16(m.b[addr-metaspaceBase:], v) }
	u64 := func(addr, v uint64) { le.PutUint64(m.b[addr-metaspaceBase:], v) }
	symbol := func(addr uint64, text string) {
		u16(addr+4, uint16(len(text)))
		copy(m.b[addr-metaspaceBase+6:], text)
	}
	constMethod, pool, klass := at, at+0x100, at+0x200
	u64(reusedMethod+8, constMethod)
	u64(constMethod+8, pool)
	u16(constMethod+24, 10) // words
	u16(constMethod+32, metaCodeBytes)
	u16(constMethod+34, 3) // name
	u16(constMethod+36, 5) // descriptor
	u64(pool+24, klass)
	u16(pool+60, 11) // slots
	u64(pool+72+8*3, at+0x400)
	u64(pool+72+8*5, at+0x440)
	u64(klass+232, pool)
	u64(klass+24, at+0x480)
	symbol(at+0x400, "run")
	symbol(at+0x440, "()V")
	symbol(at+0x480, class)
	return constMethod + 48
}

// records keeps METHOD records.
type records struct {
	Sink
	at    []jvmlog.MonoTime
	names []string
}

func (r *records) Record(_ JVMID, t jvmlog.MonoTime, m jvmlog.Record) {
	r.at = append(r.at, t)
	r.names = append(r.names, m.(*jvmlog.Method).Class)
}

func reusing(t *testing.T) (*jvm, *metaspace, *records) {
	t.Helper()
	layout, err := hotspot.ParseLayout([]byte(metaLayout), 17)
	require.NoError(t, err)
	memory, sink := &metaspace{}, &records{}
	j := &jvm{sink: sink, logger: zap.NewNop(), said: map[string]bool{}}
	j.methods.namer = hotspot.NewNamer(layout, memory)
	j.methods.start(time.Unix(1000, 0), time.Minute)
	return j, memory, sink
}

// A class is unloaded and its method's memory used again while the old name is still believed. The
// bytecode pointer says so at the first sample.
func TestAReusedMethodGetsItsNewNameAtItsFirstSample(t *testing.T) {
	j, memory, sink := reusing(t)
	at := func(now jvmlog.MonoTime, bcp uint64) int32 {
		defer j.deliver(time.Time{})
		return j.interpreted(now, []unwind.Interpreted{{Method: reusedMethod, BCP: [2]uint64{bcp}}}, 0)[0].BCI
	}
	old := memory.load("a/Old", metaspaceBase+0x400)
	require.EqualValues(t, 3, at(100, old+3))
	require.EqualValues(t, 4, at(110, old+4))
	fresh := memory.load("b/New", metaspaceBase+0x1000)
	require.EqualValues(t, 5, at(120, old+5), "the old method's last sample, read too late")
	require.EqualValues(t, 7, at(130, fresh+7))
	require.EqualValues(t, 8, at(140, fresh+8))
	require.Equal(t, []string{"a.Old", "b.New"}, sink.names)
	require.Equal(t, []jvmlog.MonoTime{100, 130}, sink.at)
}

// Memory is looked at again by itself, too. What shows the change may still be a sample of the old
// method: the new name counts after it.
func TestTheLastSampleOfAnUnloadedMethodKeepsItsName(t *testing.T) {
	j, memory, sink := reusing(t)
	at := func(now jvmlog.MonoTime, bcp uint64) int32 {
		defer j.deliver(time.Time{})
		return j.interpreted(now, []unwind.Interpreted{{Method: reusedMethod, BCP: [2]uint64{bcp}}}, 0)[0].BCI
	}
	old := memory.load("a/Old", metaspaceBase+0x400)
	require.EqualValues(t, 3, at(100, old+3))
	memory.load("b/New", metaspaceBase+0x1000)
	j.methods.start(time.Unix(1001, 0), time.Minute)
	require.EqualValues(t, 5, at(200, old+5))
	require.Equal(t, []jvmlog.MonoTime{100, 201}, sink.at)
	require.Equal(t, []string{"a.Old", "b.New"}, sink.names)
}

// Old, new, and old again: the agent has written the old one's name, and no one but us the new
// one's.
func TestANameThatComesBackIsToldAgain(t *testing.T) {
	var m methodNames
	ptr := uint64(8)
	m.fromAgent(&jvmlog.Method{Ptr: ptr, Class: "a.Old", Name: "run"})
	require.False(t, m.tell(&jvmlog.Method{Ptr: ptr, Class: "a.Old", Name: "run"}), "the agent has")
	require.True(t, m.tell(&jvmlog.Method{Ptr: ptr, Class: "b.New", Name: "run"}))
	require.False(t, m.tell(&jvmlog.Method{Ptr: ptr, Class: "b.New", Name: "run"}), "we have")
	require.True(t, m.tell(&jvmlog.Method{Ptr: ptr, Class: "a.Old", Name: "run"}))
	generated := generatedPrefix + "$A"
	require.True(t, m.tell(&jvmlog.Method{Ptr: ptr, Class: generated, Name: "run"}), "the old name would stand until the agent writes")
	require.False(t, m.tell(&jvmlog.Method{Ptr: 16, Class: generated, Name: "run"}), "the agent will")
}

// The sink forgets methods of generated classes that no code mentions. One that runs on, compiled
// or not, is told again with its number and its loader.
func TestGeneratedMethodsAreToldAgain(t *testing.T) {
	const class = generatedPrefix + "$A"
	for name, use := range map[string]func(j *jvm, at jvmlog.MonoTime, code uint64){
		"compiled": func(j *jvm, at jvmlog.MonoTime, _ uint64) {
			clear(j.methods.numbered)
			id, later := j.methodNumber(at, reusedMethod, false)
			require.EqualValues(t, 5, id)
			require.False(t, later)
		},
		"interpreted": func(j *jvm, at jvmlog.MonoTime, code uint64) {
			j.methods.start(j.methods.now.Add(time.Minute), time.Minute)
			require.EqualValues(t, 3, j.interpreted(at, []unwind.Interpreted{{Method: reusedMethod, BCP: [2]uint64{code + 3}}}, 0)[0].BCI)
		},
	} {
		j, memory, _ := reusing(t)
		j.reading.names = codeNamesPerRound
		code := memory.load(strings.ReplaceAll(class, ".", "/"), metaspaceBase+0x400)
		said := jvmlog.Method{ID: 5, Ptr: reusedMethod, Loader: 9, Flags: jvmlog.MethodGenerated, Class: class, Name: "run", Descriptor: "()V"}
		j.methods.fromAgent(&said)
		at := jvmlog.Now()
		use(j, at, code)
		require.Empty(t, j.unwoundNow, name)
		use(j, at+saidFor, code)
		require.Equal(t, []unwound{{record: &said, time: at + saidFor}}, j.unwoundNow, name)
		use(j, at+saidFor, code)
		require.Len(t, j.unwoundNow, 1, name)

		old := j.methods.said[reusedMethod]
		old.name++
		j.sayAgain(at+3*saidFor, reusedMethod, old)
		require.Len(t, j.unwoundNow, 1, "another class's now")
		said.Flags = 0
		j.methods.fromAgent(&said)
		use(j, at+3*saidFor, code)
		require.Len(t, j.unwoundNow, 1, "of no generated class")
	}
}

// longName is memory in which every multiple of 256 from farMethods on is a Method*, whose class
// has the longest of names.
type longName struct{ metaspace }

const farMethods = 1 << 40

func (m *longName) ReadAt(dst []byte, addr uint64) error {
	const name = metaspaceBase + 0x400 + 0x480
	if addr >= farMethods {
		addr = reusedMethod + addr%256
	}
	if addr == name+6 {
		copy(dst, bytes.Repeat([]byte{'a'}, len(dst)))
		return nil
	}
	return m.metaspace.ReadAt(dst, addr)
}

// A round keeps no more of names than the bound says, however long they are.
func TestLongNamesAreBounded(t *testing.T) {
	const longest, n = 65_535, 300
	for name, use := range map[string]func(j *jvm, ptr uint64) (left bool){
		"compiled": func(j *jvm, ptr uint64) bool {
			_, later := j.methodNumber(1, ptr, false)
			return later
		},
		"interpreted": func(j *jvm, ptr uint64) bool {
			before := j.stats.NamesDeferred
			j.interpreted(1, []unwind.Interpreted{{Method: ptr}}, 0)
			return j.stats.NamesDeferred > before
		},
	} {
		layout, err := hotspot.ParseLayout([]byte(metaLayout), 17)
		require.NoError(t, err)
		memory := &longName{}
		memory.load("", metaspaceBase+0x400)
		binary.LittleEndian.PutUint16(memory.b[0x400+0x480+4:], longest)
		j := &jvm{said: map[string]bool{}}
		j.methods.namer = hotspot.NewNamer(layout, memory)
		left := 0
		for round := range uint64(2) {
			j.methods.start(time.Unix(1000, 0), time.Minute)
			j.reading.names = codeNamesPerRound
			for i := range uint64(n) {
				if use(j, farMethods+(round*n+i)*256) {
					left++
				}
			}
		}
		const most = nameBytesPerRound/longest + 1
		require.LessOrEqual(t, len(j.unwoundNow), 2*most, name)
		require.GreaterOrEqual(t, len(j.unwoundNow), most, "%s: the next round names on", name)
		require.Equal(t, 2*n-len(j.unwoundNow), left, name)
	}
}
