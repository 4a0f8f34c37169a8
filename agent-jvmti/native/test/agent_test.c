/*
 * Tests what no real JVM can be made to do on demand. A replay takes long, and its reader does not
 * read, changes its mind or goes away. GenerateEvents is refused, so the agent switches itself off
 * while it lives. The JVMTI environment here is a table of functions that remembers what is
 * switched on and reports what a test wants. All else (log, slots, perf events, jni.c's instance)
 * is the agent's own.
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "../agent.h"
#include "../clock.h"
#include "../hooks.h"
#include "../housekeeper.h"
#include "../listen.h"
#include "../look.h"
#include "../perf.h"
#include "../process.h"
#include "../replay.h"
#include "../start.h"
#include "check.h"

static bool switched_on[JVMTI_MAX_EVENT_TYPE_VAL + 1];
static int refused_event = -1;
static jvmtiEventCallbacks callbacks_;

static jvmtiError JNICALL set_mode(jvmtiEnv *env, jvmtiEventMode mode, jvmtiEvent event, jthread thread, ...) {
    (void)env, (void)thread;
    if (mode == JVMTI_ENABLE && (int)event == refused_event) return JVMTI_ERROR_NOT_AVAILABLE;
    switched_on[event] = mode == JVMTI_ENABLE;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL accept_capabilities(jvmtiEnv *env, const jvmtiCapabilities *wanted) {
    (void)env, (void)wanted;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL accept_callbacks(jvmtiEnv *env, const jvmtiEventCallbacks *callbacks, jint bytes) {
    (void)env;
    memcpy(&callbacks_, callbacks, (size_t)bytes);
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL no_name(jvmtiEnv *env, jvmtiError error, char **name) {
    (void)env, (void)error, (void)name;
    return JVMTI_ERROR_ILLEGAL_ARGUMENT;
}

/* What the "JVM" does when it is asked to report its code: NULL refuses. Stubs are reported in a
 * loop until `reported` is satisfied. */
static bool (*reported)(uint64_t stub);
static uint64_t stubs;

/* How many compiled methods it reports, and after how many of them the reader reads code itself. */
static int methods, told;
static void read_code(void);

static jvmtiError JNICALL generate(jvmtiEnv *env, jvmtiEvent event) {
    if (reported == NULL) return JVMTI_ERROR_INTERNAL;
    if (event == JVMTI_EVENT_COMPILED_METHOD_LOAD) {
        for (int i = 0; i < methods; i++) {
            if (i == told) read_code();
            callbacks_.CompiledMethodLoad(env, NULL, 64, (const void *)0x1000, 0, NULL, NULL);
        }
    }
    if (event != JVMTI_EVENT_DYNAMIC_CODE_GENERATED) return JVMTI_ERROR_NONE;
    for (stubs = 0; !reported(stubs); stubs++) callbacks_.DynamicCodeGenerated(env, "a stub", (const void *)(0x1000 + stubs * 64), 64);
    return JVMTI_ERROR_NONE;
}

static const struct jvmtiInterface_1_ functions = {.SetEventNotificationMode = set_mode, .AddCapabilities = accept_capabilities,
                                                   .SetEventCallbacks = accept_callbacks, .GetErrorName = no_name, .GenerateEvents = generate};
static jvmtiEnv environment = &functions;

static int on_count(void) {
    int n = 0;
    for (int i = 0; i <= JVMTI_MAX_EVENT_TYPE_VAL; i++) n += switched_on[i];
    return n;
}

/* The head of jni.c's struct instance, which is what one copy of the library offers to another. */
extern struct {
    uint32_t bytes;
    _Atomic uint32_t started;
    const char *(*start)(JavaVM *vm, const char *options);
    void (*task)(struct wire_event *event);
    uint64_t (*loader_number)(jobject loader);
    bool (*record)(uint32_t type, const void *payload, size_t bytes);
    void (*dropped)(uint64_t sources, uint64_t dictionaries);
    uint32_t (*await_work)(uint64_t timeout_ms);
    void (*replay_done)(void);
} planflame_instance_1;

static void JNICALL begins(jvmtiEnv *env, JNIEnv *jni, jthread thread) { (void)env, (void)jni, (void)thread; }

/* The JVM that the housekeeper attaches to. */
static sem_t detached;

static jint JNICALL attach(JavaVM *vm, void **jni, void *args) {
    (void)vm, (void)args;
    *jni = NULL;
    return JNI_OK;
}

static jint JNICALL detach(JavaVM *vm) {
    (void)vm;
    sem_post(&detached);
    return JNI_OK;
}

