/* JVMTI: the capabilities the agent takes, and what it does at an event. */
#ifndef PF_HOOKS_H
#define PF_HOOKS_H

#include <jvmti.h>
#include <stdbool.h>

#include "why.h"

/* Takes the capabilities, none without code, and sets the callbacks. on_vm_init: what the JVM's
 * readiness begins, from Agent_OnLoad; NULL in a JVM that is ready. */
bool pf_hooks_install(jvmtiEnv *jvmti, jvmtiEventVMInit on_vm_init, bool code, struct pf_why *why);

#endif
