/*
 * Classes that Spark generated. ClassPrepare sees them on the thread that defines them, and the
 * housekeeper names them later. So their interpreted frames have names and the number of their
 * loader, which no other process can read. Those prepared before the agent came are named when they
 * are compiled. Their METHOD records have the time of ClassPrepare: the memory of an unloaded class
 * is used again, and no sample since then is the old one's. Naming happens only while a reader
 * holds the lease, because the JVM then gives every method of the class a jmethodID. HotSpot (up to
 * 25) never frees its memory (measured on 17 and 25: 0.25 KiB for a class of 29 methods). A reader
 * that comes finds the classes that are still loaded named at once.
 */
#ifndef PF_GENERATED_H
#define PF_GENERATED_H

#include <jvmti.h>
#include <stdbool.h>

#include "methods.h"
#include "queue.h"

struct pf_generated_class {
    jweak weak;
    uint64_t prepared_ns; /* before any of its methods ran */
};

struct pf_generated {
    struct pf_methods *methods;
    struct pf_queue fresh;           /* weak references as numbers, and when they were prepared */
    struct pf_generated_class *live; /* the housekeeper's alone: all that may still be loaded, for a replay */
    size_t room, used;
    size_t named;          /* so many of the first of live have been named */
};

void pf_generated_init(struct pf_generated *generated, struct pf_methods *methods);

/* ClassPrepare, any thread, a task's too: never waits. True: it is a generated class and the poller
 * should look for its source. */
bool pf_generated_prepared(struct pf_generated *generated, jvmtiEnv *jvmti, JNIEnv *jni, jclass klass);

/* Takes over the classes prepared since the last call. While a reader holds the lease, it also
 * names their methods that have no name yet. It stops when its time or the room in the ring is used
 * up, and goes on at the next call. The housekeeper. */
void pf_generated_drain(struct pf_generated *generated, JNIEnv *jni, bool leased);

/* Names the methods of all generated classes that are still loaded: a replay, which ends early when
 * go_on says so. The housekeeper. */
void pf_generated_replay(struct pf_generated *generated, JNIEnv *jni, bool (*go_on)(void *), void *context);

#endif
