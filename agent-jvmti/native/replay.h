/* A new reader asks for everything again (FORMAT.md, REPLAY_BEGIN and REPLAY_END). The housekeeper
 * replays what the agent knows, the plugin's poller what the plugin knows; the end is written when
 * both are done. A replay whose reader is gone ends without an end. */
#ifndef PF_REPLAY_H
#define PF_REPLAY_H

#include <jni.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "control.h"
#include "pace.h"

#define PF_REPLAY_PLUGIN_NS 10000000000ull  /* without a record of the plugin, then the replay ends without it */
#define PF_REPLAY_FIRST_NS 2000000000ull    /* how long code of before the start waits for a reader: it may want none */
#define PF_REPLAY_PATIENCE_NS 2000000000ull /* how long a replay waits for room from a reader that acknowledges nothing */

/* A thread's wait for room in the ring. */
struct pf_patience {
    uint64_t ack; /* the reader's, at the last look */
    uint64_t waited_ns; /* since it moved */
};

struct pf_replay {
    struct pf_pace pace; /* a garbage page can order replays without end */
    _Atomic bool running; /* BEGIN is written, END is not */
    _Atomic uint32_t generation;
    uint32_t answered; /* our own copy of the header's replay_generation */
    uint64_t began_ns;
    uint64_t compiled_by_ns; /* when code of before the start is told without a reader; 0: it is told */
    struct pf_patience patience; /* the housekeeper's */
    _Atomic uint32_t plugin_done;
    _Atomic uint64_t plugin_cpu_ns;  /* of the poller, for replays, not yet charged to pace */
    _Atomic uint64_t poller_wrote_ns; /* its last record of a replay */
    _Atomic uint64_t poller_seen_ns; /* last call of awaitWork; 0: there is no poller */
};

/* The one there is: the housekeeper's, and what the poller (jni.c) tells it. */
extern struct pf_replay pf_replay;

void pf_replay_init(uint64_t now);

/* The housekeeper's round. */
void pf_replay_step(JNIEnv *jni, const struct pf_control_view *view, uint64_t now);

/* Writes VM layout, code heaps, stubs and the methods of generated classes: the agent's start.
 * Rounds write the code that is compiled by then, once there is a reader or PF_REPLAY_FIRST_NS is
 * over. */
void pf_replay_start(JNIEnv *jni);

/* Before a replayed record, on the housekeeper: sees to what must not wait (look.h), and waits for
 * the reader if the ring is nearly full. False: the reader that asked is gone, and the rest is not
 * worth writing. */
bool pf_replay_goes_on(void);

/* Before a record of the plugin's poller within a replay: waits for the reader if the ring is
 * nearly full, or has no room for the payload. The caller holds no lock that another thread
 * wants. */
void pf_replay_plugin_waits(struct pf_patience *patience, size_t bytes);

#endif
