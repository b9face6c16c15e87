#pragma once

// Annotations of pages that are taken out.

#include "Shared.h"

/// The annotations of these pages that are on no other page.
std::set<QPDFObjGen> annotationsOnlyOn(QPDF &pdf, std::set<QPDFObjGen> const &pages);

/// Makes annotations null, and takes them out of the fields that they are parts of: what they do would stay in the file as long as
/// anything refers to them. The order in which fields are calculated follows.
void dropAnnotations(QPDF &pdf, std::set<QPDFObjGen> const &annotations);
