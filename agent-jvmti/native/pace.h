/* Limits how often work is done that another process orders. It is done at most once a second, and
 * takes at most a twentieth of a CPU in the long run. One thread. */
#ifndef PF_PACE_H
#define PF_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define PF_PACE_EVERY_NS 1000000000ull /* from one beginning to the next */
#define PF_PACE_SHARE 20               /* a nanosecond of CPU is earned in that many of the clock */
#define PF_PACE_SAVED_NS 2000000000ll  /* more is not saved: what a quiet time allows at once */

struct pf_pace {
    int64_t credit_ns; /* CPU that may still be spent; below 0: overdrawn */
    uint64_t earned_ns; /* up to when credit was given */
    uint64_t began_ns; /* of the last work; 0 none */
};

void pf_pace_init(struct pf_pace *pace, uint64_t now);

/* Whether work may begin now, which the caller then notes with pf_pace_begin. */
bool pf_pace_ready(struct pf_pace *pace, uint64_t now);
void pf_pace_begin(struct pf_pace *pace, uint64_t now);

/* The CPU that it took; any number of times. */
void pf_pace_spent(struct pf_pace *pace, uint64_t cpu_ns);

#endif
