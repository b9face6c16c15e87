// The removal of invisible text from pages.

#include "Decoding.h"
#include "Shared.h"

#include <cstdlib>
#include <map>
#include <utility>

#include <qpdf/Pl_QPDFTokenizer.hh>
#include <qpdf/QPDFPageObjectHelper.hh>

namespace {

/// The text rendering mode that paints nothing (ISO 32000-1, 9.3.6).
constexpr int invisible = 3;
constexpr int maximumNesting = 16;

/// The forms that a content paints, by name, with the text rendering mode that they begin with.
using Painted = std::map<std::string, int>;

/// Copies content without the text that it shows in mode 3.
///
/// Text moves the place of text that follows on its line. If such text is visible, the text before it cannot be removed.
class VisibleContent : public QPDFObjectHandle::TokenFilter {
public:
    explicit VisibleContent(int mode) : mode(mode) {}

    void handleToken(QPDFTokenizer::Token const &token) override
    {
        auto type = token.getType();
        if (type != QPDFTokenizer::tt_word) {
            operands += token.getRawValue();
            if (type == QPDFTokenizer::tt_integer || type == QPDFTokenizer::tt_real) numbers.push_back(token.getValue());
            if (type == QPDFTokenizer::tt_name) name = token.getValue();
            return;
        }
        perform(token.getValue(), token);
        operands.clear();
        numbers.clear();
    }

    void handleEOF() override { write(operands); }

    bool removesText = false;
    Painted forms;

private:
    void perform(std::string const &word, QPDFTokenizer::Token const &token)
    {
        if (word == "q") {
            saved.push_back(mode);
        } else if (word == "Q") {
            if (!saved.empty()) {
                mode = saved.back();
                saved.pop_back();
            }
        } else if (word == "Tr") {
            mode = numbers.empty() ? 0 : std::atoi(numbers.back().c_str());
        } else if (word == "BT" || word == "Td" || word == "TD" || word == "Tm" || word == "T*") {
            isMoved = false;
        } else if (word == "Do") {
            if (forms.emplace(name, mode).first->second != mode) {
                throw std::runtime_error("a form is painted with and without visible text");
            }
        } else if (word == "Tj" || word == "TJ" || word == "'" || word == "\"") {
            if (word == "'" || word == "\"") isMoved = false;
            if (mode == invisible) return remove(word);
            if (isMoved) throw std::runtime_error("visible text follows the invisible text on its line");
        }
        write(operands);
        writeToken(token);
    }

    void remove(std::string const &word)
    {
        removesText = true;
        isMoved = true;
        if (word == "\"" && numbers.size() >= 2) write(" " + numbers[0] + " Tw " + numbers[1] + " Tc");
        // The line ends with the operands.
        write(word == "'" || word == "\"" ? " T* " : " ");
    }

    int mode;
    std::vector<int> saved;
    std::string operands;
    std::vector<std::string> numbers;
    std::string name;
    /// Whether removed text would have moved the place of the next text.
    bool isMoved = false;
};

/// Removes invisible text from a page and from the forms that it paints.
class Removal {
public:
    Removal(QPDF &pdf, size_t limit) : pdf(pdf), bytesLeft(limit) {}

    void run(QPDFObjectHandle page)
    {
        auto resources = QPDFPageObjectHelper(page).getAttribute("/Resources", false);
        auto contents = page.getKey("/Contents");
        auto streams = contents.isArray() ? contents.getArrayAsVector() : std::vector<QPDFObjectHandle>{contents};
        std::string text;
        if (!reduce(streams, 0, resources, 0, text)) return;
        page.replaceKey("/Contents", pdf.newStream(text));
        page.replaceKey("/Resources", resources);
    }

private:
    /// Reduces content to its visible part.
    ///
    /// `resources` become a copy if forms are replaced, because other pages may share them. Returns whether anything changes.
    bool reduce(
        std::vector<QPDFObjectHandle> const &streams, int mode, QPDFObjectHandle &resources, int depth, std::string &text)
    {
        if (depth > maximumNesting) throw std::runtime_error("its forms are nested too deeply");
        Collector collector(std::min(bytesLeft, currentAccount->dataLimit()));
        for (auto stream : streams) {
            if (!stream.isStream()) continue;
            decode(stream, collector);
            collector.bytes.push_back('\n');
        }
        bytesLeft -= std::min(bytesLeft, collector.bytes.size());
        VisibleContent filter(mode);
        Collector output(2 * collector.bytes.size() + 1024);
        Pl_QPDFTokenizer tokenizer("content", &filter, &output);
        tokenizer.write(collector.bytes.data(), collector.bytes.size());
        tokenizer.finish();
        output.check();
        text.assign(output.bytes.begin(), output.bytes.end());
        bool replaces = replaceForms(filter.forms, resources, depth);
        return filter.removesText || replaces;
    }

    bool replaceForms(Painted const &painted, QPDFObjectHandle &resources, int depth)
    {
        auto objects = resources.isDictionary() ? resources.getKey("/XObject") : QPDFObjectHandle::newNull();
        if (!objects.isDictionary()) return false;
        std::map<std::string, QPDFObjectHandle> replaced;
        for (auto const &[name, mode] : painted) {
            auto form = objects.getKey(name);
            if (!form.isStream() || !form.getDict().getKey("/Subtype").isNameAndEquals("/Form")) continue;
            auto visible = reduced(form, mode, resources, depth);
            if (visible.getObjGen() != form.getObjGen()) replaced[name] = visible;
        }
        if (replaced.empty()) return false;
        objects = objects.shallowCopy();
        for (auto const &[name, form] : replaced) objects.replaceKey(name, form);
        resources = resources.shallowCopy();
        resources.replaceKey("/XObject", objects);
        return true;
    }

    /// The form, or a copy without its invisible text.
    QPDFObjectHandle reduced(QPDFObjectHandle form, int mode, QPDFObjectHandle const &inherited, int depth)
    {
        auto key = std::make_pair(form.getObjGen(), mode);
        auto known = forms.find(key);
        if (known != forms.end()) return known->second;
        // A form that paints itself does so without an end.
        forms[key] = form;
        auto own = form.getDict().getKey("/Resources");
        auto resources = own.isDictionary() ? own : inherited;
        std::string text;
        if (!reduce({form}, mode, resources, depth + 1, text)) return form;
        auto copy = form.copyStream();
        copy.replaceStreamData(text, QPDFObjectHandle::newNull(), QPDFObjectHandle::newNull());
        copy.getDict().replaceKey("/Resources", resources);
        forms[key] = copy;
        return copy;
    }

    QPDF &pdf;
    size_t bytesLeft;
    std::map<std::pair<QPDFObjGen, int>, QPDFObjectHandle> forms;
};

} // namespace

enum jqpdf_status jqpdf_remove_invisible_text(
    jqpdf_document *document, jqpdf_object *page, size_t limit, char *message, size_t message_size)
{
    // The new content is not the file's, and stays until the document is written.
    return guarded(noDocument, message, message_size, [&] {
        Charge charge(&document->account, false);
        Removal(document->pdf, limit).run(page->handle);
    });
}
