#include "CQPDFShims.h"
#include "BufferedFile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <qpdf/Buffer.hh>
#include <qpdf/Constants.h>
#include <qpdf/Pipeline.hh>
#include <qpdf/Pl_Discard.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFExc.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFWriter.hh>

struct jqpdf_document {
    QPDF pdf;
    /// The numbers of the objects the file lists, in order; filled when first asked for.
    std::vector<int> listed;
    /// The numbers of the objects that were read through.
    std::set<int> read;
};

struct jqpdf_object {
    QPDFObjectHandle handle;
    std::string text;
};

namespace {

/// Whether memory was lacking on this thread since that was last asked: objects do not know their document.
thread_local bool outOfMemory = false;

struct TooLarge : std::runtime_error {
    TooLarge() : std::runtime_error("more data than allowed") {}
};

/// Collects what flows in, up to a limit.
class Collector : public Pipeline {
public:
    explicit Collector(size_t limit) : Pipeline("collector", nullptr), limit(limit) {}
    void write(unsigned char const *data, size_t count) override
    {
        if (count > limit - bytes.size()) throw TooLarge();
        bytes.insert(bytes.end(), data, data + count);
    }
    void finish() override {}
    std::vector<unsigned char> bytes;

private:
    size_t limit;
};

void tell(char *message, size_t size, char const *what)
{
    if (size > 0) std::snprintf(message, size, "%s", what);
}

/// Runs `body`, turning every exception into a status and a message.
template <typename Body>
enum jqpdf_status guarded(char *message, size_t size, Body body)
{
    try {
        body();
        return jqpdf_ok;
    } catch (QPDFExc &e) {
        tell(message, size, e.getMessageDetail().c_str());
        return e.getErrorCode() == qpdf_e_password ? jqpdf_wrong_password : jqpdf_failed;
    } catch (TooLarge &e) {
        tell(message, size, e.what());
        return jqpdf_too_large;
    } catch (std::bad_alloc &) {
        outOfMemory = true;
        tell(message, size, "out of memory");
        return jqpdf_out_of_memory;
    } catch (std::exception &e) {
        tell(message, size, e.what());
        return jqpdf_failed;
    }
}

/// The value of `body`, or `otherwise` when qpdf throws: a damaged object reads like a missing one.
template <typename Value, typename Body>
Value valueOr(Value otherwise, Body body)
{
    try {
        return body();
    } catch (std::bad_alloc &) {
        outOfMemory = true;
        return otherwise;
    } catch (std::exception &) {
        return otherwise;
    }
}

jqpdf_object *object(QPDFObjectHandle handle)
{
    return new jqpdf_object{handle, {}};
}

uint8_t *copied(std::vector<unsigned char> const &bytes, size_t *count)
{
    *count = bytes.size();
    auto *copy = static_cast<uint8_t *>(std::malloc(bytes.empty() ? 1 : bytes.size()));
    if (copy == nullptr) throw std::bad_alloc();
    std::memcpy(copy, bytes.data(), bytes.size());
    return copy;
}

/// A stream like `stream` whose raw data is the same, but which lacks the last `kept` filters.
QPDFObjectHandle withoutLastFilters(QPDF &pdf, QPDFObjectHandle stream, int kept)
{
    auto dictionary = stream.getDict();
    auto filters = dictionary.getKey("/Filter").isArray()
        ? dictionary.getKey("/Filter").getArrayAsVector()
        : std::vector<QPDFObjectHandle>{dictionary.getKey("/Filter")};
    auto parameters = dictionary.getKey("/DecodeParms");
    auto shorter = QPDFObjectHandle::newStream(&pdf);
    shorter.replaceStreamData(stream.getRawStreamData(), QPDFObjectHandle::newNull(), QPDFObjectHandle::newNull());
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

int filterCount(QPDFObjectHandle stream)
{
    auto filter = stream.getDict().getKey("/Filter");
    return filter.isArray() ? filter.getArrayNItems() : filter.isName() ? 1 : 0;
}

void decode(QPDFObjectHandle stream, Collector &collector)
{
    bool filtered = false;
    bool sound = stream.pipeStreamData(&collector, &filtered, 0, qpdf_dl_specialized, false, false);
    if (filterCount(stream) > 0 && !filtered) throw std::runtime_error("a filter is not known, or its data is damaged");
    if (!sound) throw std::runtime_error("the data is damaged");
}

} // namespace

jqpdf_document *jqpdf_open(
    jqpdf_reader reader, void *context, int64_t size, const char *name, const char *password,
    enum jqpdf_status *status, char *message, size_t message_size)
{
    std::unique_ptr<jqpdf_document> document;
    *status = guarded(message, message_size, [&] {
        document = std::make_unique<jqpdf_document>();
        document->pdf.setSuppressWarnings(true);
        document->pdf.processInputSource(std::make_shared<BufferedFile>(reader, context, size, name), password);
    });
    return *status == jqpdf_ok ? document.release() : nullptr;
}

void jqpdf_close(jqpdf_document *document)
{
    delete document;
}

bool jqpdf_is_repaired(jqpdf_document *document)
{
    return valueOr(false, [&] {
        // qpdf's only sign of it is what it says when it begins.
        for (auto const &warning : document->pdf.getWarnings()) {
            if (warning.getMessageDetail().find("Attempting to reconstruct") != std::string::npos) return true;
        }
        return false;
    });
}

bool jqpdf_ran_out_of_memory(jqpdf_document *document)
{
    bool found = outOfMemory;
    outOfMemory = false;
    // What qpdf itself catches it turns into a warning with the exception's name.
    for (auto const &warning : document->pdf.getWarnings()) {
        found = found || warning.getMessageDetail().find("bad_alloc") != std::string::npos;
    }
    return found;
}

jqpdf_object *jqpdf_object_at(jqpdf_document *document, int number, int generation)
{
    return object(valueOr(QPDFObjectHandle::newNull(), [&] {
        return document->pdf.getObjectByID(number, generation);
    }));
}

jqpdf_object *jqpdf_trailer(jqpdf_document *document)
{
    return object(document->pdf.getTrailer());
}

void jqpdf_release(jqpdf_object *object)
{
    delete object;
}

enum jqpdf_type jqpdf_type_of(jqpdf_object *object)
{
    return valueOr(jqpdf_null, [&] {
        auto &handle = object->handle;
        if (!handle.isInitialized() || handle.isNull()) return jqpdf_null;
        if (handle.isBool()) return jqpdf_boolean;
        if (handle.isNumber()) return jqpdf_numeric;
        if (handle.isString()) return jqpdf_string;
        if (handle.isName()) return jqpdf_name;
        if (handle.isArray()) return jqpdf_array;
        if (handle.isDictionary()) return jqpdf_dictionary;
        if (handle.isStream()) return jqpdf_stream;
        return jqpdf_other;
    });
}

int jqpdf_number(jqpdf_object *object)
{
    return object->handle.getObjectID();
}

int jqpdf_generation(jqpdf_object *object)
{
    return object->handle.getGeneration();
}

bool jqpdf_boolean_value(jqpdf_object *object)
{
    return valueOr(false, [&] { return object->handle.isBool() && object->handle.getBoolValue(); });
}

double jqpdf_number_value(jqpdf_object *object)
{
    return valueOr(0.0, [&] { return object->handle.isNumber() ? object->handle.getNumericValue() : 0.0; });
}

const char *jqpdf_text(jqpdf_object *object, size_t *count)
{
    object->text = valueOr(std::string(), [&] {
        if (object->handle.isName()) return object->handle.getName().substr(1);
        if (object->handle.isString()) return object->handle.getStringValue();
        return std::string();
    });
    *count = object->text.size();
    return object->text.data();
}

int jqpdf_array_count(jqpdf_object *object)
{
    return valueOr(0, [&] { return object->handle.isArray() ? object->handle.getArrayNItems() : 0; });
}

jqpdf_object *jqpdf_array_item(jqpdf_object *array, int index)
{
    return object(valueOr(QPDFObjectHandle::newNull(), [&] { return array->handle.getArrayItem(index); }));
}

bool jqpdf_refers_to_objects(jqpdf_document *document, jqpdf_object *array)
{
    return valueOr(false, [&] {
        auto &listed = document->listed;
        if (listed.empty()) {
            for (auto const &entry : document->pdf.getXRefTable()) listed.push_back(entry.first.getObj());
        }
        int count = array->handle.getArrayNItems();
        for (int i = 0; i < count; ++i) {
            auto item = array->handle.getArrayItem(i);
            if (!item.isIndirect() || !std::binary_search(listed.begin(), listed.end(), item.getObjectID())) {
                return false;
            }
        }
        return true;
    });
}

jqpdf_object *jqpdf_key(jqpdf_object *container, const char *key)
{
    return object(valueOr(QPDFObjectHandle::newNull(), [&] {
        auto dictionary = container->handle.isStream() ? container->handle.getDict() : container->handle;
        return dictionary.getKeyIfDict(std::string("/") + key);
    }));
}

const char *jqpdf_keys(jqpdf_object *container, size_t *count)
{
    container->text = valueOr(std::string(), [&] {
        std::string keys;
        auto dictionary = container->handle.isStream() ? container->handle.getDict() : container->handle;
        if (!dictionary.isDictionary()) return keys;
        for (auto const &key : dictionary.getKeys()) {
            keys.append(key, 1, std::string::npos);
            keys.push_back('\0');
        }
        return keys;
    });
    *count = container->text.size();
    return container->text.data();
}

int64_t jqpdf_stream_offset(jqpdf_document *document, jqpdf_object *stream)
{
    return valueOr<int64_t>(-1, [&]() -> int64_t {
        if (document->pdf.isEncrypted() || !stream->handle.isStream()) return -1;
        return stream->handle.getParsedOffset();
    });
}

uint8_t *jqpdf_stream_data(
    jqpdf_document *document, jqpdf_object *stream, int kept, size_t limit, size_t *count, enum jqpdf_status *status,
    char *message, size_t message_size)
{
    uint8_t *data = nullptr;
    *status = guarded(message, message_size, [&] {
        Collector collector(limit);
        if (filterCount(stream->handle) <= kept) {
            if (!stream->handle.pipeStreamData(&collector, nullptr, 0, qpdf_dl_none, false, false)) {
                throw std::runtime_error("the data is damaged");
            }
        } else {
            decode(kept == 0 ? stream->handle : withoutLastFilters(document->pdf, stream->handle, kept), collector);
        }
        data = copied(collector.bytes, count);
    });
    return data;
}

uint8_t *jqpdf_page_contents(
    jqpdf_object *page, size_t limit, size_t *count, enum jqpdf_status *status, char *message, size_t message_size)
{
    uint8_t *data = nullptr;
    *status = guarded(message, message_size, [&] {
        Collector collector(limit);
        auto contents = page->handle.getKey("/Contents");
        auto streams = contents.isArray() ? contents.getArrayAsVector() : std::vector<QPDFObjectHandle>{contents};
        for (auto &stream : streams) {
            if (!stream.isStream()) continue;
            decode(stream, collector);
            collector.bytes.push_back('\n');
        }
        data = copied(collector.bytes, count);
    });
    return data;
}

void jqpdf_read_through(jqpdf_document *document, jqpdf_object *object)
{
    valueOr(0, [&] {
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

void jqpdf_set_crop_box(jqpdf_object *page, double left, double bottom, double right, double top)
{
    valueOr(0, [&] {
        page->handle.replaceKey("/CropBox", QPDFObjectHandle::newArray(QPDFObjectHandle::Rectangle(left, bottom, right, top)));
        return 0;
    });
}

enum jqpdf_status jqpdf_write(jqpdf_document *document, const char *path, char *message, size_t message_size)
{
    return guarded(message, message_size, [&] {
        QPDFWriter writer(document->pdf, path);
        writer.setPreserveEncryption(false);
        writer.setStreamDataMode(qpdf_s_preserve);
        writer.setStaticID(true);
        writer.write();
    });
}
