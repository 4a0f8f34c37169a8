/*
 * Writes, or compares byte by byte, the golden files that the Go reader's tests read:
 * agent-jvmti/testdata/log-v1.bin and control-v1.bin. Every value is a literal here and, by hand,
 * in testdata/README.md.
 *
 *   golden_test DIR          compares
 *   golden_test DIR -update  rewrites
 */
#include <stdlib.h>

#include "../control.h"
#include "../events.h"
#include "../payload.h"
#include "../records.h"
#include "../threads.h"
#include "check.h"

#define GENERATED "org/apache/spark/sql/catalyst/expressions/GeneratedClass$GeneratedIteratorForCodegenStage1"

static struct pf_log log_;
static struct pf_records records;
static struct pf_control control;
static uint64_t clock_ns = 5000000000;

static void append(enum wire_record_type type, struct pf_buffer *payload) {
    CHECK(!payload->failed);
    CHECK(pf_records_append(&records, type, clock_ns, payload->bytes, payload->used) == PF_WRITTEN);
    clock_ns += 1000;
    pf_buffer_free(payload);
}

static struct pf_text text(const char *bytes) { return (struct pf_text){bytes, strlen(bytes)}; }

static void filler(const char *class_name, size_t n) {
    char *body = malloc(n);
    for (size_t i = 0; i < n; i++) body[i] = (char)('a' + i % 26);
    struct pf_buffer b = {0};
    pf_payload_source(&b, 901, text(class_name), (struct pf_text){body, n}, text("{}"));
    append(WIRE_SOURCE, &b);
    free(body);
}

static void write_header(void) {
    struct wire_header *h = log_.header;
    h->pid = 4711;
    h->jdk_feature = 17;
    h->start_ns = 1000000001;
    h->process_start_ticks = 222333;
    h->flags = WIRE_PRESERVE_FRAME_POINTER | WIRE_LOADED_AT_START;
    strcpy(h->jdk_version, "17.0.15+6-golden");
    h->perf_sample_type = 0x3127;
    h->perf_regs_mask = 0xff01ff;
    atomic_store(&h->heartbeat_ns, 9000000009);
    atomic_store(&h->state, WIRE_LIVE);
    atomic_store(&h->replay_generation, 2);
    atomic_store(&h->dropped_records, 3);
    atomic_store(&h->dropped_record_bytes, 232);
    atomic_store(&h->dropped_threads, 5);
    atomic_store(&h->dropped_sources, 31);
    atomic_store(&h->dropped_dictionaries, 37);
    atomic_store(&h->perf_open_failures, 41);
    atomic_store(&h->perf_last_errno, 13);
    atomic_store(&h->control_rejections, 43);
    atomic_store(&h->agent_cpu_ns, 47000047);
    atomic_store(&h->dropped_rows, 53);
    for (int i = 0; i < 2; i++) pf_log_application(&log_, "{\"application_id\":\"app-2\",\"application_name\":\"of 1.4\"}", 54);
    h->application_flags = WIRE_APPLICATION_CUT;
}

static void write_threads(void) {
    struct wire_thread *slots = log_.threads;
    slots[0] = (struct wire_thread){.tid = 4801,
                                    .start_ns = 2000000002,
                                    .flags = WIRE_THREAD_TASK,
                                    .perf_fd = 61,
                                    .perf_detail_fd = 62,
                                    .ring_pages = 64,
                                    .perf_errno = 0,
                                    .perf_opens = 2,
                                    .base_period_ns = 10000000,
                                    .detail_period_ns = 1000000,
                                    .cpu_ns_at_open = 303030303,
                                    .name = "Executor task launch worker-3"};
    atomic_store(&slots[0].seq, 4);
    atomic_store(&slots[1].seq, 6); /* used once, free now */
    slots[1].perf_fd = slots[1].perf_detail_fd = -1;
    slots[2] = (struct wire_thread){.tid = 4803, .start_ns = 2000000004, .perf_fd = -1, .perf_detail_fd = -1, .name = "torn"};
    atomic_store(&slots[2].seq, 7); /* for ever being written */
    slots[3] = (struct wire_thread){.tid = 4804,
                                    .start_ns = 2000000005,
                                    .flags = WIRE_THREAD_TASK | WIRE_THREAD_INTERNAL | WIRE_THREAD_ENDED,
                                    .perf_fd = -1,
                                    .perf_detail_fd = -1,
                                    .perf_errno = 13,
                                    /* 63 bytes: the longest name, "Täsk-" and 57 × 'x' */
                                    .name = "T\xc3\xa4sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"};
    atomic_store(&slots[3].seq, 2);
    atomic_store(&log_.header->threads_high_water, 4);
}

