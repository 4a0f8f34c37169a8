#include "wake.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

void pf_wake_set(struct pf_wake *wake, uint32_t bits) {
    atomic_fetch_or(&wake->bits, bits);
    /* Sequentially consistent with the waiter's announcement: one of the two sees the other. */
    if (atomic_load(&wake->waiting) != 0) syscall(SYS_futex, &wake->bits, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static uint32_t take(struct pf_wake *wake, uint32_t keep) { return atomic_fetch_and(&wake->bits, keep); }

uint32_t pf_wake_wait(struct pf_wake *wake, uint64_t timeout_ns, uint32_t keep) {
    const uint64_t until = pf_now() + timeout_ns;
    atomic_fetch_add(&wake->waiting, 1);
    uint32_t got;
    while ((got = take(wake, keep)) == 0) {
        const uint64_t now = pf_now();
        if (now >= until) break;
        const struct timespec left = {(time_t)((until - now) / 1000000000), (long)((until - now) % 1000000000)};
        syscall(SYS_futex, &wake->bits, FUTEX_WAIT_PRIVATE, 0, &left, NULL, 0);
    }
    atomic_fetch_sub(&wake->waiting, 1);
    return got;
}
