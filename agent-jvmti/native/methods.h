/*
 * jmethodID → the agent's own number, and the METHOD records that say what a number means.
 *
 * A jmethodID is no stable name: once its class is unloaded the JVM may give it to another method.
 * So an entry counts only while the method's declaring class carries the class number with which
 * the entry was made (tags.h). A class that took over the jmethodID has another number, and the
 * method gets a new entry. ObjectFree of a class frees the memory of its entries and starts a new
 * epoch. The comparison of an entry with its class takes three JVMTI calls. It is not repeated
 * until the next epoch. This is sound because HotSpot never reuses the jmethodIDs of an unloaded
 * class before its mirror is gone. Up to 25 it leaks their memory on purpose
 * (Method::clear_jmethod_ids); from 26 on they are numbers that only grow.
 */
#ifndef PF_METHODS_H
#define PF_METHODS_H

#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>

#include "records.h"
#include "tags.h"

#define PF_GENERATED_PREFIX "Lorg/apache/spark/sql/catalyst/expressions/GeneratedClass"

struct pf_method_entry {
    jmethodID id; /* NULL: an empty cell */
    uint64_t class_number;
    uint64_t number;
    uint32_t written_in; /* the generation in which its METHOD was written; 0 never */
    uint64_t since;      /* when its class was prepared; 0 unknown */
    uint64_t compared;   /* the epoch in which its class was last compared; 0 never */
};

struct pf_methods {
    jvmtiEnv *jvmti;
    struct pf_tags *tags;
    struct pf_records *records;
    pthread_mutex_t lock; /* of what is below; never held over a JVMTI call */
    struct pf_method_entry *cells;
    size_t room, used;
    uint64_t last;
    uint32_t generation;
    uint64_t epoch; /* from 1, one more for each class freed */
    uint64_t *freed; /* class numbers whose entries can go */
    size_t freed_room, freed_used;
};

bool pf_methods_init(struct pf_methods *methods, jvmtiEnv *jvmti, struct pf_tags *tags, struct pf_records *records);

/* The number of a method, whose METHOD record is in the ring (again, in a new generation) or was
 * dropped for want of room when this returns. 0: the jmethodID is not valid any more, or memory is
 * short. Only for jmethodIDs of classes that cannot be unloaded meanwhile: inside a JVMTI callback
 * that names them, or while the caller holds a reference to the class. */
uint64_t pf_method_number(struct pf_methods *methods, JNIEnv *jni, jmethodID id);

/* The number last given to a jmethodID, without asking the JVM: for events that come when the
 * method may be gone. 0 unknown. */
uint64_t pf_method_last_number(struct pf_methods *methods, jmethodID id);

/* Writes METHOD records for all methods of a class, with the time when it was prepared. Writes
 * them again if they were written without it. */
void pf_methods_of_class(struct pf_methods *methods, JNIEnv *jni, jclass klass, uint64_t since);

/* Makes every METHOD be written again at its next mention: a replay. */
void pf_methods_renew(struct pf_methods *methods);

/* ObjectFree of a class, any thread; no JVMTI. */
void pf_methods_class_freed(struct pf_methods *methods, uint64_t class_number);

/* Drops the entries of freed classes. The housekeeper, now and then. */
void pf_methods_sweep(struct pf_methods *methods);

#endif
