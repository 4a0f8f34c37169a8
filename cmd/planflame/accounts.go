package main

import (
	"context"
	"sync"
	"time"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// How often a run reads /proc: a laptop's jobs are short.
const (
	accountInterval = 200 * time.Millisecond
	accountClock    = 20 * time.Millisecond
)

// accounts read the exact CPU of the run's JVMs and their child processes while they live, and keep
// it until the recorder takes it.
type accounts struct {
	accountant *pipeline.Accountant
	cancel     context.CancelFunc
	ended      sync.WaitGroup

	mu      sync.Mutex
	waiting map[sampler.JVMID][]timedAccount
}

// timedAccount is an account and when it was read.
type timedAccount struct {
	time    jvmlog.MonoTime
	account pipeline.Account
}

// startAccounts begins to read; stop ends it.
func startAccounts() *accounts {
	a := &accounts{waiting: map[sampler.JVMID][]timedAccount{}}
	a.accountant = pipeline.NewAccountant(pipeline.AccountantSettings{Interval: accountInterval, Clock: accountClock},
		func(id sampler.JVMID, t jvmlog.MonoTime, account pipeline.Account) {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.waiting[id] = append(a.waiting[id], timedAccount{t, account})
		})
	ctx, cancel := context.WithCancel(context.Background())
	a.cancel = cancel
	a.ended.Go(func() { a.accountant.Run(ctx) })
	return a
}

// stop ends the reading.
func (a *accounts) stop() {
	a.cancel()
	a.ended.Wait()
}

// take returns what waits of a JVM.
func (a *accounts) take(id sampler.JVMID) []timedAccount {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := a.waiting[id]
	delete(a.waiting, id)
	return out
}

// last ends the account of a JVM and returns what is left of it.
func (a *accounts) last(id sampler.JVMID) []timedAccount {
	last, ok := a.accountant.Remove(id)
	out := a.take(id)
	if ok {
		out = append(out, timedAccount{jvmlog.Now(), last})
	}
	return out
}
