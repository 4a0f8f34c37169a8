package procfs

import "bytes"

// births reports whether a process or thread may have begun. It compares the number that the kernel
// gave last in this pid namespace, of which the other namespaces that can be seen are children: the
// last word of /proc/loadavg. Close it. Not safe for concurrent use.
type births struct {
	file kept
	last []byte
	calm int // answers since the last that was yes
}

// mostCalm bounds how often in a row the answer is no: a restored process has a number of its own
// choice.
const mostCalm = 4

// since reports whether there may have been one since it was called last. It must be called before
// processes or threads are listed.
func (b *births) since(p FS) bool {
	text, err := b.file.read(p, "loadavg")
	number := text[bytes.LastIndexByte(text, ' ')+1:]
	if err != nil || len(number) == 0 || bytes.HasPrefix(number, []byte("0")) { // a kernel that does not say
		b.forget()
		return true
	}
	if bytes.Equal(number, b.last) && b.calm < mostCalm {
		b.calm++
		return false
	}
	b.last, b.calm = append(b.last[:0], number...), 0
	return true
}

// forget makes the next answer yes.
func (b *births) forget() { b.last = b.last[:0] }

func (b *births) close() { b.file.close() }
