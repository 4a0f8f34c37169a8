package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/planflame/planflame/cmd/planflame/internal/child"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// Times of a session.
const (
	scanInterval = 50 * time.Millisecond // a JVM is found well before its first task
	lingerLimit  = 3 * time.Second       // a JVM may end after the program that started it
	lingerStep   = 20 * time.Millisecond
	finishLimit  = 15 * time.Second // for the last drain
)

// session samples the JVMs below this process into a recording while a job runs.
type session struct {
	out     *folder
	file    *os.File
	rec     *recorder
	sampler *sampler.Sampler
	ended   chan error
	// left counts the JVMs that still ran when sampling ended.
	left int
}

// startSession starts sampling; JVMs may appear from now on.
func startSession(out *folder, o runOptions, policy sampler.Policy, command []string) (*session, error) {
	if err := child.Adopt(); err != nil {
		return nil, err
	}
	file, err := os.Create(out.recording())
	if err != nil {
		return nil, fmt.Errorf("create recording: %w", err)
	}
	s := &session{out: out, file: file, ended: make(chan error, 1)}
	if err := s.start(o, policy, command); err != nil {
		if s.rec != nil {
			s.rec.accounts.stop()
		}
		return nil, errors.Join(err, file.Close())
	}
	return s, nil
}

func (s *session) start(o runOptions, policy sampler.Policy, command []string) error {
	now := time.Now()
	w, err := recording.NewWriter(s.file, recording.Meta{
		Version: versionName(), Hz: o.tiers.base, DetailHz: o.tiers.detailHz(), Fraction: o.tiers.fraction, RunFraction: o.tiers.runFraction(), Mode: o.mode, Command: command, Started: now, ClockOffset: now.UnixNano() - int64(jvmlog.Now()),
	})
	if err != nil {
		return err
	}
	s.rec = newRecorder(w, liveSymbols())
	s.rec.accounts = startAccounts()
	self := os.Getpid()
	settings := sampler.Settings{
		Mode: policy, ScanInterval: scanInterval, Logger: logger(), ReadCode: true,
		PIDs: func(pid int) bool { return child.IsDescendant(pid, self) },
	}
	o.tiers.apply(&settings)
	s.sampler, err = sampler.New(settings, s.rec)
	if err != nil {
		return err
	}
	go func() { s.ended <- s.sampler.Run(context.Background()) }()
	return nil
}

// stackBytes is the copy of the stack in each sample: the sampler's default, but less above
// 1,183 Hz in all. An agent that opens its events itself copies no more in a second.
func stackBytes(periods ...time.Duration) int {
	hz := 0.0
	for _, period := range periods {
		if period > 0 {
			hz += float64(time.Second) / float64(period)
		}
	}
	affordable := int(jvmlog.MostCopiedBytes/hz) - jvmlog.SampleBytes
	return max(min(sampler.DefaultStackBytes, affordable&^7), 8)
}

// logger prints the sampler's warnings as lines of ours.
func logger() *zap.Logger {
	config := zapcore.EncoderConfig{MessageKey: "m", LineEnding: "\n", ConsoleSeparator: " "}
	core := zapcore.NewCore(zapcore.NewConsoleEncoder(config), prefixed{}, zap.WarnLevel)
	return zap.New(core)
}

// prefixed writes lines to stderr with our name in front.
type prefixed struct{}

func (prefixed) Write(p []byte) (int, error) {
	_, err := fmt.Fprintf(os.Stderr, "planflame: %s", p)
	return len(p), err
}

func (prefixed) Sync() error { return nil }

// stop waits for the last JVM, drains what is left and closes the recording.
func (s *session) stop() error {
	defer s.rec.accounts.stop()
	for limit := time.Now().Add(lingerLimit); s.sampler.Totals().Live > 0 && time.Now().Before(limit); {
		time.Sleep(lingerStep)
	}
	s.left = int(s.sampler.Totals().Live)
	ctx, cancel := context.WithTimeout(context.Background(), finishLimit)
	defer cancel()
	if err := s.sampler.Shutdown(ctx); err != nil {
		return err
	}
	if err := <-s.ended; err != nil {
		return err
	}
	if err := s.rec.Close(); err != nil {
		return err
	}
	if n := s.rec.Dropped(); n > 0 {
		say("%d entries did not fit into the recording", n)
	}
	if n := s.rec.spoilt + s.rec.accounts.accountant.Failures(); n > 0 {
		say("%d readings of CPU from /proc could not be had: what runs outside of tasks is not complete", n)
	}
	if n := s.rec.unnamed; n > 0 {
		say("%d frames were not looked up, because a JVM had more than %d different addresses: native code among them has no name", n, maxSymbols)
	}
	if err := s.file.Close(); err != nil {
		return fmt.Errorf("close recording: %w", err)
	}
	if err := trim(s.out.recording()); err != nil {
		return fmt.Errorf("the recording keeps code that no sample met: %w", err)
	}
	return nil
}

// finish ends the session and writes the results. Nothing here changes the job's exit code: what
// goes wrong is said.
func (s *session) finish(o runOptions, command []string, result child.Result) {
	if err := s.stop(); err != nil {
		say("%v", err)
	}
	if !result.Started || s.sampler.Totals().Found == 0 {
		if result.Started {
			say("%s", nothingFound)
			if java := checkJava(); !java.OK {
				say("%s: %s; %s", java.Name, java.Detail, java.Mend)
			}
		}
		s.out.discard()
		return
	}
	a, err := analyze(s.out.recording(), pipeline.Without{}, drawing{})
	if err != nil {
		say("%v", err)
	}
	if a == nil {
		a = &analysis{}
	}
	if a.profile != nil {
		if err := a.write(s.out.results); err != nil {
			say("%v", err)
		}
	}
	if err := s.out.settle(a.title(command)); err != nil {
		say("%v", err)
	}
	if a.profile == nil {
		say("the recording is in %s", s.out.results)
		return
	}
	pushResults(context.Background(), o.server, a, s.out.results)
	if err := o.print(a); err != nil {
		say("print the summary: %v", err)
	}
	a.advise()
	s.next(o)
}

// next says what to do with the results, a line each.
func (s *session) next(o runOptions) {
	say("results are in %s", s.out.results)
	say("the page in the browser: planflame view%s", s.out.argument())
	if o.table {
		say("most expensive operators first: planflame report --sort cpu%s", s.out.argument())
	} else {
		say("table of operators: planflame report%s", s.out.argument())
	}
}

const nothingFound = "no JVM with the planflame agent appeared below the job: it started no Spark, or its Spark runs elsewhere (cluster mode, Spark Connect to " +
	"another host) or read another SPARK_CONF_DIR, or the agent said above why it is off"
