#include "perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
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
    attr.watermark = 1;
    attr.wakeup_watermark = (uint32_t)((uint64_t)ring_pages * (uint64_t)sysconf(_SC_PAGESIZE) / 2);
    const long fd = syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? -errno : (int)fd;
}

/* Besides its copy of the stack a sample holds at most 127 addresses (perf_event_max_stack), the registers and some words. */
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

static int open_detail(struct pf_perf *perf, pid_t tid, const struct pf_settings *settings) {
    const int fd = open_event(tid, settings->detail_period_ns, settings->stack_bytes, perf->ring_pages);
    if (fd < 0) return -fd;
    if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, perf->fd) != 0) {
        const int failed = errno;
        close(fd);
        return failed;
    }
    perf->detail_fd = fd;
    return 0;
}

int pf_perf_open(struct pf_perf *perf, pid_t tid, const struct pf_settings *settings, int *detail_errno) {
    *perf = PF_PERF_CLOSED;
    *detail_errno = 0;
    /* Pure task sampling (no base period) still needs the event that owns the ring: the longest period, and never switched on. */
    const uint64_t base = settings->base_period_ns ? settings->base_period_ns : settings->detail_period_ns;
    perf->fd = open_event(tid, base, settings->stack_bytes, settings->ring_pages);
    if (perf->fd < 0) {
        const int failed = -perf->fd;
        perf->fd = -1;
        return failed;
    }
    int failed = map_ring(perf, settings->ring_pages, pf_perf_least_pages(settings->stack_bytes));
    if (failed == 0 && settings->detail_period_ns != 0) *detail_errno = open_detail(perf, tid, settings);
    if (failed == 0 && settings->base_period_ns != 0) failed = pf_perf_enable(perf, true);
    if (failed != 0) pf_perf_close(perf);
    return failed;
}

static int switch_event(int fd, bool on) {
    if (fd < 0) return 0;
    return ioctl(fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0) == 0 ? 0 : errno;
}

int pf_perf_enable(struct pf_perf *perf, bool on) {
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
