// Parts of a document that do something, or lead out of it: finding and removing them.

#include "ActiveParts.h"

#include <algorithm>
#include <cctype>

bool jqpdf_allows_address(const char *address, size_t count)
{
    // Viewers skip blanks and control characters before and in the name of a scheme.
    std::string scheme;
    for (size_t i = 0; i < count && scheme.size() < 16; ++i) {
        auto character = static_cast<unsigned char>(address[i]);
        if (character <= ' ') continue;
        scheme += static_cast<char>(std::tolower(character));
        if (character == ':') break;
    }
    static std::set<std::string> const allowed{"http:", "https:", "mailto:", "tel:"};
    return allowed.count(scheme) > 0;
}

bool jqpdf_find_parts(
    jqpdf_document *document, jqpdf_object *const *pages, int count, jqpdf_take_part take, void *context)
{
    return valueOr(false, document, [&] {
        ActiveParts parts(false, take, context);
        PageWalk walk;
        auto visit = [&](QPDFObjectHandle object) { parts.examine(object); };
        for (int i = 0; i < count; ++i) {
            walk.enter(pages[i]->handle, visit);
            auto above = pages[i]->handle.getKey("/Parent");
            for (int depth = 0; above.isDictionary() && depth < 100; ++depth) {
                auto resources = above.getKey("/Resources");
                if (resources.isDictionary()) walk.enter(resources, visit);
                above = above.getKey("/Parent");
            }
        }
        return true;
    });
}

bool jqpdf_drop_parts(jqpdf_document *document, jqpdf_take_part take, void *context)
{
    return valueOr(false, document, [&] {
        ActiveParts parts(true, take, context);
        forEachObject(document->pdf, [&](QPDFObjectHandle object) {
            parts.examine(object);
            parts.dropHidden(object.isStream() ? object.getDict() : object);
        });
        return true;
    });
}
