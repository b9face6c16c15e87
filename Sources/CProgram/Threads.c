#define _GNU_SOURCE
#include "CProgram.h"
#include "Sanitizer.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

// libdispatch, whose threads run Swift's tasks, requests an unavailable thread once a second, forever. It provides no
// way to detect that. So this function intercepts the call to the C library.

static _Atomic(void (*)(void)) give_up;

void threads_watch(void (*body)(void))
{
    give_up = body;
}

#ifndef HAS_SANITIZER

/// In seconds. Another program may end during the first period. Requests with a longer pause than the second value are
/// not for the same thread.
enum { patience = 10, longest_pause = 3 };

typedef int (*thread_maker)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *), void *argument)
{
    static _Thread_local time_t first, last;
    thread_maker make = (thread_maker)dlsym(RTLD_NEXT, "pthread_create");
    int failure = make ? make(thread, attributes, begin, argument) : ENOSYS;
    if (failure != EAGAIN) return failure;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!last || now.tv_sec - last > longest_pause) first = now.tv_sec;
    last = now.tv_sec;
    void (*body)(void) = give_up;
    if (body && last - first >= patience) body();
    return failure;
}

#endif
