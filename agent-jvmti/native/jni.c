/*
 * io.planflame.agent.NativeAgent's natives, and the two ways in: -agentpath (Agent_OnLoad) and
 * System.load + NativeAgent.start.
 *
 * The same JVM may load a second copy of this library: another class loader's temporary file, or
 * -agentpath with one file and the plugin with another. The copy must not become a second agent. It
 * finds the first through the symbol planflame_instance_1 and passes every call on.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "clock.h"
#include "options.h"
#include "payload.h"
#include "process.h"
#include "replay.h"
#include "selection.h"
#include "start.h"
#include "tasks.h"

/* What one copy offers to another; only ever extended at the end. */
struct instance {
    uint32_t bytes;            /* sizeof, of the offering copy */
    _Atomic uint32_t started;  /* this copy is the agent of this JVM, or was tried */
    const char *(*start)(JavaVM *vm, const char *options);
    void (*task)(struct wire_event *event);
    uint64_t (*loader_number)(jobject loader);
    bool (*record)(uint32_t type, const void *payload, size_t bytes); /* payload NULL: it could not be made, count it as dropped */
    void (*dropped)(uint64_t sources, uint64_t dictionaries);
    uint32_t (*await_work)(uint64_t timeout_ms);
    void (*replay_done)(void);
    bool (*sampling)(void);
    void (*application_id)(const char *id, size_t bytes);
    void (*dropped_rows)(uint64_t tasks);
};

static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static struct pf_why off_why;

/* Null: the agent runs. Else why not, for ever, or why not with these options. */
static const char *start(JavaVM *vm, const char *options);

static void task(struct wire_event *event) {
    if (pf_live()) pf_task(event);
}

static uint64_t loader_number(jobject loader) { return pf_live() ? pf_loader_number(&pf_agent.tags, loader) : 0; }

/* The poller is a thread of ours: what it burned since its last call is the agent's CPU. */
static __thread uint64_t poller_counted;
static __thread uint64_t poller_woke_cpu; /* at its last return from awaitWork */
static __thread bool poller_replays;      /* it has been asked to, and has not said that it is done */
static __thread uint32_t poller_generation; /* of that replay */
static __thread struct pf_patience poller_patience;

static bool record(uint32_t type, const void *payload, size_t bytes) {
    if (!pf_live()) return false;
    if (payload == NULL) {
        pf_records_count_drop(&pf_agent.records, bytes);
        return false;
    }
    if (poller_replays) {
        pf_replay_plugin_waits(&poller_patience, bytes);
        const uint64_t wrote = pf_now();
        atomic_store(&pf_replay.poller_wrote_ns, wrote);
        atomic_store(&pf_replay.poller_seen_ns, wrote);
    }
    uint32_t text; /* the length before an APPLICATION's JSON */
    if (type == WIRE_APPLICATION && bytes >= sizeof text)
        pf_log_application(&pf_agent.log, (const char *)payload + sizeof text, bytes - sizeof text);
    return pf_records_append(&pf_agent.records, (enum wire_record_type)type, pf_now(), payload, bytes) == PF_WRITTEN;
}

static void dropped(uint64_t sources, uint64_t dictionaries) {
    if (!pf_live()) return;
    atomic_fetch_add(&pf_agent.log.header->dropped_sources, sources);
    atomic_fetch_add(&pf_agent.log.header->dropped_dictionaries, dictionaries);
}

static void dropped_rows(uint64_t tasks) {
    if (pf_live()) atomic_fetch_add(&pf_agent.log.header->dropped_rows, tasks);
}

static uint32_t await_work(uint64_t timeout_ms) {
    if (!pf_live()) return PF_WORK_OFF;
    const uint64_t cpu = pf_thread_cpu();
    if (poller_counted != 0) pf_agent_spent(cpu - poller_counted);
    poller_counted = cpu;
    atomic_store(&pf_replay.poller_seen_ns, pf_now());
    const uint32_t got = pf_wake_wait(&pf_agent.work, timeout_ms * 1000000, PF_WORK_OFF);
    atomic_store(&pf_replay.poller_seen_ns, pf_now());
    poller_woke_cpu = pf_thread_cpu();
    if ((got & PF_WORK_REPLAY) != 0) {
        poller_replays = true;
        poller_generation = pf_replay.generation;
        poller_patience = (struct pf_patience){0};
    }
    return got;
}

static void replay_done(void) {
    if (poller_woke_cpu != 0) atomic_fetch_add(&pf_replay.plugin_cpu_ns, pf_thread_cpu() - poller_woke_cpu);
    poller_woke_cpu = 0;
    poller_replays = false;
    if (poller_generation == pf_replay.generation) atomic_store(&pf_replay.plugin_done, 1); /* else a next one has begun */
}

