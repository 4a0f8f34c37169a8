#include "generated.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"

enum { ROOM_WANTED = 128 << 10 };    /* bytes in the ring: the methods of nearly every class fit */
#define MOST_NAMING_NS 50000000ull /* in one round */

void pf_generated_init(struct pf_generated *g, struct pf_methods *methods) {
    *g = (struct pf_generated){.methods = methods};
    pf_queue_init(&g->fresh);
}

static bool is_generated(jvmtiEnv *jvmti, jclass klass) {
    char *signature = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, klass, &signature, NULL) != JVMTI_ERROR_NONE) return false;
    const bool generated = strncmp(signature, PF_GENERATED_PREFIX, strlen(PF_GENERATED_PREFIX)) == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return generated;
}

bool pf_generated_prepared(struct pf_generated *g, jvmtiEnv *jvmti, JNIEnv *jni, jclass klass) {
    if (!is_generated(jvmti, klass)) return false;
    const jweak weak = (*jni)->NewWeakGlobalRef(jni, klass);
    if (weak == NULL) { /* out of memory: no exception of ours may stay behind */
        (*jni)->ExceptionClear(jni);
        return true;
    }
    const struct pf_item item = {.a = (uint64_t)(uintptr_t)weak, .b = pf_now()};
    if (!pf_queue_put(&g->fresh, &item)) { /* full: the class's methods are named when they are compiled */
        (*jni)->DeleteWeakGlobalRef(jni, weak);
        pf_records_count_drop(g->methods->records, 0);
    }
    return true;
}

/* Drops the references to unloaded classes and makes room for one more. */
static bool make_room(struct pf_generated *g, JNIEnv *jni) {
    if (g->used < g->room) return true;
    size_t kept = 0, kept_named = 0;
    for (size_t i = 0; i < g->used; i++) {
        if ((*jni)->IsSameObject(jni, g->live[i].weak, NULL)) {
            (*jni)->DeleteWeakGlobalRef(jni, g->live[i].weak);
            continue;
        }
        kept_named += i < g->named;
        g->live[kept++] = g->live[i];
    }
    g->used = kept;
    g->named = kept_named;
    if (g->used * 2 < g->room) return true;
    const size_t room = g->room ? g->room * 2 : 64;
    struct pf_generated_class *live = realloc(g->live, room * sizeof *live);
    if (live == NULL) return g->used < g->room;
    g->live = live;
    g->room = room;
    return true;
}

static void name(struct pf_generated *g, JNIEnv *jni, const struct pf_generated_class *class) {
    const jclass klass = (*jni)->NewLocalRef(jni, class->weak);
    if (klass == NULL) return;
    pf_methods_of_class(g->methods, jni, klass, class->prepared_ns);
    (*jni)->DeleteLocalRef(jni, klass);
}

static void adopt(struct pf_generated *g, JNIEnv *jni, struct pf_generated_class class) {
    if (make_room(g, jni)) {
        g->live[g->used++] = class;
    } else { /* out of memory */
        (*jni)->DeleteWeakGlobalRef(jni, class.weak);
        pf_records_count_drop(g->methods->records, 0);
    }
}

void pf_generated_drain(struct pf_generated *g, JNIEnv *jni, bool leased) {
    const uint64_t began = pf_now();
    struct pf_item item;
    while (pf_queue_take(&g->fresh, &item)) adopt(g, jni, (struct pf_generated_class){(jweak)(uintptr_t)item.a, item.b});
    while (leased && g->named < g->used && pf_now() - began < MOST_NAMING_NS && pf_records_has_room(g->methods->records, ROOM_WANTED))
        name(g, jni, &g->live[g->named++]);
}

void pf_generated_replay(struct pf_generated *g, JNIEnv *jni, bool (*go_on)(void *), void *context) {
    for (size_t i = 0; i < g->used && go_on(context); i++) {
        name(g, jni, &g->live[i]);
        if (g->named == i) g->named++;
    }
}
