#pragma once

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "CJPEGShims.h"

/// libjpeg's error manager, with the place to return to.
typedef struct {
    struct jpeg_error_mgr base;
    struct jpeg_progress_mgr progress;
    jmp_buf jump;
    cjpeg_diagnostic *diagnostic;
} Manager;

/// Has `manager` take care of a codec's errors, and keep files with absurdly many scans from taking for ever.
void manage(Manager *manager, j_common_ptr codec, cjpeg_diagnostic *diagnostic);

/// Fails as libjpeg would, in our own words.
_Noreturn void fail(j_common_ptr codec, const char *message);
