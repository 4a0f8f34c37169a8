#include "control.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "log.h"

#define MIN_PERIOD_NS 100000ull
#define MAX_PERIOD_NS 60000000000ull

bool pf_control_create(struct pf_control *control, struct pf_why *why) {
    void *map = NULL;
    const int fd = pf_memfd_sealed(WIRE_CONTROL_NAME, WIRE_CONTROL_BYTES, false, &map, why);
    if (fd < 0) return false;
    *control = (struct pf_control){.fd = fd, .page = map};
    control->page->major = WIRE_MAJOR;
    control->page->minor = WIRE_MINOR;
    atomic_store_explicit(&control->page->magic, WIRE_CONTROL_MAGIC, memory_order_release);
    return true;
}

static bool period_valid(uint64_t ns) { return ns == 0 || (ns >= MIN_PERIOD_NS && ns <= MAX_PERIOD_NS); }

/* Bytes in a second of a thread's CPU; at most 65,528 + 1,024 times 1e9, so it cannot overflow. */
static uint64_t copied(uint64_t period_ns, uint32_t stack_bytes) {
    return period_ns == 0 ? 0 : ((uint64_t)stack_bytes + PF_SAMPLE_BYTES) * 1000000000ull / period_ns;
}

/* Each value may be right and all together a denial of service. A reader that opens the events
 * itself needs no leave of ours. */
static bool affordable(const struct pf_settings *s) {
    return s->mode != PF_AGENT_OPENS ||
           copied(s->base_period_ns, s->stack_bytes) + copied(s->detail_period_ns, s->stack_bytes) <= PF_MOST_COPIED_BYTES;
}

bool pf_settings_valid(const struct pf_settings *s) {
    return s->enabled <= 1 && (s->mode == PF_READER_OPENS || s->mode == PF_AGENT_OPENS) && s->stack_bytes <= 65528 &&
           s->stack_bytes % 8 == 0 && s->ring_pages >= 1 && s->ring_pages <= 1024 && (s->ring_pages & (s->ring_pages - 1)) == 0 &&
           period_valid(s->base_period_ns) && period_valid(s->detail_period_ns) && s->inclusion_probability >= 0 &&
           s->inclusion_probability <= 1 && /* a NaN fails both comparisons */
           affordable(s);
}

bool pf_settings_equal(const struct pf_settings *a, const struct pf_settings *b) {
    return a->enabled == b->enabled && a->mode == b->mode && a->stack_bytes == b->stack_bytes && a->ring_pages == b->ring_pages &&
           a->base_period_ns == b->base_period_ns && a->detail_period_ns == b->detail_period_ns &&
           a->inclusion_probability == b->inclusion_probability && a->seed == b->seed && a->min_tasks_per_stage == b->min_tasks_per_stage;
}

/* Copies the settings; false while the reader is writing them (the next poll sees them). */
static bool copy(const struct wire_control *page, struct pf_settings *s, struct pf_promoted *promoted, uint32_t *seq) {
    *seq = atomic_load_explicit(&page->seq, memory_order_acquire);
    if (*seq % 2 != 0) return false;
    /* Acquire loads stay before the second look at seq. */
    s->enabled = atomic_load_explicit(&page->enabled, memory_order_acquire);
    s->mode = atomic_load_explicit(&page->mode, memory_order_acquire);
    s->stack_bytes = atomic_load_explicit(&page->stack_bytes, memory_order_acquire);
    s->ring_pages = atomic_load_explicit(&page->ring_pages, memory_order_acquire);
    s->base_period_ns = atomic_load_explicit(&page->base_period_ns, memory_order_acquire);
    s->detail_period_ns = atomic_load_explicit(&page->detail_period_ns, memory_order_acquire);
    const uint64_t bits = atomic_load_explicit(&page->inclusion_probability, memory_order_acquire);
    memcpy(&s->inclusion_probability, &bits, sizeof bits);
    s->seed = atomic_load_explicit(&page->seed, memory_order_acquire);
    s->min_tasks_per_stage = atomic_load_explicit(&page->min_tasks_per_stage, memory_order_acquire);
    promoted->count = atomic_load_explicit(&page->promoted_count, memory_order_acquire);
    for (uint32_t i = 0; i < promoted->count && i < WIRE_PROMOTED_MAX; i++)
        promoted->tasks[i] = atomic_load_explicit(&page->promoted[i], memory_order_acquire);
    return atomic_load_explicit(&page->seq, memory_order_relaxed) == *seq;
}

static bool lease_fresh(const struct wire_control *page, uint64_t owner, uint64_t now) {
    if (owner == 0) return false;
    const uint64_t beat = atomic_load_explicit(&page->lease_heartbeat_ns, memory_order_acquire);
    return beat <= now ? now - beat <= PF_LEASE_STALE_NS : beat - now <= PF_LEASE_STALE_NS;
}

bool pf_control_reads_code(const struct pf_control *control, uint64_t now) {
    const uint64_t owner = atomic_load_explicit(&control->page->lease_owner, memory_order_acquire);
    return lease_fresh(control->page, owner, now) && atomic_load_explicit(&control->page->code_reader, memory_order_acquire) == owner;
}

struct pf_control_view pf_control_read(struct pf_control *control, uint64_t now) {
    const uint64_t owner = atomic_load_explicit(&control->page->lease_owner, memory_order_acquire);
    struct pf_control_view view = {.leased = lease_fresh(control->page, owner, now)};
    struct pf_settings found;
    struct pf_promoted promoted;
    static const struct pf_promoted none;
    uint32_t seq = 0;
    /* seq 0: no one has written settings yet, so there is nothing to judge. */
    if (copy(control->page, &found, &promoted, &seq) && seq != 0 && seq != control->accepted_seq) {
        if (pf_settings_valid(&found) && promoted.count <= WIRE_PROMOTED_MAX) {
            control->last = found;
            control->promoted = promoted;
            control->accepted_seq = seq;
        } else if (seq != control->refused_seq) {
            control->refused_seq = seq;
            view.rejected = true;
        }
    }
    view.settings = control->last;
    view.promoted = view.leased ? &control->promoted : &none;
    if (!view.leased) view.settings.enabled = 0;
    view.replay_request = atomic_load_explicit(&control->page->replay_request, memory_order_acquire);
    return view;
}

void pf_control_destroy(struct pf_control *control) {
    munmap(control->page, WIRE_CONTROL_BYTES);
    close(control->fd);
    *control = (struct pf_control){.fd = -1};
}
