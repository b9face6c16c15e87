// The tags of documents whose pages come into one (ISO 32000-1, 14.7): numbered before pages are copied, put together afterwards.

#include "StructureBuilder.h"

#include <memory>

namespace {

/// Takes away what leads to elements rather than to places on pages: it would bring all of the document's tags along.
void dropElementTargets(QPDFObjectHandle annotation)
{
    auto action = annotation.getKey("/A");
    for (int count = 0; count < 10 && action.isDictionary(); ++count) {
        action.removeKey("/SD");
        action = action.getKey("/Next");
    }
}

/// A tree of numbers or names: leaves below one root.
QPDFObjectHandle treeOf(QPDF &pdf, char const *key, std::vector<std::pair<QPDFObjectHandle, QPDFObjectHandle>> const &entries)
{
    constexpr size_t entriesOfLeaf = 64;
    auto leaves = QPDFObjectHandle::newArray();
    for (size_t start = 0; start < entries.size(); start += entriesOfLeaf) {
        auto end = std::min(entries.size(), start + entriesOfLeaf);
        auto items = QPDFObjectHandle::newArray();
        for (auto i = start; i < end; ++i) {
            items.appendItem(entries[i].first);
            items.appendItem(entries[i].second);
        }
        auto leaf = QPDFObjectHandle::newDictionary();
        leaf.replaceKey(key, items);
        leaf.replaceKey("/Limits", QPDFObjectHandle::newArray({entries[start].first, entries[end - 1].first}));
        leaves.appendItem(pdf.makeIndirectObject(leaf));
    }
    auto root = QPDFObjectHandle::newDictionary();
    root.replaceKey("/Kids", leaves);
    return pdf.makeIndirectObject(root);
}

} // namespace

void jqpdf_structure::number(QPDF &source, jqpdf_object *const *pages, int pageCount, bool keeps)
{
    Part part{&source, {}};
    auto give = [&](QPDFObjectHandle object, char const *key) {
        auto dictionary = object.isStream() ? object.getDict() : object;
        if (!keeps || !object.isIndirect()) return dictionary.removeKey(key);
        auto known = part.numbers.emplace(object.getObjGen(), count);
        if (known.second) dictionary.replaceKey(key, QPDFObjectHandle::newInteger(count++));
    };
    PageWalk walk;
    for (int i = 0; i < pageCount; ++i) {
        auto page = pages[i]->handle;
        give(page, "/StructParents");
        for (auto &annotation : itemsOf(page, "/Annots")) {
            if (!annotation.isDictionary()) continue;
            give(annotation, "/StructParent");
            if (&source != target || !keeps) dropElementTargets(annotation);
        }
        walk.enter(page, [&](QPDFObjectHandle object) {
            if (!object.isStream()) return;
            auto dictionary = object.getDict();
            bool isWhole = dictionary.hasKey("/StructParent");
            if (isWhole || nameAt(dictionary, "/Subtype") == "/Form") give(object, Holder::keys[isWhole]);
        });
    }
    auto root = source.getRoot();
    auto mark = root.getKey("/MarkInfo");
    auto says = [&](char const *key) {
        return keeps && mark.isDictionary() && mark.getKey(key).isBool() && mark.getKey(key).getBoolValue();
    };
    isMarked = isMarked && says("/Marked");
    hasUserProperties = hasUserProperties || says("/UserProperties");
    isSuspect = isSuspect || says("/Suspects");
    if (keeps) parts.push_back(part);
}

/// Notes an object that has a number. What has the number of another one, as a page that is shown twice, loses it.
void jqpdf_structure::claim(QPDFObjectHandle object, QPDFObjectHandle page)
{
    auto dictionary = object.isStream() ? object.getDict() : object;
    for (auto const &key : Holder::keys) {
        auto number = dictionary.getKey(key);
        if (number.isNull()) continue;
        auto value = number.isInteger() ? number.getIntValue() : -1;
        bool isOurs = value >= 0 && value < count && object.isIndirect();
        auto found = holders.end();
        if (isOurs) {
            Holder holder{object, page, {}, key == Holder::keys[1], {}};
            found = holders.emplace(static_cast<int>(value), holder).first;
        }
        if (!isOurs || found->second.object.getObjGen() != object.getObjGen()) dictionary.removeKey(key);
    }
}

void jqpdf_structure::find(jqpdf_object *const *pages, int pageCount)
{
    PageWalk walk;
    for (int i = 0; i < pageCount; ++i) {
        auto page = pages[i]->handle;
        claim(page, page);
        for (auto &annotation : itemsOf(page, "/Annots")) {
            if (annotation.isDictionary()) claim(annotation, page);
        }
        walk.enter(page, [&](QPDFObjectHandle object) {
            if (object.isStream()) claim(object, page);
        });
    }
}

