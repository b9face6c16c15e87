#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include "Shared.h"

#include <qpdf/InputSource.hh>

/// A file that is read through a function, with a small buffer. The source of qpdf makes two system calls for every few
/// bytes of a token.
class BufferedFile : public InputSource {
public:
    BufferedFile(jqpdf_reader reader, void *context, qpdf_offset_t size, char const *name)
        : reader(reader), context(context), size(size), name(name)
    {
    }
    ~BufferedFile() override = default;

    qpdf_offset_t findAndSkipNextEOL() override
    {
        char c;
        while (read(&c, 1) == 1) {
            if (c != '\r' && c != '\n') continue;
            auto found = position - 1;
            while (read(&c, 1) == 1) {
                if (c != '\r' && c != '\n') {
                    --position;
                    break;
                }
            }
            return found;
        }
        return size;
    }
    std::string const &getName() const override { return name; }
    qpdf_offset_t tell() override { return position; }
    void seek(qpdf_offset_t offset, int whence) override
    {
        position = offset + (whence == SEEK_SET ? 0 : whence == SEEK_END ? size : position);
        if (position < 0) throw std::runtime_error("seek before the beginning of the file");
    }
    void rewind() override { position = 0; }
    void unreadCh(char) override { --position; }
    size_t read(char *target, size_t length) override
    {
        last_offset = std::min(position, size);
        size_t done = 0;
        while (done < length && position < size) {
            if (position < start || position >= start + count) {
                // Large reads bypass the buffer.
                if (length - done >= sizeof buffer) {
                    auto got = fetch(target + done, length - done);
                    done += got;
                    position += static_cast<qpdf_offset_t>(got);
                    continue;
                }
                // The buffer is empty until it is filled, because filling can fail.
                count = 0;
                start = position;
                count = static_cast<qpdf_offset_t>(fetch(buffer, sizeof buffer));
            }
            auto available = static_cast<size_t>(start + count - position);
            auto part = std::min(available, length - done);
            std::memcpy(target + done, buffer + (position - start), part);
            done += part;
            position += static_cast<qpdf_offset_t>(part);
        }
        return done;
    }

private:
    /// Reads at least one byte from `position`, which is before the end.
    size_t fetch(char *target, size_t length)
    {
        auto got = reader(context, position, target, length);
        if (got == -ENOMEM) throw std::bad_alloc();
        if (got < 0) throw std::runtime_error(std::strerror(static_cast<int>(-got)));
        // Continuing here would request the same bytes forever.
        if (got == 0) throw std::runtime_error("the file is shorter than it was");
        return static_cast<size_t>(got);
    }

    jqpdf_reader reader;
    void *context;
    qpdf_offset_t size;
    std::string name;
    qpdf_offset_t position = 0;
    char buffer[4096];
    qpdf_offset_t start = 0;
    qpdf_offset_t count = 0;
};
