// SwiftPM wants a source in each C module. The header is all of this one.
#include "CEmbedded.h"
