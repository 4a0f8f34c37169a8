/* Periods are drawn around those that are asked for, and what the events copy stays within the
 * bound. */
#include "../periods.h"

#include <math.h>

#include "check.h"

static double copied(uint64_t period_ns, uint32_t stack_bytes) {
    return period_ns == 0 ? 0 : ((double)stack_bytes + PF_SAMPLE_BYTES) * 1e9 / (double)period_ns;
}

struct sums {
    double base, detail, first;
    uint64_t least, most; /* of base_ns */
    int firsts;
};

static struct sums draw_many(const struct pf_settings *s, int n) {
    struct sums sums = {.least = UINT64_MAX};
    uint64_t random = 17;
    for (int i = 0; i < n; i++) {
        const struct pf_periods p = pf_periods_draw(s, &random);
        sums.base += (double)p.base_ns / n;
        sums.detail += (double)p.detail_ns / n;
        sums.first += (double)p.first_ns / (double)(p.base_ns != 0 ? p.base_ns : 1) / n;
        sums.firsts += p.first_ns != 0;
        if (p.base_ns < sums.least) sums.least = p.base_ns;
        if (p.base_ns > sums.most) sums.most = p.base_ns;
        if (copied(p.base_ns, s->stack_bytes) + copied(p.detail_ns, s->stack_bytes) > PF_MOST_COPIED_BYTES + 1 ||
            copied(p.first_ns, s->stack_bytes) + copied(p.detail_ns, s->stack_bytes) > PF_MOST_COPIED_BYTES + 1 ||
            (p.detail_ns != 0 && (p.detail_ns == p.base_ns || p.detail_ns == p.first_ns)) || (p.first_ns != 0 && p.first_ns >= p.base_ns)) {
            CHECK(false);
            break;
        }
    }
    return sums;
}

static bool near(double got, double want) { return fabs(got - want) < 0.02 * want; }

int main(void) {
    struct pf_settings s = {.mode = PF_AGENT_OPENS, .stack_bytes = 32768, .base_period_ns = 50000000, .detail_period_ns = 5000000};
    struct sums got = draw_many(&s, 20000);
    CHECK(near(got.base, 50e6) && near(got.detail, 5e6) && near(got.first, 0.5));
    CHECK(got.least >= 30000000 && got.least < 30500000 && got.most <= 70000000 && got.most > 69500000);
    CHECK(got.firsts > 19500);

    /* 33.8 of 40 million bytes: a sixth is left to draw from, and the first event has as little. */
    s.base_period_ns = 1000000;
    s.detail_period_ns = 0;
    got = draw_many(&s, 20000);
    CHECK(near(got.base, 1e6) && got.detail == 0);
    CHECK(got.least >= 844800 && got.least < 850000 && got.most <= 1155200 && got.most > 1150000);

    /* Nothing is left. */
    s.stack_bytes = 38976;
    got = draw_many(&s, 100);
    CHECK(got.least == 1000000 && got.most == 1000000 && got.firsts == 0);

    /* Selected tasks alone: the event that owns the ring never runs. */
    s.stack_bytes = 1024;
    s.base_period_ns = 0;
    s.detail_period_ns = 100000;
    got = draw_many(&s, 1000);
    CHECK(got.base == 0 && got.firsts == 0 && got.detail > 100000 && got.detail < 125000); /* not below the least period */
    return check_result(__FILE__);
}
