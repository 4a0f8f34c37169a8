/* Real perf events on our own threads: opening, sampling, refusing, shrinking, closing, and the
 * slots that own them. */
#include "../perf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../clock.h"
#include "../first.h"
#include "../process.h"
#include "../threads.h"
#include "check.h"

static const struct pf_settings on = {.enabled = 1, .mode = PF_AGENT_OPENS, .stack_bytes = 1024, .ring_pages = 64, .base_period_ns = 1000000,
                                      .inclusion_probability = 1};

static volatile uint64_t sink;

/* A period as it may be drawn around another. */
static bool drawn(uint64_t period_ns, uint64_t asked_ns) {
    return period_ns >= asked_ns * 6 / 10 && period_ns <= asked_ns * 14 / 10 + 1;
}

static void burn(uint64_t cpu_ns) {
    const uint64_t until = pf_thread_cpu() + cpu_ns;
    while (pf_thread_cpu() < until)
        for (int i = 0; i < 10000; i++) sink = sink * 31 + (uint64_t)i;
}

/* Samples in a ring so far. */
static int samples(const struct pf_perf *perf) {
    const struct perf_event_mmap_page *page = perf->ring;
    const uint8_t *data = (const uint8_t *)perf->ring + page->data_offset;
    const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    int n = 0;
    for (uint64_t at = 0; at < head;) {
        struct perf_event_header h;
        for (size_t i = 0; i < sizeof h; i++) ((uint8_t *)&h)[i] = data[(at + i) % page->data_size];
        n += h.type == PERF_RECORD_SAMPLE;
        if (h.size == 0) break;
        at += h.size;
    }
    return n;
}

static void test_own_thread(void) {
    struct pf_perf perf;
    int detail = 0;
    CHECK_EQ(pf_perf_open(&perf, 0, &on, NULL, &detail), 0);
    CHECK_EQ(perf.ring_pages, 64);
    burn(30000000);
    pf_perf_enable(&perf, false);
    const int n = samples(&perf);
    CHECK(n >= 20 && n <= 45); /* 30 expected; the clocks differ by what the kernel spends */
    burn(10000000);
    CHECK_EQ(samples(&perf), n);
    pf_perf_close(&perf);
    CHECK(perf.fd == -1 && perf.ring == NULL);
    pf_perf_close(&perf); /* again: harmless */
}

static void test_detail(void) {
    struct pf_settings both = on;
    struct pf_perf perf;
    int detail = -1;
    both.base_period_ns = 20000000;
    both.detail_period_ns = 1000000;
    CHECK_EQ(pf_perf_open(&perf, 0, &both, NULL, &detail), 0);
    CHECK_EQ(detail, 0);
    CHECK(perf.detail_fd >= 0);
    burn(20000000);
    CHECK(samples(&perf) <= 2);
    CHECK_EQ(pf_perf_detail(&perf, true), 0);
    burn(20000000);
    CHECK_EQ(pf_perf_detail(&perf, false), 0);
    CHECK(samples(&perf) >= 12);
    pf_perf_close(&perf);
}

static void test_refusals(void) {
    struct pf_perf perf;
    int detail;
    struct pf_settings bad = on;
    CHECK_EQ(pf_perf_open(&perf, 0x7ffffffe, &on, NULL, &detail), ESRCH);
    CHECK(perf.fd == -1);
    bad.stack_bytes = 12;
    CHECK_EQ(pf_perf_open(&perf, 0, &bad, NULL, &detail), EINVAL);
    CHECK(perf.fd == -1);
    bad.stack_bytes = 65528; /* with 1,536 bytes more: 17 pages, which are not a power of two */
    bad.ring_pages = 16;
    CHECK_EQ(pf_perf_open(&perf, 0, &bad, NULL, &detail), ENOBUFS);
    CHECK(perf.fd == -1);
    CHECK_EQ(pf_perf_least_pages(65528), 32);
    CHECK_EQ(pf_perf_least_pages(0), 1);
}

/* An ordinary user's memlock limit: the second ring of that size does not fit and is halved until
 * it does. */
