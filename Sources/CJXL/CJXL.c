#include "CJXL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct CJXLFunctions functions;
/// The functions whose parameters changed in version 0.9, in both forms.
static struct {
#define FIELDS(name, parameters, old_parameters) \
    int(*name) parameters; \
    int(*old_##name) old_parameters;
    CJXL_PROFILE_FUNCTIONS(FIELDS)
} profile_functions;
static bool is_old;
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/// The library of the newest installed version. Its soname changes with each version.
static void *find(void)
{
    static const char *const versions[] = {"0.11", "0.10", "0.9", "0.8", "0.7"};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        char name[32];
        snprintf(name, sizeof name, "libjxl.so.%s", versions[i]);
        void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    return NULL;
}

static void load(void)
{
    void *library = find();
    if (!library) return;
#define LOOK_UP(result, name, parameters) \
    void *found_##name = dlsym(library, #name); \
    if (!found_##name) return; \
    memcpy(&functions.name, &found_##name, sizeof found_##name);
    CJXL_FUNCTIONS(LOOK_UP)
#define LOOK_UP_BOTH(name, parameters, old_parameters) \
    void *found_##name = dlsym(library, #name); \
    if (!found_##name) return; \
    memcpy(&profile_functions.name, &found_##name, sizeof found_##name); \
    memcpy(&profile_functions.old_##name, &found_##name, sizeof found_##name);
    CJXL_PROFILE_FUNCTIONS(LOOK_UP_BOTH)
    is_old = functions.JxlDecoderVersion() < 9000;
    loaded = true;
}

const struct CJXLFunctions *cjxl_load(void)
{
    pthread_once(&once, load);
    return loaded ? &functions : NULL;
}

int cjxl_color_encoding(const JxlDecoder *decoder, JxlColorEncoding *encoding)
{
    return is_old ? profile_functions.old_JxlDecoderGetColorAsEncodedProfile(decoder, NULL, CJXL_DATA, encoding)
                  : profile_functions.JxlDecoderGetColorAsEncodedProfile(decoder, CJXL_DATA, encoding);
}

int cjxl_profile_size(const JxlDecoder *decoder, size_t *size)
{
    return is_old ? profile_functions.old_JxlDecoderGetICCProfileSize(decoder, NULL, CJXL_DATA, size)
                  : profile_functions.JxlDecoderGetICCProfileSize(decoder, CJXL_DATA, size);
}

int cjxl_profile(const JxlDecoder *decoder, uint8_t *profile, size_t size)
{
    return is_old ? profile_functions.old_JxlDecoderGetColorAsICCProfile(decoder, NULL, CJXL_DATA, profile, size)
                  : profile_functions.JxlDecoderGetColorAsICCProfile(decoder, CJXL_DATA, profile, size);
}
