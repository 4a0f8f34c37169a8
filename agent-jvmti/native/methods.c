#include "methods.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "codecache.h"
#include "payload.h"

#define ROOM_FOR_METHOD 4096 /* bytes: nearly every METHOD record is smaller */

bool pf_methods_init(struct pf_methods *m, jvmtiEnv *jvmti, struct pf_tags *tags, struct pf_records *records) {
    *m = (struct pf_methods){.jvmti = jvmti, .tags = tags, .records = records, .generation = 1, .epoch = 1, .room = 4096};
    m->cells = calloc(m->room, sizeof *m->cells);
    return m->cells != NULL && pthread_mutex_init(&m->lock, NULL) == 0;
}

static size_t home(const struct pf_methods *m, jmethodID id) {
    return (size_t)(((uint64_t)(uintptr_t)id >> 3) * 0x9e3779b97f4a7c15ull >> 20) & (m->room - 1);
}

/* The cell of a jmethodID, or the empty one where it would go. The table is never full. Lock
 * held. */
static struct pf_method_entry *cell(struct pf_methods *m, jmethodID id) {
    size_t i = home(m, id);
    while (m->cells[i].id != NULL && m->cells[i].id != id) i = (i + 1) & (m->room - 1);
    return &m->cells[i];
}

/* Moves all entries, except entries of freed classes, into a table of that size. Lock held. */
static bool rebuild(struct pf_methods *m, size_t room, bool (*keep)(const struct pf_methods *, const struct pf_method_entry *)) {
    struct pf_method_entry *old = m->cells, *fresh = calloc(room, sizeof *fresh);
    const size_t old_room = m->room;
    if (fresh == NULL) return false;
    m->cells = fresh;
    m->room = room;
    m->used = 0;
    for (size_t i = 0; i < old_room; i++) {
        if (old[i].id == NULL || (keep != NULL && !keep(m, &old[i]))) continue;
        *cell(m, old[i].id) = old[i];
        m->used++;
    }
    free(old);
    return true;
}

/* Number of a known method; *write says whether its METHOD record is due, as it is when it can be
 * given its time. 0: unknown, or known as another class's. */
static uint64_t known(struct pf_methods *m, jmethodID id, uint64_t class_number, uint64_t since, bool *write) {
    pthread_mutex_lock(&m->lock);
    const struct pf_method_entry *e = cell(m, id);
    const bool same = e->id != NULL && e->class_number == class_number;
    const uint64_t number = same ? e->number : 0;
    *write = !same || e->written_in != m->generation || (since != 0 && e->since == 0);
    pthread_mutex_unlock(&m->lock);
    return number;
}

/* Number for a method that may be new, the generation in which it is about to be written, and
 * *since, or what is known of it from before. */
static uint64_t enter(struct pf_methods *m, jmethodID id, uint64_t class_number, uint64_t *since, uint32_t *generation) {
    uint64_t number = 0;
    pthread_mutex_lock(&m->lock);
    if (m->used * 2 < m->room || rebuild(m, m->room * 2, NULL)) {
        struct pf_method_entry *e = cell(m, id);
        if (e->id == NULL) m->used++;
        if (e->id == NULL || e->class_number != class_number)
            *e = (struct pf_method_entry){.id = id, .class_number = class_number, .number = ++m->last};
        if (e->since == 0) e->since = *since;
        *since = e->since;
        number = e->number;
        *generation = m->generation;
    }
    pthread_mutex_unlock(&m->lock);
    return number;
}

/* Notes what was written. Reports whether another thread has learned the method's time meanwhile:
 * its record may precede the one that lacks the time. *since then is that time. */
static bool written(struct pf_methods *m, jmethodID id, uint64_t number, uint32_t generation, uint64_t *since) {
    bool again = false;
    pthread_mutex_lock(&m->lock);
    struct pf_method_entry *e = cell(m, id);
    if (e->id != NULL && e->number == number) {
        e->written_in = generation;
        again = e->since != *since;
        *since = e->since;
    }
    pthread_mutex_unlock(&m->lock);
    return again;
}

