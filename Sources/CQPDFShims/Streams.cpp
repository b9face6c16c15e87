// The data of streams: where it lies, what it decodes to, and whether all that a page needs can be read.

#include "Decoding.h"
#include "Shared.h"

#include <algorithm>

#include <qpdf/Buffer.hh>
#include <qpdf/Constants.h>
#include <qpdf/Pl_Discard.hh>

namespace {

uint8_t *released(Collector &collector, size_t *count)
{
    *count = collector.bytes.size();
    return collector.bytes.release();
}

void readRaw(QPDFObjectHandle stream, Collector &collector)
{
    bool sound = stream.pipeStreamData(&collector, nullptr, 0, qpdf_dl_none, false, false);
    collector.check();
    if (!sound) throw std::runtime_error("the data is damaged");
}

/// A stream like `stream` whose data were collected, but which lacks the last `kept` filters.
QPDFObjectHandle withoutLastFilters(QPDF &pdf, QPDFObjectHandle stream, int kept, std::shared_ptr<Collector> data)
{
    auto dictionary = stream.getDict();
    auto filters = dictionary.getKey("/Filter").isArray()
        ? dictionary.getKey("/Filter").getArrayAsVector()
        : std::vector<QPDFObjectHandle>{dictionary.getKey("/Filter")};
    auto parameters = dictionary.getKey("/DecodeParms");
    auto shorter = QPDFObjectHandle::newStream(&pdf);
    shorter.replaceStreamData(
        std::shared_ptr<Buffer>(
            new Buffer(data->bytes.data(), data->bytes.size()), [data](Buffer *buffer) { delete buffer; }),
        QPDFObjectHandle::newNull(), QPDFObjectHandle::newNull());
    auto names = QPDFObjectHandle::newArray();
    auto values = QPDFObjectHandle::newArray();
    for (size_t i = 0; i + static_cast<size_t>(kept) < filters.size(); ++i) {
        names.appendItem(filters[i]);
        values.appendItem(parameters.isArray() ? parameters.getArrayItem(static_cast<int>(i)) : QPDFObjectHandle::newNull());
    }
    shorter.getDict().replaceKey("/Filter", names);
    shorter.getDict().replaceKey("/DecodeParms", values);
    return shorter;
}

void decodePartly(QPDF &pdf, QPDFObjectHandle stream, int kept, Collector &collector)
{
    auto data = std::make_shared<Collector>(SIZE_MAX);
    readRaw(stream, *data);
    auto shorter = withoutLastFilters(pdf, stream, kept, data);
    data.reset();
    // The document keeps the stream.
    auto empty = [&] { shorter.replaceStreamData("", QPDFObjectHandle::newNull(), QPDFObjectHandle::newNull()); };
    try {
        decode(shorter, collector);
    } catch (...) {
        empty();
        throw;
    }
    empty();
}

} // namespace

int64_t jqpdf_stream_offset(jqpdf_document *document, jqpdf_object *stream)
{
    return valueOr<int64_t>(-1, document, [&]() -> int64_t {
        if (document->pdf.isEncrypted() || !stream->handle.isStream()) return -1;
        return stream->handle.getParsedOffset();
    });
}

uint8_t *jqpdf_stream_data(
    jqpdf_document *document, jqpdf_object *stream, int kept, size_t limit, size_t *count, enum jqpdf_status *status,
    char *message, size_t message_size)
{
    uint8_t *data = nullptr;
    *status = guarded(document, message, message_size, [&] {
        if (filterCount(stream->handle) <= kept) {
            Collector collector(limit);
            readRaw(stream->handle, collector);
            data = released(collector, count);
            return;
        }
        Collector collector(std::min(limit, document->account.dataLimit()));
        if (kept == 0) {
            decode(stream->handle, collector);
        } else {
            decodePartly(document->pdf, stream->handle, kept, collector);
        }
        data = released(collector, count);
    });
    return data;
}

uint8_t *jqpdf_page_contents(
    jqpdf_object *page, size_t limit, size_t *count, enum jqpdf_status *status, char *message, size_t message_size)
{
    uint8_t *data = nullptr;
    *status = guarded(page, message, message_size, [&] {
        Collector collector(std::min(limit, page->document->account.dataLimit()));
        auto contents = page->handle.getKey("/Contents");
        auto streams = contents.isArray() ? contents.getArrayAsVector() : std::vector<QPDFObjectHandle>{contents};
        for (auto &stream : streams) {
            if (!stream.isStream()) continue;
            decode(stream, collector);
            collector.bytes.push_back('\n');
        }
        data = released(collector, count);
    });
    return data;
}

void jqpdf_read_through(jqpdf_document *document, jqpdf_object *object)
{
    valueOr(0, document, [&] {
        Pl_Discard discard;
        std::vector<QPDFObjectHandle> pending{object->handle};
        bool isFirst = true;
        while (!pending.empty()) {
            auto next = pending.back();
            pending.pop_back();
            if (next.isIndirect() && !document->read.insert(next.getObjectID()).second && !isFirst) continue;
            if (next.isArray()) {
                for (auto &item : next.getArrayAsVector()) pending.push_back(item);
                continue;
            }
            if (!next.isDictionary() && !next.isStream()) continue;
            auto dictionary = next.isStream() ? next.getDict() : next;
            // Annotations lead to other pages.
            if (!isFirst && dictionary.isDictionaryOfType("/Page")) continue;
            isFirst = false;
            for (auto &[key, value] : dictionary.getDictAsMap()) {
                if (key != "/Parent") pending.push_back(value);
            }
            if (next.isStream()) next.pipeStreamData(&discard, nullptr, 0, qpdf_dl_none, false, false);
        }
        return 0;
    });
}
