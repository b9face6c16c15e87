#pragma once

// Annotations of pages that are removed.

#include "Shared.h"

/// The annotations of these pages that are on no other page.
std::set<QPDFObjGen> annotationsOnlyOn(QPDF &pdf, std::set<QPDFObjGen> const &pages);

/// Makes annotations null, and removes them from their form fields. Otherwise their actions would stay in the file as
/// long as a reference exists. The calculation order of fields is updated.
void dropAnnotations(QPDF &pdf, std::set<QPDFObjGen> const &annotations);
