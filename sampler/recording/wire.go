package recording

import (
	"encoding/binary"
	"errors"
	"time"
)

// Version of the format that this package writes. It reads all versions of major 1, too.
const (
	Major = 2
	Minor = 0
)

// MaxBodyBytes bounds an entry's body: a log record may have 4 MiB.
const MaxBodyBytes = 8 << 20

// FlushInterval is how old what a Writer has taken may become before it reaches the file; checked
// when an entry is written.
const FlushInterval = time.Second

// ErrTruncated says that a recording ends in the middle: everything before was delivered.
var ErrTruncated = errors.New("recording is cut off")

const (
	magic            = "PLFLMREC"
	headBytes        = 16
	entryBytes       = 12 // in front of a body, in major 1
	sampleBytes      = 40 // in front of the addresses, in major 1
	interpretedBytes = 16
)

// kind tells entries apart.
type kind uint16

const (
	kindMeta      kind = 1
	kindJVM       kind = 2
	kindThread    kind = 3
	kindRecord    kind = 4
	kindTaskEvent kind = 5
	kindSample    kind = 6
	kindStats     kind = 7
	kindWatermark kind = 8
	kindGone      kind = 9
	kindSymbol    kind = 10
	kindEnd       kind = 11
)

var kindNames = map[kind]string{
	kindMeta: "META", kindJVM: "JVM", kindThread: "THREAD", kindRecord: "RECORD", kindTaskEvent: "TASK_EVENT", kindSample: "SAMPLE",
	kindStats: "STATS", kindWatermark: "WATERMARK", kindGone: "GONE", kindSymbol: "SYMBOL", kindEnd: "END",
}

var le = binary.LittleEndian
