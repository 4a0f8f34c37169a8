/* The payloads of the records, packed as FORMAT.md's table of types says. Pure functions of their
 * arguments into a buffer. */
#ifndef PF_PAYLOAD_H
#define PF_PAYLOAD_H

#include "buffer.h"

struct pf_line {
    uint32_t start_bci;
    uint32_t line;
};

/* A METHOD. Strings are the JVM's own (modified UTF-8, terminated); NULL is empty. */
struct pf_method_text {
    uint64_t number;
    uint64_t loader;
    uint64_t method_ptr; /* 0 unknown */
    uint32_t flags;      /* enum wire_method_flag */
    const char *signature; /* of the class: Ljava/lang/String; is written java.lang.String */
    const char *name;
    const char *descriptor;
    const char *source_file;
    const struct pf_line *lines; /* ascending by start_bci */
    uint32_t line_count;
};

struct pf_code_frame {
    uint64_t method;
    int32_t bci;
};

struct pf_code_region {
    uint32_t pc_end; /* offset from the code's address */
    uint32_t first_frame;
    uint32_t frames;
};

/* Code up to pc_end, from the begin of the region there or the proof before, belongs to the
 * bytecode of the region that ends at trap_end. */
struct pf_proof {
    uint32_t pc_end;
    uint32_t trap_end;
};

/* A CODE_LOAD. */
struct pf_code_text {
    uint64_t address;
    uint32_t size;
    uint32_t compile_level;
    uint64_t method;
    uint32_t frame_bytes;
    uint32_t frame_complete;
    uint32_t compile_id;
    uint32_t flags; /* enum wire_code_flag */
    const struct pf_code_region *regions;
    uint32_t region_count;
    const struct pf_code_frame *frames;
    uint32_t frame_count;
    const struct pf_proof *proofs;
    uint32_t proof_count;
};

/* A ROWS. */
struct pf_rows_text {
    uint32_t stage_id;
    uint32_t stage_attempt;
    int64_t execution_id;
    uint32_t tasks;
    const int64_t *accumulated; /* pairs: accumulator id, sum */
    uint32_t n;                 /* pairs */
};

/* Bytes that are already UTF-8. */
struct pf_text {
    const char *bytes;
    size_t n;
};

void pf_payload_method(struct pf_buffer *to, const struct pf_method_text *method);
void pf_payload_code_load(struct pf_buffer *to, const struct pf_code_text *code);
void pf_payload_code_unload(struct pf_buffer *to, uint64_t address, uint64_t method);
void pf_payload_stub(struct pf_buffer *to, uint64_t address, uint32_t size, const char *name);
void pf_payload_source(struct pf_buffer *to, uint64_t loader, struct pf_text class_name, struct pf_text body, struct pf_text comments);
void pf_payload_dictionary(struct pf_buffer *to, int64_t execution_id, uint32_t update, struct pf_text json);
void pf_payload_stage(struct pf_buffer *to, uint32_t stage_id, uint32_t stage_attempt, int64_t execution_id, const int64_t *accumulators,
                      uint32_t n);
void pf_payload_rows(struct pf_buffer *to, const struct pf_rows_text *rows);
void pf_payload_execution_end(struct pf_buffer *to, int64_t execution_id, uint32_t flags, int64_t end_unix_ns);
void pf_payload_stage_info(struct pf_buffer *to, uint32_t stage_id, struct pf_text json);
void pf_payload_json(struct pf_buffer *to, struct pf_text json); /* APPLICATION, TIMES, VM_LAYOUT, DWELL */
void pf_payload_replay(struct pf_buffer *to, uint32_t generation);
void pf_payload_code_heap(struct pf_buffer *to, uint64_t low, uint64_t high, const char *name);

#endif
