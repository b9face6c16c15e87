// Making objects, and writing a document whose streams may come from elsewhere.

#include "Filters.h"
#include "Shared.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include <qpdf/Constants.h>
#include <qpdf/Pipeline.hh>
#include <qpdf/QPDFWriter.hh>

namespace {

/// A stream's data, which is read when it is written.
class Provider : public QPDFObjectHandle::StreamDataProvider {
public:
    Provider(jqpdf_reader reader, void *context, int64_t offset, int64_t count)
        : reader(reader), context(context), offset(offset), count(count)
    {
    }
    void provideStreamData(int, int, Pipeline *pipeline) override
    {
        std::vector<char> buffer(static_cast<size_t>(std::min<int64_t>(count, 1 << 20)));
        for (int64_t done = 0; done < count;) {
            auto wanted = static_cast<size_t>(std::min<int64_t>(count - done, static_cast<int64_t>(buffer.size())));
            auto got = reader(context, offset + done, buffer.data(), wanted);
            if (got <= 0) throw std::runtime_error("a stream's data cannot be read");
            pipeline->write(reinterpret_cast<unsigned char const *>(buffer.data()), static_cast<size_t>(got));
            done += got;
        }
        pipeline->finish();
    }

private:
    jqpdf_reader reader;
    void *context;
    int64_t offset;
    int64_t count;
};

/// Hands on what qpdf writes, many small pieces at once.
class Outlet : public Pipeline {
public:
    Outlet(jqpdf_writer writer, void *context, std::string const &identifier)
        : Pipeline("outlet", nullptr), writer(writer), context(context), identifier(identifier)
    {
        buffer.reserve(step);
    }
    void write(unsigned char const *data, size_t count) override
    {
        // qpdf writes an identifier at once. Its own way to a fixed one that tells files apart is MD5 of all bytes, which
        // takes longer than everything else.
        if (count == identifier.size() && std::memcmp(data, placeholder, count) == 0) {
            data = reinterpret_cast<unsigned char const *>(identifier.data());
        }
        if (buffer.size() + count > step) flush();
        if (count >= step) {
            hand(data, count);
        } else {
            buffer.insert(buffer.end(), data, data + count);
        }
    }
    /// qpdf may call it before it has written everything.
    void finish() override {}
    void flush()
    {
        if (!buffer.empty()) hand(buffer.data(), buffer.size());
        buffer.clear();
    }

private:
    void hand(unsigned char const *data, size_t count)
    {
        if (!writer(context, data, count)) throw std::runtime_error("the output cannot be written");
    }

    static constexpr size_t step = 1 << 20;
    /// What qpdf calls its static identifier.
    static constexpr char placeholder[] = "<31415926535897932384626433832795>";
    jqpdf_writer writer;
    void *context;
    std::string identifier;
    std::vector<unsigned char> buffer;
};

QPDFObjectHandle parsed(jqpdf_document *document, char const *text, size_t count)
{
    // A reference by itself would be taken for two numbers too many.
    auto array = QPDFObjectHandle::parse(&document->pdf, "[" + std::string(text, count) + "]", "made");
    return array.getArrayItem(0);
}

/// Makes qpdf write metadata as it is stored: it unpacks it otherwise, whatever it unpacks to.
void copyMetadata(QPDF &pdf)
{
    for (auto &object : pdf.getAllObjects()) {
        if (object.isStream() && object.getDict().isDictionaryOfType("/Metadata")) object.setFilterOnWrite(false);
    }
}

} // namespace

jqpdf_document *jqpdf_new(void)
{
    return valueOr<jqpdf_document *>(nullptr, noDocument, [] {
        registerFilters();
        auto document = std::make_unique<jqpdf_document>();
        document->pdf.setSuppressWarnings(true);
        document->pdf.emptyPDF();
        return document.release();
    });
}

int jqpdf_add_object(jqpdf_document *document, const char *text, size_t count)
{
    return valueOr(0, document, [&] { return document->pdf.makeIndirectObject(parsed(document, text, count)).getObjectID(); });
}

int jqpdf_add_stream(
    jqpdf_document *document, const char *text, size_t count, jqpdf_reader reader, void *context, int64_t offset,
    int64_t length)
{
    return valueOr(0, document, [&] {
        auto dictionary = parsed(document, text, count);
        auto stream = QPDFObjectHandle::newStream(&document->pdf);
        stream.replaceDict(dictionary);
        stream.replaceStreamData(
            std::make_shared<Provider>(reader, context, offset, length), dictionary.getKey("/Filter"),
            dictionary.getKey("/DecodeParms"));
        dictionary.replaceKey("/Length", QPDFObjectHandle::newInteger(length));
        return stream.getObjectID();
    });
}

bool jqpdf_set_key(jqpdf_document *document, jqpdf_object *container, const char *key, const char *text, size_t count)
{
    return valueOr(false, document, [&] {
        auto dictionary = container->handle.isStream() ? container->handle.getDict() : container->handle;
        if (!dictionary.isDictionary()) return false;
        dictionary.replaceKey(std::string("/") + key, parsed(document, text, count));
        return true;
    });
}

enum jqpdf_status jqpdf_write_out(
    jqpdf_document *document, jqpdf_writer writer, void *context, struct jqpdf_form form, char *message,
    size_t message_size)
{
    return guarded(noDocument, message, message_size, [&] {
        // It holds one stream at a time as stored, which the file is large enough for.
        Charge charge(&document->account, false);
        copyMetadata(document->pdf);
        // qpdf remembers the pages that it found before some were put in.
        if (form.is_linearized) document->pdf.updateAllPagesCache();
        Outlet outlet(writer, context, "<" + std::string(form.identifier) + ">");
        // qpdf says how many objects there are only where something is said of it, which broken files do not do.
        QPDFObjectHandle trailer = document->pdf.getTrailer();
        if (!trailer.getKey("/Size").isInteger()) trailer.replaceKey("/Size", QPDFObjectHandle::newInteger(0));
        QPDFWriter out(document->pdf);
        out.setOutputPipeline(&outlet);
        out.setPreserveEncryption(false);
        // No stream is decoded. What is not compressed becomes so only where that is the way of compressing objects, too.
        out.setDecodeLevel(qpdf_dl_none);
        out.setCompressStreams(form.packs_objects || document->pdf.getTrailer().isDictionaryOfType("/XRef"));
        out.setObjectStreamMode(form.packs_objects ? qpdf_o_generate : qpdf_o_preserve);
        out.setLinearization(form.is_linearized);
        out.setStaticID(true);
        out.setMinimumPDFVersion(form.version);
        out.write();
        outlet.flush();
    });
}
