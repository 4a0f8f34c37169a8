/* The log: a sealed memfd mapped into the JVM, written by the JVM alone (FORMAT.md, "Log"). This
 * room makes it and knows where things stand; events.c, threads.c and records.c write into it. */
#ifndef PF_LOG_H
#define PF_LOG_H

#include <stdbool.h>

#include "why.h"
#include "wire.h"

/* How large the parts are. event_slots must be a power of two; what is left of total_bytes is the
 * record ring. */
struct pf_shape {
    uint64_t total_bytes;
    uint32_t thread_slots;
    uint32_t event_slots;
};

/* What users get: log_mib MiB with 512 thread slots and 8,192 task events. */
struct pf_shape pf_shape_of_mib(uint32_t log_mib);

/* What was made, in memory of our own: the header says the same to readers, and before Linux 5.1
 * another process of the same user can overwrite it. Nothing that bounds a store of ours is ever
 * read from the log. */
struct pf_log {
    int fd;
    uint64_t total_bytes;
    uint64_t records_bytes;
    uint32_t thread_slots;
    uint32_t event_slots;
    uint8_t *base;
    struct wire_header *header;
    struct wire_thread *threads;
    struct wire_event *events;
    uint8_t *records;
};

/* Creates, maps and seals the memfd and fills in the geometry. The log is not ready before
 * pf_log_publish. */
bool pf_log_create(struct pf_log *log, const struct pf_shape *shape, struct pf_why *why);

/* Stores the magic: from now on readers may read. */
void pf_log_publish(struct pf_log *log);

/* Says why the agent is off; the state is stored after the reason. */
void pf_log_off(struct pf_log *log, const char *reason);

/* Keeps an application's JSON in the header, so that a reader knows whose JVM it is before it takes
 * the lease. A text that does not fit is cut behind the last member that does, and the header says
 * so. Any thread may call it; calls wait for each other, and no task's thread makes one. */
void pf_log_application(struct pf_log *log, const char *json, size_t bytes);

/* Unmaps and closes; only for tests and for a start that failed, since threads may hold pointers
 * into a live log. */
void pf_log_destroy(struct pf_log *log);

/* Makes a memfd of that name and size, maps it writable and then seals it against every change of
 * size. With future_write_seal others may only read it, if the kernel can enforce this (Linux 5.1).
 * Returns the fd and the mapping, or -1 and why. */
int pf_memfd_sealed(const char *name, uint64_t bytes, bool future_write_seal, void **mapping, struct pf_why *why);

#endif
