/* Thread slots without perf events: taking, ending, the grace period, and the sequence number under
 * threads. */
#include "../threads.h"

#include <pthread.h>

#include "check.h"

#define S 1000000000ull

static struct pf_log log_;
static struct pf_threads threads;
static const struct pf_settings off = {0};

static void open_slots(uint32_t n) {
    struct pf_why why;
    CHECK(pf_log_create(&log_, &(struct pf_shape){1 << 20, n, 8}, &why));
    CHECK(pf_threads_init(&threads, &log_, &why));
}

static void close_slots(void) {
    pf_threads_destroy(&threads);
    pf_log_destroy(&log_);
}

static void test_take_end_free(void) {
    open_slots(8);
    struct pf_slot *slot = pf_slot_take(&threads, 501, WIRE_THREAD_TASK, "worker", 5 * S);
    const struct wire_thread *shown = &log_.threads[slot->index];
    CHECK(shown->tid == 501 && shown->start_ns == 5 * S && shown->flags == WIRE_THREAD_TASK && strcmp(shown->name, "worker") == 0);
    CHECK(shown->perf_fd == -1 && shown->perf_detail_fd == -1);
    CHECK_EQ(atomic_load(&shown->seq) % 2, 0);
    CHECK_EQ(atomic_load(&log_.header->threads_high_water), 1);
    pf_slot_end(&threads, slot, 10 * S);
    CHECK_EQ(shown->flags, WIRE_THREAD_TASK | WIRE_THREAD_ENDED);
    pf_threads_keep(&threads, &off, 11 * S);
    CHECK_EQ(shown->tid, 501); /* the reader may still drain its ring */
    pf_threads_keep(&threads, &off, 12 * S);
    CHECK_EQ(shown->tid, 0);
    CHECK_EQ(atomic_load(&threads.used), 0);
    CHECK(pf_slot_take(&threads, 502, 0, "next", 13 * S) == slot);
    CHECK_EQ(atomic_load(&log_.header->threads_high_water), 1);
    close_slots();
}

/* Threads that run no task cannot take the slots that tasks will need. */
static void test_tasks_first(void) {
    open_slots(8);
    int others = 0, tasks = 0;
    while (pf_slot_take(&threads, 1, 0, "other", 1) != NULL) others++;
    CHECK_EQ(others, 4);
    CHECK_EQ(atomic_load(&log_.header->dropped_threads), 0);
    while (pf_slot_take(&threads, 2, WIRE_THREAD_TASK, "task", 1) != NULL) tasks++;
    CHECK_EQ(tasks, 4);
    CHECK_EQ(atomic_load(&log_.header->dropped_threads), 1);
    close_slots();
}

static void test_names(void) {
    const struct {
        const char *name, *shown;
    } table[] = {
        {"", ""},
        {"short", "short"},
        {"123456789012345678901234567890123456789012345678901234567890123", "123456789012345678901234567890123456789012345678901234567890123"},
        {"1234567890123456789012345678901234567890123456789012345678901234", "123456789012345678901234567890123456789012345678901234567890123"},
        /* an umlaut over the edge goes whole */
        {"12345678901234567890123456789012345678901234567890123456789012\xc3\xa4", "12345678901234567890123456789012345678901234567890123456789012"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        open_slots(2);
        pf_slot_take(&threads, 9, WIRE_THREAD_TASK, table[i].name, 1);
        CHECK(strcmp(log_.threads[0].name, table[i].shown) == 0);
        close_slots();
    }
}

/* Writers take, mark and end slots while a reader copies them: a copy with an even, unchanged seq
 * is never a mixture. */
static _Atomic int stop;

static void *churn(void *unused) {
    (void)unused;
    for (uint32_t i = 1; i < 20000; i++) {
        struct pf_slot *slot = pf_slot_take(&threads, i, WIRE_THREAD_TASK, "x", i * 3ull);
        if (slot == NULL) continue;
        pf_slot_mark(&threads, slot, 0, "y");
        pf_slot_end(&threads, slot, 1);
    }
    return NULL;
}

static void *keep(void *unused) {
    (void)unused;
    while (!atomic_load(&stop)) pf_threads_keep(&threads, &off, 10 * S);
    return NULL;
}

static void test_seqlock(void) {
    open_slots(4);
    pthread_t writers[2], keeper;
    CHECK(pthread_create(&keeper, NULL, keep, NULL) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&writers[i], NULL, churn, NULL) == 0);
    uint64_t mixed = 0, good = 0;
    for (int i = 0; i < 400000; i++) {
        const _Atomic uint32_t *from = (const _Atomic uint32_t *)&log_.threads[i % 4];
        uint32_t words[32];
        const uint32_t seq = atomic_load_explicit(&from[0], memory_order_acquire);
        for (int w = 1; w < 32; w++) words[w] = atomic_load_explicit(&from[w], memory_order_acquire);
        if (seq % 2 != 0 || atomic_load_explicit(&from[0], memory_order_relaxed) != seq) continue;
        struct wire_thread copy;
        memcpy(&copy, words, sizeof copy);
        mixed += copy.start_ns != copy.tid * 3ull;
        good++;
    }
    for (int i = 0; i < 2; i++) pthread_join(writers[i], NULL);
    atomic_store(&stop, 1);
    pthread_join(keeper, NULL);
    CHECK_EQ(mixed, 0);
    CHECK(good > 1000);
    close_slots();
}

int main(void) {
    test_take_end_free();
    test_tasks_first();
    test_names();
    test_seqlock();
    return check_result(__FILE__);
}