static void test_shrinks(void) {
    fflush(NULL);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        struct pf_settings big = on;
        struct pf_perf first, second;
        int detail, failed = setrlimit(RLIMIT_MEMLOCK, &none) != 0 || setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0;
        if (failed) _exit(3);
        big.ring_pages = 128; /* perf_event_mlock_kb is 516 on most machines: exactly one such ring */
        failed = pf_perf_open(&first, 0, &big, NULL, &detail);
        if (failed != 0) _exit(failed == EACCES || failed == EPERM ? 77 : 4);
        big.ring_pages = 1024;
        failed = pf_perf_open(&second, 0, &big, NULL, &detail);
        _exit(failed == EPERM || failed == ENOMEM ? 0 : failed == 0 && second.ring_pages < 1024 ? 0 : 5);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        printf("  not run: an ordinary user may open no event here (perf_event_paranoid > 2?)\n");
    else
        CHECK_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : 99, 0);
}

/* A task thread beside the housekeeper: opened on the spot, switched off by a lost lease, closed
 * later, re-opened on a new period. */
static struct pf_threads threads;
static struct pf_log log_;
static struct pf_slot *slot;
static pthread_barrier_t barrier;

static void *task_thread(void *unused) {
    (void)unused;
    slot = pf_slot_take(&threads, pf_gettid(), WIRE_THREAD_TASK, "task", 1);
    pf_slot_open_own(&threads, slot, &on, 1);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    burn(20000000);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    pf_slot_end(&threads, slot, 100000000000);
    return NULL;
}

static void test_slot_life(void) {
    struct pf_why why;
    const uint64_t s = 1000000000;
    struct pf_settings off = on, other = on;
    pthread_t thread;
    off.enabled = 0;
    other.base_period_ns = 2000000;
    CHECK(pf_log_create(&log_, &(struct pf_shape){1 << 20, 4, 8}, &why) && pf_threads_init(&threads, &log_, &why));
    pthread_barrier_init(&barrier, NULL, 2);
    CHECK(pthread_create(&thread, NULL, task_thread, NULL) == 0);
    pthread_barrier_wait(&barrier);
    const struct wire_thread *shown = &log_.threads[0];
    CHECK(shown->perf_fd >= 0 && drawn(shown->base_period_ns, 1000000) && shown->ring_pages == 64 && shown->perf_opens == 1);
    CHECK(shown->cpu_ns_at_open > 0);
    const uint64_t cpu = shown->cpu_ns_at_open, period = shown->base_period_ns;
    pf_threads_keep(&threads, &on, 2 * s);
    CHECK_EQ(shown->perf_opens, 1); /* nothing changed, nothing done */
    pf_threads_keep(&threads, &off, 10 * s);
    CHECK(shown->perf_fd >= 0 && shown->base_period_ns == 0);
    pf_threads_keep(&threads, &on, 12 * s);
    CHECK(shown->perf_opens == 1 && shown->base_period_ns == period); /* came back in time: the same event */
    pf_threads_keep(&threads, &off, 20 * s);
    pf_threads_keep(&threads, &off, 31 * s);
    CHECK(shown->perf_fd == -1 && shown->ring_pages == 0);
    pf_threads_keep(&threads, &other, 32 * s); /* by the housekeeper, for another thread */
    CHECK(shown->perf_opens == 2 && drawn(shown->base_period_ns, 2000000) && shown->perf_errno == 0);
    CHECK(shown->cpu_ns_at_open > cpu); /* another thread's clock, read by the housekeeper */
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    const int n = samples(&slot->perf);
    CHECK(n >= 5 && n <= 25); /* 10 expected of the period that is asked for, 16 of the shortest that is drawn */
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    pf_threads_keep(&threads, &other, 101 * s);
    CHECK(shown->tid != 0 && (shown->flags & WIRE_THREAD_ENDED) != 0 && samples(&slot->perf) == n); /* still to be drained */
    pf_threads_keep(&threads, &other, 103 * s);
    CHECK(shown->tid == 0 && shown->perf_fd == -1);
    CHECK_EQ(atomic_load(&log_.header->perf_open_failures), 0);
    pf_threads_destroy(&threads);
    pf_log_destroy(&log_);
}

/* A thread that is gone: refused once, said in the slot, and not asked again until the settings
 * change. */
static void test_refused_once(void) {
    struct pf_why why;
    struct pf_settings other = on;
    other.base_period_ns = 3000000;
    CHECK(pf_log_create(&log_, &(struct pf_shape){1 << 20, 4, 8}, &why) && pf_threads_init(&threads, &log_, &why));
    pf_slot_take(&threads, 0x7ffffffe, WIRE_THREAD_TASK, "ghost", 1);
    for (uint64_t i = 1; i <= 5; i++) pf_threads_keep(&threads, &on, i * 2000000000);
    CHECK_EQ(atomic_load(&log_.header->perf_open_failures), 1);
    CHECK_EQ(atomic_load(&log_.header->perf_last_errno), ESRCH);
    CHECK_EQ(log_.threads[0].perf_errno, ESRCH);
    pf_threads_keep(&threads, &other, 12000000000);
    CHECK_EQ(atomic_load(&log_.header->perf_open_failures), 2);
    pf_threads_destroy(&threads);
    pf_log_destroy(&log_);
}

