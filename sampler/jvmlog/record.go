package jvmlog

import (
	"errors"
	"fmt"
	"hash/crc32"
)

// ErrRecordTooLarge says that a record would exceed MaxRecordBytes.
var ErrRecordTooLarge = errors.New("record is too large")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// RecordHeader is the fixed part of a record (FORMAT.md, "Records").
type RecordHeader struct {
	Length       uint32 // of the whole record: header, payload, padding; a multiple of 8
	Type         RecordType
	Version      uint16
	Offset       uint64 // virtual
	Time         MonoTime
	PayloadBytes uint32
	CRC          uint32 // CRC32C of the payload
}

// DecodeRecordHeader decodes a record's header from b, which may hold less than the record, and
// checks it against itself. offset is the virtual offset at which the caller expects it.
func DecodeRecordHeader(b []byte, offset uint64) (RecordHeader, error) {
	if len(b) < RecordHeaderBytes {
		return RecordHeader{}, fmt.Errorf("decode record at %d: %d bytes of a header of %d", offset, len(b), RecordHeaderBytes)
	}
	h := RecordHeader{
		Length:       le.Uint32(b[recLength:]),
		Type:         RecordType(le.Uint16(b[recType:])),
		Version:      le.Uint16(b[recVersion:]),
		Offset:       le.Uint64(b[recOffset:]),
		Time:         MonoTime(le.Uint64(b[recTime:])),
		PayloadBytes: le.Uint32(b[recPayload:]),
		CRC:          le.Uint32(b[recCRC:]),
	}
	most := uint32(MaxRecordBytes)
	if h.Type == TypePad {
		most = MaxLogBytes // fills the rest of a ring, however long
	}
	switch {
	case h.Offset != offset:
		return h, fmt.Errorf("decode record at %d: offset field is %d", offset, h.Offset)
	case h.Length < RecordHeaderBytes || h.Length > most || h.Length%8 != 0:
		return h, fmt.Errorf("decode record at %d: length %d is not a multiple of 8 in %d … %d", offset, h.Length, RecordHeaderBytes, most)
	case h.PayloadBytes > h.Length-RecordHeaderBytes:
		return h, fmt.Errorf("decode record at %d: payload_bytes %d in a record of %d", offset, h.PayloadBytes, h.Length)
	}
	return h, nil
}

// DecodeRecord decodes the record that b begins with and that stands at a virtual offset, and
// returns its header too. The next record begins h.Length bytes on, also if only the payload was
// bad. The record shares no memory with b.
func DecodeRecord(b []byte, offset uint64) (h RecordHeader, r Record, err error) {
	if h, err = DecodeRecordHeader(b, offset); err != nil {
		return h, nil, err
	}
	if uint64(h.Length) > uint64(len(b)) {
		return h, nil, fmt.Errorf("decode record at %d: length %d, %d bytes are left", offset, h.Length, len(b))
	}
	if h.Type == TypePad {
		return h, &Unknown{Type: TypePad, Version: h.Version}, nil
	}
	payload := b[RecordHeaderBytes : RecordHeaderBytes+h.PayloadBytes]
	if sum := crc32.Checksum(payload, castagnoli); sum != h.CRC {
		return h, nil, fmt.Errorf("decode record at %d, type %v: crc32c is %08x, its field says %08x", offset, h.Type, sum, h.CRC)
	}
	if r, err = DecodePayload(h.Type, h.Version, payload); err != nil {
		return h, nil, fmt.Errorf("decode record at %d: %w", offset, err)
	}
	return h, r, nil
}

// EncodeRecord appends r as a whole record for a virtual offset (a multiple of 8), written at time
// t.
func EncodeRecord(dst []byte, offset uint64, t MonoTime, r Record) ([]byte, error) {
	start := len(dst)
	dst = append(dst, make([]byte, RecordHeaderBytes)...)
	dst = EncodePayload(dst, r)
	payload := len(dst) - start - RecordHeaderBytes
	for (len(dst)-start)%8 != 0 {
		dst = append(dst, 0)
	}
	length := len(dst) - start
	if length > MaxRecordBytes {
		return dst[:start], fmt.Errorf("encode record at %d, type %v, %d bytes: %w", offset, r.recordType(), length, ErrRecordTooLarge)
	}
	putRecordHeader(dst[start:], RecordHeader{
		Length:       uint32(length),
		Type:         r.recordType(),
		Version:      payloadVersion(r),
		Offset:       offset,
		Time:         t,
		PayloadBytes: uint32(payload),
		CRC:          crc32.Checksum(dst[start+RecordHeaderBytes:start+RecordHeaderBytes+payload], castagnoli),
	})
	return dst, nil
}

func putRecordHeader(b []byte, h RecordHeader) {
	le.PutUint32(b[recLength:], h.Length)
	le.PutUint16(b[recType:], uint16(h.Type))
	le.PutUint16(b[recVersion:], h.Version)
	le.PutUint64(b[recOffset:], h.Offset)
	le.PutUint64(b[recTime:], uint64(h.Time))
	le.PutUint32(b[recPayload:], h.PayloadBytes)
	le.PutUint32(b[recCRC:], h.CRC)
}

// payloadVersion is the version that EncodePayload writes for a record.
func payloadVersion(r Record) uint16 {
	if u, ok := r.(*Unknown); ok {
		return u.Version
	}
	return 1
}
