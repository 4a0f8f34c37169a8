/* Work ordered without end: not twice within a second, and a twentieth of a CPU in the long run. */
#include "../pace.h"

#include "check.h"

#define S 1000000000ull
#define MS 1000000ull

static void test_first_at_once_then_each_second(void) {
    struct pf_pace pace;
    pf_pace_init(&pace, 7 * S);
    CHECK(pf_pace_ready(&pace, 7 * S));
    pf_pace_begin(&pace, 7 * S);
    CHECK(!pf_pace_ready(&pace, 7 * S));
    CHECK(!pf_pace_ready(&pace, 8 * S - 1));
    CHECK(pf_pace_ready(&pace, 8 * S));
}

/* 2 s are saved, 2.5 s are spent: 0.5 s have to be earned again, which takes ten. */
static void test_overdrawn(void) {
    struct pf_pace pace;
    pf_pace_init(&pace, S);
    pf_pace_begin(&pace, S);
    pf_pace_spent(&pace, 2500 * MS);
    CHECK(!pf_pace_ready(&pace, 11 * S - 20));
    CHECK(pf_pace_ready(&pace, 11 * S));
}

/* However long nothing happens, no more than 2 s are saved; a clock that stands still or steps back
 * earns nothing. */
static void test_saved(void) {
    struct pf_pace pace;
    pf_pace_init(&pace, S);
    CHECK(pf_pace_ready(&pace, 1000000 * S));
    CHECK_EQ(pace.credit_ns, PF_PACE_SAVED_NS);
    CHECK(pf_pace_ready(&pace, 5 * S));
    CHECK_EQ(pace.credit_ns, PF_PACE_SAVED_NS);
    pf_pace_spent(&pace, UINT64_MAX);
    for (int i = 0; i < 10; i++) pf_pace_spent(&pace, UINT64_MAX);
    CHECK(pace.credit_ns < 0 && !pf_pace_ready(&pace, UINT64_MAX / 2));
}

/* An hour of orders, ten times a second, each for 300 ms of CPU: 3600 s / 20 and what was saved,
 * within one replay. */
static void test_long_run(void) {
    struct pf_pace pace;
    uint64_t cpu = 0;
    pf_pace_init(&pace, S);
    for (uint64_t now = S; now < 3601 * S; now += 100 * MS) {
        if (!pf_pace_ready(&pace, now)) continue;
        pf_pace_begin(&pace, now);
        pf_pace_spent(&pace, 300 * MS);
        cpu += 300 * MS;
    }
    CHECK(cpu <= 182 * S + 300 * MS && cpu >= 182 * S - 300 * MS);
}

int main(void) {
    test_first_at_once_then_each_second();
    test_overdrawn();
    test_saved();
    test_long_run();
    return check_result(__FILE__);
}
