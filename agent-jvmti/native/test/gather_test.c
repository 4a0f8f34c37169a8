/* Who waits for other events, and when. */
#include "../gather.h"

#include <sys/prctl.h>

#include "../clock.h"
#include "check.h"

#define MS 1000000ull

/* How long a hundred events waited together, the thread having slept before each, or never since
 * the one before. */
static uint64_t hundred(struct pf_gather *gather, uint32_t jdk, bool sleeping) {
    const uint64_t before = pf_now();
    for (uint64_t slept = 1; slept <= 100; slept++) {
        pf_gather(gather, jdk, sleeping ? slept : 1);
        pf_gather_ended(gather, sleeping ? slept : 1);
    }
    return pf_now() - before;
}

int main(void) {
    struct pf_gather other = {0}, series = {0}, single = {0}, later = {0};
    CHECK(hundred(&other, 17, true) < 500 * MS);
    CHECK(other.known && !other.service);

    prctl(PR_SET_NAME, "Service Thread");
    CHECK(hundred(&single, 25, true) >= 1000 * MS);
    const uint64_t once = hundred(&series, 25, false);
    CHECK(once >= 10 * MS && once < 500 * MS);
    CHECK(hundred(&other, 17, true) < 500 * MS); /* what a thread is does not change */
    CHECK(hundred(&later, 26, true) < 500 * MS);
    prctl(PR_SET_NAME, "gather_test");

    /* A thread that sleeps is seen to, one that burns is not, but its CPU is. */
    const struct pf_thread_use begun = pf_thread_use();
    while (pf_thread_use().cpu_ns - begun.cpu_ns < 20 * MS) continue;
    const uint64_t burnt = pf_thread_use().slept - begun.slept;
    for (int i = 0; i < 100; i++) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    CHECK(pf_thread_use().slept - begun.slept >= burnt + 50); /* a timer that is over at once lets no one else run */
    CHECK(burnt < 100);
    return check_result(__FILE__);
}
