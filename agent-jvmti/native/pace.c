#include "pace.h"

void pf_pace_init(struct pf_pace *pace, uint64_t now) { *pace = (struct pf_pace){.credit_ns = PF_PACE_SAVED_NS, .earned_ns = now}; }

bool pf_pace_ready(struct pf_pace *pace, uint64_t now) {
    if (now > pace->earned_ns) {
        const uint64_t earned = (now - pace->earned_ns) / PF_PACE_SHARE;
        pace->earned_ns += earned * PF_PACE_SHARE; /* the rest counts next time */
        pace->credit_ns = earned > (uint64_t)(PF_PACE_SAVED_NS - pace->credit_ns) ? PF_PACE_SAVED_NS : pace->credit_ns + (int64_t)earned;
    }
    return pace->credit_ns >= 0 && (pace->began_ns == 0 || now >= pace->began_ns + PF_PACE_EVERY_NS);
}

void pf_pace_begin(struct pf_pace *pace, uint64_t now) { pace->began_ns = now; }

void pf_pace_spent(struct pf_pace *pace, uint64_t cpu_ns) {
    const int64_t most = INT64_MAX / 4; /* no CPU time of a process is as long; so the sum cannot overflow */
    if (pace->credit_ns > -most) pace->credit_ns -= cpu_ns < (uint64_t)most ? (int64_t)cpu_ns : most;
}
