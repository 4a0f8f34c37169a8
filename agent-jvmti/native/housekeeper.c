#include "housekeeper.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "agent.h"
#include "clock.h"
#include "listen.h"
#include "look.h"
#include "replay.h"

/* A reader that reads compiled code itself saves the JVM its events. CompiledMethodUnload stays on:
 * HotSpot sends it only of methods whose load it has sent. */
static void listen_to_code(void) {
    struct pf_agent *a = &pf_agent;
    const bool silent = pf_agent_code_is_read();
    if (silent != a->silent && pf_listen_compiled(a->jvmti, !silent)) a->silent = silent;
}

static void round_of_work(JNIEnv *jni) {
    struct pf_agent *a = &pf_agent;
    const uint64_t now = pf_now();
    const struct pf_control_view view = pf_look(now);
    listen_to_code();
    pf_code_drain_stubs(&a->code);
    pf_generated_drain(&a->generated, jni, view.leased);
    pf_methods_sweep(&a->methods);
    pf_replay_step(jni, &view, now);
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
    pf_replay_start(jni);
    while (pf_live()) {
        round_of_work(jni);
        const uint64_t cpu = pf_thread_cpu();
        pf_agent_spent(cpu - counted);
        counted = cpu;
        if ((pf_wake_wait(&a->housework, PF_ROUND_NS, PF_HOUSE_STOP) & PF_HOUSE_STOP) != 0) break;
    }
    /* Off, and not because the JVM ends: it pays for no event that nothing will come of. */
    if (atomic_load(&a->off) != 0) pf_listen_none(a->jvmti);
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
