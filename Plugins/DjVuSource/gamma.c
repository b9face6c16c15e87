#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"

/// A profile under construction (ICC.1:2001-04).
typedef struct {
    unsigned char bytes[1024];
    size_t size;
    unsigned tags;
} Profile;

static void put(Profile *profile, size_t at, unsigned value, int count) {
    for (int i = 0; i < count; i += 1) profile->bytes[at + (size_t)i] = (unsigned char)(value >> 8 * (count - 1 - i));
}

static void append(Profile *profile, unsigned value, int count) {
    put(profile, profile->size, value, count);
    profile->size += (size_t)count;
}

static void append_text(Profile *profile, const char *text) {
    memcpy(profile->bytes + profile->size, text, strlen(text));
    profile->size += strlen(text);
}

/// Begins the data of a tag, whose entry in the table comes next.
static void begin(Profile *profile, const char *signature, const char *type) {
    size_t entry = 132 + 12 * profile->tags;
    profile->size = (profile->size + 3) & ~(size_t)3;
    memcpy(profile->bytes + entry, signature, 4);
    put(profile, entry + 4, (unsigned)profile->size, 4);
    profile->tags += 1;
    append_text(profile, type);
    append(profile, 0, 4);
}

static void end(Profile *profile) {
    size_t entry = 132 + 12 * (profile->tags - 1);
    size_t start = (size_t)profile->bytes[entry + 6] << 8 | profile->bytes[entry + 7];
    put(profile, entry + 8, (unsigned)(profile->size - start), 4);
}

static void add_color(Profile *profile, const char *signature, double x, double y, double z) {
    begin(profile, signature, "XYZ ");
    append(profile, (unsigned)lround(x * 65536), 4);
    append(profile, (unsigned)lround(y * 65536), 4);
    append(profile, (unsigned)lround(z * 65536), 4);
    end(profile);
}

static void add_curve(Profile *profile, const char *signature, int gamma) {
    begin(profile, signature, "curv");
    append(profile, 1, 4);
    // A gamma with 8 bits behind the point.
    append(profile, (unsigned)lround(gamma * 25.6), 2);
    end(profile);
}

static json_t *base64(const unsigned char *bytes, size_t count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[1400];
    size_t size = 0;
    for (size_t i = 0; i < count; i += 3) {
        unsigned group = bytes[i] << 16 | (i + 1 < count ? bytes[i + 1] : 0) << 8 | (i + 2 < count ? bytes[i + 2] : 0);
        for (size_t digit = 0; digit < 4; digit += 1) {
            text[size] = i + digit > count ? '=' : digits[group >> (18 - 6 * digit) & 63];
            size += 1;
        }
    }
    return json_stringn(text, size);
}

json_t *gamma_profile(int gamma, bool is_gray) {
    Profile profile = {.size = 132 + 12 * (is_gray ? 4 : 9)};
    put(&profile, 8, 0x02400000, 4);
    memcpy(profile.bytes + 12, "mntr", 4);
    memcpy(profile.bytes + 16, is_gray ? "GRAYXYZ " : "RGB XYZ ", 8);
    // No date: the same page has the same bytes for ever.
    put(&profile, 24, 2005 << 16 | 1, 4);
    put(&profile, 28, 1 << 16, 4);
    memcpy(profile.bytes + 36, "acsp", 4);
    put(&profile, 68, 63190, 4);
    put(&profile, 72, 65536, 4);
    put(&profile, 76, 54061, 4);
    begin(&profile, "desc", "desc");
    append(&profile, 5, 4);
    append_text(&profile, "DjVu");
    // Its end, and no description in other scripts.
    append(&profile, 0, 1);
    profile.size += 78;
    end(&profile);
    begin(&profile, "cprt", "text");
    append_text(&profile, "None");
    append(&profile, 0, 1);
    end(&profile);
    add_color(&profile, "wtpt", 0.9642, 1, 0.8249);
    if (is_gray) {
        add_curve(&profile, "kTRC", gamma);
    } else {
        // The format says nothing of primaries: those of sRGB, seen under D50.
        add_color(&profile, "rXYZ", 0.43607, 0.22249, 0.01392);
        add_color(&profile, "gXYZ", 0.38515, 0.71687, 0.09708);
        add_color(&profile, "bXYZ", 0.14307, 0.06061, 0.71410);
        add_curve(&profile, "rTRC", gamma);
        add_curve(&profile, "gTRC", gamma);
        add_curve(&profile, "bTRC", gamma);
    }
    put(&profile, 0, (unsigned)profile.size, 4);
    put(&profile, 128, profile.tags, 4);
    return base64(profile.bytes, profile.size);
}
