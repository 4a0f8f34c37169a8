package main

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
)

// container is a model as the page gets it: the tables, and the columns by name.
type container struct {
	head    map[string]json.RawMessage
	order   []string // of columns, by offset
	types   map[string]string
	deltas  map[string]bool // written as differences
	columns map[string][]byte
}

// column is where a column stands in an encoded model.
type column struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"` // bytes
	Length int    `json:"length"` // elements
	Delta  bool   `json:"delta,omitempty"`
}

// sizes are the bytes of an element.
var sizes = map[string]int{"u8": 1, "u16": 2, "u32": 4, "i32": 4, "f64": 8}

// recordingElement begins the element of an HTML page that holds a model.
var recordingElement = []byte(`id="recording">`)

// readPage reads the model of a page that planflame report wrote. Errors name the file.
func readPage(path string) (*container, error) {
	html, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, rest, ok := bytes.Cut(html, recordingElement)
	text, _, closed := bytes.Cut(rest, []byte("</script>"))
	if !ok || !closed {
		return nil, fmt.Errorf("%s: no element %s", path, recordingElement)
	}
	model, err := io.ReadAll(flate.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(text))))
	if err != nil {
		return nil, fmt.Errorf("%s: inflate the model: %w", path, err)
	}
	c, err := parseContainer(model)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// parseContainer reads what columns.Model.Encode writes.
func parseContainer(model []byte) (*container, error) {
	if len(model) < 4 || len(model)-4 < int(binary.LittleEndian.Uint32(model)) {
		return nil, fmt.Errorf("model of %d bytes is cut off", len(model))
	}
	c := &container{types: map[string]string{}, deltas: map[string]bool{}, columns: map[string][]byte{}}
	if err := json.Unmarshal(model[4:4+binary.LittleEndian.Uint32(model)], &c.head); err != nil {
		return nil, fmt.Errorf("head of the model: %w", err)
	}
	var table map[string]column
	if err := json.Unmarshal(c.head["columns"], &table); err != nil {
		return nil, fmt.Errorf("columns of the model: %w", err)
	}
	for name, at := range table {
		end := at.Offset + at.Length*sizes[at.Type]
		if sizes[at.Type] == 0 || at.Offset < 0 || end > len(model) {
			return nil, fmt.Errorf("column %s of the model: %+v of %d bytes", name, at, len(model))
		}
		c.types[name], c.columns[name], c.order = at.Type, model[at.Offset:end], append(c.order, name)
		if at.Delta {
			c.deltas[name], c.columns[name] = true, summed(c.columns[name])
		}
	}
	slices.SortFunc(c.order, func(a, b string) int {
		return cmp.Or(cmp.Compare(table[a].Offset, table[b].Offset), cmp.Compare(a, b))
	})
	return c, nil
}

// summed undoes the differences of a column of four bytes an element.
func summed(column []byte) []byte {
	out := make([]byte, 0, len(column))
	var v uint32
	for i := 0; i < len(column); i += 4 {
		v += binary.LittleEndian.Uint32(column[i:])
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return out
}

// differences undoes summed.
func differences(column []byte) []byte {
	out := make([]byte, 0, len(column))
	var before uint32
	for i := 0; i < len(column); i += 4 {
		v := binary.LittleEndian.Uint32(column[i:])
		out, before = binary.LittleEndian.AppendUint32(out, v-before), v
	}
	return out
}

// length is the number of elements of a column.
func (c *container) length(name string) int { return len(c.columns[name]) / sizes[c.types[name]] }

// samples is the number of samples.
func (c *container) samples() int { return c.length("time") }

// distinctStacks is the number of stacks that the samples have.
func (c *container) distinctStacks() int {
	seen := map[uint32]bool{}
	for i := range c.samples() {
		seen[c.u32("stack", i)] = true
	}
	return len(seen)
}

func (c *container) u32(name string, i int) uint32 {
	return binary.LittleEndian.Uint32(c.columns[name][4*i:])
}

// span is the length of the recording in ticks.
func (c *container) span() (uint32, error) {
	var span uint32
	err := json.Unmarshal(c.head["span"], &span)
	return span, err
}

// bySample are the columns with an element a sample.
var bySample = []string{"time", "label", "stack", "task", "flags"}

// resized returns a container of n samples: the first n, or all of them again and again, each time
// a span later. Tables and stacks are as in c. A session that is repeated ends with its last
// sample.
func (c *container) resized(n int) (*container, error) {
	have := c.samples()
	if have == 0 {
		return nil, fmt.Errorf("resize a model: it has no samples")
	}
	span, err := c.span()
	if err != nil {
		return nil, fmt.Errorf("resize a model: its span: %w", err)
	}
	times := (n + have - 1) / have
	if uint64(span)*uint64(times) > 1<<32-1 {
		return nil, fmt.Errorf("resize a model: %d times %d ticks have no room in 32 bits", times, span)
	}
	out := &container{head: map[string]json.RawMessage{}, order: c.order, types: c.types, deltas: c.deltas, columns: map[string][]byte{}}
	for key, value := range c.head {
		out.head[key] = value
	}
	for name, data := range c.columns {
		out.columns[name] = data
	}
	for _, name := range bySample {
		out.columns[name] = bytes.Repeat(c.columns[name], times)[:n*sizes[c.types[name]]]
	}
	for i := have; i < n; i++ {
		binary.LittleEndian.PutUint32(out.columns["time"][4*i:], c.u32("time", i%have)+span*uint32(i/have))
	}
	if n > have {
		out.head["span"] = json.RawMessage(fmt.Sprint(max(span, out.u32("time", n-1)+1)))
	}
	out.columns["weight_at"], out.columns["weight_ns"] = c.weights(n, have, times)
	return out, nil
}

// weights are the run-length coded weights of n samples. Each repetition begins with the weights
// of the first one, because each lane begins there.
func (c *container) weights(n, have, times int) (at, nanos []byte) {
	for k := range times {
		for i := range c.length("weight_at") {
			from := int(c.u32("weight_at", i)) + k*have
			if from >= n {
				break
			}
			at = binary.LittleEndian.AppendUint32(at, uint32(from))
			nanos = append(nanos, c.columns["weight_ns"][8*i:8*i+8]...)
		}
	}
	return at, nanos
}

// encode writes the container as columns.Model.Encode does.
func (c *container) encode(w io.Writer) error {
	var text []byte
	for length := -1; len(text) != length; {
		length = len(text)
		table, at := map[string]column{}, 4+length
		for _, name := range c.order {
			at = (at + 7) / 8 * 8
			table[name] = column{c.types[name], at, c.length(name), c.deltas[name]}
			at += len(c.columns[name])
		}
		head := map[string]any{"columns": table}
		for key, value := range c.head {
			if key != "columns" {
				head[key] = value
			}
		}
		now, err := json.Marshal(head)
		if err != nil {
			return err
		}
		if pad := length - len(now); pad > 0 { // shorter numbers: blanks keep the length
			now = append(now, bytes.Repeat([]byte{' '}, pad)...)
		}
		text = now
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	out = append(out, text...)
	for _, name := range c.order {
		out = append(out, make([]byte, (8-len(out)%8)%8)...)
		data := c.columns[name]
		if c.deltas[name] {
			data = differences(data)
		}
		out = append(out, data...)
	}
	_, err := w.Write(out)
	return err
}
