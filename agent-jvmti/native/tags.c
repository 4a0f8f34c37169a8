#include "tags.h"

bool pf_tags_init(struct pf_tags *tags, jvmtiEnv *jvmti) {
    *tags = (struct pf_tags){.jvmti = jvmti};
    return pthread_mutex_init(&tags->lock, NULL) == 0;
}

/* The lock is held over JVMTI calls, which may wait for a safepoint. A thread that waits for the
 * lock does so in native code, so a safepoint does not wait for it. */
static uint64_t number_of(struct pf_tags *tags, jobject object, uint64_t *last, jlong kind) {
    jvmtiEnv *jvmti = tags->jvmti;
    jlong tag = 0;
    if ((*jvmti)->GetTag(jvmti, object, &tag) != JVMTI_ERROR_NONE) return 0;
    if (tag != 0) return (uint64_t)tag >> 1;
    pthread_mutex_lock(&tags->lock);
    if ((*jvmti)->GetTag(jvmti, object, &tag) == JVMTI_ERROR_NONE && tag == 0) {
        const jlong fresh = (jlong)((*last + 1) << 1) | kind;
        if ((*jvmti)->SetTag(jvmti, object, fresh) == JVMTI_ERROR_NONE) {
            ++*last;
            tag = fresh;
        }
    }
    pthread_mutex_unlock(&tags->lock);
    return (uint64_t)tag >> 1;
}

uint64_t pf_loader_number(struct pf_tags *tags, jobject loader) {
    return loader == NULL ? 0 : number_of(tags, loader, &tags->last_loader, 0);
}

uint64_t pf_class_number(struct pf_tags *tags, jclass klass) { return number_of(tags, klass, &tags->last_class, 1); }

uint64_t pf_class_of_tag(jlong tag) { return (tag & 1) != 0 ? (uint64_t)tag >> 1 : 0; }
