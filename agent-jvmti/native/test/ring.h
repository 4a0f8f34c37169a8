/* A reader of the record ring for tests, as suspicious as a real one: copies a record, then asks
 * whether it has been overtaken. */
#ifndef PF_TEST_RING_H
#define PF_TEST_RING_H

#include <stdbool.h>
#include <stdlib.h>

#include "../crc32c.h"
#include "../log.h"

struct ring_record {
    struct wire_record header;
    uint8_t payload[8192];
};

/* 1: a whole record was copied and *at moved behind it; 0: nothing more is committed; -1:
 * overtaken, *at is the tail now; -2: what stands there is no record. */
static inline int ring_next(const struct pf_log *log, uint64_t *at, struct ring_record *record) {
    const struct wire_header *h = log->header;
    if (*at >= atomic_load_explicit(&h->records_committed, memory_order_acquire)) return 0;
    const uint8_t *from = log->records + *at % h->records_bytes;
    const uint64_t rest = h->records_bytes - *at % h->records_bytes;
    memcpy(&record->header, from, sizeof record->header);
    const uint32_t n = record->header.payload_bytes;
    const bool fits = n <= sizeof record->payload && sizeof record->header + n <= record->header.length && record->header.length <= rest;
    if (fits) memcpy(record->payload, from + sizeof record->header, n);
    atomic_thread_fence(memory_order_acquire);
    const uint64_t tail = atomic_load_explicit(&h->records_tail, memory_order_acquire);
    if (*at < tail) {
        *at = tail;
        return -1;
    }
    if (!fits || record->header.offset != *at || record->header.length % 8 != 0 || record->header.crc32c != pf_crc32c(record->payload, n))
        return -2;
    *at += record->header.length;
    return 1;
}

/* xorshift64: the same sequence in every run. */
static inline uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

#endif
