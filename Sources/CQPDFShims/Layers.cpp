// Optional content (ISO 32000-1, 8.11) of a document that pages are copied from.

#include "PageWalk.h"

namespace {

using Groups = std::set<QPDFObjGen>;

/// How deep the tree of layers that viewers show may be; what lies deeper is not listed there.
constexpr int deepestOrder = 50;

Groups groupsOf(QPDFObjectHandle container, std::string const &key)
{
    Groups groups;
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

/// The groups that pages may show, in the order in which they are met.
std::vector<QPDFObjectHandle> groupsUsed(jqpdf_object *const *pages, int count)
{
    std::vector<QPDFObjectHandle> used;
    PageWalk walk;
    for (int i = 0; i < count; ++i) {
        walk.enter(pages[i]->handle, [&](QPDFObjectHandle object) {
            if (object.isIndirect() && object.isDictionary() && nameAt(object, "/Type") == "/OCG") used.push_back(object);
        });
    }
    return used;
}

/// What a configuration lists, with only the groups that are kept.
class Listing
{
  public:
    explicit Listing(Groups const &kept) : kept(kept) {}

    std::vector<QPDFObjectHandle> flat(std::vector<QPDFObjectHandle> const &items)
    {
        std::vector<QPDFObjectHandle> left;
        for (auto item : items) {
            if (holds(item)) left.push_back(item);
        }
        return left;
    }

    /// Groups, names of what follows, and lists of those that belong to the group before.
    std::vector<QPDFObjectHandle> order(std::vector<QPDFObjectHandle> const &items, int depth = 0)
    {
        std::vector<QPDFObjectHandle> left;
        bool isOrphan = false;
        for (auto item : items) {
            if (item.isArray()) {
                if (depth >= deepestOrder) continue;
                auto below = order(item.getArrayAsVector(), depth + 1);
                bool isEmpty = below.empty() || (below.size() == 1 && below[0].isString());
                if (isEmpty) continue;
                if (isOrphan) left.insert(left.end(), below.begin(), below.end());
                else left.push_back(QPDFObjectHandle::newArray(below));
            } else if (item.isString()) {
                left.push_back(item);
            } else {
                isOrphan = !holds(item);
                if (!isOrphan) left.push_back(item);
            }
        }
        return left;
    }

    /// Lists of groups of which one is shown.
    std::vector<QPDFObjectHandle> choices(std::vector<QPDFObjectHandle> const &items)
    {
        std::vector<QPDFObjectHandle> left;
        for (auto item : items) {
            auto groups = item.isArray() ? flat(item.getArrayAsVector()) : std::vector<QPDFObjectHandle>();
            if (!groups.empty()) left.push_back(QPDFObjectHandle::newArray(groups));
        }
        return left;
    }

    /// What viewers do with groups by themselves.
    std::vector<QPDFObjectHandle> uses(std::vector<QPDFObjectHandle> const &items)
    {
        std::vector<QPDFObjectHandle> left;
        for (auto item : items) {
            auto groups = flat(itemsOf(item, "/OCGs"));
            if (groups.empty()) continue;
            auto own = item.shallowCopy();
            own.replaceKey("/OCGs", QPDFObjectHandle::newArray(groups));
            left.push_back(own);
        }
        return left;
    }

    std::vector<QPDFObjectHandle> of(QPDFObjectHandle configuration, std::string const &key)
    {
        auto items = itemsOf(configuration, key);
        if (key == "/Order") return order(items);
        if (key == "/RBGroups") return choices(items);
        if (key == "/AS") return uses(items);
        return flat(items);
    }

  private:
    bool holds(QPDFObjectHandle item) { return item.isIndirect() && kept.count(item.getObjGen()); }

    Groups const &kept;
};

/// The groups that a configuration shows and hides.
struct States {
    std::vector<QPDFObjectHandle> on, off;

    /// - isComplete: whether the state of groups that the configuration does not name is said as well.
    States(QPDFObjectHandle configuration, std::vector<QPDFObjectHandle> const &groups, bool isComplete)
    {
        auto shown = groupsOf(configuration, "/ON");
        auto hidden = groupsOf(configuration, "/OFF");
        auto base = configuration.isDictionary() ? nameAt(configuration, "/BaseState") : std::string();
        for (auto const &group : groups) {
            auto id = group.getObjGen();
            bool isNamed = shown.count(id) || hidden.count(id);
            if (!isNamed && !isComplete && base == "/Unchanged") continue;
            bool isOff = hidden.count(id) || (base == "/OFF" && !shown.count(id));
            (isOff ? off : on).push_back(group);
        }
    }
};

/// Brings groups of one document into another one.
class LayerMerge
{
  public:
    LayerMerge(QPDF &target, QPDF &source) : target(target), source(source) {}

    /// - unlisted: groups that the document uses and does not list.
    void merge(
        QPDFObjectHandle properties, std::vector<QPDFObjectHandle> groups, std::vector<QPDFObjectHandle> const &unlisted)
    {
        auto given = properties.isDictionary() ? properties.getKey("/D") : QPDFObjectHandle::newNull();
        // The state of each is said outright: the base state of the document that it comes into may be another one.
        States states(given, groups, true);
        // Viewers show what is not listed.
        states.on.insert(states.on.end(), unlisted.begin(), unlisted.end());
        groups.insert(groups.end(), unlisted.begin(), unlisted.end());
        auto merged = dictionaryAt(target.getRoot(), "/OCProperties");
        auto configuration = dictionaryAt(merged, "/D");
        distinguish(itemsOf(merged, "/OCGs"), copies(groups));
        append(merged, "/OCGs", copies(groups));
        auto configurations = itemsOf(merged, "/Configs");
        configurations.push_back(configuration);
        for (auto &each : configurations) {
            if (!each.isDictionary()) continue;
            append(each, "/ON", copies(states.on));
            append(each, "/OFF", copies(states.off));
        }
        Groups kept;
        for (auto const &group : groups) kept.insert(group.getObjGen());
        addLists(configuration, given, kept);

        std::vector<QPDFObjectHandle> alternatives;
        for (auto &each : itemsOf(properties, "/Configs")) {
            if (each.isDictionary()) alternatives.push_back(alternative(each, groups, kept));
        }
        append(merged, "/Configs", alternatives);
    }

  private:
    std::vector<QPDFObjectHandle> copies(std::vector<QPDFObjectHandle> const &groups)
    {
        std::vector<QPDFObjectHandle> all;
        for (auto const &group : groups) all.push_back(target.copyForeignObject(group));
        return all;
    }

    /// Gives groups that look like others a number: mupdf knows groups by what is in them, and would show and hide those of the
    /// same name alike.
    void distinguish(std::vector<QPDFObjectHandle> const &known, std::vector<QPDFObjectHandle> const &added)
    {
        std::set<std::string> seen;
        for (auto group : known) seen.insert(group.unparseResolved());
        auto number = static_cast<long long>(known.size());
        for (auto group : added) {
            ++number;
            if (seen.insert(group.unparseResolved()).second) continue;
            group.replaceKey("/JisuiLayer", QPDFObjectHandle::newInteger(number));
            seen.insert(group.unparseResolved());
        }
    }

    void addLists(QPDFObjectHandle configuration, QPDFObjectHandle given, Groups const &kept)
    {
        for (auto const &key : {"/Order", "/Locked", "/RBGroups", "/AS"}) {
            auto items = Listing(kept).of(given, key);
            if (items.empty()) continue;
            // Only an object of its own can be copied from one document to another.
            auto all = source.makeIndirectObject(QPDFObjectHandle::newArray(items));
            append(configuration, key, target.copyForeignObject(all).getArrayAsVector());
        }
    }

    /// A configuration that readers may choose. Layers of other books stay as they are when they do.
    QPDFObjectHandle alternative(
        QPDFObjectHandle given, std::vector<QPDFObjectHandle> const &groups, Groups const &kept)
    {
        auto own = QPDFObjectHandle::newDictionary();
        for (auto const &key : {"/Name", "/Creator"}) {
            auto value = given.getKey(key);
            if (value.isString()) own.replaceKey(key, QPDFObjectHandle::newString(value.getStringValue()));
        }
        for (auto const &key : {"/Intent", "/ListMode"}) {
            auto name = nameAt(given, key);
            if (!name.empty()) own.replaceKey(key, QPDFObjectHandle::newName(name));
        }
        own.replaceKey("/BaseState", QPDFObjectHandle::newName("/Unchanged"));
        States states(given, groups, false);
        append(own, "/ON", copies(states.on));
        append(own, "/OFF", copies(states.off));
        addLists(own, given, kept);
        return own;
    }

    QPDF &target;
    QPDF &source;
};

/// The groups that a document lists, each once; nothing where it has no layers.
std::vector<QPDFObjectHandle> groupsListed(QPDFObjectHandle properties, Groups &seen)
{
    std::vector<QPDFObjectHandle> groups;
    for (auto &group : itemsOf(properties, "/OCGs")) {
        if (group.isIndirect() && group.isDictionary() && seen.insert(group.getObjGen()).second) groups.push_back(group);
    }
    return groups;
}

} // namespace

bool jqpdf_merge_layers(
    jqpdf_document *document, jqpdf_document *source, jqpdf_object *const *pages, int count, bool is_whole)
{
    return valueOr(false, source, [&] {
        auto properties = source->pdf.getRoot().getKey("/OCProperties");
        // Where no document has layers, there is no list of them that would lack any.
        if (!properties.isDictionary() && !document->pdf.getRoot().getKey("/OCProperties").isDictionary()) return true;
        Groups listed;
        auto groups = groupsListed(properties, listed);
        auto used = groupsUsed(pages, count);
        if (!is_whole) {
            Groups kept;
            for (auto const &group : used) kept.insert(group.getObjGen());
            groups = Listing(kept).flat(groups);
        }
        std::vector<QPDFObjectHandle> unlisted;
        for (auto const &group : used) {
            if (!listed.count(group.getObjGen())) unlisted.push_back(group);
        }
        if (groups.empty() && unlisted.empty()) return true;
        LayerMerge(document->pdf, source->pdf).merge(properties, groups, unlisted);
        return true;
    });
}

bool jqpdf_prune_layers(jqpdf_document *document, jqpdf_object *const *pages, int count)
{
    return valueOr(false, document, [&] {
        auto properties = document->pdf.getRoot().getKey("/OCProperties");
        if (!properties.isDictionary()) return true;
        Groups seen, kept;
        auto listed = groupsListed(properties, seen);
        for (auto const &group : groupsUsed(pages, count)) kept.insert(group.getObjGen());
        Listing listing(kept);
        auto left = listing.flat(listed);
        if (left.size() == listed.size()) return true;
        if (left.empty()) {
            document->pdf.getRoot().removeKey("/OCProperties");
            return true;
        }
        properties.replaceKey("/OCGs", QPDFObjectHandle::newArray(left));
        auto configurations = itemsOf(properties, "/Configs");
        configurations.push_back(properties.getKey("/D"));
        for (auto &each : configurations) {
            if (!each.isDictionary()) continue;
            for (auto const &key : {"/ON", "/OFF", "/Order", "/Locked", "/RBGroups", "/AS"}) {
                if (!each.hasKey(key)) continue;
                auto items = listing.of(each, key);
                if (items.empty()) each.removeKey(key);
                else each.replaceKey(key, QPDFObjectHandle::newArray(items));
            }
        }
        return true;
    });
}
