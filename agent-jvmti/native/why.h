/* A reason in one line: what failed, on what, and the system's words. Filled by whoever refuses,
 * printed once by agent.c. */
#ifndef PF_WHY_H
#define PF_WHY_H

struct pf_why {
    char text[256];
};

/* Formats into why, cuts what does not fit, replaces line ends by spaces. Returns false, so that
 * callers can `return pf_because(…)`. */
_Bool pf_because(struct pf_why *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
