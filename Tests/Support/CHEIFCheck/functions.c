// The functions that CHEIF.h declares are those of the real header.

#include <libheif/heif.h>

#define CHEIF_TYPES_ARE_KNOWN
#include "CHEIF.h"

#define CHECK(result, name, parameters) static result (*const check_##name) parameters __attribute__((unused)) = name;
CHEIF_FUNCTIONS(CHECK)

#define SAME(ours, theirs) _Static_assert((int)ours == (int)theirs, #ours)

SAME(CHEIF_OK, heif_error_Ok);
SAME(CHEIF_UNSUPPORTED_FILE, heif_error_Unsupported_filetype);
SAME(CHEIF_UNSUPPORTED_FEATURE, heif_error_Unsupported_feature);
SAME(CHEIF_RGB, heif_colorspace_RGB);
SAME(CHEIF_INTERLEAVED_RGB, heif_chroma_interleaved_RGB);
SAME(CHEIF_INTERLEAVED_RGBA, heif_chroma_interleaved_RGBA);
SAME(CHEIF_INTERLEAVED_DEEP_RGB, heif_chroma_interleaved_RRGGBB_BE);
SAME(CHEIF_INTERLEAVED_DEEP_RGBA, heif_chroma_interleaved_RRGGBBAA_BE);
SAME(CHEIF_INTERLEAVED, heif_channel_interleaved);
// Declared as numbers in CHEIF.h.
_Static_assert(sizeof(enum heif_chroma) == sizeof(int), "");
_Static_assert(sizeof(enum heif_colorspace) == sizeof(int), "");
_Static_assert(sizeof(enum heif_channel) == sizeof(int), "");
