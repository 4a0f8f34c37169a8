/* The ring of task events: order, overwriting, and a reader that never sees a mixture of two
 * events. */
#include "../events.h"

#include <pthread.h>

#include "check.h"

static struct pf_log log_;

static void open_log(uint32_t slots) {
    struct pf_why why;
    CHECK(pf_log_create(&log_, &(struct pf_shape){1 << 20, 4, slots}, &why));
}

/* All numbers of event k are k plus a constant, so that a torn copy shows. */
static struct wire_event event(uint64_t k) {
    return (struct wire_event){.kind = k % 2 ? WIRE_TASK_END : WIRE_TASK_START, .time_ns = k, .task_attempt_id = k + 1, .thread_cpu_ns = k + 2,
                               .gc_ms = k + 3};
}

static int whole(const struct wire_event *e) {
    return e->task_attempt_id == e->time_ns + 1 && e->thread_cpu_ns == e->time_ns + 2 && e->gc_ms == e->time_ns + 3;
}

/* FORMAT.md's reader: copy, then look whether seq is still n + 1. 0: not (yet) or no longer
 * there. */
static int read_event(uint64_t n, struct wire_event *copy) {
    const struct wire_event *slot = &log_.events[n & (log_.header->event_slots - 1)];
    if (atomic_load_explicit(&slot->seq, memory_order_acquire) != n + 1) return 0;
    uint64_t words[16];
    const _Atomic uint64_t *from = (const _Atomic uint64_t *)slot;
    for (int i = 1; i < 16; i++) words[i] = atomic_load_explicit(&from[i], memory_order_acquire);
    if (atomic_load_explicit(&slot->seq, memory_order_relaxed) != n + 1) return 0;
    memcpy((uint8_t *)copy + 8, &words[1], sizeof *copy - 8);
    return 1;
}

static void test_order_and_overwrite(void) {
    open_log(8);
    struct wire_event e;
    for (uint64_t k = 0; k < 20; k++) {
        e = event(k);
        pf_events_append(&log_, &e);
    }
    CHECK_EQ(atomic_load(&log_.header->events_head), 20);
    CHECK_EQ(atomic_load(&log_.header->tasks_started), 10);
    CHECK_EQ(atomic_load(&log_.header->tasks_ended), 10);
    for (uint64_t n = 0; n < 20; n++) {
        CHECK_EQ(read_event(n, &e), n >= 12);
        if (n >= 12) CHECK(whole(&e) && e.time_ns == n);
    }
    CHECK_EQ(read_event(20, &e), 0);
    pf_log_destroy(&log_);
}

static void *write_many(void *from) {
    const uint64_t first = (uint64_t)(uintptr_t)from;
    for (uint64_t k = first; k < first + 20000; k++) {
        const struct wire_event e = event(k);
        pf_events_append(&log_, &e);
    }
    return NULL;
}

static void test_concurrent(void) {
    open_log(64);
    pthread_t writers[3];
    for (uintptr_t i = 0; i < 3; i++) CHECK(pthread_create(&writers[i], NULL, write_many, (void *)(i * 1000000)) == 0);
    uint64_t torn = 0, got = 0, n = 0;
    for (int rounds = 0; rounds < 200000 || n < 60000; rounds++) {
        const uint64_t head = atomic_load_explicit(&log_.header->events_head, memory_order_acquire);
        if (head > n + 64) n = head - 64;
        struct wire_event e;
        if (n < head && read_event(n, &e)) {
            torn += !whole(&e);
            got++;
            n++;
        } else if (n < head && rounds % 1000 == 999) {
            n++; /* its writer was overtaken */
        }
    }
    for (int i = 0; i < 3; i++) pthread_join(writers[i], NULL);
    CHECK_EQ(torn, 0);
    CHECK(got > 0);
    CHECK_EQ(atomic_load(&log_.header->events_head), 60000);
    CHECK_EQ(atomic_load(&log_.header->tasks_started), 30000);
    pf_log_destroy(&log_);
}

int main(void) {
    test_order_and_overwrite();
    test_concurrent();
    return check_result(__FILE__);
}
