#pragma once
#include <lcms2.h>
#include <lcms2_plugin.h>
#include <stdbool.h>
#include <stdlib.h>

// Swift does not import constants from macros with parameters. Samples of 16 bits are big-endian.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define CLCMS_DEEP(type) type##_SE
#define CLCMS_SWAPPED ENDIAN16_SH(1)
#else
#define CLCMS_DEEP(type) type
#define CLCMS_SWAPPED 0
#endif

static const cmsUInt32Number clcms_gray = TYPE_GRAY_8;
static const cmsUInt32Number clcms_gray_deep = CLCMS_DEEP(TYPE_GRAY_16);
static const cmsUInt32Number clcms_rgb = TYPE_RGB_8;
static const cmsUInt32Number clcms_rgb_deep = CLCMS_DEEP(TYPE_RGB_16);
static const cmsUInt32Number clcms_rgba = TYPE_RGBA_8;
static const cmsUInt32Number clcms_rgba_deep = CLCMS_DEEP(TYPE_RGBA_16);
/// L*, a* and b* with the scale and the offset of ICC version 4; with alpha.
static const cmsUInt32Number clcms_lab = TYPE_Lab_8;
static const cmsUInt32Number clcms_lab_deep = TYPE_Lab_16 | CLCMS_SWAPPED;
static const cmsUInt32Number clcms_laba = TYPE_Lab_8 | EXTRA_SH(1);
static const cmsUInt32Number clcms_laba_deep = TYPE_Lab_16 | EXTRA_SH(1) | CLCMS_SWAPPED;
/// 0 means no ink.
static const cmsUInt32Number clcms_cmyk = TYPE_CMYK_8;

// Without memory, lcms2 continues, for instance without a table, and returns other colors. Therefore each conversion
// has its own context, which records that an allocation failed.

// The limit that lcms2 itself has for one allocation: a profile that needs more is broken.
#define CLCMS_MOST_MEMORY ((cmsUInt32Number)512 << 20)

static void *clcms_allocated(cmsContext context, void *memory, cmsUInt32Number count)
{
    // Without a context, lcms2 is creating the context.
    bool *wasRefused = cmsGetContextUserData(context);
    if (!memory && count && wasRefused) *wasRefused = true;
    return memory;
}
static void *clcms_malloc(cmsContext context, cmsUInt32Number count)
{
    return count > CLCMS_MOST_MEMORY ? NULL : clcms_allocated(context, malloc(count), count);
}
static void *clcms_realloc(cmsContext context, void *old, cmsUInt32Number count)
{
    return count > CLCMS_MOST_MEMORY ? NULL : clcms_allocated(context, realloc(old, count), count);
}
static void clcms_free(cmsContext context, void *memory)
{
    (void)context;
    free(memory);
}

/// A context of lcms2 that sets `*wasRefused` if an allocation fails; NULL if it cannot be allocated itself.
static inline cmsContext clcms_context(bool *wasRefused)
{
    cmsPluginMemHandler memory = {
        .base = {.Magic = cmsPluginMagicNumber, .ExpectedVersion = 2000, .Type = cmsPluginMemHandlerSig},
        .MallocPtr = clcms_malloc,
        .FreePtr = clcms_free,
        .ReallocPtr = clcms_realloc,
    };
    return cmsCreateContext(&memory, wasRefused);
}
