package keep

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// Keeper is a sampler's Sink that keeps recordings. Its methods are for one goroutine, but for
// Account and Lost.
type Keeper struct {
	settings Settings
	shelf    *shelf
	disk     *disk
	finisher *finisher
	jvms     map[sampler.JVMID]*jvm
	lost     atomic.Uint64

	mu       sync.Mutex
	accounts map[sampler.JVMID][]timedAccount // of live JVMs, that wait for the watermark
}

// timedAccount is an account and when it was read.
type timedAccount struct {
	time    jvmlog.MonoTime
	account pipeline.Account
}

var _ sampler.Sink = (*Keeper)(nil)

// Open takes the directory, removes what is beyond MaxBytes, and begins to finish what an earlier
// Collector left. An error says what is wrong with the directory.
func Open(settings Settings) (*Keeper, error) {
	if settings.Now == nil {
		settings.Now = time.Now
	}
	shelf, err := openShelf(settings.Directory, settings.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("recording::directory: %w", err)
	}
	k := &Keeper{settings: settings, shelf: shelf, disk: &disk{worker: newWorker()}, jvms: map[sampler.JVMID]*jvm{}, accounts: map[sampler.JVMID][]timedAccount{}}
	k.finisher = &finisher{settings: &k.settings, shelf: shelf, worker: newWorker(), lost: &k.lost, hurry: make(chan struct{})}
	left, err := k.finisher.left()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("recording::directory: %w", err), shelf.close())
	}
	for _, j := range left {
		k.finisher.do(func() { k.finisher.finish(j) })
	}
	go k.disk.run()
	go k.finisher.run()
	return k, nil
}

// Lost is how many samples are in no recording though their query may be wanted; 0 of a nil Keeper.
// Safe for concurrent use.
func (k *Keeper) Lost() uint64 {
	if k == nil {
		return 0
	}
	return k.lost.Load()
}

// Close ends all parts and waits for them until ctx ends. What is not finished by then, the next
// Collector finishes. Nothing may be called after it.
func (k *Keeper) Close(ctx context.Context) error {
	for _, j := range k.jvms {
		j.end("")
	}
	close(k.finisher.hurry)
	k.disk.close()
	ended := make(chan error, 1)
	go func() {
		<-k.disk.done // all spools are handed over
		k.finisher.close()
		<-k.finisher.done
		ended <- k.shelf.close()
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		k.finisher.stopped.Store(true)
		return fmt.Errorf("recordings stay unfinished, and the next Collector finishes them: %w", context.Cause(ctx))
	}
}

// Account takes a reading of the JVM's exact CPU. One of a JVM that is gone is dropped: the last
// reading, which has all of it, has overtaken it. Safe for concurrent use.
func (k *Keeper) Account(id sampler.JVMID, t jvmlog.MonoTime, a pipeline.Account) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if waiting, live := k.accounts[id]; live {
		k.accounts[id] = append(waiting, timedAccount{t, a})
	}
}

// take returns the accounts that wait.
func (k *Keeper) take(id sampler.JVMID) []timedAccount {
	k.mu.Lock()
	defer k.mu.Unlock()
	out := k.accounts[id]
	k.accounts[id] = nil
	return out
}

// forget drops the accounts of a JVM.
func (k *Keeper) forget(id sampler.JVMID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.accounts, id)
}

// JVMFound implements sampler.Sink.
func (k *Keeper) JVMFound(v sampler.JVM) {
	folder := filepath.Join(k.shelf.dir, spoolFolder, fmt.Sprintf("%s-%d-%d", seconds(k.settings.Now()), v.PID, v.ID))
	j := newJVM(k, v, folder)
	k.jvms[v.ID] = j
	k.take(v.ID) // from now on there is a list
	j.begin(firstSuffix, v.FoundAt)
}

// Thread implements sampler.Sink.
func (k *Keeper) Thread(id sampler.JVMID, t jvmlog.Thread) {
	if j := k.jvms[id]; j != nil {
		j.thread(t)
	}
}

// Record implements sampler.Sink.
func (k *Keeper) Record(id sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	if j := k.jvms[id]; j != nil {
		j.record(t, r)
	}
}

// TaskEvent implements sampler.Sink.
func (k *Keeper) TaskEvent(id sampler.JVMID, e jvmlog.TaskEvent) {
	if j := k.jvms[id]; j != nil {
		j.task(e)
	}
}

// Sample implements sampler.Sink.
func (k *Keeper) Sample(id sampler.JVMID, s sampler.Sample) {
	if j := k.jvms[id]; j != nil {
		j.sample(s)
	}
}

// Stats implements sampler.Sink.
func (k *Keeper) Stats(id sampler.JVMID, s sampler.Stats) {
	if j := k.jvms[id]; j != nil {
		j.stats = s
		j.w.Stats(id, since(s, j.statsBefore))
	}
}

// Watermark implements sampler.Sink.
func (k *Keeper) Watermark(id sampler.JVMID, t jvmlog.MonoTime) {
	if j := k.jvms[id]; j != nil {
		j.watermark(t)
	}
}

// JVMGone implements sampler.Sink.
func (k *Keeper) JVMGone(id sampler.JVMID) {
	if j := k.jvms[id]; j != nil {
		j.takeAccounts()
		k.forget(id)
		j.w.JVMGone(id)
		j.end("")
		delete(k.jvms, id)
	}
}
