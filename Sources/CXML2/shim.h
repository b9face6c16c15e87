#pragma once
#include <libxml/xmlversion.h>
// Debian's libxml2 names ICU's converters in its headers. Foundation has an ICU of its own, and two versions of one enum
// fail to compile as soon as one file sees both. Only the private end of xmlCharEncodingHandler is hidden by this.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
#include <libxml/HTMLparser.h>
