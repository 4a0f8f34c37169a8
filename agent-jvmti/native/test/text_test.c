/* Small parts: checksum, the JVM's strings, options, reasons, the bounded queue, wake-ups, reading
 * one's own memory. */
#include <pthread.h>
#include <stdlib.h>

#include "../buffer.h"
#include "../clock.h"
#include "../crc32c.h"
#include "../options.h"
#include "../process.h"
#include "../queue.h"
#include "../wake.h"
#include "check.h"
#include "ring.h"

static void test_crc32c(void) {
    /* RFC 3720 B.4 and the usual check value. */
    uint8_t bytes[257] = {0};
    CHECK_EQ(pf_crc32c("123456789", 9), 0xe3069283);
    CHECK_EQ(pf_crc32c(bytes, 32), 0x8a9136aa);
    memset(bytes, 0xff, 32);
    CHECK_EQ(pf_crc32c(bytes, 32), 0x62a8ab43);
    CHECK_EQ(pf_crc32c("", 0), 0);
    uint64_t seed = 9;
    for (size_t n = 0; n < sizeof bytes; n++) {
        bytes[n] = (uint8_t)next_random(&seed);
        CHECK_EQ(pf_crc32c(bytes, n), pf_crc32c_portable(bytes, n));
    }
}

static void test_jvm_strings(void) {
    const struct {
        const char *in;
        size_t n;
        const char *swap, *out;
        size_t out_n;
    } table[] = {
        {"", 0, NULL, "", 0},
        {"abc", 3, NULL, "abc", 3},
        {"a/b.c", 5, "/.", "a.b/c", 5},
        {"\xc0\x80", 2, NULL, "\0", 1},
        {"\xed\xa0\xbd\xed\xb8\x80", 6, NULL, "\xf0\x9f\x98\x80", 4},
        {"\xed\xa0\xbd!", 4, NULL, "\xef\xbf\xbd!", 4},         /* a lone surrogate */
        {"\xed\xa0", 2, NULL, "\xed\xa0", 2},                   /* cut: as it is, never beyond the end */
        {"gr\xc3\xbc\xc3\x9f\x65", 7, NULL, "gr\xc3\xbc\xc3\x9f\x65", 7},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct pf_buffer b = {0};
        char *exact = malloc(table[i].n + 1); /* so that the sanitizer sees a read beyond the end */
        memcpy(exact, table[i].in, table[i].n);
        pf_put_jvm_str(&b, exact, table[i].n, table[i].swap);
        uint32_t n;
        memcpy(&n, b.bytes, 4);
        CHECK_EQ(n, table[i].out_n);
        CHECK_EQ(b.used, 4 + table[i].out_n);
        CHECK(memcmp(b.bytes + 4, table[i].out, table[i].out_n) == 0);
        free(exact);
        pf_buffer_free(&b);
    }
}

static void test_options(void) {
    const struct {
        const char *text;
        uint32_t mib;
        const char *why;
    } table[] = {
        {NULL, 16, NULL},
        {"", 16, NULL},
        {"log_mib=4", 4, NULL},
        {"log_mib=256,log_mib=32", 32, NULL},
        {"log_mib=3", 0, "option log_mib=3: want log_mib=4 to 256"},
        {"code=2", 0, "option code=2: want code=0 to 1"},
        {"log_mib=257", 0, "option log_mib=257: want log_mib=4 to 256"},
        {"log_mib=", 0, "option log_mib=: want log_mib=4 to 256"},
        {"log_mib", 0, "option log_mib: want log_mib=4 to 256"},
        {"log_mib=8x", 0, "option log_mib=8x: want log_mib=4 to 256"},
        {"log_mib=-8", 0, "option log_mib=-8: want log_mib=4 to 256"},
        {"log_mib=99999999999999999999999", 0, "option log_mib=99999999999999999999999: want log_mib=4 to 256"},
        {"interval=5", 0, "unknown option interval=5"},
        {",", 0, "unknown option "},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct pf_options options;
        struct pf_why why = {""};
        CHECK_EQ(pf_options_parse(&options, table[i].text, &why), table[i].why == NULL);
        if (table[i].why == NULL)
            CHECK_EQ(options.log_mib, table[i].mib);
        else
            CHECK(strcmp(why.text, table[i].why) == 0);
    }
    struct pf_why why;
    CHECK(!pf_because(&why, "a\nb%d", 5));
    CHECK(strcmp(why.text, "a b5") == 0);
}

