/* The first samples of threads. An event's first period is a whole one, and no call of the kernel
 * can start it within one. A thread that lives for less than a period would never be sampled, and
 * all threads would be in step with their first task. So another event takes a thread's first
 * sample, after a period that is drawn at random. It wakes a thread of ours, which lets the base
 * event begin. */
#ifndef PF_FIRST_H
#define PF_FIRST_H

#include "threads.h"

/* Starts the thread that waits for first samples, if it does not run. Until it does, base events
 * begin at once. The housekeeper only. False: there is none. */
bool pf_first_start(struct pf_threads *threads);

/* Ends it, soon. Any thread; idempotent. */
void pf_first_stop(struct pf_threads *threads);

#endif
