// Where links, lines of the outline and names lead, once pages are elsewhere or gone (ISO 32000-1, 12.3.2).

#include "Shared.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <qpdf/QPDFMatrix.hh>

namespace {

using Appearances = std::map<QPDFObjGen, std::vector<jqpdf_appearance const *>>;

/// A destination: an array of a page, the way it is to be shown, and numbers of which any may be null.
class Destination
{
  public:
    /// Which numbers are across, from left to right or the other way, and which up.
    enum class Kind { point, top, left, rectangle, whole };

    static std::optional<Destination> of(QPDFObjectHandle array)
    {
        if (array.getArrayNItems() < 2 || !array.getArrayItem(1).isName()) return std::nullopt;
        auto name = array.getArrayItem(1).getName();
        if (name == "/XYZ") return Destination(array, Kind::point);
        if (name == "/FitH" || name == "/FitBH") return Destination(array, Kind::top);
        if (name == "/FitV" || name == "/FitBV") return Destination(array, Kind::left);
        if (name == "/FitR") return Destination(array, Kind::rectangle);
        if (name == "/Fit" || name == "/FitB") return Destination(array, Kind::whole);
        return std::nullopt;
    }

    /// Leads it to the page that shows its place.
    void redirect(std::vector<jqpdf_appearance const *> const &appearances)
    {
        auto best = *std::min_element(
            appearances.begin(), appearances.end(),
            [&](auto one, auto other) { return distance(one->box) < distance(other->box); });
        array.setArrayItem(0, best->page->handle);
        move(*best);
    }

  private:
    Destination(QPDFObjectHandle array, Kind kind) : array(array), kind(kind) {}

    std::optional<double> number(int index)
    {
        if (index >= array.getArrayNItems()) return std::nullopt;
        auto item = array.getArrayItem(index);
        if (!item.isNumber()) return std::nullopt;
        return item.getNumericValue();
    }

    std::optional<double> across()
    {
        if (kind != Kind::rectangle) return kind == Kind::point || kind == Kind::left ? number(2) : std::nullopt;
        auto left = number(2), right = number(4);
        return left && right ? std::optional((*left + *right) / 2) : std::nullopt;
    }

    std::optional<double> up()
    {
        if (kind != Kind::rectangle) return kind == Kind::point ? number(3) : kind == Kind::top ? number(2) : std::nullopt;
        auto bottom = number(3), top = number(5);
        return bottom && top ? std::optional((*bottom + *top) / 2) : std::nullopt;
    }

    /// How far the place lies outside of a box.
    double distance(double const *box)
    {
        auto outside = [](std::optional<double> value, double low, double high) {
            return value ? std::max({low - *value, *value - high, 0.0}) : 0.0;
        };
        return outside(across(), box[0], box[2]) + outside(up(), box[1], box[3]);
    }

    void set(int index, double value) { array.setArrayItem(index, QPDFObjectHandle::newReal(value, 5)); }

    /// Brings the place to where the page shows it. What is not said of it is where what is shown begins.
    void move(jqpdf_appearance const &shown)
    {
        auto const *m = shown.matrix;
        if (m[0] == 1 && m[1] == 0 && m[2] == 0 && m[3] == 1 && m[4] == 0 && m[5] == 0) return;
        QPDFMatrix matrix(m[0], m[1], m[2], m[3], m[4], m[5]);
        bool isTurned = m[0] == 0;
        auto place = [&](double x, double y) {
            std::pair<double, double> point;
            matrix.transform(x, y, point.first, point.second);
            return point;
        };
        auto point = place(across().value_or(shown.box[0]), up().value_or(shown.box[3]));
        switch (kind) {
        case Kind::whole: break;
        case Kind::point:
            if (!across() && !up()) break;
            set(2, point.first);
            set(3, point.second);
            break;
        case Kind::top:
        case Kind::left:
            if (!across() && !up()) break;
            if (isTurned) {
                array.setArrayItem(1, QPDFObjectHandle::newName(kind == Kind::top ? "/FitV" : "/FitH"));
            }
            set(2, (kind == Kind::top) == isTurned ? point.first : point.second);
            break;
        case Kind::rectangle:
            if (!across() || !up()) break;
            auto one = place(*number(2), *number(3)), other = place(*number(4), *number(5));
            set(2, std::min(one.first, other.first));
            set(3, std::min(one.second, other.second));
            set(4, std::max(one.first, other.first));
            set(5, std::max(one.second, other.second));
            break;
        }
    }

