#include "CHEIF.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static struct CHEIFFunctions functions;
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    // The library's soname since its first version.
    void *library = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define LOOK_UP(result, name, parameters) \
    void *found_##name = dlsym(library, #name); \
    if (!found_##name) return; \
    memcpy(&functions.name, &found_##name, sizeof found_##name);
    CHEIF_FUNCTIONS(LOOK_UP)
    loaded = true;
}

const struct CHEIFFunctions *cheif_load(void)
{
    pthread_once(&once, load);
    return loaded ? &functions : NULL;
}