static int by_bci(const void *a, const void *b) {
    const struct pf_line *x = a, *y = b;
    return x->start_bci < y->start_bci ? -1 : x->start_bci > y->start_bci;
}

/* All that JVMTI allocated for one METHOD. */
struct texts {
    char *name, *descriptor, *signature, *source_file;
    jvmtiLineNumberEntry *table;
    struct pf_line *lines;
};

static void release(jvmtiEnv *jvmti, struct texts *t) {
    void *all[] = {t->name, t->descriptor, t->signature, t->source_file, t->table};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] != NULL) (*jvmti)->Deallocate(jvmti, all[i]);
    free(t->lines);
}

static uint32_t line_table(jvmtiEnv *jvmti, jmethodID id, struct texts *t) {
    jint n = 0;
    /* Absent information and native methods are no failure: the record simply has no lines. */
    if ((*jvmti)->GetLineNumberTable(jvmti, id, &n, &t->table) != JVMTI_ERROR_NONE || n <= 0) return 0;
    t->lines = malloc((size_t)n * sizeof *t->lines);
    if (t->lines == NULL) return 0;
    for (jint i = 0; i < n; i++)
        t->lines[i] = (struct pf_line){(uint32_t)t->table[i].start_location, (uint32_t)t->table[i].line_number};
    qsort(t->lines, (size_t)n, sizeof *t->lines, by_bci);
    return (uint32_t)n;
}

static bool write_method(struct pf_methods *m, JNIEnv *jni, jmethodID id, jclass klass, uint64_t number, uint64_t since) {
    jvmtiEnv *jvmti = m->jvmti;
    struct texts t = {0};
    struct pf_method_text text = {.number = number};
    bool done = false;
    if ((*jvmti)->GetMethodName(jvmti, id, &t.name, &t.descriptor, NULL) == JVMTI_ERROR_NONE &&
        (*jvmti)->GetClassSignature(jvmti, klass, &t.signature, NULL) == JVMTI_ERROR_NONE) {
        jobject loader = NULL;
        jboolean native = JNI_FALSE;
        if ((*jvmti)->GetClassLoader(jvmti, klass, &loader) == JVMTI_ERROR_NONE) text.loader = pf_loader_number(m->tags, loader);
        if (loader != NULL) (*jni)->DeleteLocalRef(jni, loader);
        if ((*jvmti)->GetSourceFileName(jvmti, klass, &t.source_file) != JVMTI_ERROR_NONE) t.source_file = NULL;
        if ((*jvmti)->IsMethodNative(jvmti, id, &native) != JVMTI_ERROR_NONE) native = JNI_FALSE;
        text.line_count = native ? 0 : line_table(jvmti, id, &t);
        text.lines = t.lines;
        text.signature = t.signature, text.name = t.name, text.descriptor = t.descriptor, text.source_file = t.source_file;
        text.method_ptr = pf_method_ptr(id, t.name);
        text.flags = (text.line_count > 0 ? WIRE_METHOD_LINES : 0) | (native ? WIRE_METHOD_NATIVE : 0) |
                     (strncmp(t.signature, PF_GENERATED_PREFIX, strlen(PF_GENERATED_PREFIX)) == 0 ? WIRE_METHOD_GENERATED : 0);
        struct pf_buffer payload = {0};
        pf_payload_method(&payload, &text);
        if (payload.failed)
            pf_records_count_drop(m->records, payload.used);
        else
            done = pf_records_append(m->records, WIRE_METHOD, since != 0 ? since : pf_now(), payload.bytes, payload.used) == PF_WRITTEN;
        pf_buffer_free(&payload);
    }
    release(jvmti, &t);
    return done;
}

static uint64_t number_in(struct pf_methods *m, JNIEnv *jni, jmethodID id, jclass klass, uint64_t since) {
    const uint64_t class_number = pf_class_number(m->tags, klass);
    if (class_number == 0) return 0;
    bool write = false;
    uint64_t number = known(m, id, class_number, since, &write);
    if (!write) return number;
    /* Two threads may write the same METHOD here: harmless, the last one says what is known. */
    uint32_t generation = 0;
    number = enter(m, id, class_number, &since, &generation);
    if (number == 0) return 0;
    do {
        /* A full ring without a reader is the unattended state, and this comes at every mention of
         * the method: no text is made for nothing. */
        if (!pf_records_has_room(m->records, ROOM_FOR_METHOD)) {
            pf_records_count_drop(m->records, 0);
            break;
        }
    } while (write_method(m, jni, id, klass, number, since) && written(m, id, number, generation, &since));
    return number;
}