static struct pf_queue queue;

static void *put_many(void *base) {
    for (uint64_t i = 0; i < 10000;) i += pf_queue_put(&queue, &(struct pf_item){.a = (uint64_t)(uintptr_t)base + i, .b = ~((uint64_t)(uintptr_t)base + i)});
    return NULL;
}

static void test_queue(void) {
    struct pf_item item;
    pf_queue_init(&queue);
    CHECK(!pf_queue_take(&queue, &item));
    int room = 0;
    while (pf_queue_put(&queue, &(struct pf_item){.a = (uint64_t)room})) room++;
    CHECK_EQ(room, PF_QUEUE_CELLS);
    for (int i = 0; i < room; i++) CHECK(pf_queue_take(&queue, &item) && item.a == (uint64_t)i);
    CHECK(!pf_queue_take(&queue, &item));
    pthread_t writers[2];
    for (uintptr_t i = 0; i < 2; i++) CHECK(pthread_create(&writers[i], NULL, put_many, (void *)(i * 1000000)) == 0);
    uint64_t next[2] = {0, 0}, wrong = 0;
    while (next[0] + next[1] < 20000) {
        if (!pf_queue_take(&queue, &item)) continue;
        const int who = item.a >= 1000000;
        wrong += item.b != ~item.a || item.a % 1000000 != next[who]; /* each writer's items come whole and in its order */
        next[who]++;
    }
    for (int i = 0; i < 2; i++) pthread_join(writers[i], NULL);
    CHECK_EQ(wrong, 0);
}

static struct pf_wake wake, answer;

static void *echo(void *unused) {
    (void)unused;
    for (int i = 0; i < 2000; i++) {
        while (pf_wake_wait(&wake, 10000000000ull, 0) == 0) {
        }
        pf_wake_set(&answer, 2);
    }
    return NULL;
}

static void test_wake(void) {
    CHECK_EQ(pf_wake_wait(&wake, 0, 0), 0);
    pf_wake_set(&wake, 1);
    pf_wake_set(&wake, 4);
    CHECK_EQ(pf_wake_wait(&wake, 0, 4), 5);
    CHECK_EQ(pf_wake_wait(&wake, 0, 4), 4); /* kept */
    CHECK_EQ(pf_wake_wait(&wake, 0, 0), 4);
    CHECK_EQ(pf_wake_wait(&wake, 1000000, 0), 0);
    pthread_t other;
    CHECK(pthread_create(&other, NULL, echo, NULL) == 0);
    uint64_t longest = 0;
    for (int i = 0; i < 2000; i++) {
        const uint64_t began = pf_now();
        pf_wake_set(&wake, 1);
        CHECK_EQ(pf_wake_wait(&answer, 10000000000ull, 0), 2);
        const uint64_t took = pf_now() - began;
        longest = took > longest ? took : longest;
    }
    CHECK(longest < 9000000000ull); /* no wake-up was lost: one alone would have cost 10 s */
    pthread_join(other, NULL);
}

static void test_process(void) {
    uint64_t value = 0x1122334455667788, copy = 0;
    CHECK(pf_peek((uint64_t)(uintptr_t)&value, &copy, sizeof copy));
    CHECK_EQ(copy, value);
    CHECK(!pf_peek(8, &copy, sizeof copy));
    CHECK(!pf_peek(~0ull - 4, &copy, sizeof copy));
    CHECK(pf_process_start_ticks() > 0);
    CHECK(pf_gettid() > 0);
}

int main(void) {
    test_crc32c();
    test_jvm_strings();
    test_options();
    test_queue();
    test_wake();
    test_process();
    return check_result(__FILE__);
}
