#pragma once

// Defines HAS_SANITIZER where a sanitizer has some signals and calls to itself.

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER
#endif
#endif
