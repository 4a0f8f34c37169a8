#include "payload.h"

#include <string.h>

static void put_jvm(struct pf_buffer *to, const char *modified) { pf_put_jvm_str(to, modified, modified ? strlen(modified) : 0, NULL); }

static void put_text(struct pf_buffer *to, struct pf_text text) { pf_put_str(to, text.bytes, text.n); }

/* Ljava/lang/String; → java.lang.String. In the signature of a hidden class the JVM writes '.'
 * where its name has '/' (JVMTI, GetClassSignature), so the two change places. Arrays and
 * primitives have no methods of their own; they are written as they are. */
static void put_class(struct pf_buffer *to, const char *signature) {
    const size_t n = signature ? strlen(signature) : 0;
    if (n >= 2 && signature[0] == 'L' && signature[n - 1] == ';')
        pf_put_jvm_str(to, signature + 1, n - 2, "/.");
    else
        pf_put_jvm_str(to, signature, n, "/.");
}

void pf_payload_method(struct pf_buffer *to, const struct pf_method_text *m) {
    pf_put_u64(to, m->number);
    pf_put_u64(to, m->loader);
    pf_put_u64(to, m->method_ptr);
    pf_put_u32(to, m->flags);
    put_class(to, m->signature);
    put_jvm(to, m->name);
    put_jvm(to, m->descriptor);
    put_jvm(to, m->source_file);
    pf_put_u32(to, m->line_count);
    for (uint32_t i = 0; i < m->line_count; i++) {
        pf_put_u32(to, m->lines[i].start_bci);
        pf_put_u32(to, m->lines[i].line);
    }
}

void pf_payload_code_load(struct pf_buffer *to, const struct pf_code_text *c) {
    pf_put_u64(to, c->address);
    pf_put_u32(to, c->size);
    pf_put_u32(to, c->compile_level);
    pf_put_u64(to, c->method);
    pf_put_u32(to, c->frame_bytes);
    pf_put_u32(to, c->frame_complete);
    pf_put_u32(to, c->compile_id);
    pf_put_u32(to, c->flags);
    pf_put_u32(to, c->region_count);
    pf_put_u32(to, c->frame_count);
    for (uint32_t i = 0; i < c->region_count; i++) {
        pf_put_u32(to, c->regions[i].pc_end);
        pf_put_u32(to, c->regions[i].first_frame);
        pf_put_u32(to, c->regions[i].frames);
    }
    for (uint32_t i = 0; i < c->frame_count; i++) {
        pf_put_u64(to, c->frames[i].method);
        pf_put_u32(to, (uint32_t)c->frames[i].bci);
    }
    pf_put_u32(to, c->proof_count);
    for (uint32_t i = 0; i < c->proof_count; i++) {
        pf_put_u32(to, c->proofs[i].pc_end);
        pf_put_u32(to, c->proofs[i].trap_end);
    }
}

void pf_payload_code_unload(struct pf_buffer *to, uint64_t address, uint64_t method) {
    pf_put_u64(to, address);
    pf_put_u64(to, method);
}

void pf_payload_stub(struct pf_buffer *to, uint64_t address, uint32_t size, const char *name) {
    pf_put_u64(to, address);
    pf_put_u32(to, size);
    pf_put_u32(to, 0);
    put_jvm(to, name);
}

void pf_payload_source(struct pf_buffer *to, uint64_t loader, struct pf_text class_name, struct pf_text body, struct pf_text comments) {
    pf_put_u64(to, loader);
    put_text(to, class_name);
    put_text(to, body);
    put_text(to, comments);
}

void pf_payload_dictionary(struct pf_buffer *to, int64_t execution_id, uint32_t update, struct pf_text json) {
    pf_put_u64(to, (uint64_t)execution_id);
    pf_put_u32(to, update);
    put_text(to, json);
}

void pf_payload_stage(struct pf_buffer *to, uint32_t stage_id, uint32_t stage_attempt, int64_t execution_id, const int64_t *accumulators,
                      uint32_t n) {
    pf_put_u32(to, stage_id);
    pf_put_u32(to, stage_attempt);
    pf_put_u64(to, (uint64_t)execution_id);
    pf_put_u32(to, n);
    for (uint32_t i = 0; i < n; i++) pf_put_u64(to, (uint64_t)accumulators[i]);
}

void pf_payload_rows(struct pf_buffer *to, const struct pf_rows_text *r) {
    pf_put_u32(to, r->stage_id);
    pf_put_u32(to, r->stage_attempt);
    pf_put_u64(to, (uint64_t)r->execution_id);
    pf_put_u32(to, r->tasks);
    pf_put_u32(to, r->n);
    for (uint32_t i = 0; i < 2 * r->n; i++) pf_put_u64(to, (uint64_t)r->accumulated[i]);
}

void pf_payload_execution_end(struct pf_buffer *to, int64_t execution_id, uint32_t flags, int64_t end_unix_ns) {
    pf_put_u64(to, (uint64_t)execution_id);
    pf_put_u32(to, flags);
    pf_put_u64(to, (uint64_t)end_unix_ns);
}

void pf_payload_stage_info(struct pf_buffer *to, uint32_t stage_id, struct pf_text json) {
    pf_put_u32(to, stage_id);
    put_text(to, json);
}

void pf_payload_json(struct pf_buffer *to, struct pf_text json) { put_text(to, json); }

void pf_payload_replay(struct pf_buffer *to, uint32_t generation) { pf_put_u32(to, generation); }

void pf_payload_code_heap(struct pf_buffer *to, uint64_t low, uint64_t high, const char *name) {
    pf_put_u64(to, low);
    pf_put_u64(to, high);
    put_jvm(to, name);
}
