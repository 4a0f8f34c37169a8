#include "listen.h"

/* True on the thread that runs GenerateEvents: what is reported there is not new. */
static __thread bool generating;

bool pf_jvmti_because(struct pf_why *why, jvmtiEnv *jvmti, jvmtiError error, const char *what) {
    char *name = NULL;
    if ((*jvmti)->GetErrorName(jvmti, error, &name) != JVMTI_ERROR_NONE || name == NULL) return pf_because(why, "%s: JVMTI error %d", what, error);
    pf_because(why, "%s: %s", what, name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    return false;
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

bool pf_listen_at_start(jvmtiEnv *jvmti, struct pf_why *why) {
    /* Code loads before VMInit are not used, but while the event is on the JIT records debug
     * information between safepoints. */
    return enable(jvmti, JVMTI_EVENT_VM_INIT, "listen to VMInit", why) &&
           enable(jvmti, JVMTI_EVENT_COMPILED_METHOD_LOAD, "listen to CompiledMethodLoad", why);
}

bool pf_listen(jvmtiEnv *jvmti, bool code, struct pf_why *why) {
    for (int i = 0; i < (code ? LISTENED : 1); i++)
        if (!enable(jvmti, listened[i].event, listened[i].name, why)) return false;
    return true;
}

void pf_listen_none(jvmtiEnv *jvmti) {
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_VM_INIT, NULL);
    for (int i = 0; i < LISTENED; i++) (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, listened[i].event, NULL);
}

bool pf_listen_compiled(jvmtiEnv *jvmti, bool on) {
    return (*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_COMPILED_METHOD_LOAD, NULL) == JVMTI_ERROR_NONE;
}

bool pf_listen_generate(jvmtiEnv *jvmti, jvmtiEvent event, struct pf_why *why) {
    generating = true;
    const jvmtiError error = (*jvmti)->GenerateEvents(jvmti, event);
    generating = false;
    return error == JVMTI_ERROR_NONE || pf_jvmti_because(why, jvmti, error, "generate events for existing code");
}

bool pf_listen_generating(void) { return generating; }
