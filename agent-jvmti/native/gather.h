/*
 * HotSpot tells of each compiled method on its Service Thread, which the compiler's thread wakes up for it: that costs the compiler as much
 * as the event costs the agent, and comes hundreds of times a second while a session is young. So where the thread had to be woken up, the
 * event waits a little: the compilers wake nobody meanwhile, and what they make is told in one go. HotSpot 17 to 25 leave nothing to that thread
 * that is in a hurry (serviceThread.cpp: other deferred events, clean-ups of its tables, notices of low memory), and a thread that waits in an
 * event holds up no safepoint.
 */
#ifndef PF_GATHER_H
#define PF_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#define PF_GATHER_NS 20000000ull     /* how long an event waits for others */
#define PF_GATHER_SERIES_NS 500000ull /* from the end of an event to the next: with more between them the thread had slept */

/* A thread's; zeroes to begin with. */
struct pf_gather {
    bool known, service; /* whether service is known, and whether the thread is the Service Thread */
    uint64_t ended_ns;   /* the last event's */
};

/* Before an event: waits where it is the first of a series. On any other thread than the Service Thread it does nothing. */
void pf_gather(struct pf_gather *gather);

/* The event is done with. */
void pf_gather_ended(struct pf_gather *gather, uint64_t now);

/* How long an event that comes now waits on the Service Thread. */
uint64_t pf_gather_wait(const struct pf_gather *gather, uint64_t now);

#endif
