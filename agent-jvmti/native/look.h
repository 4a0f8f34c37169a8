/* What must not wait for long work: heartbeat, control page, perf events. On the housekeeper only.
 * No JVMTI, no JNI. */
#ifndef PF_LOOK_H
#define PF_LOOK_H

#include "control.h"

#define PF_ROUND_NS 100000000ull

/* Once a round; what the control page says. */
struct pf_control_view pf_look(uint64_t now);

/* In the middle of long work, as often as one likes: it does nothing when a round's time has not
 * gone by since the last look. */
void pf_look_again(void);

#endif