/* Compiled methods have no names here, so that all that are told count as dropped. */
static jint JNICALL no_env(JavaVM *vm, void **jni, jint version) {
    (void)vm, (void)jni, (void)version;
    return JNI_EDETACHED;
}

static const struct JNIInvokeInterface_ invoke = {.AttachCurrentThreadAsDaemon = attach, .DetachCurrentThread = detach, .GetEnv = no_env};
static JavaVM jvm = &invoke;

static void make_agent(void) {
    struct pf_why why;
    const struct pf_shape shape = {1 << 20, 8, 8};
    struct pf_agent *a = &pf_agent;
    a->vm = &jvm;
    a->jvmti = &environment;
    CHECK(pf_control_create(&a->control, &why) && pf_log_create(&a->log, &shape, &why));
    CHECK(pf_records_init(&a->records, &a->log, &a->control.page->records_ack, &why) && pf_threads_init(&a->threads, &a->log, &why));
    CHECK(pf_tags_init(&a->tags, a->jvmti) && pf_methods_init(&a->methods, a->jvmti, &a->tags, &a->records));
    pf_code_init(&a->code, &a->methods, &a->records);
    pf_generated_init(&a->generated, &a->methods);
    pf_replay_init(pf_now());
    a->code_wanted = true;
    CHECK(pf_hooks_install(a->jvmti, begins, true, &why));
    CHECK_EQ(on_count(), 2); /* VMInit, CompiledMethodLoad */
    CHECK(pf_listen(a->jvmti, true, &why));
    CHECK_EQ(on_count(), 9);
    atomic_store(&a->live, 1);
}

/* A payload that could not be made counts with the size of what was in it, not with the size of an
 * address space. */
static void test_lost_payload(void) {
    const struct wire_header *h = pf_agent.log.header;
    CHECK(!planflame_instance_1.record(WIRE_SOURCE, NULL, 1001));
    CHECK_EQ(atomic_load(&h->dropped_records), 1);
    CHECK_EQ(atomic_load(&h->dropped_record_bytes), 32 + 1008);
}

static struct wire_control *page(void) { return pf_agent.control.page; }

static struct pf_control_view leased(uint32_t request) {
    atomic_store(&page()->lease_owner, 7);
    atomic_store(&page()->lease_heartbeat_ns, pf_now());
    atomic_store(&page()->replay_request, request);
    pf_agent.leased = true;
    return pf_control_read(&pf_agent.control, pf_now());
}

static void read_code(void) { atomic_store(&page()->code_reader, 7); }

static void fill_ring(void) {
    static const uint8_t payload[4000] = {1};
    for (size_t n = sizeof payload; n > 0; n /= 2)
        while (pf_records_has_room(&pf_agent.records, n)) pf_records_append(&pf_agent.records, WIRE_APPLICATION, 1, payload, n);
    while (pf_records_has_room(&pf_agent.records, 0)) pf_records_append(&pf_agent.records, WIRE_APPLICATION, 1, payload, 0);
}

static void acknowledge_all(void) { atomic_store(&page()->records_ack, pf_agent.records.committed); }

/* Within a replay that takes 300 ms the heartbeat goes on and the control page is read. */
static uint64_t began;

static bool until_control_was_read(uint64_t stub) {
    if (stub == 0) {
        began = pf_now();
        atomic_store(&page()->enabled, 9); /* out of range: its refusal is counted as soon as it is read */
        atomic_store(&page()->seq, 2);
    }
    const struct wire_header *h = pf_agent.log.header;
    acknowledge_all();
    const bool seen = atomic_load(&h->control_rejections) == 1 && atomic_load(&h->heartbeat_ns) > began;
    return seen || pf_now() > began + 30 * PF_ROUND_NS;
}

static void test_control_in_a_replay(void) {
    const struct pf_control_view view = leased(3);
    struct wire_header *h = pf_agent.log.header;
    reported = until_control_was_read;
    atomic_store(&h->heartbeat_ns, 0);
    pf_replay_step(NULL, &view, pf_now());
    CHECK_EQ(atomic_load(&h->control_rejections), 1);
    CHECK(pf_now() < began + 30 * PF_ROUND_NS);
    CHECK_EQ(atomic_load(&h->replay_generation), 3);
    CHECK(!pf_replay.running);
}

/* The reader gives its lease back in the middle: the rest is not written, and no end either. */
static uint64_t committed_when_gone;

static bool until_reader_is_gone(uint64_t stub) {
    const struct timespec nap = {0, 1000000};
    acknowledge_all();
    if (stub == 50) atomic_store(&page()->lease_owner, 0);
    if (pf_agent.leased) committed_when_gone = pf_agent.records.committed;
    clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL); /* the housekeeper looks ten times a second */
    return stub == 400;
}