static void open_slots(uint32_t n) {
    struct pf_why why;
    CHECK(pf_log_create(&log_, &(struct pf_shape){1 << 20, n, 8}, &why) && pf_threads_init(&threads, &log_, &why));
}

static void close_slots(void) {
    pf_threads_destroy(&threads);
    pf_log_destroy(&log_);
}

/* A page that changes with every round: the events are opened again once a second, and the slot
 * says which are in force. */
static void test_reopens_seldom(void) {
    const uint64_t round = 100000000;
    struct pf_settings changing = on;
    open_slots(2);
    pf_slot_take(&threads, pf_gettid(), WIRE_THREAD_TASK, "task", 1);
    const struct wire_thread *shown = &log_.threads[0];
    for (uint64_t i = 1; i <= 41; i++) {
        changing.base_period_ns = 1000000 + i * 1000;
        changing.mode = i % 7 == 0 ? PF_READER_OPENS : PF_AGENT_OPENS; /* closes at once; to open again takes its second */
        pf_threads_keep(&threads, &changing, i * round);
        if (shown->base_period_ns != 0) CHECK(drawn(shown->base_period_ns, threads.slots[0].opened_with.base_period_ns));
    }
    CHECK(shown->perf_opens >= 4 && shown->perf_opens <= 5);
    changing.mode = PF_AGENT_OPENS;
    pf_threads_keep(&threads, &changing, 52 * round);
    CHECK_EQ(threads.slots[0].opened_with.base_period_ns, changing.base_period_ns); /* the last word counts in the end */
    close_slots();
}

/* 44 pages are left of what all rings may have: 32, 8 and 4 instead of 64, then nothing, which is
 * said and counted. */
static void test_pages_of_all_rings(void) {
    static const struct {
        uint32_t pages;
        int32_t failed;
    } table[] = {{32, 0}, {8, 0}, {4, 0}, {0, ENOMEM}};
    struct pf_settings none = on;
    none.enabled = 0;
    open_slots(8);
    atomic_store(&threads.pages, PF_MOST_RING_PAGES - 44);
    for (int i = 0; i < 4; i++) pf_slot_take(&threads, pf_gettid(), WIRE_THREAD_TASK, "task", 1);
    pf_threads_keep(&threads, &on, 1000000000);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(log_.threads[i].ring_pages, table[i].pages);
        CHECK_EQ(log_.threads[i].perf_errno, table[i].failed);
        CHECK_EQ(log_.threads[i].perf_fd >= 0, table[i].failed == 0);
    }
    CHECK_EQ(atomic_load(&log_.header->perf_open_failures), 1);
    CHECK_EQ(atomic_load(&threads.pages), PF_MOST_RING_PAGES);
    struct pf_settings useless = on;
    useless.stack_bytes = 65528;
    useless.ring_pages = 16;
    pf_slot_take(&threads, pf_gettid(), WIRE_THREAD_TASK, "task", 1);
    pf_threads_keep(&threads, &useless, 1000000001); /* the others were opened just now */
    CHECK_EQ(log_.threads[4].perf_errno, ENOBUFS);
    CHECK_EQ(log_.threads[0].ring_pages, 32);
    pf_threads_keep(&threads, &none, 2000000000);
    pf_threads_keep(&threads, &none, 20000000000); /* closed: all given back */
    CHECK_EQ(atomic_load(&threads.pages), PF_MOST_RING_PAGES - 44);
    close_slots();
}

/* The detail event of a running task follows the reader's list and is reported once. It is off when
 * the task has ended, and on again when the events are reopened. It is reported off if they no
 * longer have a detail event. */
