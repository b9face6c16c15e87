#pragma once

// The devices and presets that jisui knows, as JSON. Users add their own as files of the same form.

#include "CEmbedded.h"

EMBEDDED(devices_json, "devices.json")
EMBEDDED(presets_json, "presets.json")
