// Pages that are copied, repeated, put beside each other and taken out.

#include "Shared.h"

#include <map>
#include <memory>

#include <qpdf/QPDFAcroFormDocumentHelper.hh>
#include <qpdf/QPDFFormFieldObjectHelper.hh>
#include <qpdf/QPDFMatrix.hh>
#include <qpdf/QPDFPageObjectHelper.hh>

namespace {

bool hasForm(QPDF &pdf)
{
    return pdf.getRoot().getKey("/AcroForm").isDictionary();
}

/// Leads every reference within an object elsewhere, as `targets` has it. Objects that are referred to are not entered.
void redirect(QPDFObjectHandle object, std::map<QPDFObjGen, QPDFObjectHandle> const &targets)
{
    std::vector<QPDFObjectHandle> pending{object};
    auto target = [&](QPDFObjectHandle const &value) -> QPDFObjectHandle const * {
        if (!value.isIndirect()) return nullptr;
        auto found = targets.find(value.getObjGen());
        return found == targets.end() ? nullptr : &found->second;
    };
    while (!pending.empty()) {
        auto next = pending.back();
        pending.pop_back();
        if (next.isStream()) next = next.getDict();
        if (next.isArray()) {
            int count = next.getArrayNItems();
            for (int i = 0; i < count; ++i) {
                auto item = next.getArrayItem(i);
                if (auto found = target(item)) next.setArrayItem(i, *found);
                else if (!item.isIndirect()) pending.push_back(item);
            }
        } else if (next.isDictionary()) {
            for (auto &[key, value] : next.getDictAsMap()) {
                if (auto found = target(value)) next.replaceKey(key, *found);
                else if (!value.isIndirect()) pending.push_back(value);
            }
        }
    }
}

} // namespace

bool jqpdf_set_key_object(jqpdf_object *container, const char *key, jqpdf_object *value)
{
    return valueOr(false, [&] {
        container->handle.replaceKey(std::string("/") + key, value->handle);
        return true;
    });
}

int jqpdf_copy_page(jqpdf_document *document, jqpdf_document *source, jqpdf_object *page)
{
    return valueOr(0, [&] {
        auto copy = document->pdf.copyForeignObject(page->handle);
        if (hasForm(source->pdf)) {
            QPDFAcroFormDocumentHelper form(document->pdf);
            QPDFAcroFormDocumentHelper otherForm(source->pdf);
            form.fixCopiedAnnotations(copy, page->handle, otherForm);
        }
        return copy.getObjectID();
    });
}

int jqpdf_repeat_page(jqpdf_document *document, jqpdf_object *page)
{
    return valueOr(0, [&] { return document->pdf.makeIndirectObject(page->handle.shallowCopy()).getObjectID(); });
}

bool jqpdf_remove_pages(jqpdf_document *document, jqpdf_object *const *pages, int count)
{
    return valueOr(false, [&] {
        auto &pdf = document->pdf;
        std::set<QPDFObjGen> removed;
        for (int i = 0; i < count; ++i) removed.insert(pages[i]->handle.getObjGen());
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
        }
        for (auto const &page : removed) pdf.replaceObject(page, QPDFObjectHandle::newNull());
        return true;
    });
}

int jqpdf_form_of_page(jqpdf_document *document, jqpdf_object *page)
{
    return valueOr(0, [&] {
        auto form = QPDFPageObjectHelper(page->handle).getFormXObjectForPage(false);
        if (!form.isIndirect()) form = document->pdf.makeIndirectObject(form);
        return form.getObjectID();
    });
}

bool jqpdf_move_annotations(jqpdf_document *document, jqpdf_object *target, jqpdf_object *page, const double *matrix)
{
    return valueOr(false, [&] {
        auto old = page->handle.getKey("/Annots");
        if (!old.isArray()) return true;
        QPDFAcroFormDocumentHelper form(document->pdf);
        QPDFMatrix moved(matrix[0], matrix[1], matrix[2], matrix[3], matrix[4], matrix[5]);
        QPDFPageObjectHelper(target->handle).copyAnnotations(page->handle, moved, &form, &form);
        return true;
    });
}

bool jqpdf_redirect(jqpdf_document *document, jqpdf_object *const *from, jqpdf_object *const *to, int count)
{
    return valueOr(false, [&] {
        std::map<QPDFObjGen, QPDFObjectHandle> targets;
        for (int i = 0; i < count; ++i) targets.insert_or_assign(from[i]->handle.getObjGen(), to[i]->handle);
        for (auto &object : document->pdf.getAllObjects()) redirect(object, targets);
        return true;
    });
}