static bool sampling(void) { return pf_live() && atomic_load_explicit(&pf_agent.sampling, memory_order_relaxed) != 0; }

static void application_id(const char *id, size_t bytes) {
    if (pf_live()) atomic_store_explicit(&pf_agent.application_hash, pf_application_hash(id, bytes), memory_order_relaxed);
}

__attribute__((visibility("default"))) struct instance planflame_instance_1 = {
    .bytes = sizeof(struct instance),
    .start = start,
    .task = task,
    .loader_number = loader_number,
    .record = record,
    .dropped = dropped,
    .await_work = await_work,
    .replay_done = replay_done,
    .sampling = sampling,
    .application_id = application_id,
    .dropped_rows = dropped_rows,
};

static struct instance *_Atomic active = &planflame_instance_1;

/* The copies of this library in the process are found by name first, asked afterwards: dlopen
 * within dl_iterate_phdr could deadlock. */
struct names {
    char *names[512];
    int n;
};

static int collect(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct names *all = context;
    if (all->n < 512 && info->dlpi_name != NULL && info->dlpi_name[0] != 0) {
        all->names[all->n] = strdup(info->dlpi_name);
        if (all->names[all->n] != NULL) all->n++;
    }
    return 0;
}

static struct instance *another_started(void) {
    struct names all = {.n = 0};
    struct instance *found = NULL;
    dl_iterate_phdr(collect, &all);
    for (int i = 0; i < all.n; i++) {
        void *library = found == NULL ? dlopen(all.names[i], RTLD_LAZY | RTLD_NOLOAD) : NULL;
        if (library != NULL) {
            struct instance *other = dlsym(library, "planflame_instance_1");
            if (other != NULL && other != &planflame_instance_1 && other->bytes >= sizeof *other && atomic_load(&other->started) != 0)
                found = other;
            dlclose(library); /* linked with -z nodelete: the copy stays */
        }
        free(all.names[i]);
    }
    return found;
}

/* Reports whether the options ask for events of code from an agent that was started without
 * them. */
static bool wants_more(const char *text) {
    struct pf_options options;
    struct pf_why ignored;
    return !pf_agent.code_wanted && pf_options_parse(&options, text, &ignored) && options.code != 0;
}

static const char *start(JavaVM *vm, const char *options) {
    pthread_mutex_lock(&start_lock);
    if (atomic_exchange(&planflame_instance_1.started, 1) == 0 &&
        (!pf_start_prepare(vm, options, false, &off_why) || !pf_start_begin(&off_why)))
        pf_start_failed(off_why.text);
    else if (!pf_live() && off_why.text[0] == 0)
        pf_because(&off_why, "the agent was loaded with the JVM, which is not ready or shutting down");
    const char *why = off_why.text;
    if (pf_live())
        why = wants_more(options) ? "this JVM's agent was started for a driver without tasks; start a new JVM for local mode" : NULL;
    pthread_mutex_unlock(&start_lock);
    return why;
}

/* -agentpath. Always JNI_OK: anything else would stop the JVM. */
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if (another_started() != NULL || atomic_exchange(&planflame_instance_1.started, 1) != 0) return JNI_OK; /* given twice */
    if (!pf_start_prepare(vm, options, true, &off_why)) pf_start_failed(off_why.text);
    return JNI_OK;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
    (void)vm, (void)reserved;
    struct instance *other = another_started();
    if (other != NULL) atomic_store(&active, other);
    return JNI_VERSION_1_8;
}

#define NATIVE(result, name) JNIEXPORT result JNICALL Java_io_planflame_agent_NativeAgent_##name

NATIVE(jstring, start)(JNIEnv *jni, jclass self, jstring options) {
    (void)self;
    JavaVM *vm = NULL;
    if ((*jni)->GetJavaVM(jni, &vm) != JNI_OK) return NULL;
    const char *text = options != NULL ? (*jni)->GetStringUTFChars(jni, options, NULL) : NULL;
    struct instance *other = another_started(); /* one may have come between our loading and this call */
    if (other != NULL) atomic_store(&active, other);
    const char *why = atomic_load(&active)->start(vm, text);
    if (text != NULL) (*jni)->ReleaseStringUTFChars(jni, options, text);
    jstring said = why != NULL ? (*jni)->NewStringUTF(jni, why) : NULL;
    if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
    return said;
}

NATIVE(void, taskStart)(JNIEnv *jni, jclass self, jlong task_attempt, jint stage, jint stage_attempt, jint partition, jint partitions,
                        jint attempt, jlong execution, jint flags, jdouble probability) {
    (void)jni, (void)self;
    struct wire_event e = {.kind = WIRE_TASK_START, .task_attempt_id = (uint64_t)task_attempt, .stage_id = (uint32_t)stage,
                           .stage_attempt = (uint32_t)stage_attempt, .partition = (uint32_t)partition,
                           .partitions = (uint32_t)partitions, .attempt_number = (uint32_t)attempt, .execution_id = execution,
                           .flags = (uint32_t)flags, .inclusion_probability = probability};
    atomic_load_explicit(&active, memory_order_relaxed)->task(&e);
}

