#include "start.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent.h"
#include "clock.h"
#include "codecache.h"
#include "hooks.h"
#include "housekeeper.h"
#include "layout.h"
#include "listen.h"
#include "options.h"
#include "perf.h"
#include "process.h"
#include "replay.h"
#include "selection.h"
#include "traps.h"
#include "vmstructs.h"

/* A child that was forked without exec shares our memory with its parent and has none of our
 * threads: it must not write. */
static void in_forked_child(void) { atomic_store(&pf_agent.live, 0); }

static bool supported_jvm(jvmtiEnv *jvmti, uint32_t *feature, struct pf_why *why) {
    jint version = 0;
    if ((*jvmti)->GetVersionNumber(jvmti, &version) != JVMTI_ERROR_NONE) return pf_because(why, "JVMTI tells no version");
    /* Since JDK 9 the major version of JVMTI is the JDK's feature release. */
    *feature = (uint32_t)(version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
    if (*feature < 17) return pf_because(why, "Java %u is too old, 17 or later is needed", *feature == 1 ? 8 : *feature);
    return true;
}

static void describe_jvm(jvmtiEnv *jvmti, struct wire_header *h, uint32_t feature, bool at_start) {
    char *version = NULL;
    h->pid = (uint32_t)getpid();
    h->jdk_feature = feature;
    h->start_ns = pf_now();
    h->process_start_ticks = pf_process_start_ticks();
    h->flags = at_start ? WIRE_LOADED_AT_START : 0;
    h->perf_sample_type = pf_perf_sample_type();
    h->perf_regs_mask = pf_perf_regs_mask();
    if ((*jvmti)->GetSystemProperty(jvmti, "java.vm.version", &version) == JVMTI_ERROR_NONE && version != NULL) {
        snprintf(h->jdk_version, sizeof h->jdk_version, "%s", version);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)version);
    }
    atomic_store(&h->heartbeat_ns, h->start_ns);
}

static bool make_memory(uint32_t log_mib, struct pf_why *why) {
    const struct pf_shape shape = pf_shape_of_mib(log_mib);
    return pf_control_create(&pf_agent.control, why) && pf_log_create(&pf_agent.log, &shape, why) &&
           pf_records_init(&pf_agent.records, &pf_agent.log, &pf_agent.control.page->records_ack, why) &&
           pf_threads_init(&pf_agent.threads, &pf_agent.log, why);
}

static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    (void)jvmti, (void)jni, (void)thread;
    struct pf_why why;
    if (!pf_start_begin(&why)) pf_start_failed(why.text);
}

bool pf_start_prepare(JavaVM *vm, const char *text, bool at_start, struct pf_why *why) {
    struct pf_options options;
    struct pf_agent *a = &pf_agent;
    uint32_t feature = 0;
    if (!pf_options_parse(&options, text, why)) return false;
    a->vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&a->jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        a->jvmti = NULL;
        return pf_because(why, "this JVM has no JVMTI");
    }
    if (!supported_jvm(a->jvmti, &feature, why)) return false;
    if (!make_memory(options.log_mib, why)) return false;
    a->code_wanted = options.code != 0;
    describe_jvm(a->jvmti, a->log.header, feature, at_start);
    if (!pf_tags_init(&a->tags, a->jvmti) || !pf_methods_init(&a->methods, a->jvmti, &a->tags, &a->records))
        return pf_because(why, "allocate the table of methods: out of memory");
    pf_code_init(&a->code, &a->methods, &a->records);
    pf_generated_init(&a->generated, &a->methods);
    pf_replay_init(pf_now());
    atomic_store(&a->application_hash, pf_application_hash(NULL, 0));
    const int failed = pthread_atfork(NULL, NULL, in_forked_child);
    if (failed != 0) return pf_because(why, "pthread_atfork: %s", strerror(failed));
    return pf_hooks_install(a->jvmti, at_start ? on_vm_init : NULL, a->code_wanted, why);
}

bool pf_start_begin(struct pf_why *why) {
    struct wire_header *h = pf_agent.log.header;
    /* Without vmstructs frame sizes are unknown, which a reader can live with. */
    struct pf_why no_structs;
    if (pf_vmstructs_find((const void *)(uintptr_t)(*pf_agent.vm)->GetEnv, &no_structs)) {
        pf_codecache_find();
        pf_agent.code.trap_reasons = pf_trap_reasons();
    }
    if (pf_vm_flag("PreserveFramePointer")) h->flags |= WIRE_PRESERVE_FRAME_POINTER;
    if (pf_vm_flag("DebugNonSafepoints")) h->flags |= WIRE_DEBUG_NON_SAFEPOINTS;
    atomic_store(&h->state, WIRE_LIVE);
    atomic_store(&pf_agent.live, 1);
    if (!pf_listen(pf_agent.jvmti, pf_agent.code_wanted, why) || !pf_housekeeper_start(why)) return false;
    pf_log_publish(&pf_agent.log);
    return true;
}

void pf_start_failed(const char *reason) {
    pf_agent_off(reason);
    if (pf_agent.jvmti != NULL) pf_listen_none(pf_agent.jvmti);
}
