#pragma once
#include <lcms2.h>

// Swift does not see constants that macros with parameters make. Samples of 16 bits are big-endian.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define CLCMS_DEEP(type) type##_SE
#else
#define CLCMS_DEEP(type) type
#endif

static const cmsUInt32Number clcms_gray = TYPE_GRAY_8;
static const cmsUInt32Number clcms_gray_deep = CLCMS_DEEP(TYPE_GRAY_16);
static const cmsUInt32Number clcms_rgb = TYPE_RGB_8;
static const cmsUInt32Number clcms_rgb_deep = CLCMS_DEEP(TYPE_RGB_16);
static const cmsUInt32Number clcms_rgba = TYPE_RGBA_8;
static const cmsUInt32Number clcms_rgba_deep = CLCMS_DEEP(TYPE_RGBA_16);
/// 0 is no ink.
static const cmsUInt32Number clcms_cmyk = TYPE_CMYK_8;
