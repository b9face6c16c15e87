// The functions that CJXLEncoder.h declares are those of the real headers.

#include <jxl/decode.h>
#include <jxl/encode.h>

#define CJXLENCODER_TYPES_ARE_KNOWN
#include "CJXLEncoder.h"

#define CHECK(result, name, parameters) static result (*const check_##name) parameters __attribute__((unused)) = name;
CJXLENCODER_FUNCTIONS(CHECK)

_Static_assert((int)CJXLENCODER_SUCCESS == (int)JXL_ENC_SUCCESS, "");
_Static_assert((int)CJXLENCODER_NEED_MORE_OUTPUT == (int)JXL_ENC_NEED_MORE_OUTPUT, "");
_Static_assert((int)CJXLENCODER_EFFORT == (int)JXL_ENC_FRAME_SETTING_EFFORT, "");
_Static_assert((int)CJXLENCODER_UINT8 == (int)JXL_TYPE_UINT8, "");
_Static_assert((int)CJXLENCODER_UINT16 == (int)JXL_TYPE_UINT16, "");
_Static_assert((int)CJXLENCODER_BIG_ENDIAN == (int)JXL_BIG_ENDIAN, "");
_Static_assert((int)CJXLENCODER_SUCCESS == (int)JXL_DEC_SUCCESS, "");
_Static_assert((int)CJXLENCODER_WHOLE_PICTURE == (int)JXL_DEC_FULL_IMAGE, "");
_Static_assert((int)CJXLENCODER_RECONSTRUCTION == (int)JXL_DEC_JPEG_RECONSTRUCTION, "");
