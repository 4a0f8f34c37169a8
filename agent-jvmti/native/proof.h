/*
 * What a compiled method's instructions prove about its debug info, which C2 gets right at
 * safepoints only (sampler/codemap/pollution.go).
 *
 * A check that C2 has never seen fail is a conditional branch into a block of its own, which ends
 * in a call of the uncommon trap. The call is a safepoint: the region that ends behind it names the
 * bytecode at which the interpreter goes on, and that is the one that checks. So the branch, and
 * what stands before it in its region, is that bytecode's, whatever its region says. That holds for
 * traps whose state is the check's, not for predicates and loop limits: those were moved in
 * front of a loop, and have the state of its entry.
 *
 * Blocks, branches and reasons are found by the bytes of x86-64, without a disassembler. A rel32
 * that leads exactly to the trap is no accident, and neither is one that leads into a block before
 * such a call. In C2's generated code of the 22 TPC-H queries none of 22,874 proofs that a
 * disassembler could judge was wrong, on JDK 17 and 25 (docs/how-it-works/attribution.md, "Debug
 * info that lies"). One branch in eleven was not found on 17, and one in twenty-four on 25. The
 * code before a block cannot be distinguished from the block, so a branch to other cold code there
 * splits one block in two. Some blocks are longer, and some branches short.
 *
 * It takes 1.3 to 3 ns a byte, so generated code needs no special treatment. A C2 nmethod of the
 * mean size, 2.4 KB, takes 3 to 7 µs.
 */
#ifndef PF_PROOF_H
#define PF_PROOF_H

#include <stdint.h>

#include "buffer.h"
#include "payload.h"

/* The JVM's uncommon traps. */
struct pf_traps {
    uint64_t blob;    /* where they are called; 0: not known, nothing is proven */
    uint32_t reasons; /* bit n: traps for Deoptimization::DeoptReason n have the state of the bytecode that checks */
};

/* Bits of a trap's request, which is negative: ~(action | reason << PF_TRAP_REASON_SHIFT)
 * (deoptimization.hpp). */
enum { PF_TRAP_REASON_SHIFT = 3, PF_TRAP_REASON_BITS = 5 };

/* The code of one nmethod, not read beyond its size, and its regions, ascending by pc_end. */
struct pf_proof_code {
    uint64_t address; /* where it runs */
    const uint8_t *bytes;
    uint32_t size;
    const struct pf_code_region *regions;
    uint32_t region_count;
};

/* Appends a struct pf_proof for each branch that proves something, ascending by pc_end, at most one
 * for each region. Not where memory is short, or the code larger than C2 makes it: what was not
 * appended is not proven. Time is linear in the size, but for a search among the traps for each
 * branch. */
void pf_proofs_find(struct pf_buffer *proofs, const struct pf_traps *traps, const struct pf_proof_code *code);

#endif
