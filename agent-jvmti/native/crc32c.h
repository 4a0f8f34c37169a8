/* CRC-32C (Castagnoli, RFC 3720 appendix B.4), reflected, initial value and final xor 0xffffffff:
 * the same as Go's crc32.Castagnoli. */
#ifndef PF_CRC32C_H
#define PF_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Checksum of n bytes. Any thread; the first call on x86-64 asks the CPU whether it has the
 * instruction. */
uint32_t pf_crc32c(const void *bytes, size_t n);

/* The table-driven way, for CPUs without the instruction; exported so that a test can compare the
 * two. */
uint32_t pf_crc32c_portable(const void *bytes, size_t n);

#endif
