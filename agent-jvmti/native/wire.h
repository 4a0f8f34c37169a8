/*
 * The bytes that the agent shares with its reader, exactly as agent-jvmti/FORMAT.md draws them:
 * little endian, naturally aligned. Change nothing here without FORMAT.md, the golden files and
 * sampler/jvmlog. Fields that a reader may load while they are stored are _Atomic; everything else
 * is covered by a sequence number or written before the magic.
 */
#ifndef PF_WIRE_H
#define PF_WIRE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "FORMAT.md is little endian"
#endif

#define WIRE_LOG_NAME "planflame-log"         /* memfd names: /proc/PID/maps shows "/memfd:planflame-log (deleted)" */
#define WIRE_CONTROL_NAME "planflame-control"
#define WIRE_LOG_MAGIC 0x474f4c4d4c464c50ull     /* "PLFLMLOG" */
#define WIRE_CONTROL_MAGIC 0x4c54434d4c464c50ull /* "PLFLMCTL" */

enum {
    WIRE_MAJOR = 1,
    WIRE_MINOR = 8,
    WIRE_HEADER_BYTES = 4096,
    WIRE_CONTROL_BYTES = 4096,
    WIRE_RECORD_HEADER_BYTES = 32,
    WIRE_RECORD_MAX_BYTES = 4 << 20,
    WIRE_PROMOTED_MAX = 64,
    WIRE_APPLICATION_MAX_BYTES = 3312,
};

enum wire_state { WIRE_STARTING = 0, WIRE_LIVE = 1, WIRE_OFF = 2 };

enum wire_header_flag {
    WIRE_PRESERVE_FRAME_POINTER = 1 << 0,
    WIRE_DEBUG_NON_SAFEPOINTS = 1 << 1,
    WIRE_LOADED_AT_START = 1 << 2,
};

struct wire_header {
    _Atomic uint64_t magic;
    uint16_t major;
    uint16_t minor;
    uint32_t header_bytes;
    uint64_t total_bytes;
    uint32_t pid;
    uint32_t jdk_feature;
    uint64_t start_ns;
    uint64_t process_start_ticks;
    _Atomic uint64_t heartbeat_ns;
    _Atomic uint32_t state;
    uint32_t flags;
    char jdk_version[64];
    uint64_t threads_offset;
    uint32_t thread_slots;
    uint32_t thread_slot_bytes;
    uint64_t events_offset;
    uint32_t event_slots;
    uint32_t event_bytes;
    uint64_t records_offset;
    uint64_t records_bytes;
    _Atomic uint64_t events_head;
    _Atomic uint64_t records_committed;
    _Atomic uint64_t records_tail;
    _Atomic uint32_t replay_generation;
    _Atomic uint32_t threads_high_water;
    uint64_t perf_sample_type;
    uint64_t perf_regs_mask;
    _Atomic uint64_t dropped_records;
    _Atomic uint64_t dropped_record_bytes;
    _Atomic uint64_t dropped_threads;
    _Atomic uint64_t dropped_sources;
    _Atomic uint64_t dropped_dictionaries;
    _Atomic uint64_t perf_open_failures;
    _Atomic uint32_t perf_last_errno;
    _Atomic uint32_t control_rejections;
    _Atomic uint64_t agent_cpu_ns;
    _Atomic uint64_t tasks_started;
    _Atomic uint64_t tasks_ended;
    _Atomic uint64_t dropped_rows; /* since 1.2 */
    uint8_t reserved312[200];
    char off_reason[256];
    _Atomic uint32_t application_seq; /* since 1.4, as all that follows */
    uint32_t application_bytes;
    uint32_t application_flags;
    uint32_t reserved780;
    char application[WIRE_APPLICATION_MAX_BYTES];
};

enum wire_application_flag { WIRE_APPLICATION_CUT = 1 << 0 };

enum wire_thread_flag { WIRE_THREAD_TASK = 1 << 0, WIRE_THREAD_INTERNAL = 1 << 1, WIRE_THREAD_ENDED = 1 << 2 };

struct wire_thread {
    _Atomic uint32_t seq;
    uint32_t tid;
    uint64_t start_ns;
    uint32_t flags;
    int32_t perf_fd;
    int32_t perf_detail_fd;
    uint32_t ring_pages;
    uint32_t perf_errno;
    uint32_t perf_opens;
    uint64_t base_period_ns;
    uint64_t detail_period_ns;
    uint64_t cpu_ns_at_open;
    char name[64];
};

enum wire_event_kind { WIRE_TASK_START = 1, WIRE_TASK_END = 2, WIRE_TASK_CLOCKS = 3 };
enum wire_event_flag { WIRE_TASK_SELECTED = 1 << 0, WIRE_TASK_FAILED = 1 << 1, WIRE_TASK_DETAIL = 1 << 2 };

struct wire_event {
    _Atomic uint64_t seq;
    uint64_t time_ns;
    uint32_t kind;
    uint32_t tid;
    uint64_t task_attempt_id;
    uint32_t stage_id;
    uint32_t stage_attempt;
    uint32_t partition;
    uint32_t partitions;
    int64_t execution_id;
    uint64_t thread_cpu_ns;
    uint64_t user_ns;
    uint64_t system_ns;
    uint32_t flags;
    uint32_t attempt_number;
    double inclusion_probability;
    uint64_t executor_cpu_ns;
    uint64_t executor_deserialize_cpu_ns;
    uint64_t gc_ms;
    uint64_t reserved120;
};

