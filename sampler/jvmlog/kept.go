package jvmlog

import (
	"errors"
	"sync/atomic"
)

// Kept is the application that a log's header keeps, for a reader that has to know it before it
// takes the lease (FORMAT.md, "Log header").
type Kept struct {
	Application
	Cut bool // the text was too long: it lacks members, the last ones first
}

// ErrNoApplication says that the header keeps no application: none is known yet, or the agent is
// older than format 1.4 (KeepsApplication).
var ErrNoApplication = errors.New("the log keeps no application")

// KeepsApplication reports whether the agent is new enough to keep the application in the header.
func (l *Log) KeepsApplication() bool { return l.geometry.Minor >= minorOfApplication }

// ApplicationVersion changes whenever the kept application does. It costs one atomic load.
func (l *Log) ApplicationVersion() uint32 { return atomic.LoadUint32(word32(l.head, hdrAppSeq)) }

// Application is the kept application. ErrNoApplication also stands for one that is being written:
// try again.
func (l *Log) Application() (Kept, error) {
	if !l.KeepsApplication() {
		return Kept{}, ErrNoApplication
	}
	var b [HeaderBytes - hdrAppSeq]byte
	for range seqlockTries {
		before := l.ApplicationVersion()
		if before == 0 || before%2 != 0 {
			continue
		}
		copyShared(b[:], l.head, hdrAppSeq, len(b))
		if l.ApplicationVersion() != before {
			continue
		}
		n := le.Uint32(b[hdrAppBytes-hdrAppSeq:])
		if n == 0 || n > MaxKeptApplication {
			return Kept{}, ErrNoApplication
		}
		text := b[hdrApp-hdrAppSeq:][:n]
		return Kept{Application: Application{JSON: text}, Cut: le.Uint32(b[hdrAppFlags-hdrAppSeq:])&applicationCut != 0}, nil
	}
	return Kept{}, ErrNoApplication
}
