#pragma once

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "CJPEGShims.h"

/// libjpeg's error manager, with the jump buffer.
typedef struct {
    struct jpeg_error_mgr base;
    struct jpeg_progress_mgr progress;
    jmp_buf jump;
    cjpeg_diagnostic *diagnostic;
} Manager;

/// Makes `manager` handle a codec's errors, and limits the time for files with absurdly many scans.
void manage(Manager *manager, j_common_ptr codec, cjpeg_diagnostic *diagnostic);

/// The most scans of a file.
enum { most_scans = 500 };

/// The progress monitor that limits them.
void limit_scans(j_common_ptr codec);

/// Fails like libjpeg, with a message of jisui.
_Noreturn void fail(j_common_ptr codec, const char *message);
