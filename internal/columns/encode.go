package columns

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// column is where a column stands in the container.
type column struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"` // bytes, from the start of the container
	Length int    `json:"length"` // elements
}

// align is what every column's offset is a multiple of.
const align = 8

// named is a column to be written: a slice of numbers.
type named struct {
	name string
	data any
}

func (x *Index) data() any {
	if x.wide != nil {
		return x.wide
	}
	return x.narrow
}

func (m *Model) all() []named {
	s, e, t, g := &m.Samples, &m.Exact, &m.Tasks, &m.Tree
	return []named{
		{"time", s.Time}, {"label", s.Label.data()}, {"stack", s.Stack}, {"task", s.Task.data()}, {"flags", s.Flags}, {"weight_at", s.Weight.At}, {"weight_ns", s.Weight.Nanos},
		{"exact_label", e.Label}, {"exact_task", e.Task}, {"exact_start", e.Start}, {"exact_end", e.End}, {"exact_ns", e.Nanos}, {"exact_below", e.Below}, {"exact_above", e.Above},
		{"task_id", t.ID}, {"task_stage", t.Stage}, {"task_execution", t.Execution}, {"task_partition", t.Partition}, {"task_attempt", t.Try}, {"task_lane", t.Lane},
		{"task_start", t.Start}, {"task_end", t.End}, {"task_cpu_ns", t.CPUNanos}, {"task_system_ns", t.SystemNanos}, {"task_unsampled_ns", t.UnsampledNanos},
		{"task_gc_ms", t.GCMillis}, {"task_flags", t.Flags},
		{"node_parent", g.Parent}, {"node_frame", g.Frame}, {"stack_leaf", g.Leaf}, {"stack_operator", g.Operator}, {"stack_decided", g.Decided},
		{"frame_name", g.Name}, {"frame_file", g.File}, {"frame_line", g.Line}, {"frame_kind", g.Kind}, {"frame_source", g.Source},
	}
}

// typeOf is the type of a column, its number of elements and the bytes of each.
func typeOf(data any) (name string, length, size int) {
	switch d := data.(type) {
	case []uint8:
		return "u8", len(d), 1
	case []uint16:
		return "u16", len(d), 2
	case []uint32:
		return "u32", len(d), 4
	case []int32:
		return "i32", len(d), 4
	case []float64:
		return "f64", len(d), 8
	}
	return "", 0, 0
}

func aligned(n int) int { return (n + align - 1) / align * align }

// head is the Head with its columns.
type head struct {
	*Head
	Columns map[string]column `json:"columns"`
}

// Encode writes the container: the bytes of the head (u32), the head as JSON, and the columns, each
// at a multiple of 8 bytes. Everything is little endian.
func (m *Model) Encode(w io.Writer) error {
	columns := m.all()
	text, err := m.head(columns)
	if err != nil {
		return err
	}
	var start [4]byte
	binary.LittleEndian.PutUint32(start[:], uint32(len(text)))
	if _, err := w.Write(append(start[:], text...)); err != nil {
		return fmt.Errorf("write head of columns: %w", err)
	}
	at := len(start) + len(text)
	for _, c := range columns {
		_, length, size := typeOf(c.data)
		if _, err := w.Write(make([]byte, aligned(at)-at)); err != nil {
			return fmt.Errorf("write column %s: %w", c.name, err)
		}
		if err := binary.Write(w, binary.LittleEndian, c.data); err != nil {
			return fmt.Errorf("write column %s: %w", c.name, err)
		}
		at = aligned(at) + length*size
	}
	return nil
}

// head is the JSON of the head. The offsets in it move with its own length, so it is made until it
// stays as long as it was.
func (m *Model) head(columns []named) (text []byte, err error) {
	for length := -1; len(text) != length; {
		length = len(text)
		h := head{&m.Head, map[string]column{}}
		at := 4 + length
		for _, c := range columns {
			name, n, size := typeOf(c.data)
			at = aligned(at)
			h.Columns[c.name] = column{name, at, n}
			at += n * size
		}
		var b bytes.Buffer
		if err := json.NewEncoder(&b).Encode(h); err != nil {
			return nil, fmt.Errorf("encode head of columns: %w", err)
		}
		if b.Len() < length { // shorter numbers: blanks keep the length
			b.Write(bytes.Repeat([]byte{' '}, length-b.Len()))
		}
		text = b.Bytes()
	}
	return text, nil
}
