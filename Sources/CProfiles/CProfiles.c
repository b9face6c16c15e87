#include "CProfiles.h"

#if !__has_include("devices.json") || !__has_include("presets.json")
#error "a profile is missing"
#endif

EMBED(devices_json, "devices.json")
EMBED(presets_json, "presets.json")
