/*
 * The agent of this JVM: one, for its whole life. Everything that threads share hangs here.
 *
 * Way of the data: JVMTI callbacks (hooks.c) and the plugin's calls (jni.c) → code, methods,
 * generated, tasks → records and events → the log. The housekeeper thread reads the control page
 * and does all that must not be done on a task's thread. Invariants: nothing is sent anywhere; no
 * call waits for a reader; once off, every entry point is a no-op.
 *
 * Rooms (NAME.c and NAME.h) include one another in one direction only, which scripts/check-includes
 * enforces. The order is: jni → start → hooks and housekeeper → replay → look, listen → agent → the
 * rest.
 */
#ifndef PF_AGENT_H
#define PF_AGENT_H

#include <jvmti.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "code.h"
#include "control.h"
#include "generated.h"
#include "log.h"
#include "methods.h"
#include "records.h"
#include "tags.h"
#include "threads.h"
#include "wake.h"
#include "why.h"

/* Bits of pf_agent.work, the same as NativeAgent.WORK_. */
enum { PF_WORK_CLASSES = 1, PF_WORK_REPLAY = 2, PF_WORK_OFF = 4 };

/* Bits of pf_agent.housework. */
enum { PF_HOUSE_CLASSES = 1, PF_HOUSE_STOP = 2 };

struct pf_agent {
    _Atomic uint32_t live; /* 1: entry points do their work. 0 before the start, when off, in a forked child */
    JavaVM *vm;
    jvmtiEnv *jvmti;
    struct pf_log log;
    struct pf_control control;
    struct pf_records records;
    struct pf_threads threads;
    struct pf_tags tags;
    struct pf_methods methods;
    struct pf_code code;
    struct pf_generated generated;
    struct pf_wake work;      /* for the plugin's poller */
    struct pf_wake housework; /* for the housekeeper */
    struct {                  /* what task threads see of the settings; written by the housekeeper */
        _Atomic uint32_t seq;
        struct pf_settings settings;
    } shown;
    _Atomic uint64_t application_hash; /* for the selection: of the application's id, once the plugin has told it */
    bool code_wanted;          /* events of code, classes and threads; set before the agent begins */
    _Atomic uint32_t sampling; /* a reader holds the lease and sampling is on */
    _Atomic bool leased;       /* a reader holds the lease, as the housekeeper saw it last, in the middle of a replay too */
    bool silent;               /* CompiledMethodLoad is off, for pf_agent_code_is_read; the housekeeper's alone */
    _Atomic uint32_t off;      /* 1: pf_agent_off was called */
};

extern struct pf_agent pf_agent;

/* Off for good: one line on stderr, the reason in the log, every entry point a no-op, perf events
 * closed. The housekeeper ends and switches JVMTI's events off; without one pf_start_failed does.
 * Idempotent. Not within a callback: it waits for threads that are just opening their events. */
void pf_agent_off(const char *reason);

/* Reports whether a reader reads compiled code itself, so that none is told. Without
 * DebugNonSafepoints all is told: then the JIT records lines only while it is. */
bool pf_agent_code_is_read(void);

static inline bool pf_live(void) { return atomic_load_explicit(&pf_agent.live, memory_order_acquire) != 0; }

/* Adds CPU that the agent spent on a thread which is not its own. */
void pf_agent_spent(uint64_t nanos);

/* The settings as the housekeeper last read them; enabled 0 where it changes them just now, twice
 * in a row. Never waits. */
struct pf_settings pf_agent_settings(void);

#endif