void jqpdf_structure::setRoot()
{
    auto catalog = target->getRoot();
    auto root = catalog.getKey("/StructTreeRoot");
    std::vector<std::pair<QPDFObjectHandle, QPDFObjectHandle>> parents, elements;
    for (auto &[number, holder] : holders) {
        if (!holder.isUsed()) {
            auto dictionary = holder.object.isStream() ? holder.object.getDict() : holder.object;
            for (auto const &key : Holder::keys) dictionary.removeKey(key);
            continue;
        }
        auto value = holder.whole;
        if (!holder.parts.empty()) {
            auto all = QPDFObjectHandle::newArray();
            for (auto &part : holder.parts) all.appendItem(part.isInitialized() ? part : QPDFObjectHandle::newNull());
            value = target->makeIndirectObject(all);
        }
        parents.emplace_back(QPDFObjectHandle::newInteger(number), value);
    }
    for (auto &[name, element] : names.elements) elements.emplace_back(QPDFObjectHandle::newString(name), element);
    auto roles = QPDFObjectHandle::newDictionary(), classes = roles.shallowCopy();
    for (auto &[name, meaning] : names.roles) {
        if (!meaning.empty()) roles.replaceKey(name, QPDFObjectHandle::newName(meaning));
    }
    for (auto &[name, entry] : names.classes) {
        if (!entry.first.isNull()) classes.replaceKey(name, entry.first);
    }
    auto null = QPDFObjectHandle::newNull();
    auto orNull = [&](QPDFObjectHandle dictionary) { return dictionary.getKeys().empty() ? null : dictionary; };
    root.replaceKey("/Type", QPDFObjectHandle::newName("/StructTreeRoot"));
    root.replaceKey("/K", top.size() == 1 ? top[0] : QPDFObjectHandle::newArray(top));
    root.replaceKey("/ParentTree", treeOf(*target, "/Nums", parents));
    root.replaceKey("/ParentTreeNextKey", QPDFObjectHandle::newInteger(count));
    root.replaceKey("/RoleMap", orNull(roles));
    root.replaceKey("/ClassMap", orNull(classes));
    root.replaceKey("/IDTree", elements.empty() ? null : treeOf(*target, "/Names", elements));
    root.replaceKey("/Namespaces", namespaces.empty() ? null : QPDFObjectHandle::newArray(namespaces));
    auto mark = QPDFObjectHandle::newDictionary();
    if (isMarked) mark.replaceKey("/Marked", QPDFObjectHandle::newBool(true));
    if (hasUserProperties) mark.replaceKey("/UserProperties", QPDFObjectHandle::newBool(true));
    if (isSuspect) mark.replaceKey("/Suspects", QPDFObjectHandle::newBool(true));
    catalog.replaceKey("/MarkInfo", orNull(mark));
}

void jqpdf_structure::finish(jqpdf_object *const *pages, int pageCount)
{
    find(pages, pageCount);
    auto catalog = target->getRoot();
    bool hasOwn = false;
    for (auto const &part : parts) hasOwn = hasOwn || part.source == target;
    auto root = catalog.getKey("/StructTreeRoot");
    if (!hasOwn || !root.isIndirect()) {
        root = target->makeIndirectObject(hasOwn ? root.shallowCopy() : QPDFObjectHandle::newDictionary());
    }
    for (auto &part : parts) {
        auto source = part.source->getRoot().getKey("/StructTreeRoot");
        StructureBuilder builder(*this, part, source, root);
        walkStructure(source, builder);
        builder.finish();
    }
    catalog.replaceKey("/StructTreeRoot", root);
    // Tagged documents have one element above all others (14.8.4.2).
    if (parts.size() > 1 && top.size() > 1) {
        auto whole = target->makeIndirectObject(QPDFObjectHandle::newDictionary());
        whole.replaceKey("/Type", QPDFObjectHandle::newName("/StructElem"));
        whole.replaceKey("/S", QPDFObjectHandle::newName("/Document"));
        whole.replaceKey("/P", root);
        whole.replaceKey("/K", QPDFObjectHandle::newArray(top));
        for (auto &element : top) element.replaceKey("/P", whole);
        top = {whole};
    }
    setRoot();
    if (top.empty()) {
        catalog.removeKey("/StructTreeRoot");
        catalog.removeKey("/MarkInfo");
    }
}

enum jqpdf_structure_state jqpdf_structure_state_of(jqpdf_document *document)
{
    return valueOr(jqpdf_structure_broken, document, [&] { return structureState(document->pdf); });
}

jqpdf_structure *jqpdf_structure_new(jqpdf_document *target)
{
    return valueOr<jqpdf_structure *>(nullptr, target, [&] {
        auto made = std::make_unique<jqpdf_structure>();
        made->target = &target->pdf;
        return made.release();
    });
}

void jqpdf_structure_free(jqpdf_structure *structure)
{
    delete structure;
}

bool jqpdf_structure_number(
    jqpdf_structure *structure, jqpdf_document *source, jqpdf_object *const *pages, int count, bool keeps)
{
    return valueOr(false, source, [&] {
        structure->number(source->pdf, pages, count, keeps);
        return true;
    });
}

bool jqpdf_structure_finish(jqpdf_structure *structure, bool is_all, jqpdf_object *const *pages, int count)
{
    return valueOr(false, noDocument, [&] {
        structure->isMarked = structure->isMarked && is_all;
        structure->finish(pages, count);
        return true;
    });
}
