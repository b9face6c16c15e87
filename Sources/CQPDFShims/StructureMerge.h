#pragma once

// The tags of documents whose pages are merged, during the merge.

#include "StructureImport.h"
#include "StructureNames.h"
#include "StructureTree.h"

/// The meaning of a number in the output: a page, a form XObject or an annotation, and the page that shows it.
struct Holder {
    QPDFObjectHandle object;
    QPDFObjectHandle page;
    /// The elements of its content, by the content's numbers; null for numbers without an element.
    std::vector<QPDFObjectHandle> parts;
    /// Whether the number means the object as a whole, and its element in that case.
    bool isWhole;
    QPDFObjectHandle whole;

    bool isUsed() const { return !parts.empty() || whole.isInitialized(); }
    /// The keys for the numbers of pages: those of content, and those of whole objects.
    static constexpr char const *keys[] = {"/StructParents", "/StructParent"};
};

/// A document with tags, and the numbers of its objects.
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
    /// The maximum number of unused content numbers below used ones.
    int64_t gaps = 1'000'000;

    void number(QPDF &source, jqpdf_object *const *pages, int pageCount, bool keeps);
    void finish(jqpdf_object *const *pages, int pageCount);

  private:
    void claim(QPDFObjectHandle object, QPDFObjectHandle page);
    void find(jqpdf_object *const *pages, int pageCount);
    void setRoot();
};
