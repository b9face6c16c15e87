// The structures that CJXLEncoder.h declares are laid out like those of the real headers.

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <stddef.h>

#include "CJXLEncoder.h"

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #ours)
#define SAME_PLACE(ours, our_member, theirs, member) \
    _Static_assert(offsetof(ours, our_member) == offsetof(theirs, member), #ours "." #our_member)

SAME_SIZE(CJXLEncoderPixels, JxlPixelFormat);
SAME_PLACE(CJXLEncoderPixels, channels, JxlPixelFormat, num_channels);
SAME_PLACE(CJXLEncoderPixels, type, JxlPixelFormat, data_type);
SAME_PLACE(CJXLEncoderPixels, byte_order, JxlPixelFormat, endianness);
SAME_PLACE(CJXLEncoderPixels, row_alignment, JxlPixelFormat, align);
SAME_SIZE(CJXLEncoderInfo, JxlBasicInfo);
SAME_PLACE(CJXLEncoderInfo, width, JxlBasicInfo, xsize);
SAME_PLACE(CJXLEncoderInfo, height, JxlBasicInfo, ysize);
SAME_PLACE(CJXLEncoderInfo, bits_per_sample, JxlBasicInfo, bits_per_sample);
SAME_PLACE(CJXLEncoderInfo, uses_original_profile, JxlBasicInfo, uses_original_profile);
SAME_PLACE(CJXLEncoderInfo, color_channels, JxlBasicInfo, num_color_channels);
SAME_PLACE(CJXLEncoderInfo, extra_channels, JxlBasicInfo, num_extra_channels);
SAME_PLACE(CJXLEncoderInfo, alpha_bits, JxlBasicInfo, alpha_bits);
SAME_SIZE(CJXLEncoderColors, JxlColorEncoding);
_Static_assert(_Alignof(CJXLEncoderColors) == _Alignof(JxlColorEncoding), "");
