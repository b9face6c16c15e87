#pragma once

// The files of the web reader. `ReaderFiles` joins them.

#include "CEmbedded.h"

EMBEDDED(index_html);
EMBEDDED(reader_css);
EMBEDDED(icon_svg);
EMBEDDED(manifest_webmanifest);
EMBEDDED(sw_js);
EMBEDDED(base_js);
EMBEDDED(pairing_js);
EMBEDDED(store_js);
EMBEDDED(views_js);
EMBEDDED(stage_js);
EMBEDDED(strip_js);
EMBEDDED(gestures_js);
EMBEDDED(loupe_js);
EMBEDDED(marks_js);
EMBEDDED(dialogs_js);
EMBEDDED(keys_js);
EMBEDDED(start_js);
EMBEDDED(library_js);
EMBEDDED(text_js);
EMBEDDED(search_js);
EMBEDDED(offline_js);
EMBEDDED(print_js);
EMBEDDED(files_js);
