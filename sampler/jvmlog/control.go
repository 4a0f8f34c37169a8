package jvmlog

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// LeaseTimeout is the age at which a lease's heartbeat is stale: the agent stops sampling and
// another reader may take the lease.
const LeaseTimeout = 5 * time.Second

// Errors that holders of a Control branch on.
var (
	// ErrLeaseHeld says that another reader lives and controls this JVM.
	ErrLeaseHeld = errors.New("another reader holds the lease")
	// ErrLeaseLost says that this reader does not hold the lease (any more).
	ErrLeaseLost = errors.New("this reader does not hold the lease")
)

// Rank says who goes first: a reader takes a fresh lease from a reader of lower rank, which then
// waits.
type Rank uint32

// Ranks of readers.
const (
	RankAll      Rank = 0 // takes every JVM; so does a reader older than format 1.4
	RankSelected Rank = 1 // takes JVMs that somebody has selected
	RankNamed    Rank = 2 // takes certain processes: planflame run, a test
)

// rankMask are the bits of a rank in lease_rank. The others are the upper bits of the owner that it
// belongs to. So a rank that an earlier owner has left, or that an older reader has not written, is
// not the holder's.
const rankMask = 3

func rankWord(owner uint64, rank Rank) uint32 { return uint32(owner>>32)&^rankMask | uint32(rank) }

func rankOf(word uint32, owner uint64) Rank {
	if word&^rankMask != uint32(owner>>32)&^rankMask {
		return RankAll
	}
	return Rank(word & rankMask)
}

// Control is the control page of one JVM, mapped read-write. One goroutine may use it at a time;
// other processes are kept apart by the lease.
type Control struct {
	mem   []byte
	unmap func() error
	owner uint64 // 0 while the lease is not ours
	rank  Rank   // with which we took it
	self  Holder
	dead  func(Holder) bool // nil: that is not known
	lost  Lost
}

// OpenControl maps the control page in f, which must be open for reading and writing. Whose f is,
// and the errors, are as with Open.
func OpenControl(f *os.File) (*Control, error) {
	mem, err := mapSealed(f, ControlBytes)
	if err != nil {
		return nil, fmt.Errorf("open control %s: %w", f.Name(), err)
	}
	if err := checkControl(mem); err != nil {
		return nil, fmt.Errorf("open control %s: %w", f.Name(), errors.Join(err, unix.Munmap(mem)))
	}
	return &Control{mem: mem, unmap: func() error { return unix.Munmap(mem) }, self: Holder{PID: uint32(os.Getpid())}}, nil
}

func checkControl(mem []byte) error {
	if !littleEndian() {
		return errors.New("the format is little endian, this machine is not")
	}
	var b [ctlOwner]byte
	copyShared(b[:], mem, 0, len(b))
	if string(b[:8]) != controlMagic {
		return fmt.Errorf("magic %q: %w", b[:8], ErrNotReady)
	}
	if major := le.Uint16(b[ctlMajor:]); major != Major {
		return fmt.Errorf("version %d.%d, want %d.x: %w", major, le.Uint16(b[ctlMinor:]), Major, ErrVersion)
	}
	return nil
}

// Acquire takes the lease for owner, a random number that is not 0, at the time now. It succeeds if
// no one holds the lease or owner does already. It also succeeds if the holder is dead, was not
// heard of for LeaseTimeout, or has a lower rank. Else ErrLeaseHeld.
func (c *Control) Acquire(owner uint64, rank Rank, now MonoTime) error {
	if owner == 0 || rank > RankNamed {
		return fmt.Errorf("acquire lease: owner %#x, rank %d", owner, rank)
	}
	lease, heartbeat := word64(c.mem, ctlOwner), word64(c.mem, ctlHeartbeat)
	holder := atomic.LoadUint64(lease)
	if holder != 0 && holder != owner && leaseFresh(MonoTime(atomic.LoadUint64(heartbeat)), now) && !c.holderDead(holder) {
		if held := rankOf(atomic.LoadUint32(word32(c.mem, ctlRank)), holder); held >= rank {
			return fmt.Errorf("acquire lease of owner %#x, whose rank is %d and pid %d, with rank %d: %w", holder, held, atomic.LoadUint32(word32(c.mem, ctlPID)), rank, ErrLeaseHeld)
		}
	}
	c.lost = Lost{}
	if holder == 0 || holder != owner && (c.holderDead(holder) || !leaseFresh(MonoTime(atomic.LoadUint64(heartbeat)), now)) {
		c.lost = c.lostBy(holder)
	}
	// The heartbeat goes first: whoever sees us as the owner must not see the heartbeat of the dead
	// one before us.
	atomic.StoreUint64(heartbeat, uint64(now))
	if !atomic.CompareAndSwapUint64(lease, holder, owner) {
		return fmt.Errorf("acquire lease: taken at the same moment: %w", ErrLeaseHeld)
	}
	c.owner, c.rank = owner, rank
	// Ours of an earlier lease does not hold for this one.
	atomic.CompareAndSwapUint64(word64(c.mem, ctlCodeReader), owner, codeWasRead(owner))
	c.storeHolder()
	c.storeRank()
	return nil
}

