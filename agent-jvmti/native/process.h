/* Facts about this process. */
#ifndef PF_PROCESS_H
#define PF_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Field 22 of /proc/self/stat, the start time in clock ticks since boot; 0 when it cannot be
 * read. */
uint64_t pf_process_start_ticks(void);

/* gettid(2). */
uint32_t pf_gettid(void);

/* Copies n bytes of this process's own memory; a wrong address is a false and not a crash
 * (process_vm_readv). */
bool pf_peek(uint64_t address, void *into, size_t n);

#endif
