package recording

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"

	"github.com/planflame/planflame/sampler"
)

// Reader replays a recording. Not safe for concurrent use.
type Reader struct {
	meta    Meta
	major   uint16
	zr      *zstd.Decoder
	in      *bufio.Reader // what zr gives
	entries uint64        // delivered or skipped so far
	skipped uint64
	trees   map[sampler.JVMID]*grown
	size    int // of all trees
	body    []byte
}

// maxWindow bounds the memory that a recording may make its reader use.
const maxWindow = 32 << 20

// NewReader reads the head and the meta entry of a recording. Close gives its memory back.
func NewReader(r io.Reader) (*Reader, error) {
	var head [headBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, fmt.Errorf("read recording head: %w", cut(err))
	}
	if string(head[:8]) != magic {
		return nil, fmt.Errorf("read recording head: magic is %q, not %q: no recording", head[:8], magic)
	}
	major := le.Uint16(head[8:])
	if major == 0 || major > Major {
		return nil, fmt.Errorf("read recording head: format version %d.%d, this program reads 1 to %d", major, le.Uint16(head[10:]), Major)
	}
	zr, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("start recording's zstd stream: %w", err)
	}
	out := &Reader{major: major, zr: zr, in: bufio.NewReader(zr), trees: map[sampler.JVMID]*grown{}}
	if err := out.readMeta(); err != nil {
		zr.Close()
		return nil, err
	}
	return out, nil
}

func (r *Reader) readMeta() error {
	k, _, body, err := r.next()
	if err != nil {
		return fmt.Errorf("read recording meta: %w", err)
	}
	if k != kindMeta {
		return fmt.Errorf("read recording meta: the first entry is of kind %d, not %d", k, kindMeta)
	}
	if err := json.Unmarshal(body, &r.meta); err != nil {
		return fmt.Errorf("read recording meta: %w", err)
	}
	return nil
}

// Meta says how the recording was made.
func (r *Reader) Meta() Meta { return r.meta }

// Skipped is how many entries were of a kind that this version does not know.
func (r *Reader) Skipped() uint64 { return r.skipped }

// Close gives back the decoder's memory; it does not close the file.
func (r *Reader) Close() { r.zr.Close() }

// Replay delivers all entries to sink in their order. A recording that is cut off gives everything
// before the cut and an error that is ErrTruncated. One whose bytes are wrong gives everything
// before them and an error that names the entry.
func (r *Reader) Replay(sink Sink) error {
	for {
		k, id, body, err := r.next()
		if err != nil {
			return fmt.Errorf("read recording entry %d: %w", r.entries, err)
		}
		if k == kindEnd {
			return r.end(body)
		}
		if err := r.deliver(sink, k, id, body); err != nil {
			return fmt.Errorf("decode recording entry %d: %w", r.entries-1, err)
		}
	}
}

func (r *Reader) end(body []byte) error {
	if len(body) < 8 {
		return fmt.Errorf("decode recording entry %d: END of %d bytes", r.entries-1, len(body))
	}
	if n := le.Uint64(body); n != r.entries-1 {
		return fmt.Errorf("recording has %d entries, its end mark says %d", r.entries-1, n)
	}
	return nil
}

// next reads one entry; the body is valid until the next call.
func (r *Reader) next() (kind, sampler.JVMID, []byte, error) {
	k, id, n, err := r.nextHead()
	if err != nil {
		return 0, 0, nil, cut(err)
	}
	if n > MaxBodyBytes {
		return 0, 0, nil, fmt.Errorf("body of %d bytes, at most %d are allowed", n, MaxBodyBytes)
	}
	if uint64(cap(r.body)) < n {
		r.body = make([]byte, n)
	}
	r.body = r.body[:n]
	if _, err := io.ReadFull(r.in, r.body); err != nil {
		return 0, 0, nil, cut(err)
	}
	r.entries++
	return k, id, r.body, nil
}

// nextHead reads what stands in front of a body, and the body's bytes.
func (r *Reader) nextHead() (kind, sampler.JVMID, uint64, error) {
	if r.major == 1 {
		var head [entryBytes]byte
		_, err := io.ReadFull(r.in, head[:])
		return kind(le.Uint16(head[4:])), sampler.JVMID(le.Uint32(head[8:])), uint64(le.Uint32(head[0:])), err
	}
	var head [3]uint64
	for i := range head {
		v, err := binary.ReadUvarint(r.in)
		if err != nil {
			return 0, 0, 0, err
		}
		head[i] = v
	}
	if head[0] > math.MaxUint16 || head[1] > math.MaxUint32 {
		return 0, 0, 0, fmt.Errorf("kind %d of jvm %d is out of range", head[0], head[1])
	}
	return kind(head[0]), sampler.JVMID(head[1]), head[2], nil
}

// cut turns an early end into ErrTruncated.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}
