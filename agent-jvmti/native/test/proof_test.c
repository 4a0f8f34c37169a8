/* Branches that prove the bytecode they belong to, found in code made by hand. Code is copied into
 * memory of its exact size: the sanitizer sees a read beyond it. */
#include <stdlib.h>

#include "../proof.h"
#include "check.h"

enum {
    NULL_CHECK = 1,
    RANGE_CHECK = 3,
    PREDICATE = 17, /* on JDK 17 */
    ADDRESS = 0x10000,
    BLOB = 0x9000, /* below the code: a rel32 may be negative */
};

static const struct pf_traps known = {.blob = BLOB, .reasons = 1u << NULL_CHECK | 1u << RANGE_CHECK};

/* Code being made: hot code in front, blocks of traps behind. */
struct made {
    uint8_t bytes[512];
    uint32_t size;
    struct pf_code_region regions[8];
    uint32_t region_count;
};

static void byte(struct made *m, uint8_t b) { m->bytes[m->size++] = b; }

static void u32(struct made *m, uint32_t v) {
    memcpy(m->bytes + m->size, &v, 4);
    m->size += 4;
}

static void nops(struct made *m, uint32_t n) {
    while (n-- > 0) byte(m, 0x90);
}

/* jae target; where it ends. */
static uint32_t branch(struct made *m, uint32_t target) {
    byte(m, 0x0f);
    byte(m, 0x83);
    u32(m, target - (m->size + 4));
    return m->size;
}

static void region(struct made *m, uint32_t end) { m->regions[m->region_count++] = (struct pf_code_region){.pc_end = end, .frames = 1}; }

/* mov esi, request, as Deoptimization::make_trap_request makes it (action 1). */
static void request(struct made *m, uint32_t reason) {
    byte(m, 0xbe);
    u32(m, ~(reason << 3 | 1));
}

/* call, and where it returns to. */
static uint32_t call(struct made *m, uint64_t where) {
    byte(m, 0xe8);
    u32(m, (uint32_t)(where - (ADDRESS + m->size + 4)));
    return m->size;
}

/* A whole block, with its region. */
static uint32_t trap(struct made *m, uint32_t reason) {
    byte(m, 0x55); /* moves of values that the interpreter needs may stand on both sides */
    request(m, reason);
    nops(m, 3);
    const uint32_t end = call(m, BLOB);
    region(m, end);
    return end;
}

static struct pf_buffer find_with(const struct made *m, struct pf_traps traps) {
    struct pf_buffer proofs = {0};
    uint8_t *exact = malloc(m->size);
    memcpy(exact, m->bytes, m->size);
    const struct pf_proof_code code = {
        .address = ADDRESS, .bytes = exact, .size = m->size, .regions = m->regions, .region_count = m->region_count};
    pf_proofs_find(&proofs, &traps, &code);
    free(exact);
    CHECK(!proofs.failed);
    CHECK_EQ(proofs.used % sizeof(struct pf_proof), 0);
    return proofs;
}

static size_t count(const struct made *m) {
    struct pf_buffer proofs = find_with(m, known);
    const size_t n = proofs.used / sizeof(struct pf_proof);
    pf_buffer_free(&proofs);
    return n;
}

enum { HOT = 32, TRAP_BYTES = 14, CALL = 5 }; /* the first block begins at HOT; trap() makes so many bytes, the call among them */

static void test_branch_to_a_trap(void) {
    struct made m = {0};
    nops(&m, 7);
    const uint32_t second = branch(&m, HOT + TRAP_BYTES);
    CHECK_EQ(second, 13);
    const uint32_t first = branch(&m, HOT);
    CHECK_EQ(first, 19);
    nops(&m, HOT - m.size);
    region(&m, HOT);
    CHECK_EQ(trap(&m, RANGE_CHECK), HOT + TRAP_BYTES);
    CHECK_EQ(trap(&m, NULL_CHECK), HOT + 2 * TRAP_BYTES);
    struct pf_buffer proofs = find_with(&m, known);
    const struct pf_proof *p = (const struct pf_proof *)proofs.bytes;
    CHECK_EQ(proofs.used, 2 * sizeof *p);
    if (proofs.used == 2 * sizeof *p) { /* by the ends of the branches, not in the order of the traps */
        CHECK_EQ(p[0].pc_end, 13);
        CHECK_EQ(p[0].trap_end, HOT + 2 * TRAP_BYTES);
        CHECK_EQ(p[1].pc_end, 19);
        CHECK_EQ(p[1].trap_end, HOT + TRAP_BYTES);
    }
    pf_buffer_free(&proofs);
    proofs = find_with(&m, (struct pf_traps){.reasons = known.reasons});
    CHECK_EQ(proofs.used, 0); /* no one has heard where the trap is */
    proofs = find_with(&m, (struct pf_traps){.blob = BLOB});
    CHECK_EQ(proofs.used, 0); /* nor what it means */
    proofs = find_with(&m, (struct pf_traps){.blob = BLOB + 1, .reasons = known.reasons});
    CHECK_EQ(proofs.used, 0); /* calls of something else */
}

