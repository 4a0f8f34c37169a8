#include "hooks.h"

#include <string.h>

#include "agent.h"
#include "clock.h"
#include "gather.h"
#include "tasks.h"

/* True on the thread that runs GenerateEvents: what is reported there is not new. */
static __thread bool generating;

bool pf_jvmti_because(struct pf_why *why, jvmtiEnv *jvmti, jvmtiError error, const char *what) {
    char *name = NULL;
    if ((*jvmti)->GetErrorName(jvmti, error, &name) != JVMTI_ERROR_NONE || name == NULL) return pf_because(why, "%s: JVMTI error %d", what, error);
    pf_because(why, "%s: %s", what, name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    return false;
}

static JNIEnv *current_jni(void) {
    JNIEnv *jni = NULL;
    return (*pf_agent.vm)->GetEnv(pf_agent.vm, (void **)&jni, JNI_VERSION_1_8) == JNI_OK ? jni : NULL;
}

static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    (void)jvmti, (void)jni, (void)thread;
    struct pf_why why;
    if (!pf_agent_begin(&why)) pf_agent_off(why.text);
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni) {
    (void)jvmti, (void)jni;
    atomic_store(&pf_agent.live, 0);
    pf_wake_set(&pf_agent.work, PF_WORK_OFF);
    pf_wake_set(&pf_agent.housework, PF_HOUSE_STOP);
}

static void load(const struct pf_code_event *event) {
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
    const struct pf_code_event event = {.method = method, .address = address, .size = size, .compile_info = compile_info, .replayed = generating};
    if (!pf_live()) return;
    if (generating) { /* the housekeeper counts its CPU itself */
        if (pf_replay_goes_on(&pf_agent.replay)) load(&event);
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
    if (!pf_live() || (generating && !pf_replay_goes_on(&pf_agent.replay))) return;
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

/* In the order in which they are switched on; the first one always. */
static const struct listened {
    jvmtiEvent event;
    const char *name;
} listened[] = {
    {JVMTI_EVENT_VM_DEATH, "listen to VMDeath"},
    {JVMTI_EVENT_COMPILED_METHOD_LOAD, "listen to CompiledMethodLoad"},
    {JVMTI_EVENT_COMPILED_METHOD_UNLOAD, "listen to CompiledMethodUnload"},
    {JVMTI_EVENT_DYNAMIC_CODE_GENERATED, "listen to DynamicCodeGenerated"},
    {JVMTI_EVENT_CLASS_PREPARE, "listen to ClassPrepare"},
    {JVMTI_EVENT_OBJECT_FREE, "listen to ObjectFree"},
    /* The end first: a thread that lived between the two would keep its slot for ever. */
    {JVMTI_EVENT_THREAD_END, "listen to ThreadEnd"},
    {JVMTI_EVENT_THREAD_START, "listen to ThreadStart"},
};
enum { LISTENED = sizeof listened / sizeof *listened };

static bool enable(jvmtiEnv *jvmti, jvmtiEvent event, const char *name, struct pf_why *why) {
    const jvmtiError error = (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, event, NULL);
    return error == JVMTI_ERROR_NONE || pf_jvmti_because(why, jvmti, error, name);
}

bool pf_hooks_install(jvmtiEnv *jvmti, bool at_start, bool code, struct pf_why *why) {
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
    if (!at_start) return true;
    /* Code loads before VMInit are not used, but while the event is on the JIT records debug
     * information between safepoints. */
    return enable(jvmti, JVMTI_EVENT_VM_INIT, "listen to VMInit", why) &&
           enable(jvmti, JVMTI_EVENT_COMPILED_METHOD_LOAD, "listen to CompiledMethodLoad", why);
}

bool pf_hooks_enable(jvmtiEnv *jvmti, bool code, struct pf_why *why) {
    for (int i = 0; i < (code ? LISTENED : 1); i++)
        if (!enable(jvmti, listened[i].event, listened[i].name, why)) return false;
    return true;
}

void pf_hooks_disable(jvmtiEnv *jvmti) {
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_VM_INIT, NULL);
    for (int i = 0; i < LISTENED; i++) (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, listened[i].event, NULL);
}

bool pf_hooks_generate(jvmtiEnv *jvmti, struct pf_why *why) {
    generating = true;
    jvmtiError error = (*jvmti)->GenerateEvents(jvmti, JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
    if (error == JVMTI_ERROR_NONE) error = (*jvmti)->GenerateEvents(jvmti, JVMTI_EVENT_COMPILED_METHOD_LOAD);
    generating = false;
    return error == JVMTI_ERROR_NONE || pf_jvmti_because(why, jvmti, error, "generate events for existing code");
}
