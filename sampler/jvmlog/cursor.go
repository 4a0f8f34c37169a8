package jvmlog

import "fmt"

// cursor reads packed fields from a payload. After the first error every read returns zero and the
// error stays: a decoder reads all its fields and asks once.
type cursor struct {
	record string // name of the record type, for errors
	b      []byte
	off    int
	err    error
}

// take is the next n bytes, or nil when they are not there.
func (c *cursor) take(field string, n uint64) []byte {
	if c.err != nil {
		return nil
	}
	if left := uint64(len(c.b) - c.off); n > left {
		c.err = fmt.Errorf("decode %s: %s at payload offset %d needs %d bytes, %d are left", c.record, field, c.off, n, left)
		return nil
	}
	b := c.b[c.off : c.off+int(n)]
	c.off += int(n)
	return b
}

func (c *cursor) u32(field string) uint32 {
	if b := c.take(field, 4); b != nil {
		return le.Uint32(b)
	}
	return 0
}

func (c *cursor) u64(field string) uint64 {
	if b := c.take(field, 8); b != nil {
		return le.Uint64(b)
	}
	return 0
}

// bytes is a copy of a str field: u32 length and that many bytes.
func (c *cursor) bytes(field string) []byte {
	b := c.take(field, c.length(field))
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}

// length reads the u32 before a str.
func (c *cursor) length(field string) uint64 {
	if c.err == nil && len(c.b)-c.off < 4 {
		field += " length" // for the error alone
	}
	return uint64(c.u32(field))
}

func (c *cursor) str(field string) string { return string(c.take(field, c.length(field))) }

// strs reads str fields that follow each other; they share one copy of their bytes.
func (c *cursor) strs(fields []string, into ...*string) {
	begin := c.off
	var ends [8]int // more than any record has in a row
	for i, field := range fields {
		c.take(field, c.length(field))
		ends[i] = c.off
	}
	if c.err != nil {
		return
	}
	all := string(c.b[begin:c.off])
	for i := range into {
		at := begin + 4 // behind the length
		if i > 0 {
			at = ends[i-1] + 4
		}
		*into[i] = all[at-begin : ends[i]-begin]
	}
}

// array is the bytes of n entries of size bytes each; it is asked for before anything is allocated
// for them.
func (c *cursor) array(field string, n uint32, size uint64) []byte {
	return c.take(field, uint64(n)*size)
}

// appendStr appends a str field.
func appendStr[T string | []byte](dst []byte, s T) []byte {
	dst = le.AppendUint32(dst, uint32(len(s)))
	return append(dst, s...)
}
