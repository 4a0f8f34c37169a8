package systemd

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.opentelemetry.io/collector/extension/extensioncapabilities"
	"go.uber.org/zap"
)

// notifier is the live extension.
type notifier struct {
	log     *zap.Logger
	reloads chan os.Signal
	stop    chan struct{}
	done    sync.WaitGroup
	down    sync.Once
	outbox  chan string   // to systemd; a full one drops what comes, for a reader that lags must not keep who reports a status
	sent    chan struct{} // closed when the outbox is closed and empty; nil: not started

	mu     sync.Mutex
	closed bool                                                  // the outbox
	states map[componentstatus.InstanceID]*componentstatus.Event // errors alone
	ready  bool
	status string // as told last
}

var (
	_ componentstatus.Watcher               = (*notifier)(nil)
	_ extensioncapabilities.PipelineWatcher = (*notifier)(nil)
)

func newNotifier(log *zap.Logger) *notifier {
	return &notifier{log: log, reloads: make(chan os.Signal, 1), stop: make(chan struct{}), outbox: make(chan string, 16), states: map[componentstatus.InstanceID]*componentstatus.Event{}}
}

// Start implements component.Component.
func (n *notifier) Start(context.Context, component.Host) error {
	// 0: systemd watches nothing, or another process.
	every, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		return fmt.Errorf("environment variables WATCHDOG_USEC and WATCHDOG_PID: %w", err)
	}
	signal.Notify(n.reloads, syscall.SIGHUP)
	n.sent = make(chan struct{})
	go n.send()
	if every > 0 {
		n.done.Go(func() { n.feed(every / 2) })
	}
	return nil
}

// sendWithin bounds how long Shutdown waits for systemd to read.
const sendWithin = 500 * time.Millisecond

// Shutdown implements component.Component.
func (n *notifier) Shutdown(ctx context.Context) error {
	n.down.Do(func() {
		signal.Stop(n.reloads)
		close(n.stop)
		n.done.Wait()
		n.mu.Lock()
		defer n.mu.Unlock()
		n.closed = true
		close(n.outbox)
	})
	if n.sent == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	select {
	case <-n.sent:
	case <-ctx.Done():
	}
	return nil
}

// send delivers the outbox. It logs the first failure alone.
func (n *notifier) send() {
	defer close(n.sent)
	said := false
	for state := range n.outbox {
		if _, err := daemon.SdNotify(false, state); err != nil && !said {
			said = true
			n.log.Warn("the Collector's status could not be sent to systemd", zap.String("socket", os.Getenv("NOTIFY_SOCKET")), zap.Error(err))
		}
	}
}

// feed sends WATCHDOG=1 until Shutdown, whenever no component needs a restart.
func (n *notifier) feed(every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		n.mu.Lock()
		if !n.broken() {
			n.notify(daemon.SdNotifyWatchdog)
		}
		n.mu.Unlock()
		select {
		case <-n.stop:
			return
		case <-tick.C:
		}
	}
}

// broken reports whether a component has an error that only a restart ends. Once it is told to
// stop, a component may say so of its own shutdown.
func (n *notifier) broken() bool {
	for _, e := range n.states {
		if n.ready && e.Status() != componentstatus.StatusRecoverableError {
			return true
		}
	}
	return false
}

// Ready implements extensioncapabilities.PipelineWatcher.
func (n *notifier) Ready() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ready = true
	n.status = n.text()
	n.notify(daemon.SdNotifyReady + "\nSTATUS=" + n.status)
	return nil
}

// NotReady implements extensioncapabilities.PipelineWatcher. It is called before a shutdown, and
// before a reload, which systemd would take for the end of the service if it were told STOPPING=1.
func (n *notifier) NotReady() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ready = false
	select {
	case <-n.reloads:
		n.notify(daemon.SdNotifyReloading + "\n" + daemon.SdNotifyMonotonicUsec() + "STATUS=reloading")
	default:
		n.notify(daemon.SdNotifyStopping + "\nSTATUS=stopping")
	}
	return nil
}

// ComponentStatusChanged implements componentstatus.Watcher.
func (n *notifier) ComponentStatusChanged(source *componentstatus.InstanceID, event *componentstatus.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if componentstatus.StatusIsError(event.Status()) {
		n.states[*source] = event
	} else {
		delete(n.states, *source)
	}
	if text := n.text(); n.ready && text != n.status {
		n.status = text
		n.notify("STATUS=" + text)
	}
}

// text is the error of the component that is worst, or that all are well. Of equal ones it is the
// first by name.
func (n *notifier) text() string {
	const well = "all components are well"
	worst, text := componentstatus.StatusNone, well
	for id, e := range n.states {
		line := fmt.Sprintf("%s %s: %v", strings.ToLower(id.Kind().String()), id.ComponentID(), e.Err())
		if e.Status() > worst || e.Status() == worst && line < text {
			worst, text = e.Status(), line
		}
	}
	return strings.Join(strings.Fields(text), " ") // a line break would begin another variable
}

// notify puts a message into the outbox. The caller holds the lock.
func (n *notifier) notify(state string) {
	if n.closed {
		return
	}
	select {
	case n.outbox <- state:
	default:
	}
}
