// Annotations that are brought to other pages (ISO 32000-1, 12.5).

#include "Annotations.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <qpdf/QPDFMatrix.hh>

namespace {

/// Clockwise quarter turns of a matrix that turns by such and scales.
int quarterTurns(QPDFMatrix const &matrix)
{
    if (std::abs(matrix.a) >= std::abs(matrix.b)) return matrix.a >= 0 ? 0 : 2;
    return matrix.b < 0 ? 1 : 3;
}

bool isNumbers(QPDFObjectHandle array)
{
    if (!array.isArray()) return false;
    for (auto &item : array.getArrayAsVector()) {
        if (!item.isNumber()) return false;
    }
    return true;
}

QPDFObjectHandle real(double value)
{
    return QPDFObjectHandle::newReal(value, 5);
}

/// An array of coordinates, across and up by turns, elsewhere.
QPDFObjectHandle movedPoints(QPDFObjectHandle points, QPDFMatrix const &matrix)
{
    auto moved = QPDFObjectHandle::newArray();
    int count = points.getArrayNItems();
    for (int i = 0; i + 1 < count; i += 2) {
        double x = 0, y = 0;
        matrix.transform(points.getArrayItem(i).getNumericValue(), points.getArrayItem(i + 1).getNumericValue(), x, y);
        moved.appendItem(real(x));
        moved.appendItem(real(y));
    }
    return moved;
}

/// Distances from a box's edges: left, top, right, bottom.
QPDFObjectHandle movedInsets(QPDFObjectHandle insets, QPDFMatrix const &matrix)
{
    double scale = std::sqrt(std::abs(matrix.a * matrix.d - matrix.b * matrix.c));
    int turns = quarterTurns(matrix);
    auto moved = QPDFObjectHandle::newArray();
    // A clockwise turn brings the bottom edge to the left.
    for (int i = 0; i < 4; ++i) {
        moved.appendItem(real(scale * insets.getArrayItem((i + 4 - turns) % 4).getNumericValue()));
    }
    return moved;
}

/// Turns what paints an annotation. Its size needs no change: viewers fit it to the annotation's rectangle.
void turnAppearances(QPDFObjectHandle annotation, QPDFMatrix const &turn)
{
    auto turned = [&](QPDFObjectHandle stream) {
        auto own = stream.copyStream();
        auto dictionary = own.getDict();
        auto matrix = turn;
        auto old = dictionary.getKey("/Matrix");
        if (old.isMatrix()) matrix.concat(QPDFMatrix(old.getArrayAsMatrix()));
        dictionary.replaceKey("/Matrix", QPDFObjectHandle::newFromMatrix(matrix));
        return own;
    };
    auto appearances = annotation.getKey("/AP");
    if (!appearances.isDictionary()) return;
    auto own = appearances.shallowCopy();
    for (auto &[key, value] : appearances.getDictAsMap()) {
        if (value.isStream()) {
            own.replaceKey(key, turned(value));
        } else if (value.isDictionary()) {
            auto states = value.shallowCopy();
            for (auto &[state, stream] : value.getDictAsMap()) {
                if (stream.isStream()) states.replaceKey(state, turned(stream));
            }
            own.replaceKey(key, states);
        }
    }
    annotation.replaceKey("/AP", own);
}

/// Brings an annotation's places to where a matrix brings its page.
void move(QPDFObjectHandle annotation, QPDFMatrix const &matrix)
{
    auto rectangle = annotation.getKey("/Rect");
    if (rectangle.isRectangle()) {
        annotation.replaceKey(
            "/Rect", QPDFObjectHandle::newFromRectangle(matrix.transformRectangle(rectangle.getArrayAsRectangle())));
    }
    for (auto const &key : {"/QuadPoints", "/Vertices", "/L", "/CL"}) {
        auto points = annotation.getKey(key);
        if (isNumbers(points)) annotation.replaceKey(key, movedPoints(points, matrix));
    }
    if (auto lines = annotation.getKey("/InkList"); lines.isArray()) {
        auto moved = QPDFObjectHandle::newArray();
        for (auto &line : lines.getArrayAsVector()) moved.appendItem(isNumbers(line) ? movedPoints(line, matrix) : line);
        annotation.replaceKey("/InkList", moved);
    }
    if (auto insets = annotation.getKey("/RD"); isNumbers(insets) && insets.getArrayNItems() == 4) {
        annotation.replaceKey("/RD", movedInsets(insets, matrix));
    }
    int turns = quarterTurns(matrix);
    if (turns == 0) return;
    static QPDFMatrix const turn[] = {{1, 0, 0, 1, 0, 0}, {0, -1, 1, 0, 0, 0}, {-1, 0, 0, -1, 0, 0}, {0, 1, -1, 0, 0, 0}};
    turnAppearances(annotation, turn[turns]);
    // Of a field, viewers may paint it anew.
    if (annotation.getKey("/Subtype").isNameAndEquals("/Widget")) {
        auto looks = annotation.getKey("/MK").isDictionary() ? annotation.getKey("/MK").shallowCopy()
                                                             : QPDFObjectHandle::newDictionary();
        auto old = looks.getKey("/R");
        long long degrees = (old.isInteger() ? old.getIntValue() : 0) - 90 * turns;
        looks.replaceKey("/R", QPDFObjectHandle::newInteger(((degrees % 360) + 360) % 360));
        annotation.replaceKey("/MK", looks);
    }
}

} // namespace

