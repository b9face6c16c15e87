// The functions that CPoppler.h declares are those of the real headers.

#include <cairo.h>
#include <poppler.h>
#undef g_object_unref

#define CPOPPLER_TYPES_ARE_KNOWN
#include "CPoppler.h"

#define CHECK(result, name, parameters) static result (*const check_##name) parameters __attribute__((unused)) = name;
CPOPPLER_FUNCTIONS(CHECK)

_Static_assert((int)CPOPPLER_RGB24 == (int)CAIRO_FORMAT_RGB24, "");
_Static_assert((int)CPOPPLER_COLOR_ALPHA == (int)CAIRO_CONTENT_COLOR_ALPHA, "");
_Static_assert((int)CPOPPLER_LOG_HANDLED == (int)G_LOG_WRITER_HANDLED, "");
_Static_assert((int)CPOPPLER_SEEK_CURRENT == (int)G_SEEK_CUR, "");
_Static_assert((int)CPOPPLER_SEEK_START == (int)G_SEEK_SET, "");
_Static_assert((int)CPOPPLER_SEEK_END == (int)G_SEEK_END, "");
_Static_assert(CAIRO_STATUS_SUCCESS == 0, "");
