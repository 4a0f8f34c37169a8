package methodnames

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

const layoutJSON = `{"offsets": {"Method._constMethod": 8, "ConstMethod._constants": 16, "ConstMethod._name_index": 34, "ConstantPool._length": 60,
	"ConstantPool._pool_holder": 24, "Klass._name": 40, "Symbol._length": 4, "Symbol._body": 6}, "sizes": {"ConstantPool": 72}, "addresses": {"x": 1}}`

// memory is a process's memory: what is not there cannot be read.
type memory map[uint64]byte

var errUnmapped = errors.New("input/output error")

func (m memory) ReadAt(p []byte, off int64) (int, error) {
	for i := range p {
		b, ok := m[uint64(off)+uint64(i)]
		if !ok {
			return i, errUnmapped
		}
		p[i] = b
	}
	return len(p), nil
}

func (m memory) put(at uint64, b ...byte) {
	for i, c := range b {
		m[at+uint64(i)] = c
	}
}

func (m memory) word(at, v uint64) { m.put(at, binary.LittleEndian.AppendUint64(nil, v)...) }

func (m memory) symbol(at uint64, s string) {
	m.put(at+4, binary.LittleEndian.AppendUint16(nil, uint16(len(s)))...)
	m.put(at+6, s...)
}

// method lays out a method whose name is constant 5 of a pool of 9.
func method() memory {
	m := memory{}
	m.word(0x10000+8, 0x20000)      // Method._constMethod
	m.word(0x20000+16, 0x30000)     // ConstMethod._constants
	m.put(0x20000+34, 5, 0)         // ConstMethod._name_index
	m.put(0x30000+60, 9, 0, 0, 0)   // ConstantPool._length
	m.word(0x30000+24, 0x40000)     // ConstantPool._pool_holder
	m.word(0x30000+72+8*5, 0x50000) // the constant
	m.word(0x40000+40, 0x60000)     // Klass._name
	m.symbol(0x50000, "runTask")
	m.symbol(0x60000, "org/apache/spark/scheduler/Task$Größe")
	return m
}

func TestName(t *testing.T) {
	tests := []struct {
		name   string
		change func(memory)
		ok     bool
	}{
		{"all is there", func(memory) {}, true},
		{"the method is not mapped", func(m memory) { delete(m, 0x10000+9) }, false},
		{"a null pointer", func(m memory) { m.word(0x20000+16, 0) }, false},
		{"name index 0", func(m memory) { m.put(0x20000+34, 0, 0) }, false},
		{"name index beyond the pool", func(m memory) { m.put(0x20000+34, 9, 0) }, false},
		{"an empty name", func(m memory) { m.symbol(0x50000, "") }, false},
		{"no name at all", func(m memory) { m.put(0x50000+6, 1, 2, 3) }, false},
		{"no UTF-8", func(m memory) { m.put(0x50000+6, 0xff) }, false},
		{"a symbol that is longer than its memory", func(m memory) { m.put(0x60000+4, 0xff, 0xff) }, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := method()
			test.change(m)
			n := &Names{memory: m, known: map[uint64]bool{}}
			_, ok := n.Name(0x10000)
			require.False(t, ok, "the layout is not known yet")
			n.Record(&jvmlog.VMLayout{JSON: []byte(layoutJSON)})
			got, ok := n.Name(0x10000)
			require.Equal(t, test.ok, ok)
			if !ok {
				require.Equal(t, Stats{Unnamed: 1, NoLayout: 1}, n.Stats())
				return
			}
			require.Equal(t, &jvmlog.Method{Ptr: 0x10000, Class: "org.apache.spark.scheduler.Task$Größe", Name: "runTask"}, got)
			_, ok = n.Name(0x10000)
			require.False(t, ok, "once")
			require.Equal(t, Stats{Named: 1, NoLayout: 1}, n.Stats())
		})
	}
}

func TestMethodsOfTheLogAreNotRead(t *testing.T) {
	n := &Names{memory: memory{}, known: map[uint64]bool{}}
	n.Record(&jvmlog.VMLayout{JSON: []byte(layoutJSON)})
	n.Record(&jvmlog.Method{ID: 3, Ptr: 0x10000})
	_, ok := n.Name(0x10000)
	require.False(t, ok)
	_, ok = n.Name(0)
	require.False(t, ok)
	require.Zero(t, n.Stats())
}

func TestParseLayout(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no JSON", "{", "parse VM_LAYOUT: "},
		{"a field is missing", `{"offsets": {"Method._constMethod": 8}}`, "ConstMethod._constants is missing"},
		{"an offset beyond all reason", `{"offsets": {"Method._constMethod": 99999}}`, "Method._constMethod is 99999, at most 16384"},
	}
	for _, test := range tests {
		_, err := parseLayout([]byte(test.text))
		require.ErrorContains(t, err, test.want, test.name)
	}
}

func TestOpenOfAProcessThatIsGone(t *testing.T) {
	_, err := Open(1<<22 + 1)
	require.ErrorContains(t, err, "open memory of pid 4194305: ")
}

// FuzzRead gives the reader any memory.
func FuzzRead(f *testing.F) {
	f.Add(uint64(0x10000), []byte("0123456789"))
	l, err := parseLayout([]byte(layoutJSON))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, ptr uint64, b []byte) {
		m := method()
		m.put(ptr, b...)
		class, name, err := l.read(m, 0x10000)
		if err == nil && (class == "" || name == "") {
			t.Fatalf("a method without a name: %q.%q", class, name)
		}
	})
}
