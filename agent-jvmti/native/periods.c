#include "periods.h"

/* The most by which a period differs from the one that is asked for, as a part of it
 * (docs/how-it-works/estimation.md, "Clocks that cannot lock in"). */
#define JITTER 0.4
#define MIN_PERIOD_NS 100000ull

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a number in 0 … 1. */
static double draw(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Samples in a second of a thread's CPU. */
static double rate(uint64_t period_ns) { return period_ns == 0 ? 0 : 1e9 / (double)period_ns; }

static uint64_t around(uint64_t asked_ns, double spread, uint64_t *random) {
    if (asked_ns == 0) return 0;
    const uint64_t drawn = (uint64_t)((double)asked_ns * (1 + spread * (2 * draw(random) - 1)));
    return drawn < MIN_PERIOD_NS ? MIN_PERIOD_NS : drawn;
}

struct pf_periods pf_periods_draw(const struct pf_settings *settings, uint64_t *random) {
    struct pf_periods p = {0};
    const double most = (double)PF_MOST_COPIED_BYTES / ((double)settings->stack_bytes + PF_SAMPLE_BYTES);
    const double left = 1 - (rate(settings->base_period_ns) + rate(settings->detail_period_ns)) / most;
    const double spread = left < 0 ? 0 : left > JITTER ? JITTER : left;
    p.base_ns = around(settings->base_period_ns, spread, random);
    p.detail_ns = around(settings->detail_period_ns, spread, random);
    if (p.detail_ns == p.base_ns && p.base_ns != 0) p.detail_ns++; /* a reader tells the events apart by it */
    const double first_most = most - rate(p.detail_ns);
    if (first_most <= rate(p.base_ns)) return p;
    uint64_t first = (uint64_t)((double)p.base_ns * draw(random));
    const uint64_t least = (uint64_t)(1e9 / first_most) + 1;
    if (first < least) first = least;
    if (first < MIN_PERIOD_NS) first = MIN_PERIOD_NS;
    if (first == p.detail_ns) first++;
    if (first < p.base_ns) p.first_ns = first;
    return p;
}
