#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "Shared.h"

#include <qpdf/Pipeline.hh>

/// Undoes the differences between samples (ISO 32000-1, 7.4.4.4).
class Predictor : public Pipeline {
public:
    struct Form {
        int64_t predictor = 1;
        int64_t columns = 1;
        int64_t colors = 1;
        int64_t bits = 8;

        /// The bytes of a row. A row of one million pixels in CMYK has no more.
        static constexpr int64_t most = 1 << 22;

        bool isPNG() const { return predictor >= 10 && predictor <= 15; }
        int64_t bytesPerRow() const { return (columns * colors * bits + 7) / 8; }
        int64_t bytesPerPixel() const { return (colors * bits + 7) / 8; }
        /// Whether it is a form of the standard whose rows are not too long.
        bool isAllowed() const
        {
            if (predictor == 1) return true;
            if (predictor != 2 && !isPNG()) return false;
            if (bits != 1 && bits != 2 && bits != 4 && bits != 8 && bits != 16) return false;
            if (columns < 1 || colors < 1 || columns > 8 * most || colors > 8 * most / columns) return false;
            return bytesPerRow() <= most;
        }
    };

    Predictor(Form form, Pipeline *next)
        : Pipeline("predictor", next), form(form), count(static_cast<size_t>(form.bytesPerRow())), start(form.isPNG() ? 1 : 0),
          row(count + start), above(count)
    {
    }
    void write(unsigned char const *data, size_t length) override
    {
        while (length > 0) {
            auto part = std::min(length, row.size() - filled);
            std::copy_n(data, part, row.begin() + static_cast<std::ptrdiff_t>(filled));
            filled += part;
            data += part;
            length -= part;
            if (filled == row.size()) flush();
        }
    }
    void finish() override
    {
        // What is missing in the last row is zero, as in qpdf.
        if (filled > 0) {
            std::fill(row.begin() + static_cast<std::ptrdiff_t>(filled), row.end(), 0);
            flush();
        }
        getNext()->finish();
    }

private:
    void flush()
    {
        filled = 0;
        auto *samples = row.data() + start;
        if (!form.isPNG()) {
            addToTheLeft(samples);
        } else {
            undo(row[0], samples, static_cast<size_t>(form.bytesPerPixel()));
            std::copy_n(samples, count, above.begin());
        }
        getNext()->write(samples, count);
    }

    /// Undoes a filter of PNG (ISO/IEC 15948, 9.2).
    void undo(unsigned char filter, unsigned char *samples, size_t pixel)
    {
        switch (filter) {
        case 1:
            for (size_t i = pixel; i < count; ++i) samples[i] += samples[i - pixel];
            break;
        case 2:
            for (size_t i = 0; i < count; ++i) samples[i] += above[i];
            break;
        case 3:
            for (size_t i = 0; i < count; ++i) {
                samples[i] += static_cast<unsigned char>(((i < pixel ? 0 : samples[i - pixel]) + above[i]) / 2);
            }
            break;
        case 4:
            for (size_t i = 0; i < count; ++i) {
                int left = i < pixel ? 0 : samples[i - pixel], corner = i < pixel ? 0 : above[i - pixel], up = above[i];
                int a = std::abs(up - corner), b = std::abs(left - corner), c = std::abs(left + up - 2 * corner);
                samples[i] += static_cast<unsigned char>(a <= b && a <= c ? left : b <= c ? up : corner);
            }
            break;
        default:
            break;
        }
    }

    /// Adds the sample of the same color in the pixel to the left (TIFF 6.0, section 14).
    void addToTheLeft(unsigned char *samples)
    {
        auto colors = static_cast<size_t>(form.colors);
        if (form.bits == 8) {
            for (size_t i = colors; i < count; ++i) samples[i] += samples[i - colors];
        } else if (form.bits == 16) {
            for (size_t i = 2 * colors; i + 1 < count; i += 2) {
                auto *before = samples + i - 2 * colors;
                auto sum = (samples[i] << 8 | samples[i + 1]) + (before[0] << 8 | before[1]);
                samples[i] = static_cast<unsigned char>(sum >> 8);
                samples[i + 1] = static_cast<unsigned char>(sum);
            }
        } else {
            addBits(samples, colors);
        }
    }

    void addBits(unsigned char *samples, size_t colors)
    {
        auto bits = static_cast<size_t>(form.bits), mask = (size_t(1) << bits) - 1;
        auto shift = [&](size_t sample) { return 8 - bits - sample * bits % 8; };
        for (size_t i = colors; i < static_cast<size_t>(form.columns) * colors; ++i) {
            auto before = i - colors;
            size_t sum = (samples[i * bits / 8] >> shift(i)) + (samples[before * bits / 8] >> shift(before));
            auto &byte = samples[i * bits / 8];
            byte = static_cast<unsigned char>((byte & ~(mask << shift(i))) | (sum & mask) << shift(i));
        }
        // The rest of the last byte is no sample.
        auto used = static_cast<size_t>(form.columns) * colors * bits % 8;
        if (used > 0) samples[count - 1] &= static_cast<unsigned char>(0xFF << (8 - used));
    }

    Form form;
    size_t count;
    size_t start;
    std::vector<unsigned char> row;
    std::vector<unsigned char> above;
    size_t filled = 0;
};
