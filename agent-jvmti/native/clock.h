/* The clocks of the shared memory, in nanoseconds. */
#ifndef PF_CLOCK_H
#define PF_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t pf_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

/* CLOCK_MONOTONIC: the clock of the log, of task events and of samples. No system call where the vDSO works. */
static inline uint64_t pf_now(void) { return pf_clock(CLOCK_MONOTONIC); }

/* CPU of the calling thread since it began; a system call. */
static inline uint64_t pf_thread_cpu(void) { return pf_clock(CLOCK_THREAD_CPUTIME_ID); }

#endif
