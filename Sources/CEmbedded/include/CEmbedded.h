#pragma once

// Files that stand in the program, copied by the assembler. SwiftPM can embed them as array literals in Swift, but then the
// compiler type-checks and optimizes each byte: for 320 kB that was an eighth of the time of a release build.

#include <stddef.h>
#include <stdint.h>

/// The bytes of a file that stands in the program.
typedef struct {
    const uint8_t *start;
    size_t count;
} EmbeddedFile;

/// Declares the function `name`, which returns an embedded file.
#define EMBEDDED(name) EmbeddedFile name(void)

/// Defines that function. `path` is relative to the folder of the module, which must be one of its header search paths.
/// Compilers do not know that the source depends on the file, unless `__has_include` names it as well.
#define EMBED(name, path) \
    __asm__(".pushsection .rodata\n" #name "_start:\n.incbin \"" path "\"\n" #name "_end:\n.popsection\n"); \
    extern const uint8_t name##_start[] __attribute__((visibility("hidden"))); \
    extern const uint8_t name##_end[] __attribute__((visibility("hidden"))); \
    EmbeddedFile name(void) { return (EmbeddedFile){name##_start, (size_t)(name##_end - name##_start)}; }
