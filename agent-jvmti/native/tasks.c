#include "tasks.h"

#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>

#include "agent.h"
#include "clock.h"
#include "events.h"
#include "process.h"
#include "selection.h"

/* What a thread knows of itself. It lies in static TLS, which is allocated with the thread, unless
 * a JVM under glibc has used up its surplus. */
static __thread struct {
    struct pf_slot *slot;
    uint32_t tid; /* 0: not asked yet */
    bool task;    /* it has run a task: the slot, if there was one, is marked */
    /* Of the task that started last: */
    bool task_started;   /* and has not ended */
    uint64_t running;    /* its attempt id */
    uint32_t chosen;     /* WIRE_TASK_SELECTED, WIRE_TASK_DETAIL */
    double inclusion;
    /* Readings at the end of its last task; valid while no task runs on it. */
    bool ended;
    uint64_t cpu_ns, user_ns, system_ns;
} self;

/* Spark renames a pool's thread for each task ("Executor task launch worker for task 3.0 in stage
 * …"): cut what changes. */
static void cut_task(char *name) {
    char *at = strstr(name, " for task ");
    if (at != NULL) *at = 0;
}

static struct pf_slot *take_slot(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, uint32_t flags) {
    jvmtiThreadInfo info;
    memset(&info, 0, sizeof info);
    const bool named = (*jvmti)->GetThreadInfo(jvmti, thread, &info) == JVMTI_ERROR_NONE;
    if (named && info.name != NULL) cut_task(info.name);
    struct pf_slot *slot =
        pf_slot_take(&pf_agent.threads, self.tid, flags, named && info.name != NULL ? info.name : "", pf_now());
    if (named) {
        if (info.name != NULL) (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
        if (jni != NULL && info.thread_group != NULL) (*jni)->DeleteLocalRef(jni, info.thread_group);
        if (jni != NULL && info.context_class_loader != NULL) (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    }
    return slot;
}

static void first_task(void) {
    JNIEnv *jni = NULL;
    if (self.tid == 0) self.tid = pf_gettid();
    if ((*pf_agent.vm)->GetEnv(pf_agent.vm, (void **)&jni, JNI_VERSION_1_8) != JNI_OK) jni = NULL;
    if (self.slot == NULL) self.slot = take_slot(pf_agent.jvmti, jni, NULL, WIRE_THREAD_TASK);
    if (self.slot != NULL) {
        /* Not marked: the housekeeper is at the slot; the next task tries again. */
        if (!pf_slot_mark(&pf_agent.threads, self.slot, WIRE_THREAD_TASK, NULL)) return;
        const struct pf_settings settings = pf_agent_settings();
        pf_slot_open_own(&pf_agent.threads, self.slot, &settings, pf_now());
    }
    self.task = true;
}

static uint64_t nanos(struct timeval t) { return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_usec * 1000ull; }

static void read_clocks(void) {
    struct rusage usage;
    self.cpu_ns = pf_thread_cpu();
    if (getrusage(RUSAGE_THREAD, &usage) == 0) {
        self.user_ns = nanos(usage.ru_utime);
        self.system_ns = nanos(usage.ru_stime);
    }
}

/* Whether the reader wants this task closely, from the cached copy of its settings; the caller's
 * word where it asked for no detail. */
static void choose(struct wire_event *event) {
    const struct pf_settings s = pf_agent_settings();
    if (s.enabled == 0 || s.detail_period_ns == 0) return;
    const uint64_t application = atomic_load_explicit(&pf_agent.application_hash, memory_order_relaxed);
    const struct pf_choice choice = pf_select(pf_selection_key(s.seed, application, 0, event->stage_id), event->partitions,
                                              event->partition, s.inclusion_probability, s.min_tasks_per_stage);
    event->flags = (event->flags & ~(uint32_t)WIRE_TASK_SELECTED) | (choice.selected ? WIRE_TASK_SELECTED : 0);
    event->inclusion_probability = choice.inclusion;
}

/* The detail event is on within [start's time, end's time], and a little beyond: a sample outside
 * of them counts for nothing. */
static void starts(struct wire_event *event) {
    choose(event);
    if (self.slot != NULL) {
        pf_slot_runs(self.slot, event->task_attempt_id);
        if ((event->flags & WIRE_TASK_SELECTED) != 0 && pf_slot_detail(self.slot, true)) event->flags |= WIRE_TASK_DETAIL;
    }
    self.task_started = true;
    self.running = event->task_attempt_id;
    self.chosen = event->flags & (WIRE_TASK_SELECTED | WIRE_TASK_DETAIL);
    self.inclusion = event->inclusion_probability;
    event->time_ns = pf_now();
}

static void ends(struct wire_event *event) {
    event->time_ns = pf_now();
    if (self.slot != NULL) {
        pf_slot_idle(self.slot);
        if (atomic_load_explicit(&self.slot->detail_for, memory_order_relaxed) != 0) pf_slot_detail(self.slot, false);
    }
    if (self.task_started && self.running == event->task_attempt_id) {
        event->flags |= self.chosen;
        event->inclusion_probability = self.inclusion;
    }
    self.task_started = false;
}

/* The clocks are two system calls, most of what a task pays. What a thread does between two tasks
 * belongs to the second (FORMAT.md, "Task event"), so a start that follows an end repeats that
 * end's readings and makes none. */
void pf_task(struct wire_event *event) {
    if (!self.task) first_task();
    const bool start = event->kind == WIRE_TASK_START;
    if (start)
        starts(event);
    else
        ends(event);
    event->tid = self.tid;
    if (!start || !self.ended) read_clocks();
    self.ended = !start;
    event->thread_cpu_ns = self.cpu_ns;
    event->user_ns = self.user_ns;
    event->system_ns = self.system_ns;
    pf_events_append(&pf_agent.log, event);
}

void pf_thread_started(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    if (self.slot != NULL) return;
    self.tid = pf_gettid();
    self.slot = take_slot(jvmti, jni, thread, 0);
}

void pf_thread_ended(void) {
    if (self.slot != NULL) pf_slot_end(&pf_agent.threads, self.slot, pf_now());
    self.slot = NULL;
    self.task = self.ended = self.task_started = false;
}
