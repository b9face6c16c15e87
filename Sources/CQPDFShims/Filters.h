#pragma once

/// Replaces those filters of qpdf whose result may be larger than their data: Flate, LZW and run lengths.
///
/// qpdf's own filters accept a predictor whose rows have four gigabytes, and allocate them before they read anything. They
/// also unpack without a limit, even for the streams that hold the structure of a document.
void registerFilters();
