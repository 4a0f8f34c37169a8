/*
 * Classes that Spark generated: seen at ClassPrepare on whatever thread defines them, named later
 * by the housekeeper, so that their interpreted frames have names, and with them the number of the
 * loader, which no one can read from outside. Those prepared before the agent came are named when
 * they are compiled. Their METHOD records have the time of ClassPrepare: the memory of an unloaded
 * class is used again, and no sample since then is the old one's. Only while a reader holds the
 * lease: naming makes the JVM give every method of the class a jmethodID, whose memory HotSpot (up
 * to 25) never frees (measured on 17 and 25: 0.25 KiB a class of 29 methods). A reader that comes
 * finds the classes that are still loaded named at once.
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

/* Takes over the classes prepared since the last call and, while a reader holds the lease, names
 * the methods of those that have no name yet, as far as a little time and the room in the ring
 * allow; the rest at the next call. The housekeeper. */
void pf_generated_drain(struct pf_generated *generated, JNIEnv *jni, bool leased);

/* Names the methods of all generated classes that are still loaded: a replay, which ends early when
 * go_on says so. The housekeeper. */
void pf_generated_replay(struct pf_generated *generated, JNIEnv *jni, bool (*go_on)(void *), void *context);

#endif
