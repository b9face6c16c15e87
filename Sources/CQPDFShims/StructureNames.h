#pragma once

// Names that the tags of several documents share in one: those of roles, attribute classes, and elements.

#include "PageWalk.h"

#include <algorithm>
#include <map>

/// The names of an output.
struct StructureNames {
    /// The meanings of roles; empty for roles that have their own meaning.
    std::map<std::string, std::string> roles;
    /// The classes, each with its serialized form.
    std::map<std::string, std::pair<QPDFObjectHandle, std::string>> classes;
    /// The elements with a name of their own.
    std::map<std::string, QPDFObjectHandle> elements;
};

/// Finds the names for one document's roles, classes and elements in the output. A name that already has another
/// meaning there gets a number: "Head" becomes "Head-2".
class StructureNaming
{
  public:
    using Import = std::function<QPDFObjectHandle(QPDFObjectHandle)>;

    /// - root: the root of the document's tags.
    StructureNaming(StructureNames &names, QPDFObjectHandle root, Import import)
        : names(names), roleMap(root.getKey("/RoleMap")), classMap(root.getKey("/ClassMap")), import(import)
    {
    }

    std::string role(std::string const &name, int depth = 0)
    {
        if (auto known = roles.find(name); known != roles.end()) return known->second;
        // A guard against a role that maps to itself.
        roles[name] = "";
        auto meaning = roleMap.isDictionary() ? nameAt(roleMap, name) : std::string();
        if (depth >= deepestRole) meaning = "";
        if (!meaning.empty()) meaning = role(meaning, depth + 1);
        // A standard role that one document maps to another must keep its meaning in other documents.
        bool isTaken = !meaning.empty() && isStandard(name);
        auto own = free(name, isTaken, [&](std::string const &candidate) {
            auto found = names.roles.emplace(candidate, meaning);
            return found.first->second == meaning;
        });
        return roles[name] = own;
    }

    /// The value of an element's /C: a name, or several with revision numbers.
    QPDFObjectHandle classes(QPDFObjectHandle value)
    {
        if (value.isName()) return QPDFObjectHandle::newName(className(value.getName()));
        if (!value.isArray()) return QPDFObjectHandle::newNull();
        auto all = QPDFObjectHandle::newArray();
        for (auto &item : value.getArrayAsVector()) {
            if (item.isName()) all.appendItem(QPDFObjectHandle::newName(className(item.getName())));
            else if (item.isInteger()) all.appendItem(QPDFObjectHandle::newInteger(item.getIntValue()));
        }
        return all;
    }

    /// Gives an element its name.
    QPDFObjectHandle name(QPDFObjectHandle value, QPDFObjectHandle element)
    {
        auto given = value.getStringValue();
        auto own = given;
        for (int &number = nextNumber[given]; !names.elements.emplace(own, element).second;) {
            own = given + "-" + std::to_string(number = std::max(number + 1, 2));
        }
        if (own != given) renamed[given] = own;
        return QPDFObjectHandle::newString(own);
    }

    /// Makes the cells of a table refer to its heads by their new names.
    void renameHeads(QPDFObjectHandle element)
    {
        if (renamed.empty()) return;
        auto attributes = element.getKey("/A");
        for (auto &each : attributes.isArray() ? attributes.getArrayAsVector() : std::vector{attributes}) {
            if (!each.isDictionary() || !each.getKey("/Headers").isArray()) continue;
            if (each.isIndirect() && !seen.insert(each.getObjGen()).second) continue;
            auto own = QPDFObjectHandle::newArray();
            for (auto &head : itemsOf(each, "/Headers")) {
                auto found = head.isString() ? renamed.find(head.getStringValue()) : renamed.end();
                own.appendItem(found == renamed.end() ? head : QPDFObjectHandle::newString(found->second));
            }
            each.replaceKey("/Headers", own);
        }
    }

  private:
    /// The maximum length of a chain of role mappings.
    static constexpr int deepestRole = 32;

    static bool isStandard(std::string const &name)
    {
        static std::set<std::string> const all{
            "/Document", "/DocumentFragment", "/Part", "/Art", "/Sect", "/Div", "/BlockQuote", "/Caption", "/TOC",
            "/TOCI", "/Index", "/NonStruct", "/Private", "/P", "/H", "/H1", "/H2", "/H3", "/H4", "/H5", "/H6", "/L",
            "/LI", "/Lbl", "/LBody", "/Table", "/TR", "/TH", "/TD", "/THead", "/TBody", "/TFoot", "/Span", "/Quote",
            "/Note", "/Reference", "/BibEntry", "/Code", "/Link", "/Annot", "/Ruby", "/RB", "/RT", "/RP", "/Warichu",
            "/WT", "/WP", "/Figure", "/Formula", "/Form", "/Aside", "/Title", "/FENote", "/Sub", "/Em", "/Strong",
            "/Artifact",
        };
        return all.count(name) > 0;
    }

    template <typename Fits>
    static std::string free(std::string const &name, bool isTaken, Fits fits)
    {
        if (!isTaken && fits(name)) return name;
        for (int number = 2;; ++number) {
            auto candidate = name + "-" + std::to_string(number);
            if (fits(candidate)) return candidate;
        }
    }

    std::string className(std::string const &name)
    {
        if (auto known = classNames.find(name); known != classNames.end()) return known->second;
        auto value = classMap.isDictionary() ? classMap.getKey(name) : QPDFObjectHandle::newNull();
        auto own = value.isNull() ? value : import(value);
        auto text = own.isNull() ? std::string() : own.unparseResolved();
        return classNames[name] = free(name, false, [&](std::string const &candidate) {
            auto found = names.classes.emplace(candidate, std::pair(own, text));
            return found.first->second.second == text;
        });
    }

    StructureNames &names;
    QPDFObjectHandle roleMap, classMap;
    Import import;
    std::map<std::string, std::string> roles, classNames, renamed;
    std::map<std::string, int> nextNumber;
    std::set<QPDFObjGen> seen;
};
