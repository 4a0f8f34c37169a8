#include "hooks.h"

#include <string.h>

#include "agent.h"
#include "clock.h"
#include "gather.h"
#include "listen.h"
#include "replay.h"
#include "tasks.h"

static JNIEnv *current_jni(void) {
    JNIEnv *jni = NULL;
    return (*pf_agent.vm)->GetEnv(pf_agent.vm, (void **)&jni, JNI_VERSION_1_8) == JNI_OK ? jni : NULL;
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni) {
    (void)jvmti, (void)jni;
    atomic_store(&pf_agent.live, 0);
    pf_wake_set(&pf_agent.work, PF_WORK_OFF);
    pf_wake_set(&pf_agent.housework, PF_HOUSE_STOP);
}

static void load(const struct pf_code_event *event) {
    if (pf_agent_code_is_read()) return; /* since the housekeeper's last round */
    JNIEnv *jni = current_jni();
    if (jni == NULL)
        pf_records_count_drop(&pf_agent.records, 0);
    else
        pf_code_loaded(&pf_agent.code, jni, event);
}

static void JNICALL on_compiled_load(jvmtiEnv *jvmti, jmethodID method, jint size, const void *address, jint map_length,
                                     const jvmtiAddrLocationMap *map, const void *compile_info) {
    (void)jvmti, (void)map_length, (void)map;
    static __thread struct pf_gather gather;
    const struct pf_code_event event = {.method = method, .address = address, .size = size, .compile_info = compile_info, .replayed = pf_listen_generating()};
    if (!pf_live()) return;
    if (event.replayed) { /* the housekeeper counts its CPU itself */
        if (pf_replay_goes_on()) load(&event);
        return;
    }
    const struct pf_thread_use before = pf_thread_use();
    pf_gather(&gather, pf_agent.log.header->jdk_feature, before.slept);
    if (!pf_live()) return; /* any more */
    load(&event);
    const struct pf_thread_use after = pf_thread_use();
    pf_agent_spent(after.cpu_ns - before.cpu_ns);
    pf_gather_ended(&gather, after.slept);
}

static void JNICALL on_compiled_unload(jvmtiEnv *jvmti, jmethodID method, const void *address) {
    (void)jvmti;
    if (pf_live()) pf_code_unloaded(&pf_agent.code, method, address);
}

static void JNICALL on_dynamic_code(jvmtiEnv *jvmti, const char *name, const void *address, jint size) {
    (void)jvmti;
    if (!pf_live() || (pf_listen_generating() && !pf_replay_goes_on())) return;
    pf_code_stub(&pf_agent.code, name, address, size);
}

static void JNICALL on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass) {
    (void)thread;
    if (!pf_live() || !pf_generated_prepared(&pf_agent.generated, jvmti, jni, klass)) return;
    pf_wake_set(&pf_agent.housework, PF_HOUSE_CLASSES);
    pf_wake_set(&pf_agent.work, PF_WORK_CLASSES);
}

static void JNICALL on_object_free(jvmtiEnv *jvmti, jlong tag) {
    (void)jvmti;
    const uint64_t class_number = pf_class_of_tag(tag);
    if (class_number != 0) pf_methods_class_freed(&pf_agent.methods, class_number);
}

static void JNICALL on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    if (pf_live()) pf_thread_started(jvmti, jni, thread);
}

static void JNICALL on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    (void)jvmti, (void)jni, (void)thread;
    if (pf_live()) pf_thread_ended();
}

/* Only what is used. Never can_redefine_classes, can_retransform_classes or
 * can_generate_breakpoint_events: taken late, they make HotSpot throw all compiled code away
 * (JDK-8227745's change, from 17 on). */
static jvmtiCapabilities capabilities(void) {
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    c.can_generate_compiled_method_load_events = 1;
    c.can_tag_objects = 1;
    c.can_generate_object_free_events = 1;
    c.can_get_line_numbers = 1;
    c.can_get_source_file_name = 1;
    return c;
}

bool pf_hooks_install(jvmtiEnv *jvmti, jvmtiEventVMInit on_vm_init, bool code, struct pf_why *why) {
    const jvmtiCapabilities wanted = capabilities();
    jvmtiError error = code ? (*jvmti)->AddCapabilities(jvmti, &wanted) : JVMTI_ERROR_NONE;
    if (error != JVMTI_ERROR_NONE) return pf_jvmti_because(why, jvmti, error, "add JVMTI capabilities");
    const jvmtiEventCallbacks callbacks = {
        .VMInit = on_vm_init,
        .VMDeath = on_vm_death,
        .CompiledMethodLoad = on_compiled_load,
        .CompiledMethodUnload = on_compiled_unload,
        .DynamicCodeGenerated = on_dynamic_code,
        .ClassPrepare = on_class_prepare,
        .ObjectFree = on_object_free,
        .ThreadStart = on_thread_start,
        .ThreadEnd = on_thread_end,
    };
    error = (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    if (error != JVMTI_ERROR_NONE) return pf_jvmti_because(why, jvmti, error, "set JVMTI callbacks");
    return on_vm_init == NULL || pf_listen_at_start(jvmti, why);
}
