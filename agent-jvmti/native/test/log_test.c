/* Tests a header that another process of the same user has overwritten, which is possible before
 * Linux 5.1. Whatever the header holds, the agent writes only within its own memory, and continues
 * where it stopped. */
#include "../log.h"

#include <sys/mman.h>

#include "../events.h"
#include "../records.h"
#include "../threads.h"
#include "check.h"
#include "ring.h"

enum { TOTAL = 1 << 20, SLOTS = 4, EVENTS = 8 };

static const struct pf_settings off = {0};

static void write_a_lot(struct pf_log *log, struct pf_records *records, struct pf_threads *threads, _Atomic uint64_t *ack) {
    static const uint8_t payload[3000] = {3, 5, 7};
    for (uint64_t i = 0; i < 1000; i++) {
        const struct wire_event event = {.kind = WIRE_TASK_START, .tid = 11, .task_attempt_id = i};
        pf_events_append(log, &event);
        pf_records_append(records, WIRE_APPLICATION, i, payload, i * 7 % sizeof payload);
        atomic_store(ack, records->committed);
        struct pf_slot *slot = pf_slot_take(threads, 13, i % 2 ? WIRE_THREAD_TASK : 0, "scribbled", i);
        if (slot != NULL) pf_slot_end(threads, slot, i);
        pf_threads_keep(threads, &off, i + 10000000000);
    }
}

/* The header holds one value everywhere; what is reached must be the log, whose end is guarded. */
static void test_scribbled(uint8_t with) {
    struct pf_log log;
    struct pf_records records;
    struct pf_threads threads;
    struct pf_why why;
    _Atomic uint64_t ack = 0;
    CHECK(pf_log_create(&log, &(struct pf_shape){TOTAL, SLOTS, EVENTS}, &why));
    CHECK(pf_records_init(&records, &log, &ack, &why) && pf_threads_init(&threads, &log, &why));
    memset((uint8_t *)log.header, with, sizeof *log.header);
    write_a_lot(&log, &records, &threads, &ack);
    CHECK(records.committed > 1 << 20 && records.tail < records.committed && records.committed - records.tail <= log.records_bytes);
    CHECK_EQ(log.records_bytes, TOTAL - WIRE_HEADER_BYTES - SLOTS * 128 - EVENTS * 128);
    CHECK_EQ(atomic_load(&threads.used), 0);
    /* A reader with a good header of its own still finds whole records. */
    log.header->records_bytes = log.records_bytes;
    atomic_store(&log.header->records_tail, records.tail);
    atomic_store(&log.header->records_committed, records.committed);
    uint64_t at = records.tail;
    int found = 0, how;
    static struct ring_record record;
    while ((how = ring_next(&log, &at, &record)) == 1) found++;
    CHECK(how == 0 && found > 10);
    pf_threads_destroy(&threads);
    pf_log_destroy(&log);
}

static void keeps(struct pf_log *log, const char *json, const char *want, uint32_t flags) {
    const uint32_t before = atomic_load(&log->header->application_seq);
    pf_log_application(log, json, strlen(json));
    CHECK_EQ(atomic_load(&log->header->application_seq), before + 2);
    CHECK_EQ(log->header->application_bytes, strlen(want));
    CHECK(memcmp(log->header->application, want, strlen(want)) == 0);
    CHECK_EQ(log->header->application_flags, flags);
}

/* Text that does not fit loses its last members, wherever commas, braces and quotes stand within
 * the others. */
static void test_application(void) {
    enum { ROOM = WIRE_APPLICATION_MAX_BYTES };
    struct pf_log log;
    struct pf_why why;
    CHECK(pf_log_create(&log, &(struct pf_shape){TOTAL, SLOTS, EVENTS}, &why));
    const char *head = "{\"application_id\":\"app-1\",\"application_name\":\"a, \\\"b\\\" } ]\"";
    const char *kept = "{\"application_id\":\"app-1\",\"application_name\":\"a, \\\"b\\\" } ]\"}";
    char json[2 * ROOM + 1], fits[ROOM + 1];
    const int n = snprintf(json, sizeof json, "%s,\"labels\":{\"team\":\"x\",\"long\":\"", head);
    memset(json + n, 'y', sizeof json - 1 - (size_t)n);
    json[sizeof json - 1] = 0;
    keeps(&log, kept, kept, 0);
    keeps(&log, json, kept, WIRE_APPLICATION_CUT);
    keeps(&log, "{}", "{}", 0);
    memset(json + 1, 'y', sizeof json - 2); /* no member fits, and it is no JSON either */
    keeps(&log, json, "", WIRE_APPLICATION_CUT);
    memset(json, '}', sizeof json - 1);
    keeps(&log, json, "", WIRE_APPLICATION_CUT);
    memset(fits, '\\', ROOM);
    fits[0] = '{', fits[1] = '"', fits[ROOM] = 0;
    keeps(&log, fits, fits, 0);
    keeps(&log, "", "", 0);
    atomic_store(&log.header->application_seq, 7); /* overwritten by another process */
    pf_log_application(&log, "{}", 2);
    CHECK_EQ(atomic_load(&log.header->application_seq), 8);
    pf_log_destroy(&log);
}

int main(void) {
    test_application();
    const uint8_t table[] = {0x00, 0x01, 0x7f, 0xff};
    for (size_t i = 0; i < sizeof table; i++) test_scribbled(table[i]);
    return check_result(__FILE__);
}
