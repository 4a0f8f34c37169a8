#include "queue.h"

#include <string.h>

void pf_queue_init(struct pf_queue *q) {
    memset(q, 0, sizeof *q);
    for (uint64_t i = 0; i < PF_QUEUE_CELLS; i++) atomic_store_explicit(&q->cells[i].turn, i, memory_order_relaxed);
}

bool pf_queue_put(struct pf_queue *q, const struct pf_item *item) {
    uint64_t at = atomic_load_explicit(&q->tail, memory_order_relaxed);
    for (;;) {
        const uint64_t turn = atomic_load_explicit(&q->cells[at % PF_QUEUE_CELLS].turn, memory_order_acquire);
        if (turn < at) return false;
        if (turn > at)
            at = atomic_load_explicit(&q->tail, memory_order_relaxed);
        else if (atomic_compare_exchange_weak_explicit(&q->tail, &at, at + 1, memory_order_relaxed, memory_order_relaxed))
            break;
    }
    q->cells[at % PF_QUEUE_CELLS].item = *item;
    atomic_store_explicit(&q->cells[at % PF_QUEUE_CELLS].turn, at + 1, memory_order_release);
    return true;
}

bool pf_queue_take(struct pf_queue *q, struct pf_item *item) {
    uint64_t at = atomic_load_explicit(&q->head, memory_order_relaxed);
    for (;;) {
        const uint64_t turn = atomic_load_explicit(&q->cells[at % PF_QUEUE_CELLS].turn, memory_order_acquire);
        if (turn < at + 1) return false;
        if (turn > at + 1)
            at = atomic_load_explicit(&q->head, memory_order_relaxed);
        else if (atomic_compare_exchange_weak_explicit(&q->head, &at, at + 1, memory_order_relaxed, memory_order_relaxed))
            break;
    }
    *item = q->cells[at % PF_QUEUE_CELLS].item;
    atomic_store_explicit(&q->cells[at % PF_QUEUE_CELLS].turn, at + PF_QUEUE_CELLS, memory_order_release);
    return true;
}
