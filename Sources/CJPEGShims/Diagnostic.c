#include "Diagnostic.h"

#include <string.h>

// A progressive JPEG has about ten scans. Decoding a scan takes as long as the whole image, although it may have only a
// few bytes.
enum { usual_scans = 24 };

/// The limit beyond the usual scans, as pixels times scans. A billion takes about a second.
static const double most_work = 4e9;

#define TEXT(words) #words
#define TEXT_OF_MACRO(macro) TEXT(macro)

const char *cjpeg_library_version(void)
{
#ifdef LIBJPEG_TURBO_VERSION
    return TEXT_OF_MACRO(LIBJPEG_TURBO_VERSION);
#else
    return TEXT_OF_MACRO(JPEG_LIB_VERSION);
#endif
}

static void leave(j_common_ptr codec)
{
    Manager *manager = (Manager *)codec->err;
    codec->err->format_message(codec, manager->diagnostic->message);
    longjmp(manager->jump, 1);
}

static void note(j_common_ptr codec, int level)
{
    Manager *manager = (Manager *)codec->err;
    if (level >= 0) return;
    if (manager->diagnostic->warnings++ == 0) codec->err->format_message(codec, manager->diagnostic->message);
}

void limit_scans(j_common_ptr codec)
{
    if (!codec->is_decompressor) return;
    const struct jpeg_decompress_struct *decoder = (j_decompress_ptr)codec;
    int scans = decoder->input_scan_number;
    if (scans > most_scans) fail(codec, "it has too many scans");
    if (scans > usual_scans && (double)scans * decoder->image_width * decoder->image_height > most_work)
        fail(codec, "it has too many scans for its size");
}

void manage(Manager *manager, j_common_ptr codec, cjpeg_diagnostic *diagnostic)
{
    codec->err = jpeg_std_error(&manager->base);
    manager->base.error_exit = leave;
    manager->base.emit_message = note;
    manager->diagnostic = diagnostic;
    manager->progress.progress_monitor = limit_scans;
}

void fail(j_common_ptr codec, const char *message)
{
    Manager *manager = (Manager *)codec->err;
    strncpy(manager->diagnostic->message, message, sizeof manager->diagnostic->message - 1);
    longjmp(manager->jump, 1);
}