/* HOT bytes with one branch to the block that follows. */
static struct made hot(void) {
    struct made m = {0};
    nops(&m, 11);
    branch(&m, HOT);
    nops(&m, HOT - m.size);
    return m;
}

static void test_what_proves_nothing(void) {
    struct made m = hot();
    trap(&m, RANGE_CHECK);
    CHECK_EQ(count(&m), 1);

    m = hot(); /* two branches to one block: either may have come from anywhere */
    m.size = 20;
    branch(&m, HOT);
    nops(&m, HOT - m.size);
    trap(&m, RANGE_CHECK);
    CHECK_EQ(count(&m), 0);

    m = hot(); /* and into the middle of one */
    m.size = 20;
    branch(&m, HOT + 6);
    nops(&m, HOT - m.size);
    trap(&m, RANGE_CHECK);
    CHECK_EQ(count(&m), 0);

    m = hot(); /* the block ends in the call of something else */
    request(&m, RANGE_CHECK);
    region(&m, call(&m, BLOB + 64));
    CHECK_EQ(count(&m), 0);

    m = hot(); /* a call without debug info */
    request(&m, RANGE_CHECK);
    region(&m, call(&m, BLOB) + 1);
    CHECK_EQ(count(&m), 0);

    m = hot(); /* the state of a predicate is the state at the loop's entry */
    trap(&m, PREDICATE);
    CHECK_EQ(count(&m), 0);

    m = hot(); /* a reason that no JDK has yet */
    trap(&m, 31);
    CHECK_EQ(count(&m), 0);

    m = hot(); /* no request */
    nops(&m, 9);
    region(&m, call(&m, BLOB));
    CHECK_EQ(count(&m), 0);

    m = hot(); /* not esi: mov r14d */
    byte(&m, 0x41);
    request(&m, RANGE_CHECK);
    region(&m, call(&m, BLOB));
    CHECK_EQ(count(&m), 0);

    m = hot(); /* a request that is none: for a class that is not loaded it is an index */
    byte(&m, 0xbe);
    u32(&m, RANGE_CHECK << 3);
    region(&m, call(&m, BLOB));
    CHECK_EQ(count(&m), 0);

    m = hot(); /* two requests, one of which proves nothing */
    request(&m, PREDICATE);
    trap(&m, NULL_CHECK);
    CHECK_EQ(count(&m), 0);

    m = hot(); /* a request that another path has given: the branch leads behind it */
    m.size -= 5;
    request(&m, RANGE_CHECK);
    region(&m, call(&m, BLOB));
    CHECK_EQ(count(&m), 0);

    m = hot(); /* so long before the call that it is no block of the trap */
    nops(&m, 128);
    trap(&m, RANGE_CHECK);
    CHECK_EQ(count(&m), 0);
}

static void test_bytes_that_lead_out(void) {
    const int64_t away[] = {-(int64_t)HOT - 1, 0x7fffff00, -0x7fffff00, 400};
    for (size_t i = 0; i < sizeof away / sizeof *away; i++) {
        struct made m = hot();
        m.size = 20;
        branch(&m, (uint32_t)(HOT + away[i]));
        nops(&m, HOT - m.size);
        trap(&m, RANGE_CHECK);
        CHECK_EQ(count(&m), 1); /* the other one */
    }
}

/* Code cut anywhere: within a call, a branch, a request. Nothing is read beyond, and what is whole
 * stays proven. */
static void test_truncated(void) {
    struct made m = hot();
    const uint32_t end = trap(&m, RANGE_CHECK);
    byte(&m, 0x0f);
    byte(&m, 0x83);
    nops(&m, 3);
    byte(&m, 0xe8);
    nops(&m, 3);
    byte(&m, 0x0f);
    for (const uint32_t whole = m.size; m.size > 0; m.size--) CHECK_EQ(count(&m), m.size >= end && m.size <= whole);
    struct pf_buffer proofs = {0};
    const struct pf_proof_code none = {.address = ADDRESS, .bytes = NULL, .size = 0};
    pf_proofs_find(&proofs, &known, &none);
    CHECK_EQ(proofs.used, 0);
}

int main(void) {
    test_branch_to_a_trap();
    test_what_proves_nothing();
    test_bytes_that_lead_out();
    test_truncated();
    return check_result(__FILE__);
}
