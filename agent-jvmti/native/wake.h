/* A set of bits that threads set without waiting and one thread waits for. Setting costs a system
 * call only when someone waits. */
#ifndef PF_WAKE_H
#define PF_WAKE_H

#include <stdatomic.h>
#include <stdint.h>

/* Zero value: nothing set. */
struct pf_wake {
    _Atomic uint32_t bits;
    _Atomic uint32_t waiting;
};

/* Any thread, a task's too: no lock, no allocation, never waits. */
void pf_wake_set(struct pf_wake *wake, uint32_t bits);

/* Waits until a bit is set or the time is over; takes all bits but those in `keep`, which stay set.
 * 0: the time was over. */
uint32_t pf_wake_wait(struct pf_wake *wake, uint64_t timeout_ns, uint32_t keep);

#endif
