#include "code.h"

#include <jvmticmlr.h>
#include <string.h>

#include "clock.h"
#include "codecache.h"
#include "payload.h"
#include "proof.h"
#include "traps.h"

enum { C2_LEVEL = 4 };

void pf_code_init(struct pf_code *code, struct pf_methods *methods, struct pf_records *records) {
    code->methods = methods;
    code->records = records;
    pf_queue_init(&code->stubs);
}

/* Work on one event. The two caches are direct-mapped and only save time: a miss asks again, or
 * writes a chain twice. */
struct load {
    struct pf_code *code;
    JNIEnv *jni;
    struct pf_buffer regions; /* of struct pf_code_region */
    struct pf_buffer frames;  /* of struct pf_code_frame */
    struct pf_buffer proofs;  /* of struct pf_proof */
    struct {
        jmethodID id;
        uint64_t number;
    } numbers[256];
    struct pf_code_region chains[256]; /* by the hash of the chain; frames 0: empty */
};

static uint64_t number_of(struct load *load, jmethodID id) {
    const size_t i = ((uint64_t)(uintptr_t)id >> 3) * 0x9e3779b97f4a7c15ull >> 56;
    if (load->numbers[i].id != id || id == NULL) {
        load->numbers[i].number = pf_method_number(load->code->methods, load->jni, id);
        load->numbers[i].id = id;
    }
    return load->numbers[i].number;
}

/* Puts the frames of one pc behind the others, unless the same chain is there already. */
static void put_chain(struct load *load, const PCStackInfo *pc, struct pf_code_region *region) {
    const size_t at = load->frames.used;
    uint64_t hash = 0;
    for (jint i = 0; i < pc->numstackframes; i++) {
        struct pf_code_frame frame;
        memset(&frame, 0, sizeof frame); /* padding too: chains are compared as bytes */
        frame.method = number_of(load, pc->methods[i]);
        frame.bci = pc->bcis[i];
        pf_put_bytes(&load->frames, &frame, sizeof frame);
        hash = (hash ^ frame.method << 20 ^ (uint32_t)frame.bci) * 0x9e3779b97f4a7c15ull;
    }
    if (load->frames.failed) return;
    region->first_frame = (uint32_t)(at / sizeof(struct pf_code_frame));
    region->frames = (uint32_t)pc->numstackframes;
    struct pf_code_region *seen = &load->chains[hash >> 56];
    if (seen->frames == region->frames &&
        memcmp(load->frames.bytes + seen->first_frame * sizeof(struct pf_code_frame), load->frames.bytes + at, load->frames.used - at) == 0) {
        load->frames.used = at;
        region->first_frame = seen->first_frame;
    } else {
        *seen = *region;
    }
}

/* HotSpot writes pcs in ascending order; one that is not, or lies outside of the code, would
 * mislead and is left out. */
static void put_regions(struct load *load, const struct pf_code_event *event, const jvmtiCompiledMethodLoadInlineRecord *record) {
    const uint64_t start = (uint64_t)(uintptr_t)event->address;
    uint32_t last = 0;
    for (jint i = 0; i < record->numpcs; i++) {
        const PCStackInfo *pc = &record->pcinfo[i];
        const uint64_t end = (uint64_t)(uintptr_t)pc->pc - start;
        if (end > (uint64_t)event->size || end <= last || pc->numstackframes <= 0) continue;
        struct pf_code_region region = {.pc_end = (uint32_t)end};
        put_chain(load, pc, &region);
        pf_put_bytes(&load->regions, &region, sizeof region);
        last = (uint32_t)end;
    }
}

/* Of C2's code; how HotSpot's other compiler deoptimizes proves nothing, and neither do we know
 * code whose compiler is not known. HotSpot holds the nmethod, so its code is there; it may patch a
 * call meanwhile, never one of a trap. */
static void put_proofs(struct load *load, struct pf_code_text *text) {
    const struct pf_traps traps = {.blob = atomic_load_explicit(&load->code->trap_blob, memory_order_relaxed), .reasons = load->code->trap_reasons};
    const struct pf_proof_code code = {.address = text->address,
                                       .bytes = (const uint8_t *)(uintptr_t)text->address,
                                       .size = text->size,
                                       .regions = text->regions,
                                       .region_count = text->region_count};
    if (text->compile_level != C2_LEVEL) return;
    pf_proofs_find(&load->proofs, &traps, &code);
    if (load->proofs.failed) return; /* what is left unsaid is not proven */
    text->proofs = (const struct pf_proof *)load->proofs.bytes;
    text->proof_count = (uint32_t)(load->proofs.used / sizeof *text->proofs);
}

static const jvmtiCompiledMethodLoadInlineRecord *inline_record(const void *compile_info) {
    for (const jvmtiCompiledMethodLoadRecordHeader *h = compile_info; h != NULL; h = h->next)
        if (h->kind == JVMTI_CMLR_INLINE_INFO && h->majorinfoversion == JVMTI_CMLR_MAJOR_VERSION_1)
            return (const jvmtiCompiledMethodLoadInlineRecord *)h;
    return NULL;
}

