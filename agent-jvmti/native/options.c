#include "options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct key {
    const char *name;
    size_t offset;
    uint32_t least, most, standard;
} keys[] = {
    {"log_mib", offsetof(struct pf_options, log_mib), 4, 256, 16},
    {"code", offsetof(struct pf_options, code), 0, 1, 1},
};
enum { KEYS = sizeof keys / sizeof *keys };

static uint32_t *field(struct pf_options *options, const struct key *key) { return (uint32_t *)((char *)options + key->offset); }

static bool set(struct pf_options *options, const char *pair, size_t n, struct pf_why *why) {
    const char *equals = memchr(pair, '=', n);
    const size_t name = equals ? (size_t)(equals - pair) : n;
    for (int i = 0; i < KEYS; i++) {
        const struct key *key = &keys[i];
        if (strlen(key->name) != name || memcmp(key->name, pair, name) != 0) continue;
        char value[16] = "", *end = value;
        const size_t digits = equals ? n - name - 1 : 0;
        if (digits > 0 && digits < sizeof value) memcpy(value, equals + 1, digits);
        errno = 0;
        const unsigned long number = strtoul(value, &end, 10);
        if (value[0] < '0' || value[0] > '9' || *end != 0 || errno != 0 || number < key->least || number > key->most)
            return pf_because(why, "option %.*s: want %s=%u to %u", (int)n, pair, key->name, key->least, key->most);
        *field(options, key) = (uint32_t)number;
        return true;
    }
    return pf_because(why, "unknown option %.*s", (int)n, pair);
}

bool pf_options_parse(struct pf_options *options, const char *text, struct pf_why *why) {
    for (int i = 0; i < KEYS; i++) *field(options, &keys[i]) = keys[i].standard;
    while (text != NULL && *text != 0) {
        const size_t n = strcspn(text, ",");
        if (!set(options, text, n, why)) return false;
        text += n + (text[n] == ',');
    }
    return true;
}
