/* What HotSpot's code cache knows about a compiled method and JVMTI does not tell: frame size,
 * prologue, compile level and id. Read through vmstructs; every answer is checked (the blob found
 * must begin its code where JVMTI says). Memory is copied by the kernel, which survives a wrong
 * address, until the layout has proved right 64 times, and directly from then on. */
#ifndef PF_CODECACHE_H
#define PF_CODECACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PF_CODE_HEAPS = 8 }; /* HotSpot has at most 4 */

/* Facts about one compiled method; the initial values are FORMAT.md's for "unknown". */
struct pf_code_facts {
    uint32_t frame_bytes;
    uint32_t frame_complete;
    uint32_t compile_level;
    uint32_t compile_id;
};

/* The reserved address range of a segment: it can grow within, so this does not change. */
struct pf_code_heap {
    uint64_t low, high;
};

/* Looks offsets and code heaps up; call once, after pf_vmstructs_find and when the JVM has made its
 * code cache (VMInit). Without what it needs all questions are answered "unknown". */
void pf_codecache_find(void);

/* Never fails: what is not known stays unknown. code is the address of JVMTI's CompiledMethodLoad,
 * called during that event, while HotSpot holds the nmethod. Any thread. */
struct pf_code_facts pf_code_facts(uint64_t code);

/* How many were filled in, at most PF_CODE_HEAPS. */
int pf_code_heaps(struct pf_code_heap heaps[PF_CODE_HEAPS]);

/* The Method* behind a jmethodID, or 0 if it cannot be found on this JVM. Until this has held for
 * 64 methods, it is proven: the method's name is read through it and compared. The caller holds the
 * method's class. Any thread. */
uint64_t pf_method_ptr(const void *jmethod_id, const char *name);

#endif
