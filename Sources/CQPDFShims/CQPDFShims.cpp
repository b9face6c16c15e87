#include "BufferedFile.h"
#include "Filters.h"
#include "Shared.h"

#include <algorithm>
#include <cctype>
#include <memory>

#include <qpdf/QPDFWriter.hh>

namespace {

jqpdf_object *object(jqpdf_document *document, QPDFObjectHandle handle)
{
    return new jqpdf_object{document, std::move(handle), {}};
}

/// The object that `body` returns, or null when qpdf throws. The null is made only then.
template <typename User, typename Body>
jqpdf_object *objectOrNull(jqpdf_document *document, User *user, Body body)
{
    auto handle = valueOr(QPDFObjectHandle(), user, body);
    return object(document, handle.isInitialized() ? std::move(handle) : QPDFObjectHandle::newNull());
}

} // namespace

struct jqpdf_memory {
    std::shared_ptr<Allowance> allowance;
};

jqpdf_memory *jqpdf_memory_new(int64_t structure, int64_t data)
{
    return valueOr<jqpdf_memory *>(nullptr, noDocument, [&] {
        return new jqpdf_memory{std::make_shared<Allowance>(structure, data)};
    });
}

void jqpdf_memory_free(jqpdf_memory *memory)
{
    delete memory;
}

jqpdf_document *jqpdf_open(
    jqpdf_memory *memory, jqpdf_reader reader, void *context, int64_t size, const char *name, const char *password,
    enum jqpdf_status *status, char *message, size_t message_size)
{
    std::unique_ptr<jqpdf_document> document;
    *status = guarded(noDocument, message, message_size, [&] {
        registerFilters();
        document = std::make_unique<jqpdf_document>(memory->allowance);
        Charge charge(&document->account);
        document->pdf.setSuppressWarnings(true);
        document->pdf.processInputSource(std::make_shared<BufferedFile>(reader, context, size, name), password);
    });
    if (document && document->account.isExceeded) {
        *status = jqpdf_too_large;
        outOfMemory = false;
    }
    return *status == jqpdf_ok ? document.release() : nullptr;
}

void jqpdf_close(jqpdf_document *document)
{
    delete document;
}

const char *jqpdf_library_version(void)
{
    return QPDF::QPDFVersion().c_str();
}

int jqpdf_version(jqpdf_document *document)
{
    return valueOr(0, document, [&] {
        auto version = document->pdf.getPDFVersion();
        bool isKnown = version.size() == 3 && version[1] == '.' && std::isdigit(static_cast<unsigned char>(version[0])) &&
                       std::isdigit(static_cast<unsigned char>(version[2]));
        return isKnown ? 10 * (version[0] - '0') + version[2] - '0' : 0;
    });
}

bool jqpdf_is_repaired(jqpdf_document *document)
{
    return valueOr(false, document, [&] {
        // qpdf's only sign of it is what it says when it begins.
        for (auto const &warning : document->pdf.getWarnings()) {
            if (warning.getMessageDetail().find("Attempting to reconstruct") != std::string::npos) return true;
        }
        return false;
    });
}

bool jqpdf_exceeded_memory(jqpdf_document *document)
{
    return document->account.isExceeded;
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
    return objectOrNull(document, document, [&] { return document->pdf.getObjectByID(number, generation); });
}

jqpdf_object *jqpdf_trailer(jqpdf_document *document)
{
    return object(document, document->pdf.getTrailer());
}

void jqpdf_release(jqpdf_object *object)
{
    Charge charge(accountOf(object));
    delete object;
}

enum jqpdf_type jqpdf_type_of(jqpdf_object *object)
{
    return valueOr(jqpdf_null, object, [&] {
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
    return valueOr(false, object, [&] { return object->handle.isBool() && object->handle.getBoolValue(); });
}

double jqpdf_number_value(jqpdf_object *object)
{
    return valueOr(0.0, object, [&] { return object->handle.isNumber() ? object->handle.getNumericValue() : 0.0; });
}

const char *jqpdf_text(jqpdf_object *object, size_t *count)
{
    object->text = valueOr(std::string(), object, [&] {
        if (object->handle.isName()) return object->handle.getName().substr(1);
        if (object->handle.isString()) return object->handle.getStringValue();
        return std::string();
    });
    *count = object->text.size();
    return object->text.data();
}

int jqpdf_array_count(jqpdf_object *object)
{
    return valueOr(0, object, [&] { return object->handle.isArray() ? object->handle.getArrayNItems() : 0; });
}

jqpdf_object *jqpdf_array_item(jqpdf_object *array, int index)
{
    return objectOrNull(array->document, array, [&] { return array->handle.getArrayItem(index); });
}

bool jqpdf_refers_to_objects(jqpdf_document *document, jqpdf_object *array)
{
    return valueOr(false, document, [&] {
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
    return objectOrNull(container->document, container, [&] {
        auto &handle = container->handle;
        auto name = std::string("/") + key;
        return handle.isStream() ? handle.getDict().getKeyIfDict(name) : handle.getKeyIfDict(name);
    });
}

const char *jqpdf_keys(jqpdf_object *container, size_t *count)
{
    container->text = valueOr(std::string(), container, [&] {
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

void jqpdf_set_crop_box(jqpdf_object *page, double left, double bottom, double right, double top)
{
    valueOr(0, page, [&] {
        page->handle.replaceKey("/CropBox", QPDFObjectHandle::newArray(QPDFObjectHandle::Rectangle(left, bottom, right, top)));
        return 0;
    });
}

enum jqpdf_status jqpdf_write(jqpdf_document *document, const char *path, char *message, size_t message_size)
{
    return guarded(noDocument, message, message_size, [&] {
        Charge charge(&document->account, false);
        QPDFWriter writer(document->pdf, path);
        writer.setPreserveEncryption(false);
        writer.setStreamDataMode(qpdf_s_preserve);
        writer.setStaticID(true);
        writer.write();
    });
}
