/* The JVMTI events that the agent listens to, switched on and off. What they do is hooks.h's. */
#ifndef PF_LISTEN_H
#define PF_LISTEN_H

#include <jvmti.h>
#include <stdbool.h>

#include "why.h"

/* From Agent_OnLoad: VMInit, which begins the work, and an event that has the JIT keep its debug
 * information from the first compilation on. */
bool pf_listen_at_start(jvmtiEnv *jvmti, struct pf_why *why);

/* Switches all other events on; without code only the event of the JVM's end. Live phase. */
bool pf_listen(jvmtiEnv *jvmti, bool code, struct pf_why *why);

/* Switches off every event that was switched on, so that the JVM does no more work for the agent.
 * Call it in any phase, on a thread that the JVM knows, but not within a callback of compiled code.
 * What the JVM refuses is let be: the callbacks are no-ops then. */
void pf_listen_none(jvmtiEnv *jvmti);

/* Listens to CompiledMethodLoad or not. False: the JVM refuses. */
bool pf_listen_compiled(jvmtiEnv *jvmti, bool on);

/* Has the JVM report all live code of an event again, stubs or compiled, on the calling thread.
 * False and why when it refuses. */
bool pf_listen_generate(jvmtiEnv *jvmti, jvmtiEvent event, struct pf_why *why);

/* Reports whether the calling thread runs pf_listen_generate: what is reported there is not new. */
bool pf_listen_generating(void);

/* `what: JVMTI_ERROR_…` */
bool pf_jvmti_because(struct pf_why *why, jvmtiEnv *jvmti, jvmtiError error, const char *what);

#endif
