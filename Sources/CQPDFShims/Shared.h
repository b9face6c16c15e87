#pragma once

// The common parts of the shims: their handles, and the conversion of qpdf's exceptions to statuses.

#include "CQPDFShims.h"
#include "Memory.h"

#include <cstdio>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

// qpdf 11 requires a statement of the supported smart pointers: std::shared_ptr only.
#define POINTERHOLDER_TRANSITION 4
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFExc.hh>
#include <qpdf/QPDFObjectHandle.hh>

struct jqpdf_document {
    explicit jqpdf_document(std::shared_ptr<Allowance> allowance = nullptr) : account(std::move(allowance)) {}

    /// It outlives the objects that it counts.
    Account account;
    QPDF pdf;
    /// The numbers of the objects that the file lists, in order; filled on the first request.
    std::vector<int> listed;
    /// The numbers of the objects that were read completely.
    std::set<int> read;
};

struct jqpdf_object {
    jqpdf_document *document;
    QPDFObjectHandle handle;
    std::string text;
};

inline Account *accountOf(jqpdf_document *document)
{
    return document ? &document->account : nullptr;
}

inline Account *accountOf(jqpdf_object *object)
{
    return object ? accountOf(object->document) : nullptr;
}

/// Stands for a document where none is charged.
inline constexpr jqpdf_document *noDocument = nullptr;

/// Whether an allocation failed on this thread since the last query. Objects do not know their document.
inline thread_local bool outOfMemory = false;

struct TooLarge : std::runtime_error {
    TooLarge() : std::runtime_error("more data than allowed") {}
};

/// Calls `body` with each dictionary and each stream that the trailer leads to, before those that it leads to.
template <typename Body>
void forEachObject(QPDF &pdf, Body body)
{
    // Explicit, so that no file is too deep for it.
    std::vector<QPDFObjectHandle> pending{pdf.getTrailer()};
    std::set<QPDFObjGen> seen;
    while (!pending.empty()) {
        auto next = pending.back();
        pending.pop_back();
        if (next.isIndirect() && !seen.insert(next.getObjGen()).second) continue;
        if (next.isArray()) {
            for (auto &item : next.getArrayAsVector()) pending.push_back(item);
            continue;
        }
        if (!next.isDictionary() && !next.isStream()) continue;
        body(next);
        auto dictionary = next.isStream() ? next.getDict() : next;
        for (auto &[key, value] : dictionary.getDictAsMap()) {
            if (value.isIndirect() || value.isArray() || value.isDictionary()) pending.push_back(value);
        }
    }
}

inline void tell(char *message, size_t size, char const *what)
{
    if (size > 0) std::snprintf(message, size, "%s", what);
}

/// Runs `body` on the account of a document, and converts every exception to a status and a message.
template <typename User, typename Body>
enum jqpdf_status guarded(User *user, char *message, size_t size, Body body)
{
    Charge charge(accountOf(user));
    try {
        body();
        return jqpdf_ok;
    } catch (QPDFExc &e) {
        tell(message, size, e.getMessageDetail().c_str());
        return e.getErrorCode() == qpdf_e_password ? jqpdf_wrong_password : jqpdf_failed;
    } catch (TooLarge &e) {
        tell(message, size, e.what());
        return jqpdf_too_large;
    } catch (std::bad_alloc &) {
        outOfMemory = true;
        tell(message, size, "out of memory");
        return jqpdf_out_of_memory;
    } catch (std::exception &e) {
        tell(message, size, e.what());
        return jqpdf_failed;
    }
}

/// The value of `body`, which uses the account of a document, or `otherwise` when qpdf throws: a damaged object counts as
/// missing.
template <typename Value, typename User, typename Body>
Value valueOr(Value otherwise, User *user, Body body)
{
    Charge charge(accountOf(user));
    try {
        return body();
    } catch (std::bad_alloc &) {
        outOfMemory = true;
        return otherwise;
    } catch (std::exception &) {
        return otherwise;
    }
}
