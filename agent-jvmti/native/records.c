#include "records.h"

#include <errno.h>
#include <string.h>

#include "crc32c.h"

bool pf_records_init(struct pf_records *records, struct pf_log *log, const _Atomic uint64_t *ack, struct pf_why *why) {
    *records = (struct pf_records){.log = log, .ack = ack};
    const int failed = pthread_mutex_init(&records->lock, NULL);
    if (failed != 0) return pf_because(why, "mutex of the record ring: %s", strerror(failed));
    return true;
}

static uint64_t ring_bytes(const struct pf_records *r) { return r->log->records_bytes; }

static uint64_t round_up8(uint64_t n) { return (n + 7) & ~7ull; }

static struct wire_record *at(const struct pf_records *r, uint64_t offset) {
    return (struct wire_record *)(r->log->records + offset % ring_bytes(r));
}

/* Moves the tail over whole records that the reader has acknowledged until `need` bytes are free or
 * no more can be had. The tail is stored before any of the freed bytes is overwritten: a reader
 * that copies a record and then finds the tail behind it is sure. */
static bool make_room(struct pf_records *r, uint64_t need) {
    const uint64_t ring = ring_bytes(r);
    uint64_t tail = r->tail;
    if (r->committed + need - tail <= ring) return true;
    uint64_t ack = r->ack ? atomic_load_explicit(r->ack, memory_order_acquire) : 0;
    if (ack > r->committed) ack = r->committed;
    while (tail < ack && r->committed + need - tail > ring) {
        const uint64_t length = at(r, tail)->length;
        if (length < WIRE_RECORD_HEADER_BYTES || length % 8 != 0 || length > r->committed - tail) return false;
        if (tail + length > ack) break;
        tail += length;
    }
    if (tail != r->tail) {
        r->tail = tail;
        atomic_store_explicit(&r->log->header->records_tail, tail, memory_order_release);
        atomic_thread_fence(memory_order_seq_cst);
    }
    return r->committed + need - tail <= ring;
}

static void put(struct pf_records *r, uint64_t offset, struct wire_record header, const void *payload) {
    struct wire_record *into = at(r, offset);
    header.version = 1;
    header.offset = offset;
    header.crc32c = pf_crc32c(payload, header.payload_bytes);
    *into = header;
    if (header.payload_bytes > 0) memcpy(into + 1, payload, header.payload_bytes);
    memset((uint8_t *)(into + 1) + header.payload_bytes, 0, header.length - WIRE_RECORD_HEADER_BYTES - header.payload_bytes);
}

/* Room that a record takes at the present end of the ring. It includes a PAD before the record if
 * the record would wrap. The record is stretched over a rest of the ring that is too small for a
 * record header. */
struct fit {
    uint64_t pad;
    uint64_t length;
};

static struct fit fit_of(const struct pf_records *r, size_t bytes) {
    const uint64_t ring = ring_bytes(r);
    const uint64_t rest = ring - r->committed % ring;
    struct fit fit = {.length = WIRE_RECORD_HEADER_BYTES + round_up8(bytes)};
    if (fit.length > rest) fit.pad = rest;
    const uint64_t behind = (fit.pad ? ring : rest) - fit.length;
    if (behind < WIRE_RECORD_HEADER_BYTES) fit.length += behind;
    return fit;
}

static bool too_large(const struct pf_records *r, size_t bytes) {
    const uint64_t most = ring_bytes(r) / 2 < WIRE_RECORD_MAX_BYTES ? ring_bytes(r) / 2 : WIRE_RECORD_MAX_BYTES;
    return bytes > most - 2 * WIRE_RECORD_HEADER_BYTES;
}

static enum pf_appended append_locked(struct pf_records *r, enum wire_record_type type, uint64_t now, const void *payload,
                                      size_t bytes) {
    const struct fit fit = fit_of(r, bytes);
    if (too_large(r, bytes) || !make_room(r, fit.pad + fit.length)) {
        pf_records_count_drop(r, bytes);
        return PF_DROPPED;
    }
    if (fit.pad > 0) put(r, r->committed, (struct wire_record){.length = (uint32_t)fit.pad, .type = WIRE_PAD, .time_ns = now}, NULL);
    put(r, r->committed + fit.pad,
        (struct wire_record){
            .length = (uint32_t)fit.length, .type = (uint16_t)type, .time_ns = now, .payload_bytes = (uint32_t)bytes},
        payload);
    r->committed += fit.pad + fit.length;
    atomic_store_explicit(&r->log->header->records_committed, r->committed, memory_order_release);
    return PF_WRITTEN;
}

enum pf_appended pf_records_append(struct pf_records *records, enum wire_record_type type, uint64_t now, const void *payload,
                                   size_t bytes) {
    pthread_mutex_lock(&records->lock);
    const enum pf_appended how = append_locked(records, type, now, payload, bytes);
    pthread_mutex_unlock(&records->lock);
    return how;
}

enum pf_appended pf_records_try_append(struct pf_records *records, enum wire_record_type type, uint64_t now, const void *payload,
                                       size_t bytes) {
    if (pthread_mutex_trylock(&records->lock) != 0) return PF_BUSY;
    const enum pf_appended how = append_locked(records, type, now, payload, bytes);
    pthread_mutex_unlock(&records->lock);
    return how;
}

void pf_records_count_drop(struct pf_records *records, size_t bytes) {
    struct wire_header *h = records->log->header;
    atomic_fetch_add_explicit(&h->dropped_records, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&h->dropped_record_bytes, WIRE_RECORD_HEADER_BYTES + round_up8(bytes), memory_order_relaxed);
}

bool pf_records_has_room(struct pf_records *records, size_t bytes) {
    pthread_mutex_lock(&records->lock);
    const struct fit fit = fit_of(records, bytes);
    const bool room = too_large(records, bytes) || make_room(records, fit.pad + fit.length);
    pthread_mutex_unlock(&records->lock);
    return room;
}
