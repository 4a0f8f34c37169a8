#include "look.h"

#include "agent.h"
#include "clock.h"
#include "first.h"

static void show_settings(const struct pf_settings *settings) {
    struct pf_agent *a = &pf_agent;
    atomic_store(&a->sampling, settings->enabled);
    if (pf_settings_equal(&a->shown.settings, settings)) return;
    const uint32_t seq = atomic_load_explicit(&a->shown.seq, memory_order_relaxed);
    atomic_store_explicit(&a->shown.seq, seq + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    a->shown.settings = *settings;
    atomic_store_explicit(&a->shown.seq, seq + 2, memory_order_release);
}

static uint64_t looked_ns; /* the housekeeper's alone */

struct pf_control_view pf_look(uint64_t now) {
    struct pf_agent *a = &pf_agent;
    struct wire_header *h = a->log.header;
    atomic_store_explicit(&h->heartbeat_ns, now, memory_order_release);
    const struct pf_control_view view = pf_control_read(&a->control, now);
    if (view.rejected) atomic_fetch_add(&h->control_rejections, 1);
    if (view.settings.enabled != 0 && view.settings.mode == PF_AGENT_OPENS) pf_first_start(&a->threads); /* before a thread opens its events */
    show_settings(&view.settings);
    pf_threads_keep(&a->threads, &view.settings, now);
    if (view.settings.enabled != 0) pf_threads_promote(&a->threads, view.promoted);
    a->leased = view.leased;
    looked_ns = now;
    return view;
}

void pf_look_again(void) {
    const uint64_t now = pf_now();
    if (now - looked_ns >= PF_ROUND_NS) pf_look(now);
}
