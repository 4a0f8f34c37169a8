#include "replay.h"

#include <time.h>

#include "agent.h"
#include "clock.h"
#include "layout.h"
#include "listen.h"
#include "look.h"
#include "payload.h"

enum { ROOM_WANTED = 128 << 10, ROOM_FOR_MARK = 64 };

struct pf_replay pf_replay;

void pf_replay_init(uint64_t now) {
    pf_replay = (struct pf_replay){.running = false};
    pf_pace_init(&pf_replay.pace, now);
}

/* False: the ring is full and the reader has acknowledged nothing. The next round tries again, so
 * nothing is dropped by that. */
static bool mark(enum wire_record_type type, uint32_t generation) {
    struct pf_buffer payload = {0};
    if (!pf_records_has_room(&pf_agent.records, ROOM_FOR_MARK)) return false;
    pf_payload_replay(&payload, generation);
    const bool done =
        !payload.failed && pf_records_append(&pf_agent.records, type, pf_now(), payload.bytes, payload.used) == PF_WRITTEN;
    pf_buffer_free(&payload);
    return done;
}

static bool go_on(void *unused) {
    (void)unused;
    return pf_replay_goes_on();
}

/* A JVM that ends in the middle refuses: that is no failure. */
static void generate(jvmtiEvent event) {
    struct pf_why why;
    if (pf_live() && !pf_listen_generate(pf_agent.jvmti, event, &why) && pf_live()) pf_agent_off(why.text);
}

static void tell_compiled(void) {
    pf_replay.compiled_by_ns = 0;
    if (!pf_agent.silent) generate(JVMTI_EVENT_COMPILED_METHOD_LOAD);
}

/* In the order of a replay (FORMAT.md). */
static void tell(JNIEnv *jni, bool compiled) {
    if (!pf_agent.code_wanted || !pf_replay_goes_on()) return;
    pf_layout_write(&pf_agent.records, pf_agent.code.trap_reasons);
    generate(JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
    if (compiled) tell_compiled();
    if (pf_live()) pf_generated_replay(&pf_agent.generated, jni, go_on, NULL);
}

void pf_replay_start(JNIEnv *jni) {
    if (pf_agent.code_wanted) pf_replay.compiled_by_ns = pf_now() + PF_REPLAY_FIRST_NS;
    tell(jni, false);
}

static bool poller_lives(uint64_t now) {
    const uint64_t seen = atomic_load(&pf_replay.poller_seen_ns);
    return seen != 0 && now < seen + PF_REPLAY_PLUGIN_NS;
}

static void begin(JNIEnv *jni, uint32_t generation, uint64_t now) {
    const uint64_t cpu = pf_thread_cpu();
    pf_pace_begin(&pf_replay.pace, now);
    pf_replay.began_ns = now;
    pf_replay.patience = (struct pf_patience){0};
    /* Before BEGIN: every load behind it is then preceded by its methods, written again. */
    pf_methods_renew(&pf_agent.methods);
    if (!mark(WIRE_REPLAY_BEGIN, generation)) return;
    pf_replay.running = true;
    pf_replay.generation = generation;
    atomic_store(&pf_replay.plugin_done, poller_lives(now) ? 0 : 1);
    if (atomic_load(&pf_replay.plugin_done) == 0) pf_wake_set(&pf_agent.work, PF_WORK_REPLAY);
    tell(jni, true);
    pf_pace_spent(&pf_replay.pace, pf_thread_cpu() - cpu);
}

static void end(uint64_t now) {
    if (!pf_agent.leased) {
        pf_replay.running = false; /* no one waits for the end; the next reader asks with a number of its own */
        return;
    }
    if (atomic_load(&pf_replay.plugin_done) == 0 && now < pf_replay.began_ns + PF_REPLAY_PLUGIN_NS) return;
    /* A slow reader: the poller writes on. */
    if (atomic_load(&pf_replay.plugin_done) == 0 && now < atomic_load(&pf_replay.poller_wrote_ns) + PF_REPLAY_PLUGIN_NS) return;
    if (!mark(WIRE_REPLAY_END, pf_replay.generation)) return;
    pf_replay.running = false;
    pf_replay.answered = pf_replay.generation;
    atomic_store_explicit(&pf_agent.log.header->replay_generation, pf_replay.generation, memory_order_release);
}

void pf_replay_step(JNIEnv *jni, const struct pf_control_view *view, uint64_t now) {
    pf_pace_spent(&pf_replay.pace, atomic_exchange(&pf_replay.plugin_cpu_ns, 0));
    if (pf_replay.compiled_by_ns != 0 && (view->leased || now >= pf_replay.compiled_by_ns)) tell_compiled();
    if (!pf_replay.running && view->leased && view->replay_request != pf_replay.answered && pf_pace_ready(&pf_replay.pace, now) &&
        pf_records_has_room(&pf_agent.records, ROOM_FOR_MARK))
        begin(jni, view->replay_request, now);
    if (pf_replay.running) end(pf_now());
}

/* Naps if the ring has no room for that payload. False: there is room, or never will be, or the
 * reader has acknowledged nothing for too long. */
static bool nap_for_room(struct pf_patience *patience, size_t bytes) {
    const struct timespec nap = {0, 5000000};
    if (pf_records_has_room(&pf_agent.records, bytes)) return false;
    const uint64_t ack = atomic_load_explicit(pf_agent.records.ack, memory_order_relaxed);
    if (ack != patience->ack) *patience = (struct pf_patience){.ack = ack};
    if (patience->waited_ns >= PF_REPLAY_PATIENCE_NS) return false;
    const uint64_t before = pf_now();
    clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
    patience->waited_ns += pf_now() - before;
    return true;
}

bool pf_replay_goes_on(void) {
    pf_look_again();
    if (!pf_replay.running) return pf_live(); /* the agent's start: there need be no reader */
    while (pf_live() && pf_agent.leased && nap_for_room(&pf_replay.patience, ROOM_WANTED)) pf_look_again();
    return pf_live() && pf_agent.leased;
}

void pf_replay_plugin_waits(struct pf_patience *patience, size_t bytes) {
    const size_t wanted = bytes > ROOM_WANTED ? bytes : ROOM_WANTED;
    while (pf_live() && pf_replay.running && pf_agent.leased && nap_for_room(patience, wanted)) {
    }
}
