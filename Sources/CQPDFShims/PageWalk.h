#pragma once

// The contents of pages: every object that they refer to, except other pages and tags.

#include "Shared.h"

#include <functional>

/// Visits dictionaries and streams that pages refer to, each object once per walk.
class PageWalk
{
  public:
    using Visit = std::function<void(QPDFObjectHandle)>;

    /// Visits the objects that a page refers to, but not the page itself.
    void enter(QPDFObjectHandle page, Visit const &visit)
    {
        if (page.isIndirect() && !seen.insert(page.getObjGen()).second) return;
        push(page);
        while (!pending.empty()) {
            auto next = pending.back();
            pending.pop_back();
            if (next.isIndirect() && !seen.insert(next.getObjGen()).second) continue;
            if (next.isArray()) {
                for (auto &item : next.getArrayAsVector()) add(item);
            } else if (next.isStream()) {
                visit(next);
                push(next.getDict());
            } else if (next.isDictionary() && !isElsewhere(next)) {
                visit(next);
                push(next);
            }
        }
    }

  private:
    /// An explicit stack, so that the depth of a file is not limited.
    std::vector<QPDFObjectHandle> pending;
    std::set<QPDFObjGen> seen;

    static bool isElsewhere(QPDFObjectHandle dictionary)
    {
        auto type = dictionary.getKey("/Type");
        if (!type.isName()) return false;
        auto name = type.getName();
        return name == "/Page" || name == "/Pages" || name == "/StructElem" || name == "/StructTreeRoot";
    }

    void add(QPDFObjectHandle value)
    {
        if (value.isIndirect() || value.isArray() || value.isDictionary()) pending.push_back(value);
    }

    void push(QPDFObjectHandle dictionary)
    {
        for (auto &[key, value] : dictionary.getDictAsMap()) {
            // The parent of a page has other pages, and the parent of a form field's part has parts on other pages.
            if (key != "/Parent") add(value);
        }
    }
};

inline std::vector<QPDFObjectHandle> itemsOf(QPDFObjectHandle container, std::string const &key)
{
    if (!container.isDictionary()) return {};
    auto items = container.getKey(key);
    return items.isArray() ? items.getArrayAsVector() : std::vector<QPDFObjectHandle>();
}

/// The name that is a key's value, with its slash; empty for any other value.
inline std::string nameAt(QPDFObjectHandle dictionary, std::string const &key)
{
    auto value = dictionary.getKey(key);
    return value.isName() ? value.getName() : std::string();
}
