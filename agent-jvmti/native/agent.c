#include "agent.h"

#include <stdio.h>

#include "clock.h"
#include "first.h"

struct pf_agent pf_agent;

void pf_agent_off(const char *reason) {
    atomic_store(&pf_agent.live, 0);
    if (atomic_exchange(&pf_agent.off, 1) != 0) return;
    fprintf(stderr, "planflame: %s; profiling is off\n", reason);
    if (pf_agent.log.header != NULL) {
        pf_log_off(&pf_agent.log, reason);
        pf_log_publish(&pf_agent.log); /* so that a reader can tell people why */
    }
    pf_wake_set(&pf_agent.work, PF_WORK_OFF);
    pf_wake_set(&pf_agent.housework, PF_HOUSE_STOP);
    /* No one comes back to do it: no thread pays for samples that nothing will come of. */
    if (pf_agent.threads.slots != NULL) {
        pf_first_stop(&pf_agent.threads);
        pf_threads_off(&pf_agent.threads);
    }
}

void pf_agent_spent(uint64_t nanos) {
    atomic_fetch_add_explicit(&pf_agent.log.header->agent_cpu_ns, nanos, memory_order_relaxed);
}

bool pf_agent_code_is_read(void) {
    const struct pf_agent *a = &pf_agent;
    return a->code_wanted && (a->log.header->flags & WIRE_DEBUG_NON_SAFEPOINTS) != 0 && pf_control_reads_code(&a->control, pf_now());
}

struct pf_settings pf_agent_settings(void) {
    for (int i = 0; i < 2; i++) {
        const uint32_t before = atomic_load_explicit(&pf_agent.shown.seq, memory_order_acquire);
        const struct pf_settings settings = pf_agent.shown.settings;
        atomic_thread_fence(memory_order_acquire);
        if (before % 2 == 0 && atomic_load_explicit(&pf_agent.shown.seq, memory_order_relaxed) == before) return settings;
    }
    return (struct pf_settings){0};
}
