#pragma once

// The common parts of the shims: their handles, and the conversion of qpdf's exceptions to statuses.

#include "CQPDFShims.h"

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
    QPDF pdf;
    /// The numbers of the objects that the file lists, in order; filled on the first request.
    std::vector<int> listed;
    /// The numbers of the objects that were read completely.
    std::set<int> read;
};

struct jqpdf_object {
    QPDFObjectHandle handle;
    std::string text;
};

/// Whether an allocation failed on this thread since the last query. Objects do not know their document.
inline thread_local bool outOfMemory = false;

struct TooLarge : std::runtime_error {
    TooLarge() : std::runtime_error("more data than allowed") {}
};

inline void tell(char *message, size_t size, char const *what)
{
    if (size > 0) std::snprintf(message, size, "%s", what);
}

/// Runs `body` and converts every exception to a status and a message.
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

/// The value of `body`, or `otherwise` when qpdf throws: a damaged object counts as missing.
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
