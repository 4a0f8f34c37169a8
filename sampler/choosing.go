package sampler

import (
	"errors"
	"time"

	"go.uber.org/zap"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/sampler/selector"
)

// applicationPatience is how long a JVM may leave it open whose it is. Its plugin says it within a
// second, on a machine that is not overloaded.
const applicationPatience = 30 * time.Second

// rank is who goes first of two readers of one JVM: the one that asks for it more exactly.
func (s Settings) rank() jvmlog.Rank {
	switch {
	case s.PIDs != nil:
		return jvmlog.RankNamed
	case s.Select != nil && len(s.Select.Include) > 0:
		return jvmlog.RankSelected
	}
	return jvmlog.RankAll
}

// choosing is what a jvm knows of whether it is wanted.
type choosing struct {
	process selector.Process
	judged  uint32    // jvmlog.Log.ApplicationVersion of which the verdict is
	verdict Verdict   // Later before the first
	since   time.Time // when it was asked first
}

// Verdict is selector's.
type Verdict = selector.Verdict

// processOf reads what rules ask of a process.
func (s *Sampler) processOf(pid int) (p selector.Process, err error) {
	if s.settings.Select == nil {
		return p, nil
	}
	uid, uidErr := s.scanner.FS.UID(pid)
	cgroups, cgroupErr := s.scanner.FS.Cgroup(pid)
	return selector.Process{UID: uid, Cgroups: cgroups}, errors.Join(uidErr, cgroupErr)
}

// judge says whether an open JVM is wanted, as far as is known now. A verdict holds until the
// application changes, as in a notebook that starts Spark twice.
func (s *Sampler) judge(j *jvm, now time.Time) Verdict {
	rules := s.settings.Select
	if !rules.NeedApplication() {
		return selector.Yes // by its process: before it was opened
	}
	c := &j.choosing
	version := j.log.ApplicationVersion()
	if c.verdict != selector.Later && version == c.judged {
		return c.verdict
	}
	if c.since.IsZero() {
		c.since = now
	}
	app, err := s.applicationOf(j)
	switch {
	case err == nil:
		c.verdict, c.judged = rules.Judge(c.process, &app), version
	case c.verdict != selector.Later: // it is being written again: the old verdict holds
	case !j.log.KeepsApplication() || now.Sub(c.since) >= applicationPatience:
		c.verdict, c.judged = rules.Judge(c.process, &selector.Application{Unknown: true}), version
		s.unjudged(j, err)
	default:
		c.verdict = rules.Judge(c.process, nil)
	}
	return c.verdict
}

// applicationOf reads what the JVM says of itself.
func (s *Sampler) applicationOf(j *jvm) (selector.Application, error) {
	kept, err := j.log.Application()
	if err != nil {
		return selector.Application{}, err
	}
	app, err := selector.ParseApplication(kept.JSON)
	if err == nil && kept.Cut && s.settings.Select.NeedLabels() {
		s.unjudged(j, errors.New("its labels are too long"))
	}
	return app, err
}

// unjudged counts a JVM of which rules do not know everything, and says it once.
func (s *Sampler) unjudged(j *jvm, why error) {
	s.counts.Unjudged++
	if s.saidUnjudged {
		return
	}
	s.saidUnjudged = true
	s.settings.Logger.Warn("a JVM does not report its application or all of its labels: selectors by them do not match it",
		zap.Int("pid", j.info.PID), zap.Uint16("format_minor", j.info.Header.Minor), zap.Error(why))
}

// leave keeps a JVM that is not wanted in mind. j is nil if its process alone decides, and it is
// not looked at again.
func (s *Sampler) leave(id procfs.Identity, w *waiter) {
	delete(s.waiting, id)
	s.left[id] = w
}

// lookAtLeft looks whether JVMs that were not wanted are now, or have ended.
func (s *Sampler) lookAtLeft(now time.Time) {
	for id, w := range s.left {
		if w.jvm == nil {
			if !s.alive(id) {
				delete(s.left, id)
			}
			continue
		}
		exited, err := w.jvm.handle.Exited()
		if exited || err != nil {
			delete(s.left, id)
			s.closeUnread(id, errors.Join(err, w.jvm.close()))
			continue
		}
		if s.judge(w.jvm, now) == selector.Yes {
			delete(s.left, id)
			w.next = now
			s.waiting[id] = w
		}
	}
}

// letGo gives a JVM back whose application is not wanted any more. The next scan finds it again, to
// be judged when its application changes.
func (s *Sampler) letGo(id procfs.Identity, j *jvm, now time.Time) {
	s.settings.Logger.Info("JVM let go: its application is not selected any more", zap.Int("pid", id.PID))
	if err := s.last(j, now); err != nil {
		s.settings.Logger.Warn("last reading of JVM failed", zap.Int("pid", id.PID), zap.Error(err))
	}
	s.gone(id, j)
}
