// The structures that CJXL.h declares are laid out like those of the real headers.

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <stddef.h>

#define JxlDecoder OurDecoder
#define JxlEncoder OurEncoder
#define JxlEncoderFrameSettings OurFrameSettings
#define JxlMemoryManager OurMemoryManager
#define JxlPixelFormat OurPixelFormat
#define JxlBasicInfo OurBasicInfo
#define JxlColorEncoding OurColorEncoding
#define JxlBlendInfo OurBlendInfo
#define JxlLayerInfo OurLayerInfo
#define JxlFrameHeader OurFrameHeader
#include "CJXL.h"
#undef JxlPixelFormat
#undef JxlBasicInfo
#undef JxlColorEncoding
#undef JxlBlendInfo
#undef JxlLayerInfo
#undef JxlFrameHeader

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #ours)
#define SAME_PLACE(ours, theirs, member) _Static_assert(offsetof(ours, member) == offsetof(theirs, member), #member)

SAME_SIZE(OurPixelFormat, JxlPixelFormat);
SAME_PLACE(OurPixelFormat, JxlPixelFormat, num_channels);
SAME_PLACE(OurPixelFormat, JxlPixelFormat, data_type);
SAME_PLACE(OurPixelFormat, JxlPixelFormat, endianness);
SAME_PLACE(OurPixelFormat, JxlPixelFormat, align);
SAME_SIZE(OurBasicInfo, JxlBasicInfo);
SAME_PLACE(OurBasicInfo, JxlBasicInfo, xsize);
SAME_PLACE(OurBasicInfo, JxlBasicInfo, ysize);
SAME_PLACE(OurBasicInfo, JxlBasicInfo, bits_per_sample);
SAME_PLACE(OurBasicInfo, JxlBasicInfo, exponent_bits_per_sample);
SAME_PLACE(OurBasicInfo, JxlBasicInfo, uses_original_profile);
SAME_PLACE(OurBasicInfo, JxlBasicInfo, num_color_channels);
SAME_PLACE(OurBasicInfo, JxlBasicInfo, num_extra_channels);
SAME_PLACE(OurBasicInfo, JxlBasicInfo, alpha_bits);
SAME_PLACE(OurBasicInfo, JxlBasicInfo, alpha_premultiplied);
SAME_SIZE(OurColorEncoding, JxlColorEncoding);
SAME_PLACE(OurColorEncoding, JxlColorEncoding, white_point);
SAME_PLACE(OurColorEncoding, JxlColorEncoding, primaries);
SAME_PLACE(OurColorEncoding, JxlColorEncoding, transfer_function);
SAME_SIZE(OurFrameHeader, JxlFrameHeader);
SAME_PLACE(OurFrameHeader, JxlFrameHeader, layer_info.have_crop);
SAME_PLACE(OurFrameHeader, JxlFrameHeader, layer_info.crop_y0);
SAME_PLACE(OurFrameHeader, JxlFrameHeader, layer_info.xsize);
SAME_PLACE(OurFrameHeader, JxlFrameHeader, layer_info.ysize);
SAME_PLACE(OurFrameHeader, JxlFrameHeader, layer_info.save_as_reference);
