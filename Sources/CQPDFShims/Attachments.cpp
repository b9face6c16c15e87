// Files that are attached to parts of a document (ISO 32000-2, 14.13), and that any part of it leads to (7.11.4).

#include "StructureTree.h"

namespace {

/// Keys of what files belong to: its value is a file specification, or an array of such. Resources may have any name: a font
/// may be called so.
constexpr char const *keysOfFiles[] = {"/AF", "/MCAF"};

/// Whether a file lies in the document: under one of the systems' names for it.
bool embeds(QPDFObjectHandle specification)
{
    auto files = specification.getKey("/EF");
    if (!files.isDictionary()) return false;
    for (auto const &key : {"/F", "/UF", "/DOS", "/Mac", "/Unix"}) {
        if (files.getKey(key).isStream()) return true;
    }
    return false;
}

bool isSpecification(QPDFObjectHandle value)
{
    if (!value.isDictionary()) return false;
    auto type = nameAt(value, "/Type");
    return type == "/Filespec" || type == "/F" || embeds(value);
}

/// The file specifications that are a key's value; none where it is something else.
std::vector<QPDFObjectHandle> filesAt(QPDFObjectHandle dictionary, char const *key)
{
    auto value = dictionary.getKey(key);
    if (isSpecification(value)) return {value};
    std::vector<QPDFObjectHandle> files;
    for (auto &item : itemsOf(dictionary, key)) {
        if (isSpecification(item)) files.push_back(item);
    }
    return files;
}

int numberOf(QPDFObjectHandle object)
{
    return object.isIndirect() ? object.getObjectID() : 0;
}

/// Reports files that belong to a dictionary, or to a stream.
void report(QPDFObjectHandle holder, jqpdf_take_number take, void *context)
{
    auto dictionary = holder.isStream() ? holder.getDict() : holder;
    for (auto key : keysOfFiles) {
        if (!dictionary.hasKey(key)) continue;
        for (auto &file : filesAt(dictionary, key)) take(context, numberOf(file));
    }
}

struct FilesOfTags : StructureVisitor {
    jqpdf_take_number take;
    void *context;

    FilesOfTags(jqpdf_take_number take, void *context) : take(take), context(context) {}

    void enter(QPDFObjectHandle element) override { report(element, take, context); }
};

/// Takes the files from a dictionary, and of a file specification the file.
void drop(QPDFObjectHandle dictionary, jqpdf_take_number take, void *context)
{
    for (auto key : keysOfFiles) {
        if (!dictionary.hasKey(key)) continue;
        auto files = filesAt(dictionary, key);
        if (files.empty()) continue;
        for (auto &file : files) take(context, numberOf(file));
        dictionary.removeKey(key);
    }
    if (!dictionary.hasKey("/EF") || !embeds(dictionary)) return;
    take(context, numberOf(dictionary));
    dictionary.removeKey("/EF");
    dictionary.removeKey("/RF");
}

} // namespace

bool jqpdf_find_files(
    jqpdf_document *document, bool of_catalog, bool of_tags, jqpdf_object *const *pages, int count,
    jqpdf_take_number take, void *context)
{
    return valueOr(false, document, [&] {
        auto catalog = document->pdf.getRoot();
        if (of_catalog) report(catalog, take, context);
        PageWalk walk;
        auto visit = [&](QPDFObjectHandle object) { report(object, take, context); };
        // Pages inherit resources from what is above them, which many share.
        std::set<QPDFObjGen> known;
        for (int i = 0; i < count; ++i) {
            auto page = pages[i]->handle;
            report(page, take, context);
            walk.enter(page, visit);
            auto above = page.getKey("/Parent");
            while (above.isDictionary() && above.isIndirect() && known.insert(above.getObjGen()).second) {
                auto resources = above.getKey("/Resources");
                if (resources.isDictionary()) walk.enter(resources, visit);
                above = above.getKey("/Parent");
            }
        }
        auto root = catalog.getKey("/StructTreeRoot");
        if (of_tags && root.isDictionary()) {
            FilesOfTags visitor(take, context);
            walkStructure(root, visitor);
        }
        return true;
    });
}

bool jqpdf_drop_files(jqpdf_document *document, jqpdf_take_number take, void *context)
{
    return valueOr(false, document, [&] {
        forEachObject(document->pdf, [&](QPDFObjectHandle object) {
            drop(object.isStream() ? object.getDict() : object, take, context);
        });
        return true;
    });
}
