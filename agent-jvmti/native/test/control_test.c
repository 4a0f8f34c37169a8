/* The control page: every range, the lease's age, and pages full of garbage. */
#include "../control.h"

#include <math.h>

#include "check.h"
#include "ring.h"

static struct pf_control control;

static const struct pf_settings good = {.enabled = 1, .mode = 2, .stack_bytes = 8192, .ring_pages = 64, .base_period_ns = 10000000,
                                        .detail_period_ns = 1000000, .inclusion_probability = 0.25, .seed = 3};

static void put(const struct pf_settings *s, uint32_t seq) {
    struct wire_control *p = control.page;
    uint64_t bits;
    memcpy(&bits, &s->inclusion_probability, sizeof bits);
    atomic_store(&p->seq, seq - 1);
    atomic_store(&p->enabled, s->enabled);
    atomic_store(&p->mode, s->mode);
    atomic_store(&p->stack_bytes, s->stack_bytes);
    atomic_store(&p->ring_pages, s->ring_pages);
    atomic_store(&p->base_period_ns, s->base_period_ns);
    atomic_store(&p->detail_period_ns, s->detail_period_ns);
    atomic_store(&p->inclusion_probability, bits);
    atomic_store(&p->seed, s->seed);
    atomic_store(&p->seq, seq);
}

static void lease(uint64_t owner, uint64_t beat) {
    atomic_store(&control.page->lease_owner, owner);
    atomic_store(&control.page->lease_heartbeat_ns, beat);
}

static void test_ranges(void) {
    const struct {
        const char *what;
        struct pf_settings s;
        bool valid;
    } table[] = {
#define CASE(valid_, ...) {#__VA_ARGS__, {.enabled = 1, .mode = 1, .ring_pages = 8, .inclusion_probability = 1, __VA_ARGS__}, valid_}
        CASE(true, .enabled = 0),
        CASE(false, .enabled = 2),
        CASE(false, .mode = 0),
        CASE(true, .mode = 2),
        CASE(false, .mode = 3),
        CASE(true, .stack_bytes = 65528),
        CASE(false, .stack_bytes = 65536),
        CASE(false, .stack_bytes = 12),
        CASE(false, .ring_pages = 0),
        CASE(true, .ring_pages = 1),
        CASE(false, .ring_pages = 3),
        CASE(true, .ring_pages = 1024),
        CASE(false, .ring_pages = 2048),
        CASE(true, .base_period_ns = 0),
        CASE(false, .base_period_ns = 99999),
        CASE(true, .base_period_ns = 100000),
        CASE(true, .base_period_ns = 60000000000),
        CASE(false, .base_period_ns = 60000000001),
        CASE(false, .detail_period_ns = 1),
        CASE(true, .inclusion_probability = 0),
        CASE(false, .inclusion_probability = -0.001),
        CASE(false, .inclusion_probability = 1.001),
        CASE(false, .inclusion_probability = NAN),
        CASE(false, .inclusion_probability = INFINITY),
        /* Bytes a second: 1 kHz with 32 KiB, 500 Hz with 64 KiB, and both tiers together. */
        CASE(true, .mode = 2, .stack_bytes = 32768, .base_period_ns = 1000000),
        CASE(true, .mode = 2, .stack_bytes = 65528, .base_period_ns = 2000000),
        CASE(true, .mode = 2, .stack_bytes = 32768, .base_period_ns = 10000000, .detail_period_ns = 1000000),
        CASE(true, .mode = 2, .stack_bytes = 2976, .base_period_ns = 100000),
        CASE(false, .mode = 2, .stack_bytes = 2984, .base_period_ns = 100000),
        CASE(false, .mode = 2, .stack_bytes = 65528, .base_period_ns = 100000),
        CASE(false, .mode = 2, .stack_bytes = 65528, .detail_period_ns = 1000000),
        CASE(false, .mode = 2, .stack_bytes = 32768, .base_period_ns = 1000000, .detail_period_ns = 2000000),
        CASE(true, .mode = 1, .stack_bytes = 65528, .base_period_ns = 100000), /* the reader's own events */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        CHECK_EQ(pf_settings_valid(&table[i].s), table[i].valid);
        if (pf_settings_valid(&table[i].s) != table[i].valid) fprintf(stderr, "  case %s\n", table[i].what);
    }
}

