#pragma once

// The decoding of streams within a limit.

#include "Shared.h"

#include <qpdf/Constants.h>
#include <qpdf/Pipeline.hh>

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
        bytes.insert(bytes.end(), data, data + count);
    }
    void finish() override {}
    /// qpdf catches what `write` throws, and takes it for damage: this is asked for afterwards.
    void check() const
    {
        if (isFull) throw TooLarge();
    }
    std::vector<unsigned char> bytes;

private:
    size_t limit;
    bool isFull = false;
};

inline int filterCount(QPDFObjectHandle stream)
{
    auto filter = stream.getDict().getKey("/Filter");
    return filter.isArray() ? filter.getArrayNItems() : filter.isName() ? 1 : 0;
}

inline void decode(QPDFObjectHandle stream, Collector &collector)
{
    bool filtered = false;
    bool sound = stream.pipeStreamData(&collector, &filtered, 0, qpdf_dl_specialized, false, false);
    collector.check();
    if (filterCount(stream) > 0 && !filtered) throw std::runtime_error("a filter is not known, or its data is damaged");
    if (!sound) throw std::runtime_error("the data is damaged");
}
