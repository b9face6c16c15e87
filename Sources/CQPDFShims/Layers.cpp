// Optional content (ISO 32000-1, 8.11) of a document that pages are copied from.

#include "Shared.h"

#include <set>
#include <vector>

namespace {

std::vector<QPDFObjectHandle> itemsOf(QPDFObjectHandle container, std::string const &key)
{
    if (!container.isDictionary()) return {};
    auto items = container.getKey(key);
    return items.isArray() ? items.getArrayAsVector() : std::vector<QPDFObjectHandle>();
}

std::set<QPDFObjGen> groupsOf(QPDFObjectHandle container, std::string const &key)
{
    std::set<QPDFObjGen> groups;
    for (auto &item : itemsOf(container, key)) {
        if (item.isIndirect()) groups.insert(item.getObjGen());
    }
    return groups;
}

/// Appends to an array that is a dictionary's value, in an array that is only this dictionary's.
void append(QPDFObjectHandle dictionary, std::string const &key, std::vector<QPDFObjectHandle> const &items)
{
    if (items.empty()) return;
    auto own = QPDFObjectHandle::newArray(itemsOf(dictionary, key));
    for (auto const &item : items) own.appendItem(item);
    dictionary.replaceKey(key, own);
}

QPDFObjectHandle dictionaryAt(QPDFObjectHandle holder, std::string const &key)
{
    if (!holder.getKey(key).isDictionary()) holder.replaceKey(key, QPDFObjectHandle::newDictionary());
    return holder.getKey(key);
}

} // namespace

bool jqpdf_merge_layers(jqpdf_document *document, jqpdf_document *source)
{
    return valueOr(false, [&] {
        auto properties = source->pdf.getRoot().getKey("/OCProperties");
        if (!properties.isDictionary()) return true;
        auto given = properties.getKey("/D");
        auto shown = groupsOf(given, "/ON");
        auto hidden = groupsOf(given, "/OFF");
        bool isBaseOff =
            given.isDictionary() && given.getKey("/BaseState").isName() && given.getKey("/BaseState").getName() == "/OFF";

        // The state of each is said outright: the base state of the document that it comes into may be another one.
        std::vector<QPDFObjectHandle> groups;
        std::vector<QPDFObjectHandle> on;
        std::vector<QPDFObjectHandle> off;
        std::set<QPDFObjGen> seen;
        for (auto &group : itemsOf(properties, "/OCGs")) {
            if (!group.isIndirect() || !group.isDictionary() || !seen.insert(group.getObjGen()).second) continue;
            auto copy = document->pdf.copyForeignObject(group);
            groups.push_back(copy);
            bool isOff = hidden.count(group.getObjGen()) || (isBaseOff && !shown.count(group.getObjGen()));
            (isOff ? off : on).push_back(copy);
        }
        if (groups.empty()) return true;

        auto merged = dictionaryAt(document->pdf.getRoot(), "/OCProperties");
        auto configuration = dictionaryAt(merged, "/D");
        append(merged, "/OCGs", groups);
        auto configurations = itemsOf(merged, "/Configs");
        configurations.push_back(configuration);
        for (auto &each : configurations) {
            if (!each.isDictionary()) continue;
            append(each, "/ON", on);
            append(each, "/OFF", off);
        }
        for (auto const &key : {"/Order", "/Locked", "/RBGroups", "/AS"}) {
            auto items = itemsOf(given, key);
            if (items.empty()) continue;
            // Only an object of its own can be copied from one document to another.
            auto all = source->pdf.makeIndirectObject(QPDFObjectHandle::newArray(items));
            append(configuration, key, document->pdf.copyForeignObject(all).getArrayAsVector());
        }
        return true;
    });
}
