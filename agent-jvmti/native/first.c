#include "first.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"

#define STOP UINT32_MAX /* the number of no slot */

static void *work(void *of) {
    struct pf_threads *threads = of;
    const int epoll = atomic_load(&threads->first_epoll);
    uint64_t counted = 0;
    pthread_setname_np(pthread_self(), "planflame-first");
    for (;;) {
        struct epoll_event events[16];
        const int n = epoll_wait(epoll, events, 16, -1);
        if (n < 0 && errno != EINTR) return NULL;
        for (int i = 0; i < n; i++) {
            if (events[i].data.u32 == STOP) return NULL;
            pf_slot_first(threads, events[i].data.u32);
        }
        const uint64_t cpu = pf_thread_cpu();
        atomic_fetch_add_explicit(&threads->log->header->agent_cpu_ns, cpu - counted, memory_order_relaxed);
        counted = cpu;
    }
}

static bool start_thread(struct pf_threads *threads) {
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    const int failed = pthread_create(&thread, &attributes, work, threads);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed == 0) pthread_detach(thread);
    return failed == 0;
}

bool pf_first_start(struct pf_threads *threads) {
    if (atomic_load(&threads->first_epoll) >= 0) return true;
    if (threads->first_refused) return false;
    const int epoll = epoll_create1(EPOLL_CLOEXEC), stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = STOP};
    if (epoll >= 0 && stop >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, stop, &event) == 0) {
        atomic_store(&threads->first_stop, stop);
        atomic_store(&threads->first_epoll, epoll);
        if (start_thread(threads)) return true;
        atomic_store(&threads->first_epoll, -1);
        atomic_store(&threads->first_stop, -1);
    }
    threads->first_refused = true;
    if (epoll >= 0) close(epoll);
    if (stop >= 0) close(stop);
    return false;
}

void pf_first_stop(struct pf_threads *threads) {
    const uint64_t one = 1;
    const int stop = atomic_load(&threads->first_stop);
    if (stop >= 0 && write(stop, &one, sizeof one) != sizeof one) return; /* it is told already */
}
