/* The periods of one thread's events. They are drawn around the periods that the reader asks for,
 * so that no task is in step with its clock. */
#ifndef PF_PERIODS_H
#define PF_PERIODS_H

#include "control.h"

struct pf_periods {
    uint64_t base_ns; /* 0 none, as the next */
    uint64_t detail_ns;
    uint64_t first_ns; /* before the first sample, at a random moment of base_ns; 0: nothing to draw, the base event begins at once */
};

/* Draws periods for settings that are valid; *random is any number, and another afterwards. What
 * the events copy stays within PF_MOST_COPIED_BYTES, with the first event's. */
struct pf_periods pf_periods_draw(const struct pf_settings *settings, uint64_t *random);

#endif