/* Event n: every field n plus a constant of its own, so that no two fields are alike. */
static void write_events(void) {
    for (uint64_t n = 0; n < 17; n++) {
        const struct wire_event e = {
            .time_ns = 3000000000 + n,
            .kind = n % 2 == 0 ? WIRE_TASK_START : WIRE_TASK_END,
            .tid = 4800 + (uint32_t)n,
            .task_attempt_id = 100 + n,
            .stage_id = 200 + (uint32_t)n,
            .stage_attempt = 300 + (uint32_t)n,
            .partition = 400 + (uint32_t)n,
            .partitions = 500 + (uint32_t)n,
            .execution_id = n == 16 ? -1 : (int64_t)(600 + n),
            .thread_cpu_ns = 700000 + n,
            .user_ns = 800000 + n,
            .system_ns = 900000 + n,
            .flags = (uint32_t)n % 4,
            .attempt_number = 1000 + (uint32_t)n,
            .inclusion_probability = (double)(n + 1) / 32,
            .executor_cpu_ns = 1100000 + n,
            .executor_deserialize_cpu_ns = 1200000 + n,
            .gc_ms = 1300 + n,
        };
        pf_events_append(&log_, &e);
    }
    atomic_store(&log_.events[5].seq, 0); /* event 5 is for ever being written */
}

static void write_method_and_code(void) {
    struct pf_buffer b = {0};
    const struct pf_line lines[] = {{0, 31}, {7, 33}, {19, 32}};
    pf_payload_method(&b, &(struct pf_method_text){.number = 11,
                                                   .loader = 21,
                                                   .method_ptr = 0x7f00aabbccd0,
                                                   .flags = WIRE_METHOD_LINES | WIRE_METHOD_GENERATED,
                                                   .signature = "L" GENERATED ";",
                                                   .name = "processNext",
                                                   .descriptor = "()V",
                                                   .source_file = "generated.java",
                                                   .lines = lines,
                                                   .line_count = 3});
    append(WIRE_METHOD, &b);
    pf_payload_method(&b, &(struct pf_method_text){.number = 12,
                                                   .flags = WIRE_METHOD_NATIVE,
                                                   .signature = "Ljava/lang/invoke/LambdaForm$MH.0x0000000800c1;",
                                                   .name = "a\xc0\x80z\xed\xa0\xbd\xed\xb8\x80",
                                                   .descriptor = "(Ljava/lang/Object;)I"});
    append(WIRE_METHOD, &b);
    const struct pf_code_region regions[] = {{8, 0, 1}, {40, 1, 2}, {100, 0, 1}};
    const struct pf_code_frame frames[] = {{11, -1}, {12, 3}, {11, 17}};
    const struct pf_proof proofs[] = {{14, 100}, {26, 40}};
    pf_payload_code_load(&b, &(struct pf_code_text){.address = 0x7f1122334400,
                                                    .size = 128,
                                                    .compile_level = 4,
                                                    .method = 11,
                                                    .frame_bytes = 96,
                                                    .frame_complete = 12,
                                                    .compile_id = 1234,
                                                    .flags = WIRE_CODE_REPLAYED | WIRE_CODE_INLINES,
                                                    .regions = regions,
                                                    .region_count = 3,
                                                    .frames = frames,
                                                    .frame_count = 3,
                                                    .proofs = proofs,
                                                    .proof_count = 2});
    append(WIRE_CODE_LOAD, &b);
    pf_payload_code_load(&b, &(struct pf_code_text){.address = 0x7f1122335500,
                                                    .size = 64,
                                                    .method = 12,
                                                    .frame_complete = WIRE_FRAME_COMPLETE_UNKNOWN});
    append(WIRE_CODE_LOAD, &b);
}

static void write_rest(void) {
    struct pf_buffer b = {0};
    pf_payload_code_unload(&b, 0x7f1122334400, 11);
    append(WIRE_CODE_UNLOAD, &b);
    pf_payload_stub(&b, 0x7f1122000000, 77824, "Interpreter");
    append(WIRE_STUB, &b);
    pf_payload_source(&b, 21, text("org.apache.spark.sql.catalyst.expressions.GeneratedClass"), text("/* 001 */ public Object generate()\n"),
                      text("{\"project_c_0\":\"PRODUCE: Project\"}"));
    append(WIRE_SOURCE, &b);
    pf_payload_stage(&b, 51, 52, 53, (const int64_t[]){54, -55, 5600000000}, 3);
    append(WIRE_STAGE, &b);
    pf_payload_json(&b, text("{\"application_id\":\"app-1\"}"));
    append(WIRE_APPLICATION, &b);
    pf_payload_replay(&b, 61);
    append(WIRE_REPLAY_BEGIN, &b);
    pf_payload_replay(&b, 62);
    append(WIRE_REPLAY_END, &b);
    pf_payload_json(&b, text("{\"offsets\":{\"CodeBlob._frame_size\":56}}"));
    append(WIRE_VM_LAYOUT, &b);
    pf_payload_code_heap(&b, 0x7f1122000000, 0x7f1130000000, "CodeHeap 'profiled nmethods'");
    append(WIRE_CODE_HEAP, &b);
    pf_payload_rows(&b, &(struct pf_rows_text){.stage_id = 81,
                                               .stage_attempt = 82,
                                               .execution_id = 83,
                                               .tasks = 84,
                                               .accumulated = (const int64_t[]){-85, 86, 8700000000, -88},
                                               .n = 2});
    append(WIRE_ROWS, &b);
    pf_payload_execution_end(&b, 91, WIRE_EXECUTION_FAILED, 1795305600000000092);
    append(WIRE_EXECUTION_END, &b);
    pf_payload_json(&b, text("{\"version\":1,\"kind\":\"stage\"}"));
    append(WIRE_TIMES, &b);
    pf_payload_stage_info(&b, 93, text("{\"version\":1}"));
    append(WIRE_STAGE_INFO, &b);
    pf_payload_json(&b, text("{\"version\":1,\"kind\":\"dwell\"}"));
    append(WIRE_DWELL, &b);
    pf_put_bytes(&b, "of a later minor version", 24);
    append((enum wire_record_type)99, &b);
}

