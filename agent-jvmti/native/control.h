/* The control page: created by the agent, written by the one reader that holds the lease, believed
 * by no one (FORMAT.md, "Control page"). The housekeeper reads it; task threads see only the
 * settings that came out of it. */
#ifndef PF_CONTROL_H
#define PF_CONTROL_H

#include <stdbool.h>

#include "why.h"
#include "wire.h"

#define PF_LEASE_STALE_NS 5000000000ull /* a heartbeat older than this is a dead reader's; younger than now by as much: garbage */

/* The bytes of stack and of the rest of a sample that one thread's events may copy in a second of
 * its CPU. 1 kHz with 32 KiB of stack fits, and so does 500 Hz with 64 KiB. A detail event of 1 kHz
 * fits beside a base of 100 Hz. */
#define PF_MOST_COPIED_BYTES 40000000ull
#define PF_SAMPLE_BYTES 1024u /* of a sample without its copy of the stack */

enum pf_mode { PF_READER_OPENS = 1, PF_AGENT_OPENS = 2 };

/* Settings that passed the range check. The zero value samples nothing. */
struct pf_settings {
    uint32_t enabled; /* 0 or 1 */
    uint32_t mode;    /* enum pf_mode; 0 before any reader wrote */
    uint32_t stack_bytes;
    uint32_t ring_pages;
    uint64_t base_period_ns; /* 0 off */
    uint64_t detail_period_ns;
    double inclusion_probability; /* the fraction of a stage's partitions that is to be selected */
    uint64_t seed;
    uint32_t min_tasks_per_stage; /* … at least so many of them */
};

/* Task attempts that the reader wants at the detail rate although they were not selected. Apart
 * from the settings, which task threads copy. */
struct pf_promoted {
    uint32_t count; /* at most WIRE_PROMOTED_MAX */
    uint64_t tasks[WIRE_PROMOTED_MAX];
};

struct pf_control {
    int fd;
    struct wire_control *page;
    uint32_t accepted_seq; /* sequence numbers of the page last taken over and last refused: each refusal is counted once */
    uint32_t refused_seq;
    struct pf_settings last; /* what was taken over last */
    struct pf_promoted promoted;
};

/* What one look at the page found. */
struct pf_control_view {
    bool leased;                 /* a reader holds the lease and its heartbeat is fresh */
    bool rejected;               /* the page holds values out of range that had not been seen before; the last good ones stay */
    struct pf_settings settings; /* enabled is 0 unless leased */
    const struct pf_promoted *promoted; /* of the control: valid until it is read again; count 0 unless leased */
    uint32_t replay_request;
};

bool pf_control_create(struct pf_control *control, struct pf_why *why);

/* Reads the page once. now is CLOCK_MONOTONIC. One thread. */
struct pf_control_view pf_control_read(struct pf_control *control, uint64_t now);

/* Reports whether the reader that holds the lease reads compiled code itself, by the page as it is
 * now. Any thread. A reader that asks for a replay has changed this before its request. */
bool pf_control_reads_code(const struct pf_control *control, uint64_t now);

/* True when every value, and the bytes that the agent's events would copy, are in the range that
 * FORMAT.md gives. */
bool pf_settings_valid(const struct pf_settings *settings);

bool pf_settings_equal(const struct pf_settings *a, const struct pf_settings *b);

void pf_control_destroy(struct pf_control *control);

#endif
