/* The perf events of one thread and the ring they share (FORMAT.md, "Perf events that the agent
 * opens"). Not thread-safe: the owner of a thread slot's `busy` flag calls. */
#ifndef PF_PERF_H
#define PF_PERF_H

#include <stdbool.h>
#include <sys/types.h>

#include "control.h"

/* What the samples hold, for the header. */
uint64_t pf_perf_sample_type(void);
uint64_t pf_perf_regs_mask(void);

struct pf_perf {
    int fd;        /* the base event, -1 closed */
    int detail_fd; /* opened switched off, writes into the base event's ring; -1 none */
    int first_fd;  /* takes the first sample, before the base event begins; -1 none, or it has begun */
    uint64_t first_ns;
    void *ring;
    size_t ring_bytes;
    uint32_t ring_pages; /* data pages really mapped */
    bool enabled; /* the base event is on, or begins after the first sample */
};

#define PF_PERF_CLOSED ((struct pf_perf){.fd = -1, .detail_fd = -1, .first_fd = -1})

/* How the first sample of a thread is taken (first.h). */
struct pf_first {
    uint64_t period_ns;
    int epoll;     /* is told of it … */
    uint32_t data; /* … with this */
};

/* The smallest ring of use: a sample fits. In a smaller one every sample would be lost, and not
 * even the loss told. A power of two. */
uint32_t pf_perf_least_pages(uint32_t stack_bytes);

/* Opens a thread's events, maps the ring and switches the base event on; with first, unless that is
 * refused, when pf_perf_begin is called after the first sample. tid 0 is the calling thread. A ring
 * that the memlock limit refuses is halved until it fits or would be of no use; ENOBUFS when the
 * settings ask for a useless one. Returns 0 or an errno; then nothing stays open. A refused detail
 * event is no failure of the base event: detail_fd stays -1 and *detail_errno says why. */
int pf_perf_open(struct pf_perf *perf, pid_t tid, const struct pf_settings *settings, const struct pf_first *first, int *detail_errno);

/* True when the first sample is taken, or its moment was in the kernel, and the base event should
 * begin. */
bool pf_perf_first_over(const struct pf_perf *perf);

/* Lets the base event begin and ends the first event. */
int pf_perf_begin(struct pf_perf *perf);

/* Switches the base event (and, off only, the detail event too). Samples taken so far stay
 * readable. */
int pf_perf_enable(struct pf_perf *perf, bool on);

/* Switches the detail event around a selected task; a no-op without one. */
int pf_perf_detail(const struct pf_perf *perf, bool on);

/* Switches off first: a reader that took the events over keeps them alive beyond our close. */
void pf_perf_close(struct pf_perf *perf);

#endif
