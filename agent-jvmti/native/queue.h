/* A bounded queue of small values: many threads put, none waits, none allocates; the housekeeper
 * takes. After Dmitry Vyukov's bounded MPMC queue: each cell carries the turn in which it may be
 * written or read. */
#ifndef PF_QUEUE_H
#define PF_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { PF_QUEUE_CELLS = 256 /* a power of two */, PF_QUEUE_NAME = 48 };

/* What goes through: two words and a short text. */
struct pf_item {
    uint64_t a;
    uint64_t b;
    char name[PF_QUEUE_NAME]; /* terminated */
};

struct pf_queue {
    struct {
        _Atomic uint64_t turn;
        struct pf_item item;
    } cells[PF_QUEUE_CELLS];
    _Atomic uint64_t head;
    _Atomic uint64_t tail;
};

void pf_queue_init(struct pf_queue *queue);

/* Any thread. False: full, or another thread is at that very cell; the caller counts. */
bool pf_queue_put(struct pf_queue *queue, const struct pf_item *item);

/* False: empty. */
bool pf_queue_take(struct pf_queue *queue, struct pf_item *item);

#endif