NATIVE(void, taskEnd)(JNIEnv *jni, jclass self, jlong task_attempt, jint stage, jint stage_attempt, jint partition, jint partitions,
                      jint attempt, jlong execution, jint flags, jdouble probability, jlong cpu, jlong deserialize_cpu, jlong gc_ms) {
    (void)jni, (void)self;
    struct wire_event e = {.kind = WIRE_TASK_END, .task_attempt_id = (uint64_t)task_attempt, .stage_id = (uint32_t)stage,
                           .stage_attempt = (uint32_t)stage_attempt, .partition = (uint32_t)partition,
                           .partitions = (uint32_t)partitions, .attempt_number = (uint32_t)attempt, .execution_id = execution,
                           .flags = (uint32_t)flags, .inclusion_probability = probability, .executor_cpu_ns = (uint64_t)cpu,
                           .executor_deserialize_cpu_ns = (uint64_t)deserialize_cpu, .gc_ms = (uint64_t)gc_ms};
    atomic_load_explicit(&active, memory_order_relaxed)->task(&e);
}

NATIVE(jlong, loaderId)(JNIEnv *jni, jclass self, jobject loader) {
    (void)jni, (void)self;
    return (jlong)atomic_load(&active)->loader_number(loader);
}

/* A byte[] as text; an empty one for null. False, with no exception pending, when the JVM is short
 * of memory. */
static bool text_of(JNIEnv *jni, jbyteArray array, struct pf_text *text) {
    *text = (struct pf_text){"", 0};
    if (array == NULL) return true;
    text->n = (size_t)(*jni)->GetArrayLength(jni, array);
    text->bytes = (const char *)(*jni)->GetByteArrayElements(jni, array, NULL);
    if (text->bytes != NULL) return true;
    (*jni)->ExceptionClear(jni);
    return false;
}

static void release_text(JNIEnv *jni, jbyteArray array, struct pf_text text) {
    if (array != NULL && text.bytes != NULL) (*jni)->ReleaseByteArrayElements(jni, array, (jbyte *)text.bytes, JNI_ABORT);
}

/* bytes: how large the variable parts were, for the count of what is dropped when the payload could
 * not be made. */
static jboolean finish(enum wire_record_type type, struct pf_buffer *payload, size_t bytes) {
    const bool done = payload->failed ? atomic_load(&active)->record(type, NULL, bytes)
                                      : atomic_load(&active)->record(type, payload->bytes, payload->used);
    pf_buffer_free(payload);
    return done;
}

NATIVE(jboolean, source)(JNIEnv *jni, jclass self, jlong loader, jbyteArray class_name, jbyteArray body, jbyteArray comments) {
    (void)self;
    struct pf_text a = {0}, b = {0}, c = {0};
    struct pf_buffer payload = {0};
    if (text_of(jni, class_name, &a) && text_of(jni, body, &b) && text_of(jni, comments, &c))
        pf_payload_source(&payload, (uint64_t)loader, a, b, c);
    else
        payload.failed = true;
    release_text(jni, class_name, a), release_text(jni, body, b), release_text(jni, comments, c);
    return finish(WIRE_SOURCE, &payload, a.n + b.n + c.n);
}

NATIVE(jboolean, dictionary)(JNIEnv *jni, jclass self, jlong execution, jint update, jbyteArray json) {
    (void)self;
    struct pf_text text = {0};
    struct pf_buffer payload = {0};
    if (text_of(jni, json, &text))
        pf_payload_dictionary(&payload, execution, (uint32_t)update, text);
    else
        payload.failed = true;
    release_text(jni, json, text);
    return finish(WIRE_DICTIONARY, &payload, text.n);
}

/* A long[]; values are NULL for an empty one and for null. */
struct longs {
    jlong *values;
    uint32_t n;
};

_Static_assert(sizeof(jlong) == sizeof(int64_t), "jlong");

/* False, with no exception pending, when the JVM is short of memory. */
static bool longs_of(JNIEnv *jni, jlongArray array, struct longs *longs) {
    *longs = (struct longs){.n = array != NULL ? (uint32_t)(*jni)->GetArrayLength(jni, array) : 0};
    if (longs->n == 0) return true;
    longs->values = (*jni)->GetLongArrayElements(jni, array, NULL);
    if (longs->values != NULL) return true;
    (*jni)->ExceptionClear(jni);
    return false;
}

static void release_longs(JNIEnv *jni, jlongArray array, struct longs longs) {
    if (longs.values != NULL) (*jni)->ReleaseLongArrayElements(jni, array, longs.values, JNI_ABORT);
}

