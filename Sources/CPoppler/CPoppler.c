#include "CPoppler.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static struct CPopplerFunctions functions;
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    // The name it has had since its version 0.20. What it links, cairo and GLib, is found through it.
    void *library = dlopen("libpoppler-glib.so.8", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define LOOK_UP(result, name, parameters) \
    void *found_##name = dlsym(library, #name); \
    if (!found_##name) return; \
    memcpy(&functions.name, &found_##name, sizeof found_##name);
    CPOPPLER_FUNCTIONS(LOOK_UP)
    loaded = true;
}

const struct CPopplerFunctions *cpoppler_load(void)
{
    pthread_once(&once, load);
    return loaded ? &functions : NULL;
}