static void test_nobody_wrote(void) {
    const struct pf_control_view v = pf_control_read(&control, 1000);
    CHECK(!v.leased && !v.rejected && v.settings.enabled == 0 && v.settings.mode == 0 && v.replay_request == 0);
}

static void test_code_reader(void) {
    const uint64_t s = 1000000000;
    const struct {
        uint64_t owner, beat, reader;
        bool reads;
    } table[] = {{7, 100 * s, 7, true}, {7, 100 * s, 0, false}, {8, 100 * s, 7, false}, {7, 90 * s, 7, false}, {0, 100 * s, 0, false}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        lease(table[i].owner, table[i].beat);
        atomic_store(&control.page->code_reader, table[i].reader);
        CHECK_EQ(pf_control_reads_code(&control, 100 * s), table[i].reads);
    }
    atomic_store(&control.page->code_reader, 0);
    lease(0, 0);
}

static void test_lease_age(void) {
    const uint64_t s = 1000000000;
    const struct {
        uint64_t owner, beat, now;
        bool fresh;
    } table[] = {
        {0, 100 * s, 100 * s, false}, {7, 100 * s, 100 * s, true},          {7, 100 * s, 105 * s, true}, {7, 100 * s, 105 * s + 1, false},
        {7, 101 * s, 100 * s, true},  {7, 105 * s + 1, 100 * s, false},     {7, ~0ull, 100 * s, false},  {7, 0, 100 * s, false},
    };
    put(&good, 2);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        lease(table[i].owner, table[i].beat);
        const struct pf_control_view v = pf_control_read(&control, table[i].now);
        CHECK_EQ(v.leased, table[i].fresh);
        CHECK_EQ(v.settings.enabled, table[i].fresh);
        CHECK_EQ(v.settings.base_period_ns, 10000000);
    }
    lease(7, 100 * s);
}

/* A page out of range is refused once and the last good settings stay; so is one that is being
 * written. */
static void test_refusal(void) {
    const uint64_t now = 100000000000;
    struct pf_settings bad = good;
    bad.ring_pages = 5;
    put(&bad, 4);
    CHECK(pf_control_read(&control, now).rejected);
    const struct pf_control_view again = pf_control_read(&control, now);
    CHECK(!again.rejected && again.leased && pf_settings_equal(&again.settings, &good));
    bad.ring_pages = 128;
    put(&bad, 7); /* odd: being written */
    CHECK_EQ(pf_control_read(&control, now).settings.ring_pages, 64);
    put(&bad, 8);
    CHECK_EQ(pf_control_read(&control, now).settings.ring_pages, 128);
}

static void test_garbage(void) {
    uint64_t seed = 1234567, accepted = 0, rejected = 0;
    for (uint64_t round = 0; round < 20000; round++) {
        uint64_t *words = (uint64_t *)control.page;
        for (size_t i = 2; i < 14; i++) {
            const uint64_t r = next_random(&seed);
            words[i] = r % 4 == 0 ? r % 3 : r % 4 == 1 ? 1ull << r % 64 : r;
        }
        const uint64_t beat = atomic_load(&control.page->lease_heartbeat_ns);
        const struct pf_control_view v = pf_control_read(&control, round % 2 ? beat + round : next_random(&seed));
        rejected += v.rejected;
        accepted += v.leased;
        struct pf_settings s = v.settings;
        CHECK(s.mode == 0 || pf_settings_valid(&s));
    }
    CHECK(rejected > 0 && accepted > 0);
    printf("  garbage: %" PRIu64 " pages refused, %" PRIu64 " leases fresh\n", rejected, accepted);
}

int main(void) {
    struct pf_why why;
    CHECK(pf_control_create(&control, &why));
    test_ranges();
    test_nobody_wrote();
    test_code_reader();
    test_lease_age();
    test_refusal();
    test_garbage();
    pf_control_destroy(&control);
    return check_result(__FILE__);
}
