#include "layout.h"

#include <string.h>

#include "clock.h"
#include "codecache.h"
#include "payload.h"
#include "process.h"
#include "vmstructs.h"

/* Types whose exported fields are written whole: to find an nmethod, name a Method*, and start from
 * a thread's last Java frame. */
static const char *const wanted[] = {
    "CodeCache",   "CodeHeap", "HeapBlock",   "HeapBlock::Header", "VirtualSpace", "GrowableArrayBase", "GrowableArray<int>",
    "CodeBlob",    "nmethod",  "CompiledMethod", "PcDesc",         "Method",       "ConstMethod",       "ConstantPool",
    "Symbol",      "InstanceKlass", "Klass",  "JavaThread",        "Thread",       "OSThread",          "JavaFrameAnchor",
    "ThreadShadow",
};
static const char *const sized[] = {"HeapBlock", "ConstantPool", "ConstMethod", "Method", "CodeBlob", "nmethod", "JavaThread", "PcDesc"};

static bool is_wanted(const char *type) {
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (strcmp(type, wanted[i]) == 0) return true;
    return false;
}

/* Either the instance fields (offsets) or the static ones (addresses) go into the object that is
 * being written. */
struct object {
    struct pf_buffer *to;
    bool statics;
    bool first;
};

static void put_field(void *context, const char *type, const char *field, struct pf_vm_field what) {
    struct object *object = context;
    if (what.is_static != object->statics || !is_wanted(type)) return;
    /* HotSpot's identifiers need no escaping in JSON. */
    pf_put_text(object->to, "%s\"%s.%s\":%llu", object->first ? "" : ",", type, field,
                (unsigned long long)(what.is_static ? what.address : what.offset));
    object->first = false;
}

static void put_json(struct pf_buffer *to, uint32_t trap_reasons) {
    struct object offsets = {.to = to, .statics = false, .first = true}, addresses = {.to = to, .statics = true, .first = true};
    pf_put_text(to, "{\"offsets\":{");
    pf_vm_each_field(put_field, &offsets);
    pf_put_text(to, "},\"addresses\":{");
    pf_vm_each_field(put_field, &addresses);
    pf_put_text(to, "},\"sizes\":{");
    for (size_t i = 0; i < sizeof sized / sizeof *sized; i++)
        pf_put_text(to, "%s\"%s\":%llu", i ? "," : "", sized[i], (unsigned long long)pf_vm_sizeof(sized[i]));
    pf_put_text(to, "},\"trap_reasons\":%u}", (unsigned)trap_reasons);
}

static void append(struct pf_records *records, enum wire_record_type type, struct pf_buffer *payload) {
    if (payload->failed)
        pf_records_count_drop(records, payload->used);
    else
        pf_records_append(records, type, pf_now(), payload->bytes, payload->used);
    pf_buffer_free(payload);
}

void pf_layout_write(struct pf_records *records, uint32_t trap_reasons) {
    struct pf_buffer json = {0}, payload = {0};
    if (pf_vm_field("CodeCache", "_heaps").found) {
        put_json(&json, trap_reasons);
        if (json.failed) payload.failed = true;
        pf_payload_json(&payload, (struct pf_text){(const char *)json.bytes, json.used});
        append(records, WIRE_VM_LAYOUT, &payload);
        pf_buffer_free(&json);
    }
    struct pf_code_heap heaps[PF_CODE_HEAPS];
    const int n = pf_code_heaps(heaps);
    for (int i = 0; i < n; i++) {
        pf_payload_code_heap(&payload, heaps[i].low, heaps[i].high, ""); /* HotSpot does not export the segments' names */
        append(records, WIRE_CODE_HEAP, &payload);
    }
}

bool pf_vm_flag(const char *name) {
    const struct pf_vm_field flags = pf_vm_field("JVMFlag", "flags"), count = pf_vm_field("JVMFlag", "numFlags");
    struct pf_vm_field flag_name = pf_vm_field("JVMFlag", "_name"), flag_addr = pf_vm_field("JVMFlag", "_addr");
    const uint64_t stride = pf_vm_sizeof("JVMFlag"), n = strlen(name) + 1;
    uint64_t table, length, text, at;
    if (!flag_name.found || !flag_addr.found || stride == 0 || n > 64 || !pf_vm_read(flags, 0, &table) || !pf_vm_read(count, 0, &length))
        return false;
    flag_addr.size = sizeof(void *); /* declared void*, exported with an unchecked type */
    for (uint64_t i = 0; i < length && i < 4096; i++) {
        char candidate[64];
        bool value = false;
        if (!pf_vm_read(flag_name, table + i * stride, &text) || text == 0 || !pf_peek(text, candidate, n)) continue;
        if (memcmp(candidate, name, n) != 0) continue;
        return pf_vm_read(flag_addr, table + i * stride, &at) && pf_peek(at, &value, 1) && value;
    }
    return false;
}