static void test_promoted(void) {
    const uint64_t s = 1000000000;
    struct pf_settings both = on;
    both.detail_period_ns = 700000;
    open_slots(2);
    struct pf_slot *mine = pf_slot_take(&threads, pf_gettid(), WIRE_THREAD_TASK, "task", 1);
    pf_slot_open_own(&threads, mine, &both, 1);
    const struct wire_event *events = log_.events;
    const struct pf_promoted list = {2, {7, 41}};
    pf_threads_promote(&threads, &list); /* nothing runs */
    CHECK(atomic_load(&mine->detail_for) == 0 && atomic_load(&log_.header->events_head) == 0);
    pf_slot_runs(mine, 40);
    pf_threads_promote(&threads, &list); /* another task */
    CHECK(atomic_load(&mine->detail_for) == 0);
    pf_slot_runs(mine, 41);
    for (int i = 0; i < 2; i++) pf_threads_promote(&threads, &list);
    CHECK(atomic_load(&mine->detail_for) == 42 && atomic_load(&log_.header->events_head) == 1);
    CHECK(events[0].kind == WIRE_TASK_CLOCKS && events[0].flags == WIRE_TASK_DETAIL && events[0].task_attempt_id == 41 && events[0].tid == pf_gettid());
    CHECK(events[0].time_ns > 0 && atomic_load(&log_.header->tasks_started) == 0 && atomic_load(&log_.header->tasks_ended) == 0);
    const int before = samples(&mine->perf);
    burn(20000000);
    CHECK(samples(&mine->perf) - before >= 25); /* 14 of the base event at least and 20 */
    pf_slot_idle(mine); /* and the housekeeper was at the slot */
    pf_threads_keep(&threads, &both, 2 * s);
    CHECK_EQ(atomic_load(&mine->detail_for), 0);
    pf_slot_runs(mine, 50);
    CHECK(pf_slot_detail(mine, true));
    both.detail_period_ns = 800000;
    pf_threads_keep(&threads, &both, 4 * s);
    CHECK(atomic_load(&mine->detail_for) == 51 && drawn(log_.threads[0].detail_period_ns, 800000));
    both.detail_period_ns = 0;
    pf_threads_keep(&threads, &both, 6 * s);
    CHECK(atomic_load(&mine->detail_for) == 0 && !pf_slot_detail(mine, true));
    CHECK(atomic_load(&log_.header->events_head) == 2 && events[1].kind == WIRE_TASK_CLOCKS && events[1].flags == 0 && events[1].task_attempt_id == 50);
    close_slots();
}

/* As the room's own functions do. */
static bool try_slot(struct pf_slot *of) {
    uint32_t idle = 0;
    return atomic_compare_exchange_strong(&of->busy, &idle, 1);
}

static void free_slot_again(struct pf_slot *of) { atomic_store(&of->busy, 0); }

/* A thread's first sample comes before a period is over, and the base event begins after it, by the
 * thread that waits for that. */
static void test_first(void) {
    struct pf_settings slow = on;
    slow.base_period_ns = 40000000;
    open_slots(2);
    CHECK(pf_first_start(&threads) && pf_first_start(&threads));
    struct pf_slot *mine = pf_slot_take(&threads, pf_gettid(), WIRE_THREAD_TASK, "task", 1);
    const uint64_t opened = pf_now();
    pf_slot_open_own(&threads, mine, &slow, 1);
    CHECK(mine->periods.first_ns > 0 && mine->periods.first_ns < mine->periods.base_ns);
    CHECK(mine->perf.first_fd >= 0 && log_.threads[0].base_period_ns == mine->periods.base_ns);
    const uint64_t bound = pf_thread_cpu() + 10000000000;
    bool begun = false;
    while (!begun && pf_thread_cpu() < bound) {
        burn(1000000);
        while (!try_slot(mine)) {
        }
        begun = mine->perf.first_fd < 0;
        free_slot_again(mine);
    }
    /* By the wall clock: the event counts what a hypervisor steals, unlike the thread's clock. */
    CHECK(begun && pf_now() - opened >= mine->periods.first_ns);
    const int n = samples(&mine->perf);
    CHECK(n >= 1);
    burn(150000000);
    CHECK(samples(&mine->perf) > n);
    /* Another that is switched off before: the first event is gone, and the base event goes on
     * without it. */
    struct pf_slot *other = pf_slot_take(&threads, pf_gettid(), WIRE_THREAD_TASK, "task", 2);
    pf_slot_open_own(&threads, other, &slow, 1);
    struct pf_settings off = slow;
    off.enabled = 0;
    pf_threads_keep(&threads, &off, 2000000000);
    CHECK(other->perf.first_fd == -1 && other->perf.fd >= 0 && log_.threads[1].base_period_ns == 0);
    pf_threads_keep(&threads, &slow, 3000000000);
    CHECK(other->perf.first_fd == -1 && log_.threads[1].base_period_ns == other->periods.base_ns);
    pf_first_stop(&threads);
    pf_threads_off(&threads);
    close_slots();
}

