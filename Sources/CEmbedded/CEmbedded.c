// SwiftPM needs a source in each C module. This module is only the header.
#include "CEmbedded.h"
