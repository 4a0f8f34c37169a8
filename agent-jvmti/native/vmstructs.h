/*
 * HotSpot's description of its own data structures, exported by libjvm.so for its serviceability
 * agent (vmStructs.hpp: gHotSpotVMStructs, gHotSpotVMTypes, gHotSpotVMIntConstants and the offsets
 * and strides of their entries). Nothing of it is taken on trust: what is read with it is read with
 * pf_peek and checked against what JVMTI says, until that has proved right often enough
 * (codecache.c).
 */
#ifndef PF_VMSTRUCTS_H
#define PF_VMSTRUCTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "why.h"

/* One field. size is its type's size, 8 for pointers, 0 when the type is not known. */
struct pf_vm_field {
    bool found;
    bool is_static;
    uint64_t offset;  /* within its object */
    uint64_t address; /* of a static field */
    uint32_t size;
};

/* Finds the tables in the libjvm.so that any_jvm_function points into. Call once, before any
 * other. */
bool pf_vmstructs_find(const void *any_jvm_function, struct pf_why *why);

/* .found is false when this JVM does not export the field. */
struct pf_vm_field pf_vm_field(const char *type, const char *field);

/* sizeof a type, 0 unknown. */
uint64_t pf_vm_sizeof(const char *type);

/* The value of an enumerator or constant, by its C++ name. False: this JVM does not export it. */
bool pf_vm_constant(const char *name, int32_t *value);

/* The number in a field of the object at that address (static fields: any address), sign-extended
 * from its size. */
bool pf_vm_read(struct pf_vm_field field, uint64_t object, uint64_t *value);

/* The number in a copy of that field's bytes, sign-extended from its size. False: a type whose size
 * is not known. */
bool pf_vm_decode(struct pf_vm_field field, const void *bytes, uint64_t *value);

/* Calls back for each exported field; for the layout record. */
void pf_vm_each_field(void (*visit)(void *context, const char *type, const char *field, struct pf_vm_field what), void *context);

#endif
