package perfevent

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Watch adds e to an epoll, which is ready when the ring has grown by half of its size or the
// thread has ended. Whoever polls e afterwards, directly or through another epoll, takes the first
// away.
func (e *Event) Watch(epoll int) error {
	err := unix.EpollCtl(epoll, unix.EPOLL_CTL_ADD, e.fd, &unix.EpollEvent{Events: unix.EPOLLIN})
	if err != nil {
		return fmt.Errorf("watch perf event: %w", os.NewSyscallError("epoll_ctl", err))
	}
	return nil
}

// Unwatch takes e out of the epoll of Watch. It must be called before Close.
func (e *Event) Unwatch(epoll int) error {
	if err := unix.EpollCtl(epoll, unix.EPOLL_CTL_DEL, e.fd, nil); err != nil {
		return fmt.Errorf("unwatch perf event: %w", os.NewSyscallError("epoll_ctl", err))
	}
	return nil
}
