#pragma once

// The tree of a document's tags (ISO 32000-1, 14.7), read from its root down.

#include "PageWalk.h"

/// The maximum nesting of elements. Screen readers recurse into them; no book was seen with 50 levels.
constexpr size_t deepestElement = 500;

/// The events of a walk through a tree.
struct StructureVisitor {
    virtual ~StructureVisitor() = default;
    /// The following events concern this element, until `leave`.
    virtual void enter(QPDFObjectHandle) {}
    virtual void leave() {}
    /// A part of the content of the element's page, by its number.
    virtual void part(QPDFObjectHandle) {}
    /// A part of the content of a page or a form XObject.
    virtual void reference(QPDFObjectHandle) {}
    /// A whole annotation or XObject.
    virtual void object(QPDFObjectHandle) {}
};

/// Walks through a tree in reading order, in linear time.
inline enum jqpdf_structure_state walkStructure(QPDFObjectHandle root, StructureVisitor &visitor)
{
    struct Level {
        std::vector<QPDFObjectHandle> kids;
        size_t next;
    };
    std::set<QPDFObjGen> seen;
    bool isShared = false;
    auto kidsOf = [&](QPDFObjectHandle holder) {
        auto kids = holder.getKey("/K");
        if (!kids.isArray()) return std::vector<QPDFObjectHandle>{kids};
        // Elements that share a list could multiply their content beyond that of the file.
        if (kids.isIndirect() && !seen.insert(kids.getObjGen()).second) isShared = true;
        return isShared ? std::vector<QPDFObjectHandle>() : kids.getArrayAsVector();
    };
    if (!root.isDictionary()) return jqpdf_structure_broken;
    std::vector<Level> open;
    open.push_back({kidsOf(root), 0});
    while (!open.empty()) {
        auto &level = open.back();
        if (level.next == level.kids.size()) {
            open.pop_back();
            if (!open.empty()) visitor.leave();
            continue;
        }
        auto kid = level.kids[level.next++];
        bool isInElement = open.size() > 1;
        if (kid.isInteger()) {
            if (isInElement) visitor.part(kid);
        } else if (kid.isDictionary()) {
            auto type = nameAt(kid, "/Type");
            bool isElement = kid.getKey("/S").isName();
            if (type == "/MCR" || (!isElement && kid.hasKey("/MCID"))) {
                if (isInElement) visitor.reference(kid);
            } else if (type == "/OBJR" || (!isElement && kid.hasKey("/Obj"))) {
                if (isInElement) visitor.object(kid);
            } else {
                // False for an element in two places, or within itself.
                bool isNew = !kid.isIndirect() || seen.insert(kid.getObjGen()).second;
                if (!isElement || !isNew) return jqpdf_structure_broken;
                if (open.size() > deepestElement) return jqpdf_structure_too_deep;
                visitor.enter(kid);
                open.push_back({kidsOf(kid), 0});
            }
        }
        if (isShared) return jqpdf_structure_broken;
    }
    return jqpdf_structure_sound;
}

/// The state of a document's tags.
inline enum jqpdf_structure_state structureState(QPDF &pdf)
{
    auto root = pdf.getRoot().getKey("/StructTreeRoot");
    if (root.isNull()) return jqpdf_structure_none;
    StructureVisitor nothing;
    return walkStructure(root, nothing);
}
