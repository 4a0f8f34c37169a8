/*
 * Numbers for class loaders and classes, kept as JVMTI object tags in the agent's own environment.
 * The JVM forgets the tag with the object, so a number is never given to another object. Tags:
 * number << 1 for a loader, number << 1 | 1 for a class.
 */
#ifndef PF_TAGS_H
#define PF_TAGS_H

#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct pf_tags {
    jvmtiEnv *jvmti;
    pthread_mutex_t lock; /* only against two threads that number the same object */
    uint64_t last_loader;
    uint64_t last_class;
};

bool pf_tags_init(struct pf_tags *tags, jvmtiEnv *jvmti);

/* The number of a loader, from 1; 0 for NULL (the bootstrap loader) and when JVMTI refuses. Not for
 * threads of tasks. */
uint64_t pf_loader_number(struct pf_tags *tags, jobject loader);

/* The number of a class, from 1; 0 when JVMTI refuses. */
uint64_t pf_class_number(struct pf_tags *tags, jclass klass);

/* For ObjectFree: the class number behind a tag, 0 for a loader's. */
uint64_t pf_class_of_tag(jlong tag);

#endif
