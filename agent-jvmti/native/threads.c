#include "threads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "events.h"

enum { WORDS = sizeof(struct wire_thread) / sizeof(uint32_t) };

bool pf_threads_init(struct pf_threads *threads, struct pf_log *log, struct pf_why *why) {
    const uint32_t n = log->thread_slots;
    *threads = (struct pf_threads){.log = log, .slots = calloc(n, sizeof *threads->slots), .first_epoll = -1, .first_stop = -1};
    if (threads->slots == NULL) return pf_because(why, "allocate %u thread slots: out of memory", n);
    for (uint32_t i = 0; i < n; i++) {
        threads->slots[i].index = i;
        threads->slots[i].perf = PF_PERF_CLOSED;
    }
    return true;
}

void pf_threads_destroy(struct pf_threads *threads) {
    for (uint32_t i = 0; i < threads->log->thread_slots; i++) pf_perf_close(&threads->slots[i].perf);
    free(threads->slots);
    threads->slots = NULL;
}

static bool try_busy(struct pf_slot *slot) {
    uint32_t idle = 0;
    return atomic_compare_exchange_strong_explicit(&slot->busy, &idle, 1, memory_order_acquire, memory_order_relaxed);
}

static void not_busy(struct pf_slot *slot) { atomic_store_explicit(&slot->busy, 0, memory_order_release); }

/* Copies slot->shown into the log under the sequence number. Holder of busy. */
static void show(struct pf_threads *threads, struct pf_slot *slot) {
    struct wire_thread *into = &threads->log->threads[slot->index];
    _Atomic uint32_t *to = (_Atomic uint32_t *)into;
    uint32_t words[WORDS];
    memcpy(words, &slot->shown, sizeof words);
    const uint32_t seq = atomic_load_explicit(&into->seq, memory_order_relaxed);
    atomic_store_explicit(&into->seq, seq + 1, memory_order_relaxed);
    for (int i = 1; i < WORDS; i++) atomic_store_explicit(&to[i], words[i], memory_order_release);
    atomic_store_explicit(&into->seq, seq + 2, memory_order_release);
}

static void set_name(struct wire_thread *shown, const char *name) {
    size_t n = strnlen(name, sizeof shown->name - 1);
    if (name[n] != 0) /* cut: not within a UTF-8 sequence */
        while (n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80) n--;
    memset(shown->name, 0, sizeof shown->name);
    memcpy(shown->name, name, n);
}

static void raise(_Atomic uint32_t *mark, uint32_t to) {
    uint32_t high = atomic_load_explicit(mark, memory_order_relaxed);
    while (high < to && !atomic_compare_exchange_weak_explicit(mark, &high, to, memory_order_release, memory_order_relaxed)) {
    }
}

struct pf_slot *pf_slot_take(struct pf_threads *threads, uint32_t tid, uint32_t flags, const char *name, uint64_t now) {
    struct wire_header *h = threads->log->header;
    const bool task = (flags & WIRE_THREAD_TASK) != 0;
    if (!task && atomic_load_explicit(&threads->used, memory_order_relaxed) >= threads->log->thread_slots / 2) return NULL;
    for (uint32_t i = 0; i < threads->log->thread_slots; i++) {
        struct pf_slot *slot = &threads->slots[i];
        if (atomic_load_explicit(&slot->state, memory_order_acquire) != PF_SLOT_FREE || !try_busy(slot)) continue;
        if (atomic_load_explicit(&slot->state, memory_order_acquire) != PF_SLOT_FREE) {
            not_busy(slot);
            continue;
        }
        slot->shown = (struct wire_thread){.tid = tid, .start_ns = now, .flags = flags, .perf_fd = -1, .perf_detail_fd = -1};
        set_name(&slot->shown, name);
        slot->random = now ^ (uint64_t)tid << 32;
        slot->refused = false;
        slot->opened_ns = 0;
        slot->off_since_ns = 0;
        atomic_store_explicit(&slot->running, 0, memory_order_relaxed);
        atomic_store_explicit(&slot->detail_for, 0, memory_order_relaxed);
        show(threads, slot);
        raise(&threads->high_water, i + 1);
        raise(&h->threads_high_water, i + 1);
        atomic_fetch_add_explicit(&threads->used, 1, memory_order_relaxed);
        atomic_store_explicit(&slot->state, PF_SLOT_LIVE, memory_order_release);
        not_busy(slot);
        return slot;
    }
    atomic_fetch_add_explicit(&h->dropped_threads, 1, memory_order_relaxed);
    return NULL;
}

