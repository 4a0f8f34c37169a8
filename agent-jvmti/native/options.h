/* The options string of -agentpath and of NativeAgent.start: comma-separated key=value. */
#ifndef PF_OPTIONS_H
#define PF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "why.h"

struct pf_options {
    uint32_t log_mib; /* 4 … 256, default 16 */
    uint32_t code;    /* 0: no events of code, classes and threads, for a JVM that runs no tasks; default 1 */
};

/* NULL and "" are the defaults. An unknown key, a value out of range or one that is no number is
 * refused, naming it. */
bool pf_options_parse(struct pf_options *options, const char *text, struct pf_why *why);

#endif