static void write(struct load *load, const struct pf_code_text *text) {
    struct pf_buffer payload = {0};
    pf_payload_code_load(&payload, text);
    if (payload.failed)
        pf_records_count_drop(load->code->records, payload.used);
    else
        pf_records_append(load->code->records, WIRE_CODE_LOAD, pf_now(), payload.bytes, payload.used);
    pf_buffer_free(&payload);
}

void pf_code_loaded(struct pf_code *code, JNIEnv *jni, const struct pf_code_event *event) {
    struct load load = {.code = code, .jni = jni};
    const struct pf_code_facts facts = pf_code_facts((uint64_t)(uintptr_t)event->address);
    const jvmtiCompiledMethodLoadInlineRecord *record = inline_record(event->compile_info);
    struct pf_code_text text = {.address = (uint64_t)(uintptr_t)event->address,
                                .size = (uint32_t)event->size,
                                .compile_level = facts.compile_level,
                                .method = number_of(&load, event->method),
                                .frame_bytes = facts.frame_bytes,
                                .frame_complete = facts.frame_complete,
                                .compile_id = facts.compile_id,
                                .flags = event->replayed ? WIRE_CODE_REPLAYED : 0};
    if (record != NULL) put_regions(&load, event, record);
    if (load.regions.used > 0 && !load.regions.failed && !load.frames.failed) {
        text.flags |= WIRE_CODE_INLINES;
        text.regions = (const struct pf_code_region *)load.regions.bytes;
        text.region_count = (uint32_t)(load.regions.used / sizeof *text.regions);
        text.frames = (const struct pf_code_frame *)load.frames.bytes;
        text.frame_count = (uint32_t)(load.frames.used / sizeof *text.frames);
        put_proofs(&load, &text);
    }
    write(&load, &text);
    pf_buffer_free(&load.regions);
    pf_buffer_free(&load.frames);
    pf_buffer_free(&load.proofs);
}

void pf_code_unloaded(struct pf_code *code, jmethodID method, const void *address) {
    struct pf_buffer payload = {0};
    pf_payload_code_unload(&payload, (uint64_t)(uintptr_t)address, pf_method_last_number(code->methods, method));
    if (payload.failed)
        pf_records_count_drop(code->records, payload.used);
    else
        pf_records_append(code->records, WIRE_CODE_UNLOAD, pf_now(), payload.bytes, payload.used);
    pf_buffer_free(&payload);
}

/* A STUB payload on the stack: u64 address; u32 size; u32 flags; str name. */
struct stub {
    uint8_t bytes[20 + PF_QUEUE_NAME];
    size_t n;
};

static struct stub stub_of(const struct pf_item *item) {
    const uint32_t size = (uint32_t)item->b, flags = 0, length = (uint32_t)strlen(item->name);
    struct stub s = {.n = 20 + length};
    memcpy(s.bytes, &item->a, 8);
    memcpy(s.bytes + 8, &size, 4);
    memcpy(s.bytes + 12, &flags, 4);
    memcpy(s.bytes + 16, &length, 4);
    memcpy(s.bytes + 20, item->name, length);
    return s;
}

/* Reports whether compilers assemble code there (c1_Compiler.cpp, compile.cpp). None runs there.
 * Once the buffer is freed compiled code may take its place, of which there is no event. */
static bool is_scratch(const char *name) {
    return name != NULL && (strcmp(name, "C1 temporary CodeBuffer") == 0 || strcmp(name, "Compile::scratch_buffer") == 0);
}

void pf_code_stub(struct pf_code *code, const char *name, const void *address, jint size) {
    if (is_scratch(name)) return;
    if (name != NULL && strcmp(name, PF_TRAP_BLOB) == 0)
        atomic_store_explicit(&code->trap_blob, (uint64_t)(uintptr_t)address, memory_order_relaxed);
    struct pf_item item = {.a = (uint64_t)(uintptr_t)address, .b = (uint64_t)size};
    for (size_t i = 0; name != NULL && name[i] != 0 && i < sizeof item.name - 1; i++) /* HotSpot's stub names are ASCII */
        item.name[i] = (unsigned char)name[i] < 0x80 ? name[i] : '?';
    const struct stub s = stub_of(&item);
    if (pf_records_try_append(code->records, WIRE_STUB, pf_now(), s.bytes, s.n) == PF_BUSY && !pf_queue_put(&code->stubs, &item))
        pf_records_count_drop(code->records, s.n);
}

void pf_code_drain_stubs(struct pf_code *code) {
    struct pf_item item;
    while (pf_queue_take(&code->stubs, &item)) {
        const struct stub s = stub_of(&item);
        pf_records_append(code->records, WIRE_STUB, pf_now(), s.bytes, s.n);
    }
}
