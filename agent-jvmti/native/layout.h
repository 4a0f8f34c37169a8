/* VM_LAYOUT and CODE_HEAP records: what an unwinder in another process needs to know of this JVM's
 * own structures. */
#ifndef PF_LAYOUT_H
#define PF_LAYOUT_H

#include "records.h"

/* Writes one VM_LAYOUT (nothing when the JVM exports no vmstructs) and a CODE_HEAP for each segment
 * of the code cache. trap_reasons: struct pf_traps's. */
void pf_layout_write(struct pf_records *records, uint32_t trap_reasons);

/* The value of a boolean -XX flag; false also when the JVM does not tell. */
bool pf_vm_flag(const char *name);

#endif
