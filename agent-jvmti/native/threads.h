/* Thread slots (FORMAT.md, "Thread slot") and the perf events that belong to them. A slot has one
 * writer at a time: whoever holds its `busy` flag. No one waits for the flag: a thread that does
 * not get it leaves the work to the housekeeper's next round. */
#ifndef PF_THREADS_H
#define PF_THREADS_H

#include <stdbool.h>

#include "control.h"
#include "log.h"
#include "perf.h"
#include "periods.h"

#define PF_THREAD_GRACE_NS 2000000000ull  /* an ended thread's ring stays readable that long */
#define PF_CLOSE_AFTER_NS 10000000000ull /* events switched off that long are closed */
#define PF_REOPEN_NS 1000000000ull       /* a thread's events are opened at most that often, whatever the reader writes */
#define PF_MOST_RING_PAGES 65536         /* data pages of all rings together: 256 MiB of 4 KiB pages */

enum pf_slot_state { PF_SLOT_FREE, PF_SLOT_LIVE, PF_SLOT_ENDED };

struct pf_slot {
    _Atomic uint32_t state; /* enum pf_slot_state */
    _Atomic uint32_t busy;
    _Atomic uint64_t ended_ns;
    uint32_t index;
    _Atomic uint64_t running;    /* 1 + the attempt id of the task on the thread, 0 none; written by that thread alone */
    _Atomic uint64_t detail_for; /* the same of the task for which the detail event is on, 0 off; written under busy */
    /* Under busy: */
    struct wire_thread shown; /* what the shared slot says; seq unused */
    struct pf_perf perf;
    struct pf_settings opened_with; /* settings that the events were opened, or refused, with */
    struct pf_periods periods;      /* drawn for them */
    uint64_t random;
    bool refused;
    uint64_t opened_ns;  /* when events were last opened or refused; 0 never */
    uint32_t held_pages; /* of threads->pages */
    uint64_t off_since_ns;
};

struct pf_threads {
    struct pf_log *log;
    struct pf_slot *slots;
    _Atomic uint32_t used;
    _Atomic uint32_t high_water; /* our own copy of the header's */
    _Atomic uint32_t pages;      /* data pages of all rings, as mapped or about to be */
    _Atomic uint32_t closed;     /* pf_threads_off: no event is opened any more */
    _Atomic int first_epoll;     /* first.h: the descriptor that waits for first samples; -1 none */
    _Atomic int first_stop;      /* first.h: the descriptor that ends the wait; -1 none */
    bool first_refused;
};

bool pf_threads_init(struct pf_threads *threads, struct pf_log *log, struct pf_why *why);
void pf_threads_destroy(struct pf_threads *threads);

/* Takes a slot for a thread; NULL when none is left, counted. flags: enum wire_thread_flag. A
 * thread that runs no task gets none of the second half of the slots, so that task threads always
 * find one; that is not counted. Lock-free, without allocation. */
struct pf_slot *pf_slot_take(struct pf_threads *threads, uint32_t tid, uint32_t flags, const char *name, uint64_t now);

/* Adds flags and, when name is not NULL, another name. False when another thread is at the slot. */
bool pf_slot_mark(struct pf_threads *threads, struct pf_slot *slot, uint32_t flags, const char *name);

/* Opens the events of the calling thread if the settings ask for it; a no-op when another thread is
 * at the slot or they are open. */
void pf_slot_open_own(struct pf_threads *threads, struct pf_slot *slot, const struct pf_settings *settings, uint64_t now);

/* Lets the base event of a slot's thread begin if the first sample is taken. The thread of first.h
 * calls it, and the housekeeper in its rounds. */
void pf_slot_first(struct pf_threads *threads, uint32_t index);

/* The calling thread starts a task, or ends it. */
void pf_slot_runs(struct pf_slot *slot, uint64_t task_attempt_id);
void pf_slot_idle(struct pf_slot *slot);

/* Switches the detail event of the calling thread around its task. False: nothing changed, because
 * there is no event, it cannot be switched, or the housekeeper is at the slot. In its next round
 * the housekeeper switches off what should not be on. */
bool pf_slot_detail(struct pf_slot *slot, bool on);

/* The calling thread ends: its event is switched off, ring and slot stay for the grace period. */
void pf_slot_end(struct pf_threads *threads, struct pf_slot *slot, uint64_t now);

/* The housekeeper's round: opens, re-opens, switches and closes events as the settings say, and
 * frees slots after the grace period. */
void pf_threads_keep(struct pf_threads *threads, const struct pf_settings *settings, uint64_t now);

/* Switches the detail events of running tasks that are promoted on, and tells the reader with a
 * task event. The housekeeper only. */
void pf_threads_promote(struct pf_threads *threads, const struct pf_promoted *promoted);

/* The agent is off: closes all events, and none is opened after that. Waits for threads that are
 * just opening theirs. Idempotent. */
void pf_threads_off(struct pf_threads *threads);

#endif
