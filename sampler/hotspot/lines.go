package hotspot

import (
	"errors"
	"fmt"
	"sort"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// errLines says that a line table does not decode.
var errLines = errors.New("line table")

// unsigned5 is HotSpot's variable-length coding of 32-bit numbers, five bytes at most, the lowest
// digits first: a byte below low ends the number, others are digits of base 64. Since JDK 20 no
// byte is 0, so every digit is one more (compressedStream.hpp before, utilities/unsigned5.hpp
// since).
type unsigned5 struct{ excluded, low uint32 }

func codingOf(feature uint32) unsigned5 {
	if feature >= 20 {
		return unsigned5{excluded: 1, low: 191}
	}
	return unsigned5{excluded: 0, low: 192}
}

// read decodes the number at the start of b and returns how many bytes it has; 0 bytes: it is not
// whole, or impossible.
func (c unsigned5) read(b []byte) (value uint32, n int) {
	const most, bits = 5, 6
	for i := 0; i < most && i < len(b); i++ {
		digit := uint32(b[i])
		if digit < c.excluded {
			return 0, 0
		}
		digit -= c.excluded
		value += digit << (bits * i)
		if digit < c.low || i == most-1 {
			return value, i + 1
		}
	}
	return 0, 0
}

// signed undoes the coding of negative numbers: the lowest bit is the sign (compressedStream.hpp,
// decode_sign).
func signed(v uint32) int32 { return int32(v>>1) ^ -int32(v&1) }

// decodeLines decodes HotSpot's compressed line table (compressedLineStream.hpp): differences of
// bytecode index and line, the short ones in a byte, 0xff in front of long ones, 0 at the end.
// codeBytes bounds the indices. The result is ascending by StartBCI; of equal ones the last in the
// table comes last.
func decodeLines(b []byte, feature uint32, codeBytes uint32) ([]jvmlog.LineEntry, error) {
	const end, escape = 0, 0xff
	coding := codingOf(feature)
	var lines []jvmlog.LineEntry
	var bci, line int64
	for at := 0; at < len(b); {
		short := b[at]
		at++
		switch short {
		case end:
			sort.SliceStable(lines, func(i, k int) bool { return lines[i].StartBCI < lines[k].StartBCI })
			return lines, nil
		case escape:
			for _, to := range []*int64{&bci, &line} {
				v, n := coding.read(b[at:])
				if n == 0 {
					return nil, fmt.Errorf("%w: number at byte %d of %d", errLines, at, len(b))
				}
				*to += int64(signed(v))
				at += n
			}
		default:
			bci += int64(short >> 3)
			line += int64(short & 7)
		}
		const mostLine = 65535 // u2 in the class file (JVMS 4.7.12)
		if bci < 0 || bci >= int64(codeBytes) || line < 0 || line > mostLine {
			return nil, fmt.Errorf("%w: bytecode %d of %d, line %d", errLines, bci, codeBytes, line)
		}
		lines = append(lines, jvmlog.LineEntry{StartBCI: uint32(bci), Line: uint32(line)})
	}
	return nil, fmt.Errorf("%w: no end within %d bytes", errLines, len(b))
}
