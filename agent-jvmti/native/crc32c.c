#include "crc32c.h"

#include <stdbool.h>
#include <string.h>

/* Nibble table: 64 bytes, no initialization at run time, so no race and no first-use cost. Entry i
 * is the remainder of nibble i. */
static const uint32_t nibble[16] = {
    0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
    0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
};

uint32_t pf_crc32c_portable(const void *bytes, size_t n) {
    const uint8_t *p = bytes;
    uint32_t crc = ~0u;
    for (; n > 0; n--, p++) {
        crc ^= *p;
        crc = (crc >> 4) ^ nibble[crc & 15];
        crc = (crc >> 4) ^ nibble[crc & 15];
    }
    return ~crc;
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>

/* Reports whether the CPU has SSE 4.2's crc32. It is asked once: CPUID leaves a virtual machine. */
static bool has_instruction(void) {
    static _Atomic int known; /* 0: not asked; 1: no; 2: yes */
    int has = atomic_load_explicit(&known, memory_order_relaxed);
    if (has == 0) {
        unsigned a, b, c, d;
        has = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2) ? 2 : 1;
        atomic_store_explicit(&known, has, memory_order_relaxed);
    }
    return has == 2;
}

__attribute__((target("sse4.2,crc32"))) static uint32_t with_instruction(const void *bytes, size_t n) {
    const uint8_t *p = bytes;
    uint64_t crc = ~0u;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        crc = __builtin_ia32_crc32di(crc, word);
    }
    for (; n > 0; n--, p++) crc = __builtin_ia32_crc32qi((uint32_t)crc, *p);
    return ~(uint32_t)crc;
}

uint32_t pf_crc32c(const void *bytes, size_t n) {
    return has_instruction() ? with_instruction(bytes, n) : pf_crc32c_portable(bytes, n);
}
#else
uint32_t pf_crc32c(const void *bytes, size_t n) { return pf_crc32c_portable(bytes, n); }
#endif
