/* A new reader asks for everything again (FORMAT.md, REPLAY_BEGIN and REPLAY_END). The housekeeper replays what the agent knows, the
 * plugin's poller what the plugin knows; the end is written when both are done. */
#ifndef PF_REPLAY_H
#define PF_REPLAY_H

#include <jni.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "control.h"

#define PF_REPLAY_EVERY_NS 1000000000ull     /* at most one replay a second, whatever the reader writes */
#define PF_REPLAY_PLUGIN_NS 10000000000ull   /* after that the replay ends without the plugin */
#define PF_REPLAY_PATIENCE_NS 2000000000ull  /* how long a replay waits in all for a reader to make room in a full ring */

struct pf_replay {
    bool running; /* BEGIN is written, END is not */
    uint32_t generation;
    uint64_t began_ns;
    uint64_t waited_ns;
    bool leased;
    _Atomic uint32_t plugin_done;
    _Atomic uint64_t poller_seen_ns; /* last call of awaitWork; 0: there is no poller */
};

/* The housekeeper's round. */
void pf_replay_step(struct pf_replay *replay, JNIEnv *jni, const struct pf_control_view *view, uint64_t now);

/* Writes VM layout, code heaps, stubs, compiled code and the methods of generated classes: a replay's middle, and the agent's start. */
void pf_replay_agent(JNIEnv *jni);

/* Before a replayed record: waits a little for the reader when the ring is nearly full. The housekeeper only. */
void pf_replay_patience(struct pf_replay *replay);

#endif
