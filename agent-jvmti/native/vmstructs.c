#include "vmstructs.h"

#include <dlfcn.h>
#include <string.h>

#include "process.h"

/* A table: an array of entries whose layout libjvm.so exports too. Written once before other
 * threads call. */
static struct {
    const char *entries;
    uint64_t stride, type_name, field_name, type_string, is_static, offset, address;
} structs;
static struct {
    const char *entries;
    uint64_t stride, type_name, size;
} types;
static struct {
    const char *entries;
    uint64_t stride, name, value;
} constants;

static bool word(void *library, const char *symbol, uint64_t *into) {
    const uint64_t *at = dlsym(library, symbol);
    if (at == NULL) return false;
    *into = *at;
    return true;
}

static bool table(void *library, const char *symbol, const char **into) {
    const char *const *at = dlsym(library, symbol);
    if (at == NULL || *at == NULL) return false;
    *into = *at;
    return true;
}

/* JVMs without constants are as good, but for what pf_vm_constant is asked for. */
static void find_constants(void *jvm) {
    if (!word(jvm, "gHotSpotVMIntConstantEntryNameOffset", &constants.name) || !word(jvm, "gHotSpotVMIntConstantEntryValueOffset", &constants.value) ||
        !word(jvm, "gHotSpotVMIntConstantEntryArrayStride", &constants.stride) || !table(jvm, "gHotSpotVMIntConstants", &constants.entries))
        constants.entries = NULL;
}

bool pf_vmstructs_find(const void *any_jvm_function, struct pf_why *why) {
    Dl_info where;
    if (dladdr(any_jvm_function, &where) == 0 || where.dli_fname == NULL) return pf_because(why, "libjvm.so: not found in this process");
    void *jvm = dlopen(where.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    if (jvm == NULL) return pf_because(why, "libjvm.so: %s", dlerror());
    const bool found = word(jvm, "gHotSpotVMStructEntryTypeNameOffset", &structs.type_name) &&
                       word(jvm, "gHotSpotVMStructEntryFieldNameOffset", &structs.field_name) &&
                       word(jvm, "gHotSpotVMStructEntryTypeStringOffset", &structs.type_string) &&
                       word(jvm, "gHotSpotVMStructEntryIsStaticOffset", &structs.is_static) &&
                       word(jvm, "gHotSpotVMStructEntryOffsetOffset", &structs.offset) &&
                       word(jvm, "gHotSpotVMStructEntryAddressOffset", &structs.address) &&
                       word(jvm, "gHotSpotVMStructEntryArrayStride", &structs.stride) &&
                       word(jvm, "gHotSpotVMTypeEntryTypeNameOffset", &types.type_name) &&
                       word(jvm, "gHotSpotVMTypeEntrySizeOffset", &types.size) &&
                       word(jvm, "gHotSpotVMTypeEntryArrayStride", &types.stride) &&
                       table(jvm, "gHotSpotVMTypes", &types.entries) && table(jvm, "gHotSpotVMStructs", &structs.entries);
    find_constants(jvm);
    dlclose(jvm); /* only our reference: the JVM stays */
    if (!found) {
        structs.entries = types.entries = NULL;
        return pf_because(why, "%s exports no gHotSpotVMStructs", where.dli_fname);
    }
    return true;
}

static const char *text(const char *entry, uint64_t offset) { return *(const char *const *)(entry + offset); }

uint64_t pf_vm_sizeof(const char *type) {
    for (const char *e = types.entries; e != NULL && text(e, types.type_name) != NULL; e += types.stride)
        if (strcmp(text(e, types.type_name), type) == 0) return *(const uint64_t *)(e + types.size);
    return 0;
}

bool pf_vm_constant(const char *name, int32_t *value) {
    for (const char *e = constants.entries; e != NULL && text(e, constants.name) != NULL; e += constants.stride)
        if (strcmp(text(e, constants.name), name) == 0) {
            memcpy(value, e + constants.value, sizeof *value);
            return true;
        }
    return false;
}

static uint32_t size_of(const char *type) {
    if (type == NULL) return 0;
    const size_t n = strlen(type);
    if (strcmp(type, "address") == 0 || (n > 0 && type[n - 1] == '*')) return sizeof(void *);
    const uint64_t size = pf_vm_sizeof(type);
    return size <= 8 ? (uint32_t)size : 0;
}

static struct pf_vm_field describe(const char *e) {
    struct pf_vm_field f = {.found = true, .size = size_of(text(e, structs.type_string))};
    f.is_static = *(const int32_t *)(e + structs.is_static) != 0;
    if (f.is_static)
        f.address = (uint64_t)(uintptr_t) * (void *const *)(e + structs.address);
    else
        f.offset = *(const uint64_t *)(e + structs.offset);
    return f;
}

struct pf_vm_field pf_vm_field(const char *type, const char *field) {
    for (const char *e = structs.entries; e != NULL && text(e, structs.type_name) != NULL; e += structs.stride)
        if (strcmp(text(e, structs.type_name), type) == 0 && strcmp(text(e, structs.field_name), field) == 0) return describe(e);
    return (struct pf_vm_field){0};
}

bool pf_vm_decode(struct pf_vm_field field, const void *bytes, uint64_t *value) {
    union {
        int8_t i8;
        int16_t i16;
        int32_t i32;
        uint64_t u64;
    } raw;
    if (field.size != 1 && field.size != 2 && field.size != 4 && field.size != 8) return false;
    memcpy(&raw, bytes, field.size);
    *value = field.size == 1 ? (uint64_t)(int64_t)raw.i8 : field.size == 2 ? (uint64_t)(int64_t)raw.i16
           : field.size == 4 ? (uint64_t)(int64_t)raw.i32 : raw.u64;
    return true;
}

bool pf_vm_read(struct pf_vm_field field, uint64_t object, uint64_t *value) {
    uint8_t raw[8];
    return field.found && field.size <= sizeof raw && pf_peek(field.is_static ? field.address : object + field.offset, raw, field.size) &&
           pf_vm_decode(field, raw, value);
}

void pf_vm_each_field(void (*visit)(void *, const char *, const char *, struct pf_vm_field), void *context) {
    for (const char *e = structs.entries; e != NULL && text(e, structs.type_name) != NULL; e += structs.stride)
        visit(context, text(e, structs.type_name), text(e, structs.field_name), describe(e));
}
