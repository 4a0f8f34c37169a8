#include "gather.h"

#include <string.h>
#include <sys/prctl.h>
#include <time.h>

static bool on_service_thread(void) {
    char name[16] = ""; /* PR_GET_NAME writes as many */
    return prctl(PR_GET_NAME, name) == 0 && strcmp(name, "Service Thread") == 0;
}

void pf_gather(struct pf_gather *gather, uint32_t jdk_feature, uint64_t slept) {
    if (!gather->known) gather->service = jdk_feature <= PF_GATHER_LAST_JDK && on_service_thread();
    gather->known = true;
    if (!gather->service || gather->slept == slept) return;
    nanosleep(&(struct timespec){.tv_nsec = (long)PF_GATHER_NS}, NULL); /* interrupted: then it is shorter */
}

void pf_gather_ended(struct pf_gather *gather, uint64_t slept) { gather->slept = slept; }
