// Pages that are copied, repeated, put beside each other and taken out.

#include "ActiveParts.h"
#include "Annotations.h"
#include "Shared.h"

#include <memory>
#include <set>
#include <vector>

#include <qpdf/QPDFAcroFormDocumentHelper.hh>
#include <qpdf/QPDFFormFieldObjectHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>

namespace {

bool hasForm(QPDF &pdf)
{
    return pdf.getRoot().getKey("/AcroForm").isDictionary();
}

/// Makes the items of an array that is a dictionary's value objects of their own, in an array that is only this dictionary's:
/// qpdf takes all annotations that are none for one.
///
/// Returns whether there is such an array.
bool ownItems(QPDF &pdf, QPDFObjectHandle dictionary, std::string const &key)
{
    auto items = dictionary.getKey(key);
    if (!items.isArray()) return false;
    auto own = QPDFObjectHandle::newArray();
    for (auto &item : items.getArrayAsVector()) own.appendItem(item.isIndirect() ? item : pdf.makeIndirectObject(item));
    dictionary.replaceKey(key, own);
    return true;
}

} // namespace

bool jqpdf_set_key_object(jqpdf_object *container, const char *key, jqpdf_object *value)
{
    return valueOr(false, container, [&] {
        container->handle.replaceKey(std::string("/") + key, value->handle);
        return true;
    });
}

bool jqpdf_copy_pages(
    jqpdf_document *document, jqpdf_document *source, jqpdf_object *const *pages, int count, int *numbers)
{
    return valueOr(false, source, [&] {
        std::vector<QPDFObjectHandle> copies;
        // What a copy refers to is null where it is a page that was not copied before: first all pages are copied without
        // their links, then the links.
        for (int i = 0; i < count; ++i) {
            auto page = pages[i]->handle;
            auto annotations = page.getKey("/Annots");
            page.removeKey("/Annots");
            if (!page.isIndirect()) page = source->pdf.makeIndirectObject(page);
            copies.push_back(document->pdf.copyForeignObject(page));
            if (!annotations.isNull()) pages[i]->handle.replaceKey("/Annots", annotations);
            numbers[i] = copies.back().getObjectID();
        }
        for (int i = 0; i < count; ++i) {
            auto page = pages[i]->handle;
            if (!ownItems(source->pdf, page, "/Annots")) continue;
            auto annotations = source->pdf.makeIndirectObject(page.getKey("/Annots"));
            copies[i].replaceKey("/Annots", document->pdf.copyForeignObject(annotations));
            if (hasForm(source->pdf)) {
                QPDFAcroFormDocumentHelper form(document->pdf);
                QPDFAcroFormDocumentHelper otherForm(source->pdf);
                form.fixCopiedAnnotations(copies[i], page, otherForm);
            }
        }
        return true;
    });
}

int jqpdf_repeat_page(jqpdf_document *document, jqpdf_object *page)
{
    return valueOr(0, document, [&] { return document->pdf.makeIndirectObject(page->handle.shallowCopy()).getObjectID(); });
}

bool jqpdf_remove_pages(jqpdf_document *document, jqpdf_object *const *pages, int count, int first_replaced)
{
    return valueOr(false, document, [&] {
        auto &pdf = document->pdf;
        std::set<QPDFObjGen> removed;
        for (int i = 0; i < count; ++i) removed.insert(pages[i]->handle.getObjGen());
        auto annotations = annotationsOnlyOn(pdf, removed);
        if (hasForm(pdf)) {
            QPDFAcroFormDocumentHelper form(pdf);
            std::set<QPDFObjGen> kept;
            std::set<QPDFObjGen> gone;
            // A field may have parts on several pages.
            for (auto &page : pdf.getAllPages()) {
                auto &fields = removed.count(page.getObjGen()) ? gone : kept;
                for (auto &field : form.getFormFieldsForPage(page)) {
                    fields.insert(field.getTopLevelField().getObjectHandle().getObjGen());
                }
            }
            for (auto const &field : kept) gone.erase(field);
            form.removeFormFields(gone);
            auto root = pdf.getRoot();
            auto fields = root.getKey("/AcroForm").getKey("/Fields");
            if (!gone.empty() && fields.isArray() && fields.getArrayNItems() == 0) {
                // Without a field there is no signature that permissions and validation data could be about.
                for (auto const &key : {"/AcroForm", "/Perms", "/DSS"}) root.removeKey(key);
            }
        }
        for (int i = 0; i < first_replaced; ++i) {
            pdf.replaceObject(pages[i]->handle.getObjGen(), QPDFObjectHandle::newNull());
        }
        dropAnnotations(pdf, annotations);
        return true;
    });
}

