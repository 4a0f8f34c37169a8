/* The agent's own thread, "planflame-agent": heartbeat, control page, perf events of other threads,
 * replay, names of new classes. Ten rounds a second, more when woken. */
#ifndef PF_HOUSEKEEPER_H
#define PF_HOUSEKEEPER_H

#include <stdbool.h>

#include "why.h"

#define PF_ROUND_NS 100000000ull

bool pf_housekeeper_start(struct pf_why *why);

/* What must not wait for long work: heartbeat, control page, perf events. On the housekeeper only,
 * as often as one likes: it does nothing when a round's time has not gone by since the last look.
 * No JVMTI, no JNI. */
void pf_housekeeper_look(void);

#endif