static void write_records(void) {
    filler("A", 11000); /* virtual 0 … 11056, recycled when the ring wraps */
    filler("BB", 12000); /* virtual 11056 … 23112, acknowledged but not recycled: the tail */
    atomic_store(&control.page->records_ack, 23112);
    write_method_and_code();
    char json[3001];
    memset(json, ' ', 3000);
    json[0] = '{', json[2999] = '}', json[3000] = 0;
    struct pf_buffer b = {0};
    pf_payload_dictionary(&b, 71, 72, text(json)); /* does not fit before the end: a PAD, and it stands at virtual 25600 */
    append(WIRE_DICTIONARY, &b);
    CHECK_EQ(atomic_load(&log_.header->records_tail), 11056);
    write_rest();
}

static void write_control(void) {
    struct wire_control *c = control.page;
    atomic_store(&c->lease_owner, 0x1122334455667788);
    atomic_store(&c->lease_heartbeat_ns, 8000000008);
    c->lease_pid = 6001;
    c->lease_rank = 0x11223346; /* owner's upper half, rank 2 */
    atomic_store(&c->seq, 10);
    atomic_store(&c->enabled, 1);
    atomic_store(&c->mode, 2);
    atomic_store(&c->stack_bytes, 8192);
    atomic_store(&c->base_period_ns, 10000000);
    atomic_store(&c->detail_period_ns, 1000000);
    atomic_store(&c->ring_pages, 64);
    const double probability = 0.125;
    uint64_t bits;
    memcpy(&bits, &probability, sizeof bits);
    atomic_store(&c->inclusion_probability, bits);
    atomic_store(&c->seed, 0x99aabbccddeeff00);
    atomic_store(&c->replay_request, 7);
    atomic_store(&c->min_tasks_per_stage, 11);
    atomic_store(&c->promoted_count, 2);
    atomic_store(&c->promoted[0], 7000000019);
    atomic_store(&c->promoted[1], 23);
    const struct pf_control_view view = pf_control_read(&control, 8000000009);
    CHECK(view.leased && !view.rejected && view.settings.inclusion_probability == 0.125 && view.replay_request == 7);
    CHECK(view.settings.min_tasks_per_stage == 11 && view.promoted->count == 2 && view.promoted->tasks[0] == 7000000019);
}

static void settle(const char *folder, const char *name, const void *bytes, size_t n, int update) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, update ? "wb" : "rb");
    CHECK(f != NULL);
    if (f == NULL) return;
    if (update) {
        CHECK_EQ(fwrite(bytes, 1, n, f), n);
    } else {
        char *old = malloc(n + 1);
        CHECK_EQ(fread(old, 1, n + 1, f), n);
        for (size_t i = 0; i < n; i++) {
            if (old[i] == ((const char *)bytes)[i]) continue;
            fprintf(stderr, "%s differs at offset %zu; `make golden` rewrites it\n", path, i);
            CHECK(!"equal");
            break;
        }
        free(old);
    }
    fclose(f);
}

int main(int argc, char **argv) {
    if (argc < 2) return fprintf(stderr, "usage: golden_test DIR [-update]\n"), 2;
    const int update = argc > 2 && strcmp(argv[2], "-update") == 0;
    struct pf_why why;
    if (!pf_control_create(&control, &why) || !pf_log_create(&log_, &(struct pf_shape){32768, 8, 16}, &why) ||
        !pf_records_init(&records, &log_, &control.page->records_ack, &why))
        return fprintf(stderr, "%s\n", why.text), 1;
    write_header();
    write_threads();
    write_events();
    write_records();
    write_control();
    pf_log_publish(&log_);
    settle(argv[1], "log-v1.bin", log_.base, 32768, update);
    settle(argv[1], "control-v1.bin", control.page, WIRE_CONTROL_BYTES, update);
    pf_log_destroy(&log_);
    pf_control_destroy(&control);
    return check_result(__FILE__);
}