/* Another file in the place of an event: it cannot be switched on. */
static void spoil(struct pf_slot *mine) {
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    CHECK(null >= 0 && dup2(null, mine->perf.fd) == mine->perf.fd);
    close(null);
}

static void check_closed(const struct wire_thread *shown, uint64_t failures) {
    CHECK(shown->perf_fd == -1 && shown->base_period_ns == 0);
    CHECK_EQ(shown->perf_errno, ENOTTY);
    CHECK_EQ(atomic_load(&log_.header->perf_open_failures), failures);
}

/* An event that is not switched on, after the first sample or when sampling is on again, does not
 * stay for ever without samples. */
static void test_not_switched_on(void) {
    struct pf_settings slow = on, off = on;
    slow.base_period_ns = 20000000;
    off.enabled = 0;
    open_slots(1);
    const struct wire_thread *shown = &log_.threads[0];
    const int epoll = epoll_create1(EPOLL_CLOEXEC); /* no thread waits for the first sample */
    atomic_store(&threads.first_epoll, epoll);
    struct pf_slot *mine = pf_slot_take(&threads, pf_gettid(), WIRE_THREAD_TASK, "task", 1);
    pf_slot_open_own(&threads, mine, &slow, 1000000000);
    CHECK(mine->perf.first_fd >= 0);
    burn(100000000);
    spoil(mine);
    pf_threads_keep(&threads, &slow, 1500000000);
    check_closed(shown, 1);
    pf_threads_keep(&threads, &slow, 1900000000);
    CHECK_EQ(shown->perf_fd, -1); /* less than a second after the last opening */
    pf_threads_keep(&threads, &slow, 2100000000);
    CHECK(shown->perf_fd >= 0 && shown->base_period_ns == mine->periods.base_ns);
    CHECK_EQ(shown->perf_opens, 2);
    pf_threads_keep(&threads, &off, 2200000000);
    spoil(mine);
    pf_threads_keep(&threads, &slow, 2300000000);
    check_closed(shown, 2);
    pf_threads_keep(&threads, &slow, 3200000000);
    CHECK(shown->perf_fd >= 0 && shown->base_period_ns == mine->periods.base_ns && shown->perf_errno == 0);
    CHECK_EQ(shown->perf_opens, 3);
    pf_threads_off(&threads);
    close(epoll);
    close_slots();
}

/* The agent is off: events are closed, and a thread that comes late opens none. */
static void test_off(void) {
    open_slots(4);
    struct pf_slot *early = pf_slot_take(&threads, pf_gettid(), WIRE_THREAD_TASK, "early", 1);
    pf_slot_open_own(&threads, early, &on, 1);
    struct pf_slot *late = pf_slot_take(&threads, pf_gettid(), WIRE_THREAD_TASK, "late", 1);
    CHECK(log_.threads[0].perf_fd >= 0);
    const int fd = log_.threads[0].perf_fd;
    pf_threads_off(&threads);
    CHECK(log_.threads[0].perf_fd == -1 && log_.threads[0].base_period_ns == 0 && fcntl(fd, F_GETFD) == -1);
    pf_slot_open_own(&threads, late, &on, 2);
    pf_slot_open_own(&threads, early, &on, 2);
    pf_slot_detail(early, true);
    CHECK(log_.threads[0].perf_fd == -1 && log_.threads[1].perf_fd == -1);
    CHECK_EQ(atomic_load(&threads.pages), 0);
    pf_threads_off(&threads);
    close_slots();
}

int main(void) {
    struct pf_perf probe;
    int detail;
    const int failed = pf_perf_open(&probe, 0, &on, NULL, &detail);
    if (failed == EACCES || failed == EPERM || failed == ENOSYS) {
        printf("perf_test.c            not run: perf_event_open: %s (needs perf_event_paranoid ≤ 2 and no seccomp filter)\n", strerror(failed));
        return getenv("CI") != NULL ? 1 : 0;
    }
    pf_perf_close(&probe);
    test_own_thread();
    test_detail();
    test_refusals();
    test_shrinks();
    test_slot_life();
    test_refused_once();
    test_reopens_seldom();
    test_pages_of_all_rings();
    test_promoted();
    test_first();
    test_not_switched_on();
    test_off();
    return check_result(__FILE__);
}
