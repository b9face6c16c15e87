#include "CWebReader.h"

#if !(__has_include("index.html") && __has_include("reader.css") && __has_include("icon.svg") && \
    __has_include("manifest.webmanifest") && __has_include("sw.js") && __has_include("base.js") && \
    __has_include("pairing.js") && __has_include("store.js") && __has_include("views.js") && \
    __has_include("stage.js") && __has_include("strip.js") && __has_include("gestures.js") && \
    __has_include("loupe.js") && __has_include("marks.js") && __has_include("dialogs.js") && \
    __has_include("keys.js") && __has_include("start.js") && __has_include("library.js") && \
    __has_include("text.js") && __has_include("search.js") && __has_include("offline.js") && \
    __has_include("print.js") && __has_include("files.js"))
#error "a file of the web reader is missing"
#endif

EMBED(index_html, "index.html")
EMBED(reader_css, "reader.css")
EMBED(icon_svg, "icon.svg")
EMBED(manifest_webmanifest, "manifest.webmanifest")
EMBED(sw_js, "sw.js")
EMBED(base_js, "base.js")
EMBED(pairing_js, "pairing.js")
EMBED(store_js, "store.js")
EMBED(views_js, "views.js")
EMBED(stage_js, "stage.js")
EMBED(strip_js, "strip.js")
EMBED(gestures_js, "gestures.js")
EMBED(loupe_js, "loupe.js")
EMBED(marks_js, "marks.js")
EMBED(dialogs_js, "dialogs.js")
EMBED(keys_js, "keys.js")
EMBED(start_js, "start.js")
EMBED(library_js, "library.js")
EMBED(text_js, "text.js")
EMBED(search_js, "search.js")
EMBED(offline_js, "offline.js")
EMBED(print_js, "print.js")
EMBED(files_js, "files.js")