std::set<QPDFObjGen> annotationsOnlyOn(QPDF &pdf, std::set<QPDFObjGen> const &pages)
{
    std::set<QPDFObjGen> gone;
    std::set<QPDFObjGen> kept;
    for (auto page : pdf.getAllPages()) {
        auto annotations = page.getKey("/Annots");
        if (!annotations.isArray()) continue;
        auto &found = pages.count(page.getObjGen()) ? gone : kept;
        for (auto &annotation : annotations.getArrayAsVector()) {
            if (annotation.isIndirect() && annotation.isDictionary()) found.insert(annotation.getObjGen());
        }
    }
    for (auto const &annotation : kept) gone.erase(annotation);
    return gone;
}

void dropAnnotations(QPDF &pdf, std::set<QPDFObjGen> const &annotations)
{
    auto without = [](QPDFObjectHandle items, auto const &isGone) {
        auto left = QPDFObjectHandle::newArray();
        for (auto &item : items.getArrayAsVector()) {
            if (!isGone(item)) left.appendItem(item);
        }
        return left;
    };
    auto form = pdf.getRoot().getKey("/AcroForm");
    std::set<QPDFObjGen> fields;
    if (form.isDictionary() && form.getKey("/Fields").isArray()) {
        for (auto &field : form.getKey("/Fields").getArrayAsVector()) fields.insert(field.getObjGen());
    }
    if (form.isDictionary() && form.getKey("/CO").isArray()) {
        form.replaceKey("/CO", without(form.getKey("/CO"), [&](QPDFObjectHandle field) {
            constexpr int deepest = 100;
            for (int depth = 0; field.isDictionary() && depth < deepest; ++depth) {
                if (fields.count(field.getObjGen())) return false;
                field = field.getKey("/Parent");
            }
            return true;
        }));
    }
    for (auto const &each : annotations) {
        auto annotation = pdf.getObject(each);
        // A field that is its only part goes with the form's own list, if it does.
        if (fields.count(each)) continue;
        auto parent = annotation.getKey("/Parent");
        if (parent.isDictionary() && parent.getKey("/Kids").isArray()) {
            parent.replaceKey("/Kids", without(parent.getKey("/Kids"), [&](QPDFObjectHandle const &kid) {
                return kid.getObjGen() == each;
            }));
        }
        pdf.replaceObject(each, QPDFObjectHandle::newNull());
    }
}

int jqpdf_move_annotation(
    jqpdf_document *document, jqpdf_object *annotation, jqpdf_object *page, const double *matrix, bool copies)
{
    return valueOr(0, document, [&] {
        auto handle = annotation->handle;
        if (!handle.isDictionary()) return handle.getObjectID();
        if (copies) handle = document->pdf.makeIndirectObject(handle.shallowCopy());
        move(handle, QPDFMatrix(matrix[0], matrix[1], matrix[2], matrix[3], matrix[4], matrix[5]));
        handle.replaceKey("/P", page->handle);
        return handle.getObjectID();
    });
}
