#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Not in every libc's headers; values of linux/memfd.h and linux/fcntl.h. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U /* Linux 6.3: without it a hardened kernel refuses or logs a warning */
#endif
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

static int memfd(const char *name, unsigned flags) { return (int)syscall(SYS_memfd_create, name, flags); }

int pf_memfd_sealed(const char *name, uint64_t bytes, bool future_write_seal, void **mapping, struct pf_why *why) {
    int fd = memfd(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    if (fd < 0 && errno == EINVAL) fd = memfd(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) {
        pf_because(why, "memfd_create %s: %s", name, strerror(errno));
        return -1;
    }
    if (ftruncate(fd, (off_t)bytes) != 0) {
        pf_because(why, "size memfd %s to %llu bytes: %s", name, (unsigned long long)bytes, strerror(errno));
        close(fd);
        return -1;
    }
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) {
        pf_because(why, "map memfd %s, %llu bytes: %s", name, (unsigned long long)bytes, strerror(errno));
        close(fd);
        return -1;
    }
    const int size_seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    int sealed = -1;
    if (future_write_seal) sealed = fcntl(fd, F_ADD_SEALS, size_seals | F_SEAL_FUTURE_WRITE);
    if (sealed != 0) sealed = fcntl(fd, F_ADD_SEALS, size_seals);
    if (sealed != 0) {
        pf_because(why, "seal memfd %s: %s", name, strerror(errno));
        munmap(map, bytes);
        close(fd);
        return -1;
    }
    *mapping = map;
    return fd;
}

struct pf_shape pf_shape_of_mib(uint32_t log_mib) {
    return (struct pf_shape){.total_bytes = (uint64_t)log_mib << 20, .thread_slots = 512, .event_slots = 8192};
}

bool pf_log_create(struct pf_log *log, const struct pf_shape *shape, struct pf_why *why) {
    const uint64_t threads = (uint64_t)shape->thread_slots * sizeof(struct wire_thread);
    const uint64_t events = (uint64_t)shape->event_slots * sizeof(struct wire_event);
    const uint64_t fixed = WIRE_HEADER_BYTES + threads + events;
    if (shape->event_slots == 0 || (shape->event_slots & (shape->event_slots - 1)) != 0)
        return pf_because(why, "log: %u event slots are not a power of two", shape->event_slots);
    if (shape->total_bytes % 8 != 0 || shape->total_bytes < fixed + 4096)
        return pf_because(why, "log: %llu bytes are too few, %llu are needed for threads and events",
                          (unsigned long long)shape->total_bytes, (unsigned long long)fixed);
    void *map = NULL;
    const int fd = pf_memfd_sealed(WIRE_LOG_NAME, shape->total_bytes, true, &map, why);
    if (fd < 0) return false;

    struct wire_header *h = map;
    h->major = WIRE_MAJOR;
    h->minor = WIRE_MINOR;
    h->header_bytes = WIRE_HEADER_BYTES;
    h->total_bytes = shape->total_bytes;
    h->threads_offset = WIRE_HEADER_BYTES;
    h->thread_slots = shape->thread_slots;
    h->thread_slot_bytes = sizeof(struct wire_thread);
    h->events_offset = h->threads_offset + threads;
    h->event_slots = shape->event_slots;
    h->event_bytes = sizeof(struct wire_event);
    h->records_offset = fixed;
    h->records_bytes = shape->total_bytes - fixed;

    log->fd = fd;
    log->total_bytes = shape->total_bytes;
    log->records_bytes = shape->total_bytes - fixed;
    log->thread_slots = shape->thread_slots;
    log->event_slots = shape->event_slots;
    log->base = map;
    log->header = h;
    log->threads = (struct wire_thread *)(log->base + WIRE_HEADER_BYTES);
    log->events = (struct wire_event *)(log->base + WIRE_HEADER_BYTES + threads);
    log->records = log->base + fixed;
    return true;
}

void pf_log_publish(struct pf_log *log) { atomic_store_explicit(&log->header->magic, WIRE_LOG_MAGIC, memory_order_release); }

void pf_log_off(struct pf_log *log, const char *reason) {
    char *into = log->header->off_reason;
    const size_t room = sizeof log->header->off_reason - 1;
    const size_t n = strnlen(reason, room);
    memcpy(into, reason, n);
    memset(into + n, 0, room + 1 - n);
    atomic_store_explicit(&log->header->state, WIRE_OFF, memory_order_release);
}

/* Returns how many bytes of a JSON object hold as many whole members as room takes with a brace.
 * The text may be anything. */
static size_t members_within(const char *json, size_t bytes, size_t room) {
    size_t depth = 0, end = 0;
    bool text = false;
    for (size_t i = 0; i < bytes && i < room; i++) {
        const char c = json[i];
        if (text) {
            if (c == '\\') i++;
            else if (c == '"') text = false;
        } else if (c == '"') {
            text = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            depth--;
        } else if (c == ',' && depth == 1) {
            end = i;
        }
    }
    return end;
}

void pf_log_application(struct pf_log *log, const char *json, size_t bytes) {
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    struct wire_header *h = log->header;
    const size_t room = sizeof h->application;
    const bool cut = bytes > room;
    const size_t n = cut ? members_within(json, bytes, room) : bytes;
    pthread_mutex_lock(&one);
    const uint32_t seq = atomic_load_explicit(&h->application_seq, memory_order_relaxed) & ~1u;
    atomic_store_explicit(&h->application_seq, seq + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    memcpy(h->application, json, n);
    memset(h->application + n, 0, room - n);
    if (cut && n > 0) h->application[n] = '}';
    h->application_bytes = (uint32_t)(cut && n > 0 ? n + 1 : n);
    h->application_flags = cut ? WIRE_APPLICATION_CUT : 0;
    atomic_store_explicit(&h->application_seq, seq + 2, memory_order_release);
    pthread_mutex_unlock(&one);
}

void pf_log_destroy(struct pf_log *log) {
    munmap(log->base, log->total_bytes);
    close(log->fd);
    *log = (struct pf_log){.fd = -1};
}
