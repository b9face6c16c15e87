#pragma once

// The tags of documents whose pages come into one, while they are put together.

#include "StructureImport.h"
#include "StructureNames.h"
#include "StructureTree.h"

/// What a number stands for in the output: a page, a form XObject or an annotation, and the page that shows it.
struct Holder {
    QPDFObjectHandle object;
    QPDFObjectHandle page;
    /// The elements of its content, by the content's numbers; null where there is none.
    std::vector<QPDFObjectHandle> parts;
    /// Whether the number stands for the object as a whole, and its element then.
    bool isWhole;
    QPDFObjectHandle whole;

    bool isUsed() const { return !parts.empty() || whole.isInitialized(); }
    /// Where pages say their number: those of content, and those of whole objects.
    static constexpr char const *keys[] = {"/StructParents", "/StructParent"};
};

/// A document with tags, and the numbers of what it has.
struct Part {
    QPDF *source;
    std::map<QPDFObjGen, int> numbers;
};

struct jqpdf_structure {
    QPDF *target;
    std::vector<Part> parts;
    int count = 0;
    bool isMarked = true, hasUserProperties = false, isSuspect = false;
    std::map<int, Holder> holders;
    StructureNames names;
    std::vector<QPDFObjectHandle> top, namespaces;
    /// Of numbers of content that no element has, below others that one has.
    int64_t gaps = 1'000'000;

    void number(QPDF &source, jqpdf_object *const *pages, int pageCount, bool keeps);
    void finish(jqpdf_object *const *pages, int pageCount);

  private:
    void claim(QPDFObjectHandle object, QPDFObjectHandle page);
    void find(jqpdf_object *const *pages, int pageCount);
    void setRoot();
};
