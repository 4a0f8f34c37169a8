#include "housekeeper.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "agent.h"
#include "clock.h"
#include "first.h"

static void show_settings(const struct pf_settings *settings) {
    struct pf_agent *a = &pf_agent;
    atomic_store(&a->sampling, settings->enabled);
    if (pf_settings_equal(&a->shown.settings, settings)) return;
    const uint32_t seq = atomic_load_explicit(&a->shown.seq, memory_order_relaxed);
    atomic_store_explicit(&a->shown.seq, seq + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    a->shown.settings = *settings;
    atomic_store_explicit(&a->shown.seq, seq + 2, memory_order_release);
}

static uint64_t looked_ns; /* the housekeeper's alone */

static struct pf_control_view look(uint64_t now) {
    struct pf_agent *a = &pf_agent;
    struct wire_header *h = a->log.header;
    atomic_store_explicit(&h->heartbeat_ns, now, memory_order_release);
    const struct pf_control_view view = pf_control_read(&a->control, now);
    if (view.rejected) atomic_fetch_add(&h->control_rejections, 1);
    if (view.settings.enabled != 0 && view.settings.mode == PF_AGENT_OPENS) pf_first_start(&a->threads); /* before a thread opens its events */
    show_settings(&view.settings);
    pf_threads_keep(&a->threads, &view.settings, now);
    if (view.settings.enabled != 0) pf_threads_promote(&a->threads, view.promoted);
    a->replay.leased = view.leased;
    looked_ns = now;
    return view;
}

void pf_housekeeper_look(void) {
    const uint64_t now = pf_now();
    if (now - looked_ns >= PF_ROUND_NS) look(now);
}

static void round_of_work(JNIEnv *jni) {
    struct pf_agent *a = &pf_agent;
    const uint64_t now = pf_now();
    const struct pf_control_view view = look(now);
    pf_code_drain_stubs(&a->code);
    pf_generated_drain(&a->generated, jni, view.leased);
    pf_methods_sweep(&a->methods);
    pf_replay_step(&a->replay, jni, &view, now);
}

static void *work(void *unused) {
    (void)unused;
    struct pf_agent *a = &pf_agent;
    JNIEnv *jni = NULL;
    JavaVMAttachArgs args = {.version = JNI_VERSION_1_8, .name = "planflame-agent"};
    pthread_setname_np(pthread_self(), "planflame-agent");
    if ((*a->vm)->AttachCurrentThreadAsDaemon(a->vm, (void **)&jni, &args) != JNI_OK) {
        pf_agent_off("the JVM does not take the agent's thread");
        return NULL;
    }
    uint64_t counted = 0;
    pf_replay_agent(jni);
    while (pf_live()) {
        round_of_work(jni);
        const uint64_t cpu = pf_thread_cpu();
        pf_agent_spent(cpu - counted);
        counted = cpu;
        if ((pf_wake_wait(&a->housework, PF_ROUND_NS, PF_HOUSE_STOP) & PF_HOUSE_STOP) != 0) break;
    }
    (*a->vm)->DetachCurrentThread(a->vm);
    return NULL;
}

bool pf_housekeeper_start(struct pf_why *why) {
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    /* Signals meant for the process are the JVM's own threads' business; the JVM unblocks what it
     * needs on ours when it attaches. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    /* As HotSpot gives a Java thread. HotSpot's guard pages use up most of musl's 128 KiB. */
    pthread_attr_setstacksize(&attributes, 1 << 20);
    const int failed = pthread_create(&thread, &attributes, work, NULL);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed != 0) return pf_because(why, "start the agent's thread: %s", strerror(failed));
    pthread_detach(thread);
    return true;
}
