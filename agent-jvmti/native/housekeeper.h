/* The agent's own thread, "planflame-agent": heartbeat, control page, perf events of other threads,
 * replay, names of new classes. Ten rounds a second, more when woken. */
#ifndef PF_HOUSEKEEPER_H
#define PF_HOUSEKEEPER_H

#include <stdbool.h>

#include "why.h"

bool pf_housekeeper_start(struct pf_why *why);

#endif
