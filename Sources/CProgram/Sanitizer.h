#pragma once

// Defines HAS_SANITIZER if a sanitizer handles some signals and calls itself.

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER
#endif
#endif