int jqpdf_form_of_page(jqpdf_document *document, jqpdf_object *page)
{
    return valueOr(0, document, [&] {
        auto form = QPDFPageObjectHelper(page->handle).getFormXObjectForPage(false);
        // One stream stays as it is, whatever is wrong with it; qpdf joins several only if all can be decoded.
        auto contents = page->handle.getKey("/Contents");
        if (contents.isArray() && contents.getArrayNItems() == 1) contents = contents.getArrayItem(0);
        if (contents.isStream()) {
            auto own = contents.copyStream();
            for (auto const &key : {"/Type", "/Subtype", "/BBox", "/Matrix", "/Resources", "/Group"}) {
                own.getDict().replaceKey(key, form.getDict().getKey(key));
            }
            form = own;
        }
        if (!form.isIndirect()) form = document->pdf.makeIndirectObject(form);
        return form.getObjectID();
    });
}

bool jqpdf_lay_below(jqpdf_document *document, jqpdf_object *page, int form)
{
    return valueOr(false, document, [&] {
        auto dictionary = [](QPDFObjectHandle holder, QPDFObjectHandle value, char const *key) {
            if (value.isDictionary()) return value;
            auto made = QPDFObjectHandle::newDictionary();
            holder.replaceKey(key, made);
            return made;
        };
        auto handle = page->handle;
        auto resources =
            dictionary(handle, QPDFPageObjectHelper(handle).getAttribute("/Resources", false), "/Resources");
        auto objects = dictionary(resources, resources.getKey("/XObject"), "/XObject");
        auto name = "/JisuiText" + std::to_string(form);
        while (objects.hasKey(name)) name += "_";
        objects.replaceKey(name, document->pdf.getObject(form, 0));

        auto contents = handle.getKey("/Contents");
        auto all = QPDFObjectHandle::newArray();
        all.appendItem(document->pdf.newStream("q " + name + " Do Q\n"));
        if (contents.isArray()) {
            for (auto &item : contents.getArrayAsVector()) all.appendItem(item);
        } else if (!contents.isNull()) {
            all.appendItem(contents);
        }
        handle.replaceKey("/Contents", all);
        return true;
    });
}

bool jqpdf_own_items(jqpdf_document *document, jqpdf_object *container, const char *key)
{
    return valueOr(false, document, [&] {
        ownItems(document->pdf, container->handle, std::string("/") + key);
        return true;
    });
}

bool jqpdf_hide_pictures(
    jqpdf_document *document, jqpdf_document *source, jqpdf_object *page, const int (*hidden)[2], int hidden_count,
    const int (*kept)[2], int kept_count)
{
    return valueOr(false, source, [&] {
        // An object that was copied before is not copied again.
        auto copyOf = [&](const int object[2]) {
            return document->pdf.copyForeignObject(source->pdf.getObjectByID(object[0], object[1]));
        };
        std::set<QPDFObjGen> stays;
        for (int i = 0; i < kept_count; ++i) stays.insert(copyOf(kept[i]).getObjGen());
        for (int i = 0; i < hidden_count; ++i) {
            auto picture = copyOf(hidden[i]);
            if (!picture.isStream()) return false;
            ActiveParts::empty(picture);
        }
        auto resources = page->handle.getKey("/Resources");
        auto objects = resources.isDictionary() ? resources.getKey("/XObject") : resources;
        if (!objects.isDictionary()) return true;
        for (auto const &key : objects.getKeys()) {
            auto object = objects.getKey(key);
            if (!object.isStream() || stays.count(object.getObjGen())) continue;
            auto kind = object.getDict().getKey("/Subtype");
            if (kind.isName() && kind.getName() == "/Image") ActiveParts::empty(object);
        }
        return true;
    });
}