enum wire_record_type {
    WIRE_PAD = 1,
    WIRE_METHOD = 2,
    WIRE_CODE_LOAD = 3,
    WIRE_CODE_UNLOAD = 4,
    WIRE_STUB = 5,
    WIRE_SOURCE = 6,
    WIRE_DICTIONARY = 7,
    WIRE_STAGE = 8,
    WIRE_APPLICATION = 9,
    WIRE_REPLAY_BEGIN = 10,
    WIRE_REPLAY_END = 11,
    WIRE_VM_LAYOUT = 12,
    WIRE_CODE_HEAP = 13,
    WIRE_ROWS = 14, /* since 1.2, as the next */
    WIRE_EXECUTION_END = 15,
    WIRE_STAGE_INFO = 16, /* since 1.5, as the next */
    WIRE_TIMES = 17,
    WIRE_DWELL = 18, /* since 1.7 */
};

struct wire_record {
    uint32_t length;
    uint16_t type;
    uint16_t version;
    uint64_t offset;
    uint64_t time_ns;
    uint32_t payload_bytes;
    uint32_t crc32c;
};

enum wire_method_flag { WIRE_METHOD_LINES = 1 << 0, WIRE_METHOD_NATIVE = 1 << 1, WIRE_METHOD_GENERATED = 1 << 2 };
enum wire_execution_flag { WIRE_EXECUTION_FAILED = 1 << 0 };
enum wire_code_flag { WIRE_CODE_REPLAYED = 1 << 0, WIRE_CODE_INLINES = 1 << 1 };

#define WIRE_FRAME_COMPLETE_UNKNOWN 0xffffffffu

struct wire_control {
    _Atomic uint64_t magic;
    uint16_t major;
    uint16_t minor;
    uint32_t reserved12;
    _Atomic uint64_t lease_owner;
    _Atomic uint64_t lease_heartbeat_ns;
    uint32_t lease_pid;
    uint32_t lease_rank; /* since 1.4; between readers, the agent does not look */
    _Atomic uint32_t seq;
    _Atomic uint32_t enabled;
    _Atomic uint32_t mode;
    _Atomic uint32_t stack_bytes;
    _Atomic uint64_t base_period_ns;
    _Atomic uint64_t detail_period_ns;
    _Atomic uint32_t ring_pages;
    uint32_t reserved76;
    _Atomic uint64_t inclusion_probability; /* the bits of an f64 */
    _Atomic uint64_t seed;
    _Atomic uint64_t records_ack;
    _Atomic uint32_t replay_request;
    _Atomic uint32_t min_tasks_per_stage; /* since 1.1, as all that follows */
    _Atomic uint32_t promoted_count;
    uint32_t reserved116;
    _Atomic uint64_t promoted[WIRE_PROMOTED_MAX]; /* task attempt ids */
    uint64_t readers632[4];         /* since 1.2 and 1.7; between readers, the agent does not look */
    _Atomic uint64_t code_reader;   /* since 1.8 */
    uint8_t reserved672[3424];
};

#define WIRE_AT(type, field, at) _Static_assert(offsetof(struct type, field) == (at), #type "." #field " must stand at " #at)
_Static_assert(sizeof(struct wire_header) == WIRE_HEADER_BYTES, "header");
_Static_assert(sizeof(struct wire_thread) == 128, "thread slot");
_Static_assert(sizeof(struct wire_event) == 128, "task event");
_Static_assert(sizeof(struct wire_record) == WIRE_RECORD_HEADER_BYTES, "record header");
_Static_assert(sizeof(struct wire_control) == WIRE_CONTROL_BYTES, "control page");
WIRE_AT(wire_header, start_ns, 32);
WIRE_AT(wire_header, state, 56);
WIRE_AT(wire_header, jdk_version, 64);
WIRE_AT(wire_header, threads_offset, 128);
WIRE_AT(wire_header, events_offset, 144);
WIRE_AT(wire_header, records_offset, 160);
WIRE_AT(wire_header, events_head, 176);
WIRE_AT(wire_header, replay_generation, 200);
WIRE_AT(wire_header, perf_sample_type, 208);
WIRE_AT(wire_header, dropped_records, 224);
WIRE_AT(wire_header, perf_open_failures, 264);
WIRE_AT(wire_header, agent_cpu_ns, 280);
WIRE_AT(wire_header, tasks_ended, 296);
WIRE_AT(wire_header, dropped_rows, 304);
WIRE_AT(wire_header, off_reason, 512);
WIRE_AT(wire_header, application_seq, 768);
WIRE_AT(wire_header, application, 784);
WIRE_AT(wire_thread, perf_errno, 32);
WIRE_AT(wire_thread, base_period_ns, 40);
WIRE_AT(wire_thread, name, 64);
WIRE_AT(wire_event, execution_id, 48);
WIRE_AT(wire_event, flags, 80);
WIRE_AT(wire_event, inclusion_probability, 88);
WIRE_AT(wire_event, gc_ms, 112);
WIRE_AT(wire_record, payload_bytes, 24);
WIRE_AT(wire_control, lease_owner, 16);
WIRE_AT(wire_control, lease_rank, 36);
WIRE_AT(wire_control, seq, 40);
WIRE_AT(wire_control, base_period_ns, 56);
WIRE_AT(wire_control, inclusion_probability, 80);
WIRE_AT(wire_control, records_ack, 96);
WIRE_AT(wire_control, replay_request, 104);
WIRE_AT(wire_control, min_tasks_per_stage, 108);
WIRE_AT(wire_control, promoted, 120);
WIRE_AT(wire_control, readers632, 632);
WIRE_AT(wire_control, code_reader, 664);

#endif
