#include "CWebReader.h"

#if !(__has_include("index.html") && __has_include("reader.css") && __has_include("icon.svg") && \
    __has_include("manifest.webmanifest") && __has_include("sw.js") && __has_include("base.js") && \
    __has_include("pairing.js") && __has_include("store.js") && __has_include("views.js") && \
    __has_include("stage.js") && __has_include("strip.js") && __has_include("gestures.js") && \
    __has_include("loupe.js") && __has_include("marks.js") && __has_include("dialogs.js") && \
    __has_include("keys.js") && __has_include("start.js") && __has_include("library.js") && \
    __has_include("text.js") && __has_include("search.js") && __has_include("offline.js") && \
    __has_include("print.js") && __has_include("files.js") && __has_include("language.js") && \
    __has_include("ja.js"))
#error "a file of the web reader is missing"
#endif

WEB_READER_FILES(EMBED)
