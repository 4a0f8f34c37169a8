/* The record ring: wrapping, acknowledging, refusing, and concurrent writers beside a reader. */
#include "../records.h"

#include <unistd.h>

#include "check.h"
#include "ring.h"

static struct pf_log log_;
static struct pf_records records;
static _Atomic uint64_t ack;

static void open_ring(uint64_t ring_bytes) {
    struct pf_why why;
    const struct pf_shape shape = {WIRE_HEADER_BYTES + 128 + 8 * 128 + ring_bytes, 1, 8};
    atomic_store(&ack, 0);
    CHECK(pf_log_create(&log_, &shape, &why));
    CHECK(pf_records_init(&records, &log_, &ack, &why));
    CHECK_EQ(log_.header->records_bytes, ring_bytes);
}

static enum pf_appended append(size_t n, uint8_t fill) {
    uint8_t payload[8192];
    memset(payload, fill, sizeof payload);
    return pf_records_append(&records, WIRE_STUB, 77, payload, n);
}

static void test_empty_and_first(void) {
    open_ring(8192);
    struct ring_record r;
    uint64_t at = 0;
    CHECK_EQ(ring_next(&log_, &at, &r), 0);
    CHECK(append(5, 9) == PF_WRITTEN);
    CHECK_EQ(ring_next(&log_, &at, &r), 1);
    CHECK_EQ(r.header.length, 40);
    CHECK_EQ(r.header.payload_bytes, 5);
    CHECK_EQ(r.header.time_ns, 77);
    CHECK_EQ(r.header.version, 1);
    CHECK_EQ(r.payload[4], 9);
    CHECK_EQ(at, 40);
    pf_log_destroy(&log_);
}

/* Without a reader the first records stay and the later ones are dropped, counted in number and
 * bytes. */
static void test_full_without_reader(void) {
    open_ring(8192);
    int written = 0;
    while (append(968, 1) == PF_WRITTEN) written++; /* 1000 bytes each */
    CHECK_EQ(written, 8);
    CHECK_EQ(atomic_load(&log_.header->dropped_records), 1);
    CHECK_EQ(atomic_load(&log_.header->dropped_record_bytes), 1000);
    CHECK_EQ(atomic_load(&log_.header->records_tail), 0);
    CHECK(append(100, 2) == PF_WRITTEN); /* a small one still fits behind */
    CHECK(!pf_records_has_room(&records, 100));
    pf_log_destroy(&log_);
}

static void test_too_large(void) {
    open_ring(8192);
    CHECK(append(4096 - 64, 1) == PF_WRITTEN); /* half of the ring, with headers */
    CHECK(append(4096 - 63, 1) == PF_DROPPED);
    CHECK_EQ(atomic_load(&log_.header->dropped_records), 1);
    pf_log_destroy(&log_);
}

/* A rest of 8, 16 or 24 bytes at the end of the ring cannot hold a header: the record before covers
 * it. */
static void test_no_rest_too_small(void) {
    for (size_t rest = 0; rest < 32; rest += 8) {
        open_ring(8192);
        for (int i = 0; i < 3; i++) CHECK(append(2000 - 32, 1) == PF_WRITTEN); /* 6000 */
        CHECK(append(2192 - rest - 32, 2) == PF_WRITTEN);
        CHECK_EQ(atomic_load(&log_.header->records_committed), 8192);
        struct ring_record r;
        uint64_t at = 6000;
        CHECK_EQ(ring_next(&log_, &at, &r), 1);
        CHECK_EQ(r.header.length, 2192);
        CHECK_EQ(r.header.payload_bytes, 2192 - rest - 32);
        pf_log_destroy(&log_);
    }
}

/* An acknowledgement is a stranger's word: beyond the end, in the middle of a record, or going
 * back. */
static void test_ack_garbage(void) {
    open_ring(8192);
    for (int i = 0; i < 8; i++) CHECK(append(968, (uint8_t)i) == PF_WRITTEN);
    atomic_store(&ack, 1500); /* in the middle of the second record: only the first can go */
    CHECK(append(968, 8) == PF_WRITTEN);
    CHECK_EQ(atomic_load(&log_.header->records_tail), 1000);
    CHECK(append(968, 9) == PF_DROPPED);
    atomic_store(&ack, 0); /* back */
    CHECK(append(968, 9) == PF_DROPPED);
    CHECK_EQ(atomic_load(&log_.header->records_tail), 1000);
    atomic_store(&ack, ~0ull); /* beyond the end: everything committed */
    CHECK(append(968, 9) == PF_WRITTEN);
    uint64_t at = atomic_load(&log_.header->records_tail), seen = 0;
    struct ring_record r;
    while (ring_next(&log_, &at, &r) == 1) seen++;
    CHECK_EQ(at, atomic_load(&log_.header->records_committed));
    CHECK(seen >= 7);
    pf_log_destroy(&log_);
}

/* Random sizes, a reader that follows and acknowledges: nothing is lost, and every record is where
 * it says. */
static void test_wraps(void) {
    open_ring(10240);
    uint64_t seed = 42, at = 0, sent = 0, got = 0;
    struct ring_record r;
    for (int i = 0; i < 20000; i++) {
        const size_t n = next_random(&seed) % 3000;
        if (append(n, (uint8_t)n) == PF_WRITTEN) sent++;
        if (next_random(&seed) % 2 == 0) continue;
        int how;
        while ((how = ring_next(&log_, &at, &r)) == 1) {
            if (r.header.type == WIRE_PAD) continue;
            got++;
            CHECK(r.header.payload_bytes == 0 || r.payload[r.header.payload_bytes - 1] == (uint8_t)r.header.payload_bytes);
        }
        CHECK_EQ(how, 0);
        atomic_store(&ack, at);
    }
    while (ring_next(&log_, &at, &r) == 1) got += r.header.type != WIRE_PAD;
    CHECK_EQ(got, sent);
    CHECK_EQ(sent + atomic_load(&log_.header->dropped_records), 20000);
    pf_log_destroy(&log_);
}

static _Atomic int writing;

static void *write_many(void *unused) {
    (void)unused;
    for (int i = 0; i < 5000; i++) {
        if (i % 3 == 0)
            pf_records_try_append(&records, WIRE_STUB, 1, "0123456789", 10);
        else
            append((size_t)(i % 700), (uint8_t)(i % 700));
    }
    atomic_fetch_sub(&writing, 1);
    return NULL;
}


static void test_concurrent(void) {
    open_ring(16384);
    pthread_t writers[3];
    atomic_store(&writing, 3);
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&writers[i], NULL, write_many, NULL) == 0);
    uint64_t at = 0, last = 0, bad = 0, got = 0;
    struct ring_record r;
    while (atomic_load(&writing) > 0 || at < atomic_load(&log_.header->records_committed)) {
        const int how = ring_next(&log_, &at, &r);
        bad += how < 0 || at < last;
        if (how < 0) break;
        got += how == 1 && r.header.type != WIRE_PAD;
        last = at;
        atomic_store(&ack, at);
    }
    for (int i = 0; i < 3; i++) pthread_join(writers[i], NULL);
    CHECK_EQ(bad, 0);
    CHECK(got > 0);
    CHECK(got + atomic_load(&log_.header->dropped_records) <= 3 * 5000); /* nothing twice */
    pf_log_destroy(&log_);
}

int main(void) {
    test_empty_and_first();
    test_full_without_reader();
    test_too_large();
    test_no_rest_too_small();
    test_ack_garbage();
    test_wraps();
    test_concurrent();
    return check_result(__FILE__);
}
