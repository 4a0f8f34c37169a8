/* What this JVM's uncommon traps mean, for proof.c. */
#ifndef PF_TRAPS_H
#define PF_TRAPS_H

#include <stdint.h>

#define PF_TRAP_BLOB "UncommonTrapBlob" /* as DynamicCodeGenerated names it, JDK 17 to 25 */

/* The reasons, a bit each, whose traps have the state of the bytecode that checks. Numbers differ
 * between JDKs, and are those that libjvm.so exports (JDK 17 and 25 do). 0: it does not, or packs
 * requests in another way. Call after pf_vmstructs_find. */
uint32_t pf_trap_reasons(void);

#endif
