#include "gather.h"

#include <string.h>
#include <sys/prctl.h>

#include "clock.h"

static bool on_service_thread(void) {
    char name[16] = ""; /* PR_GET_NAME writes as many */
    return prctl(PR_GET_NAME, name) == 0 && strcmp(name, "Service Thread") == 0;
}

void pf_gather(struct pf_gather *gather) {
    if (!gather->known) gather->service = on_service_thread();
    gather->known = true;
    const uint64_t wait = gather->service ? pf_gather_wait(gather, pf_now()) : 0;
    if (wait > 0) nanosleep(&(struct timespec){.tv_nsec = (long)wait}, NULL); /* interrupted: then it is shorter */
}

void pf_gather_ended(struct pf_gather *gather, uint64_t now) { gather->ended_ns = now; }

uint64_t pf_gather_wait(const struct pf_gather *gather, uint64_t now) {
    const bool follows = gather->ended_ns != 0 && now - gather->ended_ns <= PF_GATHER_SERIES_NS;
    return follows ? 0 : PF_GATHER_NS;
}
