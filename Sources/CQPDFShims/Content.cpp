// Streams and dictionaries of a page that get other contents.

#include "Shared.h"

#include <memory>

#include <qpdf/Buffer.hh>
#include <qpdf/Pl_Buffer.hh>
#include <qpdf/Pl_Flate.hh>

namespace {

std::shared_ptr<Buffer> deflated(uint8_t const *data, size_t count)
{
    Pl_Buffer buffer("deflated");
    Pl_Flate flate("deflate", &buffer, Pl_Flate::a_deflate);
    flate.write(const_cast<unsigned char *>(data), count);
    flate.finish();
    return std::shared_ptr<Buffer>(buffer.getBuffer());
}

} // namespace

int jqpdf_add_content(jqpdf_document *document, jqpdf_object *stream, const uint8_t *data, size_t count)
{
    // The new data is not the file's, and stays until the document is written.
    return valueOr(0, noDocument, [&] {
        bool hasModel = stream != nullptr && stream->handle.isStream();
        auto made = hasModel ? stream->handle.copyStream() : QPDFObjectHandle::newStream(&document->pdf);
        made.replaceStreamData(
            deflated(data, count), QPDFObjectHandle::newName("/FlateDecode"), QPDFObjectHandle::newNull());
        return made.getObjectID();
    });
}

jqpdf_object *jqpdf_own_dictionary(jqpdf_object *container, const char *key)
{
    return valueOr<jqpdf_object *>(nullptr, container, [&] {
        auto dictionary = container->handle.isStream() ? container->handle.getDict() : container->handle;
        auto name = std::string("/") + key;
        auto value = dictionary.getKey(name);
        auto own = value.isDictionary() ? value.shallowCopy() : QPDFObjectHandle::newDictionary();
        dictionary.replaceKey(name, own);
        return new jqpdf_object{container->document, dictionary.getKey(name), {}};
    });
}
