#include "CJXLEncoder.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static struct CJXLEncoderFunctions functions;
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    // libjxl calls every 0.x another library. What is asked of them is alike in all of these.
    const char *const names[] = {
        "libjxl.so.0.7", "libjxl.so.0.11", "libjxl.so.0.10", "libjxl.so.0.9", "libjxl.so.0.8",
    };
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define LOOK_UP(result, name, parameters) \
    void *found_##name = dlsym(library, #name); \
    if (!found_##name) return; \
    memcpy(&functions.name, &found_##name, sizeof found_##name);
    CJXLENCODER_FUNCTIONS(LOOK_UP)
    loaded = true;
}

const struct CJXLEncoderFunctions *cjxlencoder_load(void)
{
    pthread_once(&once, load);
    return loaded ? &functions : NULL;
}
