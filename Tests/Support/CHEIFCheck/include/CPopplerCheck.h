#pragma once

// This module only has to compile.
