#pragma once

#include "CEmbedded.h"

/// The files of the web reader, which `ReaderFiles` joins.
#define WEB_READER_FILES(FILE) \
    FILE(index_html, "index.html") \
    FILE(reader_css, "reader.css") \
    FILE(icon_svg, "icon.svg") \
    FILE(manifest_webmanifest, "manifest.webmanifest") \
    FILE(sw_js, "sw.js") \
    FILE(base_js, "base.js") \
    FILE(pairing_js, "pairing.js") \
    FILE(language_js, "language.js") \
    FILE(ja_js, "ja.js") \
    FILE(store_js, "store.js") \
    FILE(views_js, "views.js") \
    FILE(stage_js, "stage.js") \
    FILE(strip_js, "strip.js") \
    FILE(gestures_js, "gestures.js") \
    FILE(loupe_js, "loupe.js") \
    FILE(marks_js, "marks.js") \
    FILE(dialogs_js, "dialogs.js") \
    FILE(sheets_js, "sheets.js") \
    FILE(keys_js, "keys.js") \
    FILE(start_js, "start.js") \
    FILE(library_js, "library.js") \
    FILE(text_js, "text.js") \
    FILE(search_js, "search.js") \
    FILE(offline_js, "offline.js") \
    FILE(print_js, "print.js") \
    FILE(files_js, "files.js")

WEB_READER_FILES(EMBEDDED)
