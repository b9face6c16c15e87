#include "CTranslations.h"

#if !__has_include("ja.po")
#error "a translation is missing"
#endif

EMBED(ja_po, "ja.po")