NATIVE(jboolean, stage)(JNIEnv *jni, jclass self, jint stage, jint stage_attempt, jlong execution, jlongArray accumulators) {
    (void)self;
    struct longs ids;
    struct pf_buffer payload = {0};
    if (longs_of(jni, accumulators, &ids))
        pf_payload_stage(&payload, (uint32_t)stage, (uint32_t)stage_attempt, execution, (const int64_t *)ids.values, ids.n);
    else
        payload.failed = true;
    release_longs(jni, accumulators, ids);
    return finish(WIRE_STAGE, &payload, ids.n * sizeof(jlong));
}

NATIVE(jboolean, rows)(JNIEnv *jni, jclass self, jint stage, jint stage_attempt, jlong execution, jint tasks, jlongArray accumulated) {
    (void)self;
    struct longs pairs;
    struct pf_buffer payload = {0};
    if (longs_of(jni, accumulated, &pairs))
        pf_payload_rows(&payload, &(struct pf_rows_text){.stage_id = (uint32_t)stage,
                                                         .stage_attempt = (uint32_t)stage_attempt,
                                                         .execution_id = execution,
                                                         .tasks = (uint32_t)tasks,
                                                         .accumulated = (const int64_t *)pairs.values,
                                                         .n = pairs.n / 2});
    else
        payload.failed = true;
    release_longs(jni, accumulated, pairs);
    return finish(WIRE_ROWS, &payload, pairs.n * sizeof(jlong));
}

NATIVE(jboolean, executionEnd)(JNIEnv *jni, jclass self, jlong execution, jboolean failed, jlong end_unix_ns) {
    (void)jni, (void)self;
    struct pf_buffer payload = {0};
    pf_payload_execution_end(&payload, execution, failed ? WIRE_EXECUTION_FAILED : 0, end_unix_ns);
    return finish(WIRE_EXECUTION_END, &payload, 0);
}

NATIVE(jboolean, stageInfo)(JNIEnv *jni, jclass self, jint stage, jbyteArray json) {
    (void)self;
    struct pf_text text = {0};
    struct pf_buffer payload = {0};
    if (text_of(jni, json, &text))
        pf_payload_stage_info(&payload, (uint32_t)stage, text);
    else
        payload.failed = true;
    release_text(jni, json, text);
    return finish(WIRE_STAGE_INFO, &payload, text.n);
}

/* A record whose payload is one JSON. */
static jboolean json_record(JNIEnv *jni, enum wire_record_type type, jbyteArray json) {
    struct pf_text text = {0};
    struct pf_buffer payload = {0};
    if (text_of(jni, json, &text))
        pf_payload_json(&payload, text);
    else
        payload.failed = true;
    release_text(jni, json, text);
    return finish(type, &payload, text.n);
}

NATIVE(jboolean, times)(JNIEnv *jni, jclass self, jbyteArray json) {
    (void)self;
    return json_record(jni, WIRE_TIMES, json);
}

NATIVE(jboolean, dwell)(JNIEnv *jni, jclass self, jbyteArray json) {
    (void)self;
    return json_record(jni, WIRE_DWELL, json);
}

NATIVE(jint, threadId)(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    return (jint)pf_gettid();
}

NATIVE(jboolean, application)(JNIEnv *jni, jclass self, jbyteArray json) {
    (void)self;
    return json_record(jni, WIRE_APPLICATION, json);
}

NATIVE(void, applicationId)(JNIEnv *jni, jclass self, jbyteArray id) {
    (void)self;
    struct pf_text text = {0};
    if (text_of(jni, id, &text)) atomic_load(&active)->application_id(text.bytes, text.n);
    release_text(jni, id, text);
}

NATIVE(void, dropped)(JNIEnv *jni, jclass self, jlong sources, jlong dictionaries) {
    (void)jni, (void)self;
    atomic_load(&active)->dropped(sources > 0 ? (uint64_t)sources : 0, dictionaries > 0 ? (uint64_t)dictionaries : 0);
}

NATIVE(void, droppedRows)(JNIEnv *jni, jclass self, jlong tasks) {
    (void)jni, (void)self;
    if (tasks > 0) atomic_load(&active)->dropped_rows((uint64_t)tasks);
}

NATIVE(jint, awaitWork)(JNIEnv *jni, jclass self, jlong timeout_ms) {
    (void)jni, (void)self;
    return (jint)atomic_load(&active)->await_work(timeout_ms > 0 ? (uint64_t)timeout_ms : 0);
}

NATIVE(void, replayDone)(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    atomic_load(&active)->replay_done();
}

NATIVE(jboolean, sampling)(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    return atomic_load(&active)->sampling() ? JNI_TRUE : JNI_FALSE;
}
