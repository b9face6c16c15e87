#pragma once

// Files that the assembler copies into the binary. SwiftPM can embed them as array literals in Swift, but then the compiler
// type-checks and optimizes each byte: for 320 kB that took an eighth of the time of a release build.

#include <stddef.h>
#include <stdint.h>

/// The bytes of a file in the binary.
typedef struct {
    const uint8_t *start;
    size_t count;
} EmbeddedFile;

/// Declares the function `name`, which returns an embedded file.
#define EMBEDDED(name, path) EmbeddedFile name(void);

/// Defines that function. `path` is relative to a header search path of the module.
///
/// The source must also name the path in `__has_include`. Otherwise the build does not notice a change of the file.
#define EMBED(name, path) \
    __asm__(".pushsection .rodata\n" #name "_start:\n.incbin \"" path "\"\n" #name "_end:\n.popsection\n"); \
    extern const uint8_t name##_start[] __attribute__((visibility("hidden"))); \
    extern const uint8_t name##_end[] __attribute__((visibility("hidden"))); \
    EmbeddedFile name(void) { return (EmbeddedFile){name##_start, (size_t)(name##_end - name##_start)}; }
