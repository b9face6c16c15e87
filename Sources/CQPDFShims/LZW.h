#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>

#include "Shared.h"

#include <qpdf/Pipeline.hh>

/// Decodes LZW (ISO 32000-1, 7.4.4.2).
class LZWDecoder : public Pipeline {
public:
    /// - early: by how many codes too early their length changes.
    LZWDecoder(unsigned early, Pipeline *next) : Pipeline("LZW", next), early(early) {}

    void write(unsigned char const *data, size_t length) override
    {
        for (size_t i = 0; i < length && !isAtEnd; ++i) {
            bits = bits << 8 | data[i];
            bitCount += 8;
            if (bitCount < width) continue;
            bitCount -= width;
            take(bits >> bitCount & ((1u << width) - 1));
        }
    }
    void finish() override { getNext()->finish(); }

private:
    enum : unsigned { clear = 256, end = 257, first = 258, most = 4096 };

    void take(unsigned code)
    {
        if (code == end) {
            isAtEnd = true;
        } else if (code == clear) {
            next = first;
            width = 9;
        } else {
            bool isNew = last != clear && next < most;
            if (code > next || (code == next && !isNew) || (last == clear && code > end)) {
                throw std::runtime_error("LZW data has an unknown code");
            }
            // The string of a code that is only made now is the last string and its own first byte.
            auto place = stack.size();
            if (code == next) --place;
            auto from = place;
            auto each = code == next ? last : code;
            for (; each > end; each = prefixes[each]) stack[--from] = bytes[each];
            stack[--from] = static_cast<unsigned char>(each);
            if (code == next) stack[place] = stack[from];
            if (isNew) {
                prefixes[next] = static_cast<uint16_t>(last);
                bytes[next++] = stack[from];
                if (next + early == 1u << width && width < 12) ++width;
            }
            getNext()->write(stack.data() + from, stack.size() - from);
        }
        last = code;
    }

    unsigned early;
    unsigned width = 9;
    unsigned next = first;
    unsigned last = clear;
    uint32_t bits = 0;
    unsigned bitCount = 0;
    bool isAtEnd = false;
    std::array<uint16_t, most> prefixes;
    std::array<unsigned char, most> bytes;
    /// The string of a code, from its end.
    std::array<unsigned char, most> stack;
};
