/* JVMTI: the capabilities the agent takes, and the events it listens to. */
#ifndef PF_HOOKS_H
#define PF_HOOKS_H

#include <jvmti.h>
#include <stdbool.h>

#include "why.h"

/* Takes the capabilities, none without code, and sets the callbacks. at_start: listens to VMInit,
 * which begins the work, and has the JIT keep its debug information from the first compilation
 * on. */
bool pf_hooks_install(jvmtiEnv *jvmti, bool at_start, bool code, struct pf_why *why);

/* Switches all other events on; without code only the event of the JVM's end. Live phase. */
bool pf_hooks_enable(jvmtiEnv *jvmti, bool code, struct pf_why *why);

/* Switches every event off that was switched on, so that the JVM does no more for us; any phase.
 * What the JVM refuses is let be: the callbacks are no-ops then. */
void pf_hooks_disable(jvmtiEnv *jvmti);

/* Has the JVM report all live compiled code and stubs again, on the calling thread. False and why
 * when it refuses. */
bool pf_hooks_generate(jvmtiEnv *jvmti, struct pf_why *why);

/* `what: JVMTI_ERROR_…` */
bool pf_jvmti_because(struct pf_why *why, jvmtiEnv *jvmti, jvmtiError error, const char *what);

#endif
