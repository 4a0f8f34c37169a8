/* The smallest of test frames: CHECK counts and says where; a test binary ends with `return
 * check_result(__FILE__)`. */
#ifndef PF_CHECK_H
#define PF_CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int checks_failed, checks_done;

#define CHECK(what)                                                                   \
    do {                                                                              \
        checks_done++;                                                                \
        if (!(what)) {                                                                \
            checks_failed++;                                                          \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #what);      \
        }                                                                             \
    } while (0)

#define CHECK_EQ(got, want)                                                                                                  \
    do {                                                                                                                     \
        const uint64_t got_ = (uint64_t)(got), want_ = (uint64_t)(want);                                                     \
        checks_done++;                                                                                                       \
        if (got_ != want_) {                                                                                                 \
            checks_failed++;                                                                                                 \
            fprintf(stderr, "%s:%d: %s is %" PRIu64 ", want %" PRIu64 "\n", __FILE__, __LINE__, #got, got_, want_);          \
        }                                                                                                                    \
    } while (0)

static inline int check_result(const char *file) {
    const char *base = strrchr(file, '/');
    printf("%-22s %6d checks, %d failed\n", base ? base + 1 : file, checks_done, checks_failed);
    return checks_failed == 0 && checks_done > 0 ? 0 : 1;
}

#endif
