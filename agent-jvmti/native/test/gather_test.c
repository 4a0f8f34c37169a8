/* Who waits for other events, and how long. */
#include "../gather.h"

#include <sys/prctl.h>

#include "../clock.h"
#include "check.h"

#define MS 1000000ull

static void test_first_of_a_series_waits(void) {
    struct pf_gather gather = {0};
    CHECK_EQ(pf_gather_wait(&gather, 3), 20 * MS);
    pf_gather_ended(&gather, 100 * MS);
    CHECK_EQ(pf_gather_wait(&gather, 100 * MS), 0);
    CHECK_EQ(pf_gather_wait(&gather, 100 * MS + 500000), 0);
    CHECK_EQ(pf_gather_wait(&gather, 100 * MS + 500001), 20 * MS);
    CHECK_EQ(pf_gather_wait(&gather, 99 * MS), 20 * MS); /* a clock that steps back */
}

/* How long fifty events waited that follow one another. */
static uint64_t fifty(struct pf_gather *gather) {
    const uint64_t before = pf_now();
    for (int i = 0; i < 50; i++) {
        pf_gather(gather);
        pf_gather_ended(gather, pf_now());
    }
    return pf_now() - before;
}

static void test_on_the_service_thread_alone(void) {
    struct pf_gather other = {0}, service = {0};
    CHECK(fifty(&other) < 20 * MS);
    CHECK(other.known && !other.service);
    prctl(PR_SET_NAME, "Service Thread");
    const uint64_t all = fifty(&service);
    CHECK(all >= 20 * MS && all < 50 * 20 * MS); /* the first, and not each */
    CHECK(fifty(&other) < 20 * MS);              /* what a thread is does not change */
    prctl(PR_SET_NAME, "gather_test");
}

int main(void) {
    test_first_of_a_series_waits();
    test_on_the_service_thread_alone();
    return check_result(__FILE__);
}
