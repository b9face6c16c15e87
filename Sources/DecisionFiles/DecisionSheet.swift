internal import Files
internal import FoundationEssentials
internal import Imaging
internal import Metadata
internal import OrderedJSON
package import PageModel

/// The HTML file in which a person checks the decisions for a book, changes them, and saves the decision file.
///
/// It needs no other file and loads nothing. It contains the decision file, and a script for changing and saving it.
/// Names and titles are untrusted: all of them are escaped. A policy also keeps browsers from running any script except the
/// sheet's own, if any text were parsed as markup.
package struct DecisionSheet {
    private let title: Message
    private let heading: String
    private let script: [UInt8]
    private let style: [UInt8]
    private let language: MessageLanguage

    /// - Parameters:
    ///   - title: the title of the window; the heading is that of the book.
    ///   - style: the rules of this kind of sheet, after those of `decisions.css`.
    ///   - script: the changes of decisions. `decisions.js` before it reads the decision file, and saves it.
    package init(_ title: Message, heading: String, style: [UInt8], script: [UInt8], in language: MessageLanguage) {
        (self.title, self.heading) = (title, heading)
        self.style = PackageResources.decisions_css + style
        self.script = PackageResources.decisions_js + script
        self.language = language
    }

    /// The content that a browser may load and run (CSP 3, §2.3.1).
    ///
    /// It consists of images within the sheet, its style, and its script, which is identified by its digest.
    private var policy: String {
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
            + "script-src 'sha256-\(Data(SHA256.digest(of: script)).base64EncodedString())'"
    }

    /// Returns the text of a message in the sheet's language, for HTML.
    package func escaped(_ message: Message) -> String { XMLText.escaped(language.text(message)) }

    /// Returns the number of a page in the book and its name, for HTML.
    package func name(_ number: Int, _ name: String) -> String {
        "<b>\(number)</b> \(XMLText.escaped(FileName.shown(name)))"
    }

    /// Returns the address of an image within the sheet.
    package static func address(ofJPEG bytes: [UInt8]) -> String {
        "data:image/jpeg;base64,\(Data(bytes).base64EncodedString())"
    }

    /// Returns the whole file.
    ///
    /// - Parameters:
    ///   - legend: HTML below the heading.
    ///   - parts: HTML of the pages of each part of the sheet, with its title.
    ///   - decisions: the decision file.
    ///   - path: its path, if it exists. The changed one is saved under its name, or else as `name`.
    ///   - texts: the texts of the script, by the names that it uses.
    package func html(
        legend: String, _ parts: [(title: Message, figures: [String])], decisions: String, path: String?,
        orName name: String, texts: [(key: String, text: Message)]
    ) -> String {
        let sections = parts.map { title, figures in
            "<h2>\(escaped(title)) (\(figures.count))</h2>\n<div class=\"pages\">\n\(figures.joined(separator: "\n"))\n</div>"
        }
        let file = path.map { FileName.shown(FileName.last(of: $0)) } ?? name
        let words = JSON.object(texts.map { ($0.key, .string(language.text($0.text))) })
        return """
            <!DOCTYPE html>
            <html lang="\(language.tag)"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(escaped(title))</title>
            <style>
            \(String(decoding: style, as: UTF8.self))</style></head>
            <body data-file="\(XMLText.escaped(file))" data-decisions="\(XMLText.escaped(decisions))" \
            data-texts="\(XMLText.escaped(words.compactText))">
            <header><h1>\(XMLText.escaped(heading))</h1>
            \(legend)
            </header>
            \(sections.joined(separator: "\n"))
            <script>\(String(decoding: script, as: UTF8.self))</script></body></html>

            """
    }
}