    QPDFObjectHandle array;
    Kind kind;
};

/// Leads every reference within an object elsewhere. Objects that are referred to are not entered.
void redirect(QPDFObjectHandle object, Appearances const &appearances)
{
    std::vector<QPDFObjectHandle> pending{object};
    auto shown = [&](QPDFObjectHandle const &value) -> std::vector<jqpdf_appearance const *> const * {
        if (!value.isIndirect()) return nullptr;
        auto found = appearances.find(value.getObjGen());
        return found == appearances.end() ? nullptr : &found->second;
    };
    while (!pending.empty()) {
        auto next = pending.back();
        pending.pop_back();
        if (next.isStream()) next = next.getDict();
        if (next.isArray()) {
            int count = next.getArrayNItems();
            for (int i = 0; i < count; ++i) {
                auto item = next.getArrayItem(i);
                auto found = shown(item);
                if (!found) {
                    if (!item.isIndirect()) pending.push_back(item);
                } else if (auto destination = i == 0 ? Destination::of(next) : std::nullopt) {
                    destination->redirect(*found);
                } else {
                    next.setArrayItem(i, found->front()->page->handle);
                }
            }
        } else if (next.isDictionary()) {
            for (auto &[key, value] : next.getDictAsMap()) {
                if (auto found = shown(value)) next.replaceKey(key, found->front()->page->handle);
                else if (!value.isIndirect()) pending.push_back(value);
            }
        }
    }
}

/// Whether the page of a destination is not there.
bool leadsNowhere(QPDFObjectHandle value)
{
    if (value.isDictionary()) value = value.getKey("/D");
    return value.isArray() && value.getArrayNItems() > 0 && value.getArrayItem(0).isNull();
}

/// Takes what leads nowhere out of a node of the tree of names (7.9.6).
///
/// Returns whether anything is left.
bool prune(QPDFObjectHandle node, std::set<QPDFObjGen> &seen, int depth)
{
    if (!node.isDictionary() || depth > 100) return true;
    if (node.isIndirect() && !seen.insert(node.getObjGen()).second) return true;
    auto names = node.getKey("/Names");
    auto kids = node.getKey("/Kids");
    QPDFObjectHandle first, last;
    if (names.isArray()) {
        auto kept = QPDFObjectHandle::newArray();
        for (int i = 0; i + 1 < names.getArrayNItems(); i += 2) {
            if (leadsNowhere(names.getArrayItem(i + 1))) continue;
            kept.appendItem(names.getArrayItem(i));
            kept.appendItem(names.getArrayItem(i + 1));
        }
        int count = kept.getArrayNItems();
        if (count == names.getArrayNItems()) return true;
        node.replaceKey("/Names", kept);
        if (count == 0) return false;
        first = kept.getArrayItem(0);
        last = kept.getArrayItem(count - 2);
    } else if (kids.isArray()) {
        auto kept = QPDFObjectHandle::newArray();
        for (int i = 0; i < kids.getArrayNItems(); ++i) {
            if (prune(kids.getArrayItem(i), seen, depth + 1)) kept.appendItem(kids.getArrayItem(i));
        }
        int count = kept.getArrayNItems();
        node.replaceKey("/Kids", kept);
        if (count == 0) return false;
        auto begin = kept.getArrayItem(0).getKey("/Limits"), end = kept.getArrayItem(count - 1).getKey("/Limits");
        if (!begin.isArray() || !end.isArray() || begin.getArrayNItems() < 2 || end.getArrayNItems() < 2) return true;
        first = begin.getArrayItem(0);
        last = end.getArrayItem(1);
    } else {
        return true;
    }
    if (node.hasKey("/Limits")) node.replaceKey("/Limits", QPDFObjectHandle::newArray({first, last}));
    return true;
}

} // namespace

bool jqpdf_redirect(jqpdf_document *document, jqpdf_appearance const *appearances, int count)
{
    return valueOr(false, document, [&] {
        Appearances targets;
        for (int i = 0; i < count; ++i) targets[appearances[i].source->handle.getObjGen()].push_back(&appearances[i]);
        for (auto &object : document->pdf.getAllObjects()) redirect(object, targets);
        return true;
    });
}

bool jqpdf_prune_names(jqpdf_document *document)
{
    return valueOr(false, document, [&] {
        auto root = document->pdf.getRoot();
        // Before PDF 1.2, names were keys of a dictionary.
        if (auto old = root.getKey("/Dests"); old.isDictionary()) {
            for (auto &[key, value] : old.getDictAsMap()) {
                if (leadsNowhere(value)) old.removeKey(key);
            }
        }
        auto names = root.getKey("/Names");
        std::set<QPDFObjGen> seen;
        if (names.isDictionary() && !prune(names.getKey("/Dests"), seen, 0)) names.removeKey("/Dests");
        return true;
    });
}
