#pragma once

// The translations of jisui's messages, as files in PO format. English stands in the code.

#include "CEmbedded.h"

EMBEDDED(ja_po, "ja.po")
