#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool grow(struct pf_buffer *b, size_t n) {
    if (b->failed) return false;
    if (b->room - b->used >= n) return true;
    size_t room = b->room ? b->room : 512;
    while (room - b->used < n) room *= 2;
    uint8_t *bytes = realloc(b->bytes, room);
    if (bytes == NULL) {
        b->failed = true;
        return false;
    }
    b->bytes = bytes;
    b->room = room;
    return true;
}

void pf_put_bytes(struct pf_buffer *b, const void *bytes, size_t n) {
    if (n == 0 || !grow(b, n)) return;
    memcpy(b->bytes + b->used, bytes, n);
    b->used += n;
}

void pf_put_u32(struct pf_buffer *b, uint32_t value) { pf_put_bytes(b, &value, sizeof value); }

void pf_put_u64(struct pf_buffer *b, uint64_t value) { pf_put_bytes(b, &value, sizeof value); }

void pf_put_str(struct pf_buffer *b, const char *bytes, size_t n) {
    pf_put_u32(b, (uint32_t)n);
    pf_put_bytes(b, bytes, n);
}

/* One code unit pair of a modified UTF-8 surrogate pair (JVMS 4.4.7): ED A0..AF xx ED B0..BF xx. */
static bool is_pair(const unsigned char *s, size_t left) {
    return left >= 6 && s[0] == 0xed && (s[1] & 0xf0) == 0xa0 && (s[2] & 0xc0) == 0x80 && s[3] == 0xed && (s[4] & 0xf0) == 0xb0 &&
           (s[5] & 0xc0) == 0x80;
}

static uint32_t code_point(const unsigned char *s) {
    const uint32_t high = (uint32_t)(s[1] & 0x0f) << 6 | (s[2] & 0x3f);
    const uint32_t low = (uint32_t)(s[4] & 0x0f) << 6 | (s[5] & 0x3f);
    return 0x10000 + (high << 10 | low);
}

/* Never longer than its input: a pair becomes 4 of 6 bytes, NUL 1 of 2, a lone surrogate the 3
 * bytes of U+FFFD. */
static size_t standard_utf8(char *to, const unsigned char *s, size_t n, const char *swap) {
    size_t used = 0;
    for (size_t i = 0; i < n;) {
        if (is_pair(s + i, n - i)) {
            const uint32_t c = code_point(s + i);
            to[used++] = (char)(0xf0 | c >> 18);
            to[used++] = (char)(0x80 | (c >> 12 & 0x3f));
            to[used++] = (char)(0x80 | (c >> 6 & 0x3f));
            to[used++] = (char)(0x80 | (c & 0x3f));
            i += 6;
        } else if (n - i >= 2 && s[i] == 0xc0 && s[i + 1] == 0x80) {
            to[used++] = 0;
            i += 2;
        } else if (n - i >= 3 && s[i] == 0xed && (s[i + 1] & 0xe0) == 0xa0) {
            memcpy(to + used, "\xef\xbf\xbd", 3);
            used += 3;
            i += 3;
        } else {
            const char c = (char)s[i++];
            to[used++] = swap && c == swap[0] ? swap[1] : swap && c == swap[1] ? swap[0] : c;
        }
    }
    return used;
}

void pf_put_jvm_str(struct pf_buffer *b, const char *modified, size_t n, const char *swap) {
    const size_t at = b->used;
    pf_put_u32(b, 0);
    if (modified == NULL || !grow(b, n)) return;
    const size_t used = standard_utf8((char *)b->bytes + b->used, (const unsigned char *)modified, n, swap);
    b->used += used;
    pf_set_u32(b, at, (uint32_t)used);
}

void pf_put_text(struct pf_buffer *b, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0 || !grow(b, (size_t)n + 1)) return;
    va_start(args, format);
    vsnprintf((char *)b->bytes + b->used, (size_t)n + 1, format, args);
    va_end(args);
    b->used += (size_t)n;
}

void pf_set_u32(struct pf_buffer *b, size_t at, uint32_t value) {
    if (!b->failed) memcpy(b->bytes + at, &value, sizeof value);
}

void pf_buffer_free(struct pf_buffer *b) {
    free(b->bytes);
    *b = (struct pf_buffer){0};
}
