#include "events.h"

#include <string.h>

enum { WORDS = sizeof(struct wire_event) / sizeof(uint64_t) };

void pf_events_append(struct pf_log *log, const struct wire_event *event) {
    struct wire_header *h = log->header;
    const uint64_t n = atomic_fetch_add_explicit(&h->events_head, 1, memory_order_relaxed);
    struct wire_event *slot = &log->events[n & (log->event_slots - 1)];
    uint64_t words[WORDS];
    memcpy(words, event, sizeof words);
    /* Release on every word keeps them behind the seq = 0 that a reader's second look must see; on
     * x86 that costs nothing. */
    _Atomic uint64_t *into = (_Atomic uint64_t *)slot;
    atomic_store_explicit(&slot->seq, 0, memory_order_relaxed);
    for (int i = 1; i < WORDS; i++) atomic_store_explicit(&into[i], words[i], memory_order_release);
    atomic_store_explicit(&slot->seq, n + 1, memory_order_release);
    if (event->kind == WIRE_TASK_START) atomic_fetch_add_explicit(&h->tasks_started, 1, memory_order_relaxed);
    if (event->kind == WIRE_TASK_END) atomic_fetch_add_explicit(&h->tasks_ended, 1, memory_order_relaxed);
}