/* The number of a method that needs neither a comparison nor a record, else 0; and the present
 * epoch. */
static uint64_t settled(struct pf_methods *m, jmethodID id, uint64_t *epoch) {
    pthread_mutex_lock(&m->lock);
    const struct pf_method_entry *e = cell(m, id);
    const uint64_t number = e->id != NULL && e->compared == m->epoch && e->written_in == m->generation ? e->number : 0;
    *epoch = m->epoch;
    pthread_mutex_unlock(&m->lock);
    return number;
}

/* Notes that the entry was right in that epoch, which was read before the comparison began. */
static void settle(struct pf_methods *m, jmethodID id, uint64_t number, uint64_t epoch) {
    pthread_mutex_lock(&m->lock);
    struct pf_method_entry *e = cell(m, id);
    if (e->id != NULL && e->number == number) e->compared = epoch;
    pthread_mutex_unlock(&m->lock);
}

uint64_t pf_method_number(struct pf_methods *m, JNIEnv *jni, jmethodID id) {
    jvmtiEnv *jvmti = m->jvmti;
    jclass klass = NULL;
    uint64_t epoch = 0;
    const uint64_t at_once = id != NULL ? settled(m, id, &epoch) : 0;
    if (at_once != 0) return at_once;
    if (id == NULL || (*jvmti)->GetMethodDeclaringClass(jvmti, id, &klass) != JVMTI_ERROR_NONE || klass == NULL) return 0;
    const uint64_t number = number_in(m, jni, id, klass, 0);
    (*jni)->DeleteLocalRef(jni, klass);
    if (number != 0) settle(m, id, number, epoch);
    return number;
}

uint64_t pf_method_last_number(struct pf_methods *m, jmethodID id) {
    pthread_mutex_lock(&m->lock);
    const uint64_t number = id == NULL ? 0 : cell(m, id)->number;
    pthread_mutex_unlock(&m->lock);
    return number;
}

void pf_methods_of_class(struct pf_methods *m, JNIEnv *jni, jclass klass, uint64_t since) {
    jvmtiEnv *jvmti = m->jvmti;
    jint n = 0;
    jmethodID *ids = NULL;
    if ((*jvmti)->GetClassMethods(jvmti, klass, &n, &ids) != JVMTI_ERROR_NONE) return;
    for (jint i = 0; i < n; i++) number_in(m, jni, ids[i], klass, since);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)ids);
}

void pf_methods_renew(struct pf_methods *m) {
    pthread_mutex_lock(&m->lock);
    m->generation++;
    pthread_mutex_unlock(&m->lock);
}

void pf_methods_class_freed(struct pf_methods *m, uint64_t class_number) {
    pthread_mutex_lock(&m->lock);
    m->epoch++;
    if (m->freed_used == m->freed_room) {
        const size_t room = m->freed_room ? m->freed_room * 2 : 256;
        uint64_t *freed = realloc(m->freed, room * sizeof *freed);
        if (freed != NULL) m->freed = freed, m->freed_room = room;
    }
    /* Out of memory: the entries stay, wrong for no one (see methods.h). */
    if (m->freed_used < m->freed_room) m->freed[m->freed_used++] = class_number;
    pthread_mutex_unlock(&m->lock);
}

static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool not_freed(const struct pf_methods *m, const struct pf_method_entry *e) {
    return bsearch(&e->class_number, m->freed, m->freed_used, sizeof *m->freed, by_number) == NULL;
}

void pf_methods_sweep(struct pf_methods *m) {
    pthread_mutex_lock(&m->lock);
    if (m->freed_used > 0) {
        qsort(m->freed, m->freed_used, sizeof *m->freed, by_number);
        if (rebuild(m, m->room, not_freed)) m->freed_used = 0;
    }
    pthread_mutex_unlock(&m->lock);
}
