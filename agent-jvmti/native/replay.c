#include "replay.h"

#include <time.h>

#include "agent.h"
#include "clock.h"
#include "hooks.h"
#include "layout.h"
#include "payload.h"

enum { ROOM_WANTED = 128 << 10 };

static bool mark(enum wire_record_type type, uint32_t generation) {
    struct pf_buffer payload = {0};
    pf_payload_replay(&payload, generation);
    const bool done =
        !payload.failed && pf_records_append(&pf_agent.records, type, pf_now(), payload.bytes, payload.used) == PF_WRITTEN;
    pf_buffer_free(&payload);
    return done;
}

void pf_replay_agent(JNIEnv *jni) {
    struct pf_why why;
    pf_layout_write(&pf_agent.records);
    /* A JVM that ends in the middle refuses: that is no failure. */
    if (!pf_hooks_generate(pf_agent.jvmti, &why) && pf_live()) pf_agent_off(why.text);
    pf_generated_replay(&pf_agent.generated, jni);
}

static bool poller_lives(const struct pf_replay *replay, uint64_t now) {
    const uint64_t seen = atomic_load(&replay->poller_seen_ns);
    return seen != 0 && now < seen + PF_REPLAY_PLUGIN_NS;
}

static void begin(struct pf_replay *replay, JNIEnv *jni, uint32_t generation, uint64_t now) {
    replay->began_ns = now;
    replay->waited_ns = 0;
    /* Before BEGIN: every load behind it is then preceded by its methods, written again. */
    pf_methods_renew(&pf_agent.methods);
    /* The ring is full and the reader has acknowledged nothing: the next round tries again. */
    if (!mark(WIRE_REPLAY_BEGIN, generation)) return;
    replay->running = true;
    replay->generation = generation;
    atomic_store(&replay->plugin_done, poller_lives(replay, now) ? 0 : 1);
    if (atomic_load(&replay->plugin_done) == 0) pf_wake_set(&pf_agent.work, PF_WORK_REPLAY);
    pf_replay_agent(jni);
}

static void end(struct pf_replay *replay, uint64_t now) {
    if (atomic_load(&replay->plugin_done) == 0 && now - replay->began_ns < PF_REPLAY_PLUGIN_NS) return;
    if (!mark(WIRE_REPLAY_END, replay->generation)) return;
    replay->running = false;
    atomic_store_explicit(&pf_agent.log.header->replay_generation, replay->generation, memory_order_release);
}

void pf_replay_step(struct pf_replay *replay, JNIEnv *jni, const struct pf_control_view *view, uint64_t now) {
    replay->leased = view->leased;
    const uint32_t answered = atomic_load(&pf_agent.log.header->replay_generation);
    if (!replay->running && view->leased && view->replay_request != answered && now - replay->began_ns >= PF_REPLAY_EVERY_NS)
        begin(replay, jni, view->replay_request, now);
    if (replay->running) end(replay, pf_now());
}

void pf_replay_patience(struct pf_replay *replay) {
    const struct timespec nap = {0, 5000000};
    while (replay->leased && replay->waited_ns < PF_REPLAY_PATIENCE_NS && !pf_records_has_room(&pf_agent.records, ROOM_WANTED)) {
        const uint64_t now = pf_now();
        atomic_store(&pf_agent.log.header->heartbeat_ns, now);
        clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
        replay->waited_ns += pf_now() - now;
    }
}
