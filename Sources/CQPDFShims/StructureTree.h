#pragma once

// The tree of a document's tags (ISO 32000-1, 14.7), read from its root down.

#include "PageWalk.h"

/// How deep elements may lie within each other. Those who read tags aloud go down by recursion; no book was seen with 50.
constexpr size_t deepestElement = 500;

/// What is told of a tree while it is gone through.
struct StructureVisitor {
    virtual ~StructureVisitor() = default;
    /// What follows lies within this element, until `leave`.
    virtual void enter(QPDFObjectHandle) {}
    virtual void leave() {}
    /// A part of the content of the element's page, by its number.
    virtual void part(QPDFObjectHandle) {}
    /// A part of the content of a page or a form XObject.
    virtual void reference(QPDFObjectHandle) {}
    /// A whole annotation or XObject.
    virtual void object(QPDFObjectHandle) {}
};

/// Goes through a tree in the order in which it is read, in time that is linear in what it has.
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
        // Elements that share a list could have more content together than the file has.
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
                // An element that lies in two places, or within itself.
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
