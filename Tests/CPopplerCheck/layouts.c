// The structures that CPoppler.h declares are laid out like those of the real headers.

#include <poppler.h>
#include <stddef.h>

#define _GError OurError
#define _GList OurList
#define _GLogField OurLogField
#define _PopplerImageMapping OurImageMapping
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
