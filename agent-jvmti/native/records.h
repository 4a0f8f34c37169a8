/* The ring of length-prefixed records (FORMAT.md, "Records"). Background threads only: appending
 * takes a mutex. */
#ifndef PF_RECORDS_H
#define PF_RECORDS_H

#include <pthread.h>
#include <stdbool.h>

#include "log.h"

struct pf_records {
    struct pf_log *log;
    const _Atomic uint64_t *ack; /* the reader's word in the control page; nothing in it is believed before it is clamped */
    pthread_mutex_t lock;
    uint64_t committed; /* our own copies: the header is for others to read */
    uint64_t tail;
};

enum pf_appended {
    PF_WRITTEN,
    PF_DROPPED, /* no room, or larger than a record may be; counted in the header */
    PF_BUSY,    /* pf_records_try_append only: another thread is writing; not counted */
};

/* ack may be NULL: then nothing is ever recycled. */
bool pf_records_init(struct pf_records *records, struct pf_log *log, const _Atomic uint64_t *ack, struct pf_why *why);

/* Appends one record. May wait for another writer, never for a reader. now is its CLOCK_MONOTONIC
 * time. */
enum pf_appended pf_records_append(struct pf_records *records, enum wire_record_type type, uint64_t now, const void *payload,
                                   size_t bytes);

/* The same, but gives up at once when another thread is writing: for threads that must not wait. */
enum pf_appended pf_records_try_append(struct pf_records *records, enum wire_record_type type, uint64_t now, const void *payload,
                                       size_t bytes);

/* Counts a record that was given up before it reached the ring (out of memory, side queue full). */
void pf_records_count_drop(struct pf_records *records, size_t bytes);

/* True when a record with that payload would find room now; background threads ask it before they
 * wait for a reader. */
bool pf_records_has_room(struct pf_records *records, size_t bytes);

#endif
