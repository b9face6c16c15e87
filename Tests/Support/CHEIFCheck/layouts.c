// The structure that CHEIF.h declares is laid out like that of the real header.

#include <libheif/heif.h>
#include <stddef.h>

#define heif_error OurError
#define heif_context OurContext
#define heif_image OurImage
#define heif_image_handle OurHandle
#include "CHEIF.h"
#undef heif_error

_Static_assert(sizeof(struct OurError) == sizeof(struct heif_error), "");
_Static_assert(offsetof(struct OurError, code) == offsetof(struct heif_error, code), "");
_Static_assert(offsetof(struct OurError, message) == offsetof(struct heif_error, message), "");
