#pragma once

// What the parts of the shims share: their handles, and how qpdf's exceptions become statuses.

#include "CQPDFShims.h"

#include <cstdio>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

// qpdf 11 asks users to say which smart pointers they are ready for: std::shared_ptr only.
#define POINTERHOLDER_TRANSITION 4
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFExc.hh>
#include <qpdf/QPDFObjectHandle.hh>

struct jqpdf_document {
    QPDF pdf;
    /// The numbers of the objects the file lists, in order; filled when first asked for.
    std::vector<int> listed;
    /// The numbers of the objects that were read through.
    std::set<int> read;
};

struct jqpdf_object {
    QPDFObjectHandle handle;
    std::string text;
};

/// Whether memory was lacking on this thread since that was last asked: objects do not know their document.
inline thread_local bool outOfMemory = false;

struct TooLarge : std::runtime_error {
    TooLarge() : std::runtime_error("more data than allowed") {}
};

inline void tell(char *message, size_t size, char const *what)
{
    if (size > 0) std::snprintf(message, size, "%s", what);
}

/// Runs `body`, turning every exception into a status and a message.
template <typename Body>
enum jqpdf_status guarded(char *message, size_t size, Body body)
{
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

/// The value of `body`, or `otherwise` when qpdf throws: a damaged object reads like a missing one.
template <typename Value, typename Body>
Value valueOr(Value otherwise, Body body)
{
    try {
        return body();
    } catch (std::bad_alloc &) {
        outOfMemory = true;
        return otherwise;
    } catch (std::exception &) {
        return otherwise;
    }
}