static void test_reader_goes(void) {
    const struct pf_control_view view = leased(4);
    const uint64_t before = pf_agent.records.committed;
    reported = until_reader_is_gone;
    pf_replay_step(NULL, &view, pf_now() + PF_PACE_EVERY_NS);
    CHECK(committed_when_gone > before);
    CHECK_EQ(pf_agent.records.committed, committed_when_gone);
    CHECK_EQ(atomic_load(&pf_agent.log.header->replay_generation), 3);
    CHECK(!pf_replay.running);
}

static bool nothing(uint64_t stub) { return stub == 0; }

/* The reader begins to read code in the middle of a replay: the rest is not told. */
static void test_reader_reads_code(void) {
    struct wire_header *h = pf_agent.log.header;
    const uint64_t dropped = atomic_load(&h->dropped_records);
    const struct pf_control_view view = leased(4);
    h->flags |= WIRE_DEBUG_NON_SAFEPOINTS;
    reported = nothing;
    methods = 10, told = 3;
    acknowledge_all();
    pf_replay_step(NULL, &view, pf_now() + 2 * PF_PACE_EVERY_NS);
    CHECK_EQ(atomic_load(&h->replay_generation), 4);
    CHECK_EQ(atomic_load(&h->dropped_records) - dropped, 3);
    methods = 0;
    atomic_store(&page()->code_reader, 0);
    h->flags &= ~WIRE_DEBUG_NON_SAFEPOINTS;
}

/* A full ring: begin and end wait for the reader, and nothing is dropped while they do. */
static void test_marks_wait(void) {
    const struct wire_header *h = pf_agent.log.header;
    const uint64_t dropped = atomic_load(&h->dropped_records);
    const uint32_t generation = pf_agent.methods.generation;
    struct pf_control_view view = leased(5);
    uint64_t now = pf_now() + 2 * PF_PACE_EVERY_NS;
    reported = nothing;
    fill_ring();
    for (int i = 0; i < 10; i++) pf_replay_step(NULL, &view, now += PF_PACE_EVERY_NS);
    CHECK(!pf_replay.running && pf_agent.methods.generation == generation);
    acknowledge_all();
    atomic_store(&pf_replay.poller_seen_ns, now); /* the plugin takes its time */
    pf_replay_step(NULL, &view, now += PF_PACE_EVERY_NS);
    CHECK(pf_replay.running);
    fill_ring();
    atomic_store(&pf_replay.plugin_done, 1);
    for (int i = 0; i < 10; i++) pf_replay_step(NULL, &view, now += PF_PACE_EVERY_NS);
    CHECK(pf_replay.running);
    CHECK_EQ(atomic_load(&h->dropped_records), dropped);
    acknowledge_all();
    pf_replay_step(NULL, &view, now);
    CHECK(!pf_replay.running && atomic_load(&h->replay_generation) == 5);
    view = leased(5);
    pf_replay_step(NULL, &view, now += 10 * PF_PACE_EVERY_NS);
    CHECK(!pf_replay.running); /* answered */
    atomic_store(&pf_agent.log.header->replay_generation, 99); /* another process writes what it likes there */
    pf_replay_step(NULL, &view, now += PF_PACE_EVERY_NS);
    CHECK_EQ(atomic_load(&h->replay_generation), 99);
    reported = NULL;
}

/* A reader that needs longer than a replay's patience for the ring, but goes on reading: nothing of
 * the replay is dropped. */
static void *acknowledge_slowly(void *end) {
    const struct timespec nap = {0, 50000000};
    for (uint64_t ack = atomic_load(&page()->records_ack); !atomic_load((_Atomic bool *)end);) {
        const struct wire_record *next = (const struct wire_record *)(pf_agent.log.records + ack % pf_agent.log.records_bytes);
        clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
        const uint64_t committed = atomic_load(&pf_agent.log.header->records_committed);
        for (uint64_t n = 0; n < 32 << 10 && ack < committed; n += next->length, ack += next->length)
            next = (const struct wire_record *)(pf_agent.log.records + ack % pf_agent.log.records_bytes);
        atomic_store(&page()->records_ack, ack);
        atomic_store(&page()->lease_heartbeat_ns, pf_now());
    }
    return NULL;
}

static bool some_hundred(uint64_t stub) { return stub == 300; }

