package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// three is a model of three samples on two lanes, 100 ticks long. The weights change at the first
// sample of each lane, and at the third.
func three() *container {
	u32 := func(values ...uint32) (out []byte) {
		for _, v := range values {
			out = binary.LittleEndian.AppendUint32(out, v)
		}
		return out
	}
	return &container{
		head:   map[string]json.RawMessage{"span": json.RawMessage("100"), "strings": json.RawMessage(`["a"]`)},
		order:  []string{"time", "label", "stack", "task", "flags", "weight_at", "weight_ns", "node_parent"},
		types:  map[string]string{"time": "u32", "label": "u16", "stack": "u32", "task": "u16", "flags": "u8", "weight_at": "u32", "weight_ns": "f64", "node_parent": "i32"},
		deltas: map[string]bool{"time": true, "node_parent": true},
		columns: map[string][]byte{
			"time": u32(10, 20, 30), "label": {1, 0, 2, 0, 3, 0}, "stack": u32(4, 5, 4), "task": {6, 0, 7, 0, 8, 0}, "flags": {9, 8, 7},
			"weight_at": u32(0, 1, 2), "weight_ns": bytes.Join([][]byte{bytes.Repeat([]byte{1}, 8), bytes.Repeat([]byte{2}, 8), bytes.Repeat([]byte{3}, 8)}, nil), "node_parent": u32(0xffffffff),
		},
	}
}

// numbers are a column of four bytes an element.
func numbers(c *container, name string) (out []uint32) {
	for i := range c.length(name) {
		out = append(out, c.u32(name, i))
	}
	return out
}

func TestResized(t *testing.T) {
	two, err := three().resized(2)
	require.NoError(t, err)
	assert.Equal(t, []uint32{10, 20}, numbers(two, "time"))
	assert.Equal(t, []uint32{0, 1}, numbers(two, "weight_at"))
	assert.Equal(t, 2, two.distinctStacks())
	span, err := two.span()
	require.NoError(t, err)
	assert.EqualValues(t, 100, span, "a session that is cut stays as long")

	seven, err := three().resized(7)
	require.NoError(t, err)
	assert.Equal(t, []uint32{10, 20, 30, 110, 120, 130, 210}, numbers(seven, "time"))
	assert.Equal(t, []uint32{4, 5, 4, 4, 5, 4, 4}, numbers(seven, "stack"))
	assert.Equal(t, []byte{9, 8, 7, 9, 8, 7, 9}, seven.columns["flags"])
	assert.Equal(t, []byte{1, 0, 2, 0, 3, 0, 1, 0, 2, 0, 3, 0, 1, 0}, seven.columns["label"])
	assert.Equal(t, []uint32{0, 1, 2, 3, 4, 5, 6}, numbers(seven, "weight_at"))
	for k, want := range []byte{1, 2, 3, 1, 2, 3, 1} {
		assert.Equal(t, want, seven.columns["weight_ns"][8*k], k)
	}
	span, err = seven.span()
	require.NoError(t, err)
	assert.EqualValues(t, 211, span)
	assert.Equal(t, 1, seven.length("node_parent"), "tables stay")
}

func TestResizedRefuses(t *testing.T) {
	c := three()
	_, err := c.resized(1 << 30)
	assert.ErrorContains(t, err, "no room in 32 bits")
	c.columns["time"] = nil
	_, err = c.resized(5)
	assert.ErrorContains(t, err, "no samples")
}

// What is written is read again, with the offsets that the head names.
func TestContainerRoundTrip(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, three().encode(&b))
	got, err := parseContainer(b.Bytes())
	require.NoError(t, err)
	assert.Equal(t, three().order, got.order)
	assert.Equal(t, three().types, got.types)
	assert.Equal(t, three().deltas, got.deltas)
	for name, data := range three().columns {
		assert.Equal(t, data, got.columns[name], name)
	}
	assert.JSONEq(t, `["a"]`, string(got.head["strings"]))
	for _, cut := range []int{0, 3, 20, b.Len() - 1} {
		_, err := parseContainer(b.Bytes()[:cut])
		assert.Error(t, err, cut)
	}
}
