#pragma once

// The decoding of streams within a limit.

#include "Shared.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <qpdf/Constants.h>
#include <qpdf/Pipeline.hh>

/// Bytes that grow in place, and that a caller may take over. They have their own limit, so no account counts them.
class Bytes {
public:
    Bytes() = default;
    Bytes(Bytes const &) = delete;
    ~Bytes() { std::free(memory); }

    void append(unsigned char const *data, size_t added)
    {
        if (added > capacity - count) {
            auto wanted = std::max({count + added, capacity + capacity / 2, size_t(4096)});
            auto *larger = static_cast<unsigned char *>(std::realloc(memory, wanted));
            if (!larger) throw std::bad_alloc();
            memory = larger;
            capacity = wanted;
        }
        if (added > 0) std::memcpy(memory + count, data, added);
        count += added;
    }
    void push_back(unsigned char byte) { append(&byte, 1); }
    unsigned char *data() { return memory; }
    unsigned char const *begin() const { return memory; }
    unsigned char const *end() const { return memory + count; }
    size_t size() const { return count; }
    /// Hands over the bytes, which the caller frees.
    unsigned char *release()
    {
        auto *taken = memory ? memory : static_cast<unsigned char *>(std::malloc(1));
        if (!taken) throw std::bad_alloc();
        memory = nullptr;
        count = capacity = 0;
        return taken;
    }

private:
    unsigned char *memory = nullptr;
    size_t count = 0;
    size_t capacity = 0;
};

/// Collects what flows in, up to a limit.
class Collector : public Pipeline {
public:
    explicit Collector(size_t limit) : Pipeline("collector", nullptr), limit(limit) {}
    void write(unsigned char const *data, size_t count) override
    {
        if (count > limit - bytes.size()) {
            isFull = true;
            throw TooLarge();
        }
        bytes.append(data, count);
    }
    void finish() override {}
    /// qpdf catches what `write` throws, and takes it for damage: this is asked for afterwards.
    void check() const
    {
        if (isFull) throw TooLarge();
    }
    Bytes bytes;

private:
    size_t limit;
    bool isFull = false;
};

/// Marks the reading of a stream's data, whose errors the caller gets.
class DataReading {
public:
    DataReading() : account(currentAccount)
    {
        if (account) account->isReadingData = true;
    }
    DataReading(DataReading const &) = delete;
    ~DataReading()
    {
        if (account) account->isReadingData = false;
    }

private:
    Account *account;
};

inline int filterCount(QPDFObjectHandle stream)
{
    auto filter = stream.getDict().getKey("/Filter");
    return filter.isArray() ? filter.getArrayNItems() : filter.isName() ? 1 : 0;
}

inline void decode(QPDFObjectHandle stream, Collector &collector)
{
    // Each takes memory of its own. More than three are not known from any program.
    constexpr int mostFilters = 8;
    if (filterCount(stream) > mostFilters) throw std::runtime_error("it has too many filters");
    DataReading reading;
    bool filtered = false;
    bool sound = stream.pipeStreamData(&collector, &filtered, 0, qpdf_dl_specialized, false, false);
    collector.check();
    if (filterCount(stream) > 0 && !filtered) throw std::runtime_error("a filter is not known, or its data is damaged");
    if (!sound) throw std::runtime_error("the data is damaged");
}
