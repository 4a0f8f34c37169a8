/* The clocks of the shared memory, in nanoseconds. */
#ifndef PF_CLOCK_H
#define PF_CLOCK_H

#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

static inline uint64_t pf_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

/* CLOCK_MONOTONIC: the clock of the log, of task events and of samples. No system call where the
 * vDSO works. */
static inline uint64_t pf_now(void) { return pf_clock(CLOCK_MONOTONIC); }

/* CPU of the calling thread since it began; a system call. */
static inline uint64_t pf_thread_cpu(void) { return pf_clock(CLOCK_THREAD_CPUTIME_ID); }

/* What the calling thread has done since it began: one system call. */
struct pf_thread_use {
    uint64_t cpu_ns; /* in microseconds, rounded down */
    uint64_t slept;  /* how often it has gone to sleep */
};

static inline struct pf_thread_use pf_thread_use(void) {
    struct rusage use;
    if (getrusage(RUSAGE_THREAD, &use) != 0) return (struct pf_thread_use){0};
    const uint64_t seconds = (uint64_t)use.ru_utime.tv_sec + (uint64_t)use.ru_stime.tv_sec;
    const uint64_t micros = (uint64_t)use.ru_utime.tv_usec + (uint64_t)use.ru_stime.tv_usec;
    return (struct pf_thread_use){.cpu_ns = seconds * 1000000000ull + micros * 1000, .slept = (uint64_t)use.ru_nvcsw};
}

#endif
