// The structures that CPoppler.h declares are laid out like those of the real headers.

#include <poppler.h>
#include <stddef.h>

#define _GError OurError
#define _GList OurList
#define _GLogField OurLogField
#define _GInputStream OurInputStream
#define _GInputStreamClass OurInputStreamClass
#define _GSeekableIface OurSeekable
#define _GInterfaceInfo OurInterfaceInfo
#define _PopplerImageMapping OurImageMapping
#define _PopplerRectangle OurRectangle
#define _cairo_matrix OurMatrix
#define _cairo_rectangle OurCairoRectangle
#include "CPoppler.h"

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(struct ours) == sizeof(theirs), #ours)
#define SAME_PLACE(ours, our_member, theirs, member) \
    _Static_assert(offsetof(struct ours, our_member) == offsetof(theirs, member), #ours "." #our_member)

SAME_SIZE(OurError, GError);
SAME_PLACE(OurError, message, GError, message);
SAME_SIZE(OurList, GList);
SAME_PLACE(OurList, data, GList, data);
SAME_SIZE(OurLogField, GLogField);
SAME_PLACE(OurLogField, key, GLogField, key);
SAME_PLACE(OurLogField, value, GLogField, value);
SAME_SIZE(OurImageMapping, PopplerImageMapping);
SAME_PLACE(OurImageMapping, image_id, PopplerImageMapping, image_id);
SAME_SIZE(OurRectangle, PopplerRectangle);
SAME_PLACE(OurRectangle, y2, PopplerRectangle, y2);
SAME_SIZE(OurMatrix, cairo_matrix_t);
SAME_PLACE(OurMatrix, yx, cairo_matrix_t, yx);
SAME_PLACE(OurMatrix, x0, cairo_matrix_t, x0);
SAME_SIZE(OurCairoRectangle, cairo_rectangle_t);
SAME_SIZE(OurInputStream, GInputStream);
SAME_SIZE(OurInputStreamClass, GInputStreamClass);
SAME_PLACE(OurInputStreamClass, read, GInputStreamClass, read_fn);
SAME_PLACE(OurInputStreamClass, skip, GInputStreamClass, skip);
SAME_PLACE(OurInputStreamClass, close, GInputStreamClass, close_fn);
SAME_SIZE(OurSeekable, GSeekableIface);
SAME_PLACE(OurSeekable, tell, GSeekableIface, tell);
SAME_PLACE(OurSeekable, can_seek, GSeekableIface, can_seek);
SAME_PLACE(OurSeekable, seek, GSeekableIface, seek);
SAME_PLACE(OurSeekable, can_truncate, GSeekableIface, can_truncate);
SAME_SIZE(OurInterfaceInfo, GInterfaceInfo);
SAME_PLACE(OurInterfaceInfo, prepare, GInterfaceInfo, interface_init);
