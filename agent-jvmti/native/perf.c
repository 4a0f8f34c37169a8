#include "perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint64_t pf_perf_sample_type(void) {
    return PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
           PERF_SAMPLE_STACK_USER;
}

uint64_t pf_perf_regs_mask(void) {
#if defined(__x86_64__)
    return 0xff01ff; /* asm/perf_regs.h: AX BX CX DX SI DI BP SP IP, R8 … R15 */
#elif defined(__aarch64__)
    return 0x1ffffffffull; /* X0 … X30, SP, PC */
#else
#error "sample_regs_user of this architecture is not known"
#endif
}

/* ring_pages 0: each sample wakes who waits. */
static int open_event(pid_t tid, uint64_t period_ns, uint32_t stack_bytes, uint32_t ring_pages) {
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_TASK_CLOCK;
    attr.sample_period = period_ns;
    attr.sample_type = pf_perf_sample_type();
    attr.sample_regs_user = pf_perf_regs_mask();
    attr.sample_stack_user = stack_bytes;
    attr.disabled = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.exclude_callchain_kernel = 1;
    attr.use_clockid = 1;
    attr.clockid = CLOCK_MONOTONIC;
    attr.watermark = ring_pages != 0;
    if (ring_pages != 0)
        attr.wakeup_watermark = (uint32_t)((uint64_t)ring_pages * (uint64_t)sysconf(_SC_PAGESIZE) / 2);
    else
        attr.wakeup_events = 1;
    const long fd = syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? -errno : (int)fd;
}

/* Besides its copy of the stack a sample holds at most 127 addresses (perf_event_max_stack), the
 * registers and some words. */
uint32_t pf_perf_least_pages(uint32_t stack_bytes) {
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), bytes = (uint64_t)stack_bytes + 1536;
    uint32_t pages = 1;
    while (pages * page < bytes) pages *= 2;
    return pages;
}

static int map_ring(struct pf_perf *perf, uint32_t pages, uint32_t least) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int failed = ENOBUFS;
    for (; pages >= least; pages /= 2) {
        const size_t bytes = (1 + (size_t)pages) * page;
        void *ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, perf->fd, 0);
        if (ring != MAP_FAILED) {
            perf->ring = ring;
            perf->ring_bytes = bytes;
            perf->ring_pages = pages;
            return 0;
        }
        failed = errno;
        if (failed != EPERM && failed != ENOMEM) return failed;
    }
    return failed;
}

/* Another event that writes into the base event's ring: its fd, or -errno. */
static int open_into(struct pf_perf *perf, pid_t tid, uint64_t period_ns, uint32_t stack_bytes, uint32_t ring_pages) {
    const int fd = open_event(tid, period_ns, stack_bytes, ring_pages);
    if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, perf->fd) == 0) return fd;
    const int failed = errno;
    close(fd);
    return -failed;
}

static int open_detail(struct pf_perf *perf, pid_t tid, const struct pf_settings *settings) {
    const int fd = open_into(perf, tid, settings->detail_period_ns, settings->stack_bytes, perf->ring_pages);
    if (fd < 0) return -fd;
    perf->detail_fd = fd;
    return 0;
}

/* The kernel could switch the event off after its sample (PERF_EVENT_IOC_REFRESH), but Linux 6.16
 * and 6.17 hang when it does so to a clock (until commit eb3182ef0405). So it goes on until
 * pf_perf_begin. */
static bool open_first(struct pf_perf *perf, pid_t tid, const struct pf_settings *settings, const struct pf_first *first) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u32 = first->data};
    const int fd = open_into(perf, tid, first->period_ns, settings->stack_bytes, 0);
    if (fd < 0) return false;
    if (epoll_ctl(first->epoll, EPOLL_CTL_ADD, fd, &event) != 0 || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) != 0) {
        close(fd);
        return false;
    }
    perf->first_fd = fd;
    perf->first_ns = first->period_ns;
    perf->enabled = true;
    return true;
}

int pf_perf_open(struct pf_perf *perf, pid_t tid, const struct pf_settings *settings, const struct pf_first *first, int *detail_errno) {
    *perf = PF_PERF_CLOSED;
    *detail_errno = 0;
    /* Pure task sampling (no base period) still needs the event that owns the ring: the longest
     * period, and never switched on. */
    const uint64_t base = settings->base_period_ns ? settings->base_period_ns : settings->detail_period_ns;
    perf->fd = open_event(tid, base, settings->stack_bytes, settings->ring_pages);
    if (perf->fd < 0) {
        const int failed = -perf->fd;
        perf->fd = -1;
        return failed;
    }
    int failed = map_ring(perf, settings->ring_pages, pf_perf_least_pages(settings->stack_bytes));
    if (failed == 0 && settings->detail_period_ns != 0) *detail_errno = open_detail(perf, tid, settings);
    const bool later = failed == 0 && settings->base_period_ns != 0 && first != NULL && open_first(perf, tid, settings, first);
    if (failed == 0 && settings->base_period_ns != 0 && !later) failed = pf_perf_enable(perf, true);
    if (failed != 0) pf_perf_close(perf);
    return failed;
}

static int switch_event(int fd, bool on) {
    if (fd < 0) return 0;
    return ioctl(fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0) == 0 ? 0 : errno;
}

static void end_first(struct pf_perf *perf) {
    if (perf->first_fd >= 0) close(perf->first_fd); /* no one else has it: that ends it */
    perf->first_fd = -1;
}

bool pf_perf_first_over(const struct pf_perf *perf) {
    uint64_t counted = 0;
    /* The count's clock may be a little slower than the timer's. */
    return perf->first_fd >= 0 && read(perf->first_fd, &counted, sizeof counted) == sizeof counted &&
           counted >= perf->first_ns - perf->first_ns / 1000;
}

int pf_perf_begin(struct pf_perf *perf) {
    const int failed = switch_event(perf->fd, true);
    end_first(perf);
    return failed;
}

int pf_perf_enable(struct pf_perf *perf, bool on) {
    end_first(perf);
    const int failed = switch_event(perf->fd, on);
    if (failed == 0) perf->enabled = on;
    const int detail_failed = on ? 0 : switch_event(perf->detail_fd, false);
    return failed != 0 ? failed : detail_failed;
}

int pf_perf_detail(const struct pf_perf *perf, bool on) { return switch_event(perf->detail_fd, on); }

void pf_perf_close(struct pf_perf *perf) {
    if (perf->fd < 0) return;
    pf_perf_enable(perf, false);
    if (perf->ring != NULL) munmap(perf->ring, perf->ring_bytes);
    if (perf->detail_fd >= 0) close(perf->detail_fd);
    close(perf->fd);
    *perf = PF_PERF_CLOSED;
}
