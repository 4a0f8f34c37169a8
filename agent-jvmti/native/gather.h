/*
 * HotSpot reports each compiled method on its Service Thread, and the compiler's thread wakes that
 * thread up. This costs the compiler as much as the event costs the agent. It happens hundreds of
 * times a second while a session is young. So where the thread had slept, the event waits a little:
 * the compilers wake no one meanwhile, and what they make is told in one go. No wait begins while
 * events are left, so that the thread is never further behind than one.
 *
 * HotSpot 17 to 25 leave nothing to that thread that is in a hurry (serviceThread.cpp): other
 * deferred JVMTI events, which stay in their order, and clean-ups of its tables. A thread in an
 * event holds up no safepoint; System.exit may wait for it as long as it waits (VM_Exit). Later
 * HotSpots wait for events under way in other ways (JDK-8355631): there nothing gathers.
 */
#ifndef PF_GATHER_H
#define PF_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#define PF_GATHER_NS 10000000ull /* how long an event waits for others; readers allow for it (sampler: settling) */
#define PF_GATHER_LAST_JDK 25

/* A thread's; zeroes to begin with. */
struct pf_gather {
    bool known, service; /* whether service is known, and whether the thread is the Service Thread of such a JDK */
    uint64_t slept;      /* how often it had slept when the last event ended */
};

/* Before an event on a thread that has slept so often by now (pf_thread_use): waits where the
 * thread slept since the last one. On any other thread than the Service Thread it does nothing. */
void pf_gather(struct pf_gather *gather, uint32_t jdk_feature, uint64_t slept);

/* The event is done with. */
void pf_gather_ended(struct pf_gather *gather, uint64_t slept);

#endif
