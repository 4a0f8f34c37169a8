/* A growing byte buffer in which record payloads are packed. Not for threads of tasks: it
 * allocates. One thread at a time. */
#ifndef PF_BUFFER_H
#define PF_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero value: empty. After an allocation failed every put is a no-op and `failed` stays set: check
 * it once at the end. */
struct pf_buffer {
    uint8_t *bytes;
    size_t used;
    size_t room;
    bool failed;
};

void pf_put_bytes(struct pf_buffer *buffer, const void *bytes, size_t n);
void pf_put_u32(struct pf_buffer *buffer, uint32_t value);
void pf_put_u64(struct pf_buffer *buffer, uint64_t value);

/* u32 length and the bytes, as they are. */
void pf_put_str(struct pf_buffer *buffer, const char *bytes, size_t n);

/* u32 length and the bytes of a modified UTF-8 string of the JVM as standard UTF-8; NULL is the
 * empty string. `swap`, when not NULL, is two characters that are exchanged for each other (the
 * JVM's '/' in class names for '.'). */
void pf_put_jvm_str(struct pf_buffer *buffer, const char *modified, size_t n, const char *swap);

/* printf at the end, without length or terminator. */
void pf_put_text(struct pf_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Overwrites four bytes written earlier. */
void pf_set_u32(struct pf_buffer *buffer, size_t at, uint32_t value);

void pf_buffer_free(struct pf_buffer *buffer);

#endif