bool pf_slot_mark(struct pf_threads *threads, struct pf_slot *slot, uint32_t flags, const char *name) {
    if (!try_busy(slot)) return false;
    slot->shown.flags |= flags;
    if (name != NULL) set_name(&slot->shown, name);
    show(threads, slot);
    not_busy(slot);
    return true;
}

void pf_slot_runs(struct pf_slot *slot, uint64_t task_attempt_id) {
    atomic_store_explicit(&slot->running, task_attempt_id + 1, memory_order_release);
}

void pf_slot_idle(struct pf_slot *slot) { atomic_store_explicit(&slot->running, 0, memory_order_release); }

/* Tells the reader since when the detail event is on, or off, within a task. Holder of busy. */
static void tell_detail(struct pf_threads *threads, const struct pf_slot *slot, uint64_t task, bool on) {
    const struct wire_event event = {.kind = WIRE_TASK_CLOCKS, .time_ns = pf_now(), .tid = slot->shown.tid, .task_attempt_id = task - 1,
                                     .execution_id = -1, .flags = on ? WIRE_TASK_DETAIL : 0, .inclusion_probability = 1};
    pf_events_append(threads->log, &event);
}

static uint64_t thread_cpu_ns(pid_t tid) {
    /* The clock id of another thread's CPU time (linux/posix-timers.h: ~tid << 3 |
     * CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED). */
    const clockid_t clock = tid == 0 ? CLOCK_THREAD_CPUTIME_ID : (clockid_t)((~(unsigned)tid << 3) | 4 | 2);
    struct timespec t;
    if (clock_gettime(clock, &t) != 0) return 0;
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static bool wanted(const struct pf_settings *s) {
    return s->enabled == 1 && s->mode == PF_AGENT_OPENS && (s->base_period_ns != 0 || s->detail_period_ns != 0);
}

static void show_perf(struct pf_threads *threads, struct pf_slot *slot, int perf_errno) {
    const struct pf_perf *perf = &slot->perf;
    slot->shown.perf_fd = perf->fd;
    slot->shown.perf_detail_fd = perf->detail_fd;
    slot->shown.ring_pages = perf->ring_pages;
    slot->shown.perf_errno = (uint32_t)perf_errno;
    slot->shown.base_period_ns = perf->enabled ? slot->periods.base_ns : 0;
    slot->shown.detail_period_ns = perf->detail_fd >= 0 ? slot->periods.detail_ns : 0;
    show(threads, slot);
}

static void count_failure(struct wire_header *h, int failed) {
    if (failed == 0) return;
    atomic_fetch_add_explicit(&h->perf_open_failures, 1, memory_order_relaxed);
    atomic_store_explicit(&h->perf_last_errno, (uint32_t)failed, memory_order_relaxed);
}

/* Takes pages for a ring out of the budget of all rings. Returns as many as wanted, or else the
 * largest useful power of two that is left, or 0 if there is none. Task threads open their rings at
 * the same time. */
static uint32_t take_pages(struct pf_threads *threads, uint32_t wanted_pages, uint32_t least) {
    uint32_t taken = atomic_load_explicit(&threads->pages, memory_order_relaxed);
    for (;;) {
        uint32_t pages = wanted_pages;
        while (pages >= least && taken + pages > PF_MOST_RING_PAGES) pages /= 2;
        if (pages < least) return 0;
        if (atomic_compare_exchange_weak_explicit(&threads->pages, &taken, taken + pages, memory_order_relaxed, memory_order_relaxed))
            return pages;
    }
}

static void give_pages(struct pf_threads *threads, struct pf_slot *slot, uint32_t keep) {
    atomic_fetch_sub_explicit(&threads->pages, slot->held_pages - keep, memory_order_relaxed);
    slot->held_pages = keep;
}

static int open_within_bounds(struct pf_threads *threads, struct pf_slot *slot, pid_t tid, const struct pf_settings *settings,
                              int *detail_failed) {
    struct pf_settings granted = *settings;
    const uint32_t least = pf_perf_least_pages(settings->stack_bytes);
    if (settings->ring_pages < least) return ENOBUFS;
    granted.ring_pages = slot->held_pages = take_pages(threads, settings->ring_pages, least);
    if (slot->held_pages == 0) return ENOMEM;
    slot->periods = pf_periods_draw(settings, &slot->random);
    granted.base_period_ns = slot->periods.base_ns;
    granted.detail_period_ns = slot->periods.detail_ns;
    const struct pf_first first = {slot->periods.first_ns, atomic_load(&threads->first_epoll), slot->index};
    const bool has_first = first.period_ns != 0 && first.epoll >= 0;
    const int failed = pf_perf_open(&slot->perf, tid, &granted, has_first ? &first : NULL, detail_failed);
    give_pages(threads, slot, slot->perf.ring_pages); /* what memlock refused, or all of it */
    return failed;
}

static bool detail_ready(const struct pf_slot *slot) {
    return slot->perf.fd >= 0 && slot->perf.detail_fd >= 0 && slot->off_since_ns == 0;
}

/* The events are off, or others than before: the detail event of a task goes on with the new one,
 * or the reader is told that it does not. Holder of busy. */
static void resume_detail(struct pf_threads *threads, struct pf_slot *slot) {
    const uint64_t task = atomic_load_explicit(&slot->detail_for, memory_order_relaxed);
    if (task == 0 || (detail_ready(slot) && pf_perf_detail(&slot->perf, true) == 0)) return;
    atomic_store_explicit(&slot->detail_for, 0, memory_order_relaxed);
    tell_detail(threads, slot, task, false);
}

/* Holder of busy; tid 0 is the calling thread. */
static void open_events(struct pf_threads *threads, struct pf_slot *slot, pid_t tid, const struct pf_settings *settings, uint64_t now) {
    int detail_failed = 0;
    if (atomic_load(&threads->closed) != 0) return;
    const uint64_t cpu = thread_cpu_ns(tid);
    const int failed = open_within_bounds(threads, slot, tid, settings, &detail_failed);
    slot->opened_with = *settings;
    slot->opened_ns = now;
    slot->refused = failed != 0;
    slot->off_since_ns = 0;
    if (failed == 0) {
        slot->shown.cpu_ns_at_open = cpu;
        slot->shown.perf_opens++;
    }
    count_failure(threads->log->header, failed != 0 ? failed : detail_failed);
    show_perf(threads, slot, failed != 0 ? failed : detail_failed);
    resume_detail(threads, slot);
}

static void close_perf(struct pf_threads *threads, struct pf_slot *slot) {
    pf_perf_close(&slot->perf);
    give_pages(threads, slot, 0);
}

static void close_events(struct pf_threads *threads, struct pf_slot *slot) {
    close_perf(threads, slot);
    show_perf(threads, slot, 0);
}

void pf_slot_open_own(struct pf_threads *threads, struct pf_slot *slot, const struct pf_settings *settings, uint64_t now) {
    if (!wanted(settings) || !try_busy(slot)) return;
    if (slot->perf.fd < 0) open_events(threads, slot, 0, settings, now);
    not_busy(slot);
}

/* An event that the kernel does not switch on is closed: the slot promises no samples, and the
 * housekeeper opens another, at most once in PF_REOPEN_NS. Holder of busy. */
static void give_up(struct pf_threads *threads, struct pf_slot *slot, int failed) {
    count_failure(threads->log->header, failed);
    close_perf(threads, slot);
    show_perf(threads, slot, failed);
    resume_detail(threads, slot);
}

/* Holder of busy. */
static void begin_if_over(struct pf_threads *threads, struct pf_slot *slot) {
    const int failed = pf_perf_first_over(&slot->perf) ? pf_perf_begin(&slot->perf) : 0;
    if (failed != 0) give_up(threads, slot, failed);
}

void pf_slot_first(struct pf_threads *threads, uint32_t index) {
    if (index >= threads->log->thread_slots || !try_busy(&threads->slots[index])) return;
    begin_if_over(threads, &threads->slots[index]);
    not_busy(&threads->slots[index]);
}

/* Holder of busy. */
static bool switch_detail(struct pf_slot *slot, uint64_t task) {
    if (!detail_ready(slot) || pf_perf_detail(&slot->perf, task != 0) != 0) return false;
    atomic_store_explicit(&slot->detail_for, task, memory_order_relaxed);
    return true;
}

bool pf_slot_detail(struct pf_slot *slot, bool on) {
    if (!try_busy(slot)) return false;
    const bool done = switch_detail(slot, on ? atomic_load_explicit(&slot->running, memory_order_relaxed) : 0);
    not_busy(slot);
    return done;
}

void pf_slot_end(struct pf_threads *threads, struct pf_slot *slot, uint64_t now) {
    if (try_busy(slot)) {
        if (slot->perf.fd >= 0) pf_perf_enable(&slot->perf, false);
        slot->shown.flags |= WIRE_THREAD_ENDED;
        show(threads, slot);
        not_busy(slot);
    }
    atomic_store_explicit(&slot->ended_ns, now, memory_order_relaxed);
    atomic_store_explicit(&slot->state, PF_SLOT_ENDED, memory_order_release);
}

static bool same_events(const struct pf_settings *a, const struct pf_settings *b) {
    return a->mode == b->mode && a->stack_bytes == b->stack_bytes && a->ring_pages == b->ring_pages &&
           a->base_period_ns == b->base_period_ns && a->detail_period_ns == b->detail_period_ns;
}

static void free_slot(struct pf_threads *threads, struct pf_slot *slot) {
    close_perf(threads, slot);
    slot->shown = (struct wire_thread){.perf_fd = -1, .perf_detail_fd = -1};
    show(threads, slot);
    atomic_fetch_sub_explicit(&threads->used, 1, memory_order_relaxed);
    atomic_store_explicit(&slot->state, PF_SLOT_FREE, memory_order_release);
}

/* Sampling is not wanted: off at once, closed when it stays off; another mode's events would only
 * be in the way. */
static void keep_off(struct pf_threads *threads, struct pf_slot *slot, const struct pf_settings *settings, uint64_t now) {
    if (slot->perf.fd < 0) return;
    if (slot->off_since_ns == 0) {
        slot->off_since_ns = now;
        pf_perf_enable(&slot->perf, false);
        show_perf(threads, slot, 0);
        resume_detail(threads, slot);
    }
    if (settings->mode == PF_READER_OPENS || now - slot->off_since_ns >= PF_CLOSE_AFTER_NS) close_events(threads, slot);
}

static void keep_on(struct pf_threads *threads, struct pf_slot *slot, const struct pf_settings *settings, uint64_t now) {
    const bool changed = !same_events(&slot->opened_with, settings);
    if (slot->perf.fd < 0 || changed) {
        /* Settings that change all the time do not keep us busy: until then the old events go on,
         * and the slot says what they are. */
        const bool early = slot->opened_ns != 0 && now < slot->opened_ns + PF_REOPEN_NS;
        /* A refusal is final until the settings change: asking ten times a second would only
         * cost. */
        if (early || (slot->perf.fd < 0 && slot->refused && !changed)) return;
        if (slot->perf.fd >= 0) close_events(threads, slot);
        open_events(threads, slot, (pid_t)slot->shown.tid, settings, now);
        return;
    }
    begin_if_over(threads, slot);
    if (slot->off_since_ns == 0) return;
    slot->off_since_ns = 0;
    const int failed = settings->base_period_ns != 0 ? pf_perf_enable(&slot->perf, true) : 0;
    if (failed != 0)
        give_up(threads, slot, failed);
    else
        show_perf(threads, slot, 0);
}

/* Switches the detail event off that was left on because we were at the slot when its task
 * ended. */
static void leave_detail(struct pf_slot *slot) {
    const uint64_t on_for = atomic_load_explicit(&slot->detail_for, memory_order_relaxed);
    if (on_for != 0 && on_for != atomic_load_explicit(&slot->running, memory_order_acquire)) switch_detail(slot, 0);
}

static bool is_promoted(const struct pf_promoted *promoted, uint64_t task) {
    for (uint32_t i = 0; i < promoted->count; i++)
        if (promoted->tasks[i] + 1 == task) return true;
    return false;
}

static void promote(struct pf_threads *threads, struct pf_slot *slot, const struct pf_promoted *promoted) {
    const uint64_t task = atomic_load_explicit(&slot->running, memory_order_acquire);
    if (task == 0 || atomic_load_explicit(&slot->detail_for, memory_order_relaxed) != 0 || !is_promoted(promoted, task)) return;
    if (!switch_detail(slot, task)) return;
    if (atomic_load_explicit(&slot->running, memory_order_acquire) == task)
        tell_detail(threads, slot, task, true);
    else /* it ended meanwhile */
        switch_detail(slot, 0);
}

void pf_threads_promote(struct pf_threads *threads, const struct pf_promoted *promoted) {
    const uint32_t used = promoted->count == 0 ? 0 : atomic_load_explicit(&threads->high_water, memory_order_acquire);
    for (uint32_t i = 0; i < used; i++) {
        struct pf_slot *slot = &threads->slots[i];
        if (atomic_load_explicit(&slot->state, memory_order_acquire) != PF_SLOT_LIVE || !try_busy(slot)) continue;
        promote(threads, slot, promoted);
        not_busy(slot);
    }
}

static void keep_slot(struct pf_threads *threads, struct pf_slot *slot, const struct pf_settings *settings, uint64_t now) {
    const uint32_t state = atomic_load_explicit(&slot->state, memory_order_acquire);
    if (state == PF_SLOT_ENDED) {
        const uint64_t ended = atomic_load_explicit(&slot->ended_ns, memory_order_relaxed);
        if (now > ended && now - ended >= PF_THREAD_GRACE_NS) {
            free_slot(threads, slot);
        } else if ((slot->shown.flags & WIRE_THREAD_ENDED) == 0) { /* the thread could not get at its slot */
            pf_perf_enable(&slot->perf, false);
            slot->shown.flags |= WIRE_THREAD_ENDED;
            show(threads, slot);
        }
    } else if (state == PF_SLOT_LIVE && (slot->shown.flags & WIRE_THREAD_TASK) != 0) {
        leave_detail(slot);
        if (wanted(settings))
            keep_on(threads, slot, settings, now);
        else
            keep_off(threads, slot, settings, now);
    }
}

void pf_threads_keep(struct pf_threads *threads, const struct pf_settings *settings, uint64_t now) {
    const uint32_t used = atomic_load_explicit(&threads->high_water, memory_order_acquire);
    for (uint32_t i = 0; i < used; i++) {
        struct pf_slot *slot = &threads->slots[i];
        if (atomic_load_explicit(&slot->state, memory_order_relaxed) == PF_SLOT_FREE || !try_busy(slot)) continue;
        keep_slot(threads, slot, settings, now);
        not_busy(slot);
    }
}

void pf_threads_off(struct pf_threads *threads) {
    const struct timespec nap = {0, 1000000};
    /* Who opens holds busy and looks at this first: whoever is not seen below has seen it. */
    atomic_store(&threads->closed, 1);
    const uint32_t used = atomic_load(&threads->high_water);
    for (uint32_t i = 0; i < used; i++) {
        struct pf_slot *slot = &threads->slots[i];
        while (!try_busy(slot)) clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
        if (slot->perf.fd >= 0) close_events(threads, slot);
        not_busy(slot);
    }
}
