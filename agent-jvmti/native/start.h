/* The start of the agent, of which there is one: in Agent_OnLoad with VMInit, or late. */
#ifndef PF_START_H
#define PF_START_H

#include <jvmti.h>
#include <stdbool.h>

#include "why.h"

/* Makes the log and hooks into the JVM; pf_start_begin starts the housekeeper. at_start: from
 * Agent_OnLoad, before the JVM runs Java code; VMInit then begins. Called once, by the one who
 * claimed the start. */
bool pf_start_prepare(JavaVM *vm, const char *options, bool at_start, struct pf_why *why);

/* Goes live: the JVM is ready (VMInit, or attached late). False: no housekeeper runs. */
bool pf_start_begin(struct pf_why *why);

/* One of the two failed: off for good, and JVMTI's events too. On a thread that the JVM knows. */
void pf_start_failed(const char *reason);

#endif
