// The filters that unpack data, within limits.

#include "Filters.h"

#include "LZW.h"
#include "Memory.h"
#include "Predictor.h"
#include "Shared.h"

#include <memory>
#include <stdexcept>

#include <qpdf/Pl_Flate.hh>
#include <qpdf/Pl_RunLength.hh>
#include <qpdf/QPDFStreamFilter.hh>

namespace {

/// The number of filters of this thread that work on each other's results at present.
thread_local int depth = 0;

/// Counts what goes into the first of such filters.
class Inlet : public Pipeline {
public:
    explicit Inlet(Pipeline *next) : Pipeline("inlet", next) {}
    void write(unsigned char const *data, size_t count) override
    {
        if (depth == 0 && currentAccount) currentAccount->packed += count;
        Depth inner;
        getNext()->write(data, count);
    }
    void finish() override
    {
        Depth inner;
        getNext()->finish();
    }

private:
    struct Depth {
        Depth() { ++depth; }
        ~Depth() { --depth; }
    };
};

/// Counts what a filter unpacks. Filters on filters may not unpack more than one can: the data of a small file would take
/// hours, even if a last filter leaves nothing of it.
class Meter : public Pipeline {
public:
    explicit Meter(Pipeline *next) : Pipeline("meter", next) {}
    void write(unsigned char const *data, size_t count) override
    {
        if (auto *account = currentAccount) {
            account->unpacked += count;
            if (account->unpacked > slack + growth * account->packed) {
                if (!account->isReadingData) account->isExceeded = true;
                throw std::runtime_error("the data unpacks to more than one filter could have packed");
            }
        }
        getNext()->write(data, count);
    }
    void finish() override { getNext()->finish(); }

private:
    static constexpr uint64_t slack = 64 << 20;
    /// Deflate packs up to 1032 bytes into one, LZW up to 2559.
    static constexpr uint64_t growth = 2600;
};

/// A filter whose result is counted.
class CountedFilter : public QPDFStreamFilter {
public:
    Pipeline *getDecodePipeline(Pipeline *next) override
    {
        meter = std::make_unique<Meter>(predicted(next));
        decoder = makeDecoder(meter.get());
        inlet = std::make_unique<Inlet>(decoder.get());
        return inlet.get();
    }

protected:
    virtual std::unique_ptr<Pipeline> makeDecoder(Pipeline *next) = 0;
    virtual Pipeline *predicted(Pipeline *next) { return next; }

private:
    std::unique_ptr<Pipeline> meter, decoder, inlet;
};

class RunLengthFilter : public CountedFilter {
public:
    bool isSpecializedCompression() override { return true; }

protected:
    std::unique_ptr<Pipeline> makeDecoder(Pipeline *next) override
    {
        return std::make_unique<Pl_RunLength>("run lengths", next, Pl_RunLength::a_decode);
    }
};

/// Flate or LZW, with their common parameters.
class PredictedFilter : public CountedFilter {
public:
    bool setDecodeParms(QPDFObjectHandle parameters) override
    {
        if (parameters.isNull()) return true;
        auto read = [&](char const *key, int64_t &value) {
            auto object = parameters.getKeyIfDict(key);
            if (object.isInteger()) value = object.getIntValue();
            return object.isInteger() || object.isNull();
        };
        bool isKnown = read("/Predictor", form.predictor) && read("/Columns", form.columns) &&
                       read("/Colors", form.colors) && read("/BitsPerComponent", form.bits) &&
                       read("/EarlyChange", early);
        return isKnown && form.isAllowed() && (early == 0 || early == 1);
    }

protected:
    Pipeline *predicted(Pipeline *next) override
    {
        if (form.predictor == 1) return next;
        predictor = std::make_unique<Predictor>(form, next);
        return predictor.get();
    }
    int64_t early = 1;

private:
    Predictor::Form form;
    std::unique_ptr<Pipeline> predictor;
};

class FlateFilter : public PredictedFilter {
protected:
    std::unique_ptr<Pipeline> makeDecoder(Pipeline *next) override
    {
        return std::make_unique<Pl_Flate>("Flate", next, Pl_Flate::a_inflate);
    }
};

class LZWFilter : public PredictedFilter {
protected:
    std::unique_ptr<Pipeline> makeDecoder(Pipeline *next) override
    {
        return std::make_unique<LZWDecoder>(static_cast<unsigned>(early), next);
    }
};

} // namespace

void registerFilters()
{
    [[maybe_unused]] static bool const isDone = [] {
        QPDF::registerStreamFilter("/FlateDecode", [] { return std::make_shared<FlateFilter>(); });
        QPDF::registerStreamFilter("/LZWDecode", [] { return std::make_shared<LZWFilter>(); });
        QPDF::registerStreamFilter("/RunLengthDecode", [] { return std::make_shared<RunLengthFilter>(); });
        return true;
    }();
}