// storeRank says our rank. It does not fit the owner before us, so up to here we pass for RankAll,
// for which another may take the lease from us. An owner before us may also store its own later
// than we did, so each heartbeat repeats it.
func (c *Control) storeRank() { atomic.StoreUint32(word32(c.mem, ctlRank), rankWord(c.owner, c.rank)) }

// leaseFresh also takes a heartbeat from beyond the near future for stale: no clock that readers
// share can have said it.
func leaseFresh(heartbeat, now MonoTime) bool {
	const timeout = MonoTime(LeaseTimeout)
	if heartbeat > now {
		return heartbeat-now <= timeout
	}
	return now-heartbeat <= timeout
}

// Heartbeat renews the lease; call it at least once a second. ErrLeaseLost: another reader took it.
func (c *Control) Heartbeat(now MonoTime) error {
	if err := c.held(); err != nil {
		return err
	}
	atomic.StoreUint64(word64(c.mem, ctlHeartbeat), uint64(now))
	c.storeRank()
	return nil
}

// held checks that the lease is still ours.
func (c *Control) held() error {
	if c.owner == 0 || atomic.LoadUint64(word64(c.mem, ctlOwner)) != c.owner {
		c.owner = 0
		return ErrLeaseLost
	}
	return nil
}

// Write stores settings, all at once as the agent sees it, after Settings.Validate.
func (c *Control) Write(s Settings) error {
	if err := s.Validate(); err != nil {
		return err
	}
	if err := c.held(); err != nil {
		return err
	}
	seq := word32(c.mem, ctlSeq)
	odd := atomic.LoadUint32(seq) | 1 // odd already: a writer died in the middle
	atomic.StoreUint32(seq, odd)
	s.store(c.mem)
	even := odd + 1
	if even == 0 { // wrapped; 0 would say that no one wrote settings yet
		even = 2
	}
	atomic.StoreUint32(seq, even)
	return nil
}

// Ack tells the agent that everything below a virtual offset has been read and may be overwritten.
func (c *Control) Ack(offset uint64) error {
	if err := c.held(); err != nil {
		return err
	}
	atomic.StoreUint64(word64(c.mem, ctlRecordsAck), offset)
	return nil
}

// codeWasRead is what an owner leaves in code_reader that does not read code any more. It is no
// one's number, and not 0.
func codeWasRead(owner uint64) uint64 { return ^owner | 1<<63 }

// ReadCode tells the agent whether this reader reads compiled code itself. Agents older than format
// 1.8 do not look.
func (c *Control) ReadCode(itself bool) error {
	if err := c.held(); err != nil {
		return err
	}
	reader := c.owner
	if !itself {
		reader = codeWasRead(c.owner)
	}
	atomic.StoreUint64(word64(c.mem, ctlCodeReader), reader)
	return nil
}

// CodeWasRead reports whether a reader has read compiled code itself. Then the log lacks code, and
// only a replay has all.
func (c *Control) CodeWasRead() bool { return atomic.LoadUint64(word64(c.mem, ctlCodeReader)) != 0 }

// SetEventsRead says up to which index task events have been read. That is for the reader after
// this one, not for the agent.
func (c *Control) SetEventsRead(next uint64) error {
	if err := c.held(); err != nil {
		return err
	}
	atomic.StoreUint64(word64(c.mem, ctlEventsRead), next)
	return nil
}

// EventsRead is the index of the first task event that no reader has read; 0 where none has said
// so.
func (c *Control) EventsRead() uint64 { return atomic.LoadUint64(word64(c.mem, ctlEventsRead)) }

// RequestReplay asks the agent to write everything that lives again, and returns the request's
// number: it is answered when Header.ReplayGeneration has reached it.
func (c *Control) RequestReplay() (generation uint32, err error) {
	if err := c.held(); err != nil {
		return 0, err
	}
	return atomic.AddUint32(word32(c.mem, ctlReplay), 1), nil
}

// Release gives the lease back: the agent stops sampling at once. Without a lease it does nothing.
func (c *Control) Release() error {
	if c.held() != nil {
		return nil
	}
	atomic.StoreUint64(word64(c.mem, ctlHeartbeat), 0)
	released := atomic.CompareAndSwapUint64(word64(c.mem, ctlOwner), c.owner, 0)
	c.owner = 0
	if !released {
		return fmt.Errorf("release lease: %w", ErrLeaseLost)
	}
	return nil
}

// Close unmaps the page without giving the lease back; a second call does nothing.
func (c *Control) Close() error {
	if c.unmap == nil {
		return nil
	}
	err := c.unmap()
	c.unmap, c.mem, c.owner = nil, nil, 0
	return err
}

// Now is the time of the clock that all of the format's times are of.
func Now() MonoTime {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		panic(fmt.Sprintf("jvmlog: CLOCK_MONOTONIC: %v", err)) // cannot fail on Linux
	}
	return MonoTime(ts.Nano())
}