static void test_slow_reader(void) {
    static const uint8_t json[8000] = {1}, plan[200 << 10] = {1};
    const struct wire_header *h = pf_agent.log.header;
    const uint64_t dropped = atomic_load(&h->dropped_records);
    struct pf_control_view view = leased(6);
    _Atomic bool end = false;
    pthread_t reader;
    uint64_t began_ns;
    reported = some_hundred;
    fill_ring();
    atomic_store(&page()->records_ack, atomic_load(&h->records_tail));
    atomic_store(&pf_replay.poller_seen_ns, pf_now() + 200 * PF_PACE_EVERY_NS); /* as seen in the rounds below */
    CHECK_EQ(pthread_create(&reader, NULL, acknowledge_slowly, &end), 0);
    began_ns = pf_now();
    for (int i = 20; i < 200 && !pf_replay.running; i++) {
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, 10000000}, NULL);
        pf_replay_step(NULL, &view, pf_now() + (uint64_t)i * PF_PACE_EVERY_NS);
    }
    CHECK(pf_replay.running);
    /* As the plugin's poller, which has been woken for the replay: 4 MB into a ring of 1 MB. */
    CHECK((planflame_instance_1.await_work(1000) & PF_WORK_REPLAY) != 0);
    for (int i = 0; i < 400; i++) CHECK(planflame_instance_1.record(WIRE_DICTIONARY, json, sizeof json));
    for (int i = 0; i < 4; i++) CHECK(planflame_instance_1.record(WIRE_DICTIONARY, plan, sizeof plan));
    planflame_instance_1.replay_done();
    CHECK(pf_now() > began_ns + PF_REPLAY_PATIENCE_NS);
    CHECK_EQ(atomic_load(&h->dropped_records), dropped);
    atomic_store(&end, true);
    pthread_join(reader, NULL);
    acknowledge_all();
    pf_replay_step(NULL, &view, pf_now());
    CHECK(!pf_replay.running && atomic_load(&h->replay_generation) == 6);
    reported = NULL;
}

static void test_off(void) {
    struct pf_why why;
    const struct pf_settings on = {.enabled = 1, .mode = PF_AGENT_OPENS, .stack_bytes = 1024, .ring_pages = 16, .base_period_ns = 1000000,
                                   .inclusion_probability = 1};
    const uint64_t dropped = atomic_load(&pf_agent.log.header->dropped_records);
    struct pf_slot *slot = pf_slot_take(&pf_agent.threads, pf_gettid(), WIRE_THREAD_TASK, "task", pf_now());
    pf_slot_open_own(&pf_agent.threads, slot, &on, pf_now());
    const int fd = slot->perf.fd;
    if (fd < 0) printf("  no perf event here (errno %u): only JVMTI is looked at\n", slot->shown.perf_errno);
    struct timespec patience;
    clock_gettime(CLOCK_REALTIME, &patience);
    patience.tv_sec += 60;
    CHECK_EQ(sem_init(&detached, 0, 0), 0);
    CHECK(pf_housekeeper_start(&why)); /* GenerateEvents is refused at once */
    CHECK_EQ(sem_timedwait(&detached, &patience), 0);
    CHECK(!pf_live());
    CHECK_EQ(on_count(), 0);
    CHECK(slot->perf.fd == -1 && (fd < 0 || fcntl(fd, F_GETFD) == -1));
    CHECK_EQ(atomic_load(&pf_agent.log.header->state), WIRE_OFF);
    CHECK(strstr(pf_agent.log.header->off_reason, "generate events for existing code") != NULL);
    CHECK(!planflame_instance_1.record(WIRE_SOURCE, NULL, 5));
    CHECK_EQ(atomic_load(&pf_agent.log.header->dropped_records), dropped);
}

/* A JVM that refuses one of the events: those before it do not stay on, without a housekeeper. */
static void test_half_enabled(void) {
    struct pf_why why;
    refused_event = JVMTI_EVENT_OBJECT_FREE;
    CHECK(!pf_listen(&environment, true, &why) && strstr(why.text, "ObjectFree") != NULL);
    CHECK(on_count() > 0);
    pf_start_failed(why.text);
    CHECK_EQ(on_count(), 0);
}

/* A JVM without tasks is only told of its end. */
static void test_without_code(void) {
    struct pf_why why;
    CHECK(pf_hooks_install(&environment, NULL, false, &why) && pf_listen(&environment, false, &why));
    CHECK(switched_on[JVMTI_EVENT_VM_DEATH]);
    CHECK_EQ(on_count(), 1);
    pf_listen_none(&environment);
}

int main(void) {
    make_agent();
    test_lost_payload();
    test_control_in_a_replay();
    test_reader_goes();
    test_reader_reads_code();
    test_marks_wait();
    test_slow_reader();
    test_off();
    test_half_enabled();
    test_without_code();
    return check_result(__FILE__);
}
