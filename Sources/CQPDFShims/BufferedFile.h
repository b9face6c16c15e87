#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include <unistd.h>

// qpdf 11 asks users to say which smart pointers they are ready for: std::shared_ptr only.
#define POINTERHOLDER_TRANSITION 4
#include <qpdf/InputSource.hh>

/// A file read by descriptor and kept in a small buffer: qpdf's own source makes two system calls for every
/// few bytes of a token.
class BufferedFile : public InputSource {
public:
    BufferedFile(int descriptor, qpdf_offset_t size, char const *name) : descriptor(descriptor), size(size), name(name) {}
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
                // Much at once goes past the buffer.
                if (length - done >= sizeof buffer) {
                    auto got = fetch(target + done, length - done);
                    if (got == 0) break;
                    done += got;
                    position += static_cast<qpdf_offset_t>(got);
                    continue;
                }
                start = position;
                count = static_cast<qpdf_offset_t>(fetch(buffer, sizeof buffer));
                if (count == 0) break;
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
    /// Bytes from `position`, none at the end.
    size_t fetch(char *target, size_t length)
    {
        while (true) {
            auto got = ::pread(descriptor, target, length, position);
            if (got >= 0) return static_cast<size_t>(got);
            if (errno != EINTR) throw std::runtime_error(std::strerror(errno));
        }
    }

    int descriptor;
    qpdf_offset_t size;
    std::string name;
    qpdf_offset_t position = 0;
    char buffer[4096];
    qpdf_offset_t start = 0;
    qpdf_offset_t count = 0;
};
