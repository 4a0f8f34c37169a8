/* Classes that Spark generated: seen at ClassPrepare on whatever thread defines them, named later by the housekeeper, so that their
 * interpreted frames have names before anything is compiled. Those prepared before the agent came are named when they are compiled. */
#ifndef PF_GENERATED_H
#define PF_GENERATED_H

#include <jvmti.h>
#include <stdbool.h>

#include "methods.h"
#include "queue.h"

struct pf_generated {
    struct pf_methods *methods;
    struct pf_queue fresh; /* weak references as numbers */
    jweak *live;           /* the housekeeper's alone: all that may still be loaded, for a replay */
    size_t room, used;
};

void pf_generated_init(struct pf_generated *generated, struct pf_methods *methods);

/* ClassPrepare, any thread, a task's too: never waits. True: it is a generated class and the poller should look for its source. */
bool pf_generated_prepared(struct pf_generated *generated, jvmtiEnv *jvmti, JNIEnv *jni, jclass klass);

/* Names the methods of the classes prepared since the last call. The housekeeper. */
void pf_generated_drain(struct pf_generated *generated, JNIEnv *jni);

/* Names the methods of all generated classes that are still loaded: a replay. The housekeeper. */
void pf_generated_replay(struct pf_generated *generated, JNIEnv *jni);

#endif
