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
	Offset int    `json:"offset"`          // bytes, from the start of the container
	Length int    `json:"length"`          // elements
	Delta  bool   `json:"delta,omitempty"` // each element is the difference from the one before it
}

// align is what every column's offset is a multiple of.
const align = 8

// named is a column to be written: a slice of numbers.
type named struct {
	name string
	data any
}

// deltas are the columns that are written as differences, modulo 2^32: these deflate to a third.
var deltas = map[string]bool{"time": true, "node_parent": true, "stack_leaf": true}

// differences returns a column's elements, each less the one before it.
func differences[T uint32 | int32](values []T) []T {
	out := make([]T, len(values))
	var before T
	for i, v := range values {
		out[i], before = v-before, v
	}
	return out
}

// written returns what is written of a column.
func (c *named) written() any {
	if !deltas[c.name] {
		return c.data
	}
	switch d := c.data.(type) {
	case []uint32:
		return differences(d)
	case []int32:
		return differences(d)
	}
	return c.data
}

// planTexts returns the plans as JSON, one after the other, and where each begins and the last
// ends. A reader of one run need not parse the others.
func (m *Model) planTexts() (text []byte, at []uint32, err error) {
	at = []uint32{0}
	for i := range m.Plans {
		one, err := json.Marshal(&m.Plans[i])
		if err != nil {
			return nil, nil, fmt.Errorf("encode plan %d: %w", i, err)
		}
		text = append(text, one...)
		at = append(at, uint32(len(text)))
	}
	return text, at, nil
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
	Plans   []Plan            `json:"plans,omitempty"` // left empty: they stand in columns
	Columns map[string]column `json:"columns"`
}

// Encode writes the container: the bytes of the head (u32), the head as JSON, and the columns, each
// at a multiple of 8 bytes. Everything is little endian. The plans stand behind the columns of
// samples and tables, as JSON in the column plan_text; plan_at says where each begins.
func (m *Model) Encode(w io.Writer) error {
	plans, at, err := m.planTexts()
	if err != nil {
		return err
	}
	return m.encode(w, append(m.all(), named{"plan_at", at}, named{"plan_text", plans}))
}

func (m *Model) encode(w io.Writer, columns []named) error {
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
		if err := binary.Write(w, binary.LittleEndian, c.written()); err != nil {
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
		h := head{Head: &m.Head, Columns: map[string]column{}}
		at := 4 + length
		for _, c := range columns {
			name, n, size := typeOf(c.data)
			at = aligned(at)
			h.Columns[c.name] = column{name, at, n, deltas[c.name]}
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
