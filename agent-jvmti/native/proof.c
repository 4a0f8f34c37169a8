#include "proof.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_CODE = 4 << 20,  /* C2 gives up long before */
    MOST_BLOCK = 128,     /* bytes of a trap's block, call and all: one in eighty is longer */
    CALL_BYTES = 5,       /* E8 rel32 */
    BRANCH_BYTES = 6,     /* 0F 8x rel32 */
    REQUEST_BYTES = 5,    /* BE imm32: mov esi */
};

/* Where a trap may have its block: [from, end), end behind the call. */
struct block {
    uint32_t from, end;
    uint32_t branches; /* how many lead into it; of the last one: */
    uint32_t target;
    uint32_t branch_end;
};

/* Where the rel32 at an offset leads; an offset, too. */
static int64_t destination(const struct pf_proof_code *code, uint32_t at) {
    int32_t rel;
    memcpy(&rel, code->bytes + at, sizeof rel);
    return (int64_t)at + (int64_t)sizeof rel + rel;
}

/* The next place, from an offset on, of a byte that begins an instruction of n bytes; false: there
 * is none. */
static bool next(const struct pf_proof_code *code, uint8_t byte, uint32_t n, uint32_t *at) {
    const uint8_t *found = *at < code->size ? memchr(code->bytes + *at, byte, code->size - *at) : NULL;
    if (found == NULL) return false;
    *at = (uint32_t)(found - code->bytes);
    return code->size - *at >= n;
}

/* Blocks end in a call of the trap that has debug info, and hold no other one. */
static void find_blocks(struct pf_buffer *blocks, uint64_t blob, const struct pf_proof_code *code) {
    const int64_t trap = (int64_t)(blob - code->address);
    uint32_t region = 0, last = 0;
    for (uint32_t at = 0; next(code, 0xe8, CALL_BYTES, &at); at++) {
        if (destination(code, at + 1) != trap) continue;
        const uint32_t end = at + CALL_BYTES;
        const struct block block = {.from = end - last > MOST_BLOCK ? end - MOST_BLOCK : last, .end = end};
        while (region < code->region_count && code->regions[region].pc_end < end) region++;
        if (region < code->region_count && code->regions[region].pc_end == end) pf_put_bytes(blocks, &block, sizeof block);
        last = end;
    }
}

static void count_branch(struct block *blocks, size_t n, uint32_t target, uint32_t branch_end) {
    size_t low = 0, high = n; /* the first block that ends behind the target */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (blocks[middle].end > target)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == n || target < blocks[low].from) return;
    blocks[low].branches++;
    blocks[low].target = target;
    blocks[low].branch_end = branch_end;
}

static void find_branches(struct block *blocks, size_t n, const struct pf_proof_code *code) {
    for (uint32_t at = 0; next(code, 0x0f, BRANCH_BYTES, &at); at++) {
        if ((code->bytes[at + 1] & 0xf0) != 0x80) continue;
        const int64_t target = destination(code, at + 2);
        if (target >= 0 && target < code->size) count_branch(blocks, n, (uint32_t)target, at + BRANCH_BYTES);
    }
}

/* The reasons, a bit each, for which a block calls the trap: what it gives esi, from the branch's
 * target on. */
static uint32_t reasons_of(const struct pf_proof_code *code, const struct block *block) {
    uint32_t reasons = 0;
    for (uint32_t at = block->target; at + REQUEST_BYTES + CALL_BYTES <= block->end; at++) {
        const uint8_t *b = code->bytes + at;
        if (b[0] != 0xbe || b[2] != 0xff || b[3] != 0xff || b[4] != 0xff) continue;
        if (at > block->target && (b[-1] & 0xf1) == 0x41) continue; /* REX.B: another register */
        reasons |= 1u << ((uint8_t)~b[1] >> PF_TRAP_REASON_SHIFT);
    }
    return reasons;
}

static int by_end(const void *a, const void *b) {
    const struct pf_proof *x = a, *y = b;
    return x->pc_end < y->pc_end ? -1 : x->pc_end > y->pc_end;
}

void pf_proofs_find(struct pf_buffer *proofs, const struct pf_traps *traps, const struct pf_proof_code *code) {
    struct pf_buffer found = {0};
    if (traps->blob == 0 || traps->reasons == 0 || code->size > MOST_CODE) return;
    find_blocks(&found, traps->blob, code);
    struct block *blocks = (struct block *)found.bytes;
    const size_t n = found.failed ? 0 : found.used / sizeof *blocks, before = proofs->used;
    if (n > 0) find_branches(blocks, n, code);
    for (size_t i = 0; i < n; i++) {
        if (blocks[i].branches != 1) continue;
        const uint32_t reasons = reasons_of(code, &blocks[i]);
        if (reasons == 0 || (reasons & ~traps->reasons) != 0) continue;
        const struct pf_proof proof = {.pc_end = blocks[i].branch_end, .trap_end = blocks[i].end};
        pf_put_bytes(proofs, &proof, sizeof proof);
    }
    if (!proofs->failed && proofs->used > before)
        qsort(proofs->bytes + before, (proofs->used - before) / sizeof(struct pf_proof), sizeof(struct pf_proof), by_end);
    pf_buffer_free(&found);
}
