/* JVMTI's CompiledMethodLoad, CompiledMethodUnload and DynamicCodeGenerated become CODE_LOAD,
 * CODE_UNLOAD and STUB records. */
#ifndef PF_CODE_H
#define PF_CODE_H

#include <jvmti.h>
#include <stdbool.h>

#include "methods.h"
#include "queue.h"
#include "records.h"

struct pf_code {
    struct pf_methods *methods;
    struct pf_records *records;
    _Atomic uint64_t trap_blob; /* its address, once it is known */
    uint32_t trap_reasons;      /* struct pf_traps's; written before any event is taken */
    struct pf_queue stubs; /* those that came while another thread was writing */
};

/* One CompiledMethodLoad as JVMTI gives it. */
struct pf_code_event {
    jmethodID method;
    const void *address;
    jint size;
    const void *compile_info; /* list of jvmtiCompiledMethodLoadRecordHeader, may be NULL */
    bool replayed;
};

void pf_code_init(struct pf_code *code, struct pf_methods *methods, struct pf_records *records);

/* Inside the callback only: the methods named are alive there. Allocates; JVMTI calls it on the
 * service thread, and on the housekeeper during GenerateEvents. */
void pf_code_loaded(struct pf_code *code, JNIEnv *jni, const struct pf_code_event *event);

/* The method may be gone already. Its number comes from the last load with this jmethodID, or is
 * 0. */
void pf_code_unloaded(struct pf_code *code, jmethodID method, const void *address);

/* Any thread, a task's too: never waits. */
void pf_code_stub(struct pf_code *code, const char *name, const void *address, jint size);

/* Writes the stubs that waited. The housekeeper. */
void pf_code_drain_stubs(struct pf_code *code);

#endif
