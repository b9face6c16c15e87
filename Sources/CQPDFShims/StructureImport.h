#pragma once

// The data of tags other than their content, copied from one document to another.

#include "PageWalk.h"

#include <map>

/// Copies values, unless they refer to pages, to other tags, or to more objects than tags need.
class StructureImport
{
  public:
    StructureImport(QPDF &target, QPDF &source) : target(target), source(source) {}

    /// Returns a value for the target; null if it cannot be copied.
    QPDFObjectHandle operator()(QPDFObjectHandle value)
    {
        if (&target == &source) return value;
        return copied(value, 0);
    }

  private:
    /// The maximum number of objects in one value, because qpdf copies them recursively. Attributes have none or one,
    /// attached files a few.
    static constexpr size_t mostObjects = 500;
    /// The maximum nesting of dictionaries and arrays.
    static constexpr int deepest = 30;
    /// The maximum number of objects in all values of a document that are examined before copying, including repeated
    /// ones.
    static constexpr size_t mostLooks = 5'000'000;

    QPDFObjectHandle copied(QPDFObjectHandle value, int depth)
    {
        auto null = QPDFObjectHandle::newNull();
        if (depth > deepest) return null;
        if (value.isIndirect()) {
            if (!value.isArray() && !value.isDictionary() && !value.isStream()) return scalar(value);
            auto known = fit.find(value.getObjGen());
            if (known == fit.end()) known = fit.emplace(value.getObjGen(), isFit(value)).first;
            return known->second ? target.copyForeignObject(value) : null;
        }
        if (value.isArray()) {
            auto own = QPDFObjectHandle::newArray();
            for (auto &item : value.getArrayAsVector()) own.appendItem(copied(item, depth + 1));
            return own;
        }
        if (value.isDictionary()) {
            auto own = QPDFObjectHandle::newDictionary();
            for (auto &[key, item] : value.getDictAsMap()) own.replaceKey(key, copied(item, depth + 1));
            return own;
        }
        return scalar(value);
    }

    /// A new object, because objects know their document.
    static QPDFObjectHandle scalar(QPDFObjectHandle value)
    {
        if (value.isBool()) return QPDFObjectHandle::newBool(value.getBoolValue());
        if (value.isInteger()) return QPDFObjectHandle::newInteger(value.getIntValue());
        if (value.isReal()) return QPDFObjectHandle::newReal(value.getRealValue());
        if (value.isString()) return QPDFObjectHandle::newString(value.getStringValue());
        if (value.isName()) return QPDFObjectHandle::newName(value.getName());
        return QPDFObjectHandle::newNull();
    }

    bool isFit(QPDFObjectHandle value)
    {
        std::vector<QPDFObjectHandle> pending{value};
        std::set<QPDFObjGen> seen;
        while (!pending.empty()) {
            if (++looks > mostLooks) return false;
            auto next = pending.back();
            pending.pop_back();
            if (next.isIndirect()) {
                if (!seen.insert(next.getObjGen()).second) continue;
                if (seen.size() > mostObjects) return false;
            }
            if (next.isStream()) next = next.getDict();
            if (next.isArray()) {
                for (auto &item : next.getArrayAsVector()) pending.push_back(item);
            } else if (next.isDictionary()) {
                auto type = nameAt(next, "/Type");
                if (type == "/Page" || type == "/Pages" || type == "/StructElem" || type == "/StructTreeRoot") return false;
                for (auto &[key, item] : next.getDictAsMap()) pending.push_back(item);
            }
        }
        return true;
    }

    QPDF &target;
    QPDF &source;
    std::map<QPDFObjGen, bool> fit;
    size_t looks = 0;
};
