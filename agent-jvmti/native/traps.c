#include "traps.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "proof.h"
#include "vmstructs.h"

/* Of Deoptimization::DeoptReason those for which C2 puts a check where the bytecode is
 * (deoptimization.hpp, JDK 17 to 25). Not among them: predicate, profile_predicate,
 * loop_limit_check and auto_vectorization_check, which have a loop's entry for their state, and
 * what C2 checks no bytecode for. */
static const char *const own[] = {
    "null_check", "null_assert", "range_check", "class_check", "array_check", "intrinsic", "bimorphic", "unloaded", "uninitialized", "unreached",
    "unhandled", "constraint", "receiver_constraint", "div0_check", "speculate_class_check", "speculate_null_check", "speculate_null_assert",
    "unstable_if", "unstable_fused_if",
};

static bool constant(const char *prefix, const char *name, int32_t *value) {
    char full[64];
    const int n = snprintf(full, sizeof full, "Deoptimization::%s%s", prefix, name);
    return n > 0 && (size_t)n < sizeof full && pf_vm_constant(full, value);
}

static bool is(const char *name, int32_t want) {
    int32_t value;
    return constant("", name, &value) && value == want;
}

uint32_t pf_trap_reasons(void) {
    uint32_t reasons = 0;
    if (!is("_action_shift", 0) || !is("_reason_shift", PF_TRAP_REASON_SHIFT) || !is("_reason_bits", PF_TRAP_REASON_BITS)) return 0;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        int32_t reason;
        if (constant("Reason_", own[i], &reason) && reason > 0 && reason < 1 << PF_TRAP_REASON_BITS) reasons |= 1u << reason;
    }
    return reasons;
}
