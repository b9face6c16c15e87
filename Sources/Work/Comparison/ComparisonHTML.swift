package import Files
internal import FoundationEssentials
internal import Metadata
package import PageModel

/// A page for a web browser with the differing pages of books side by side: one file that contains its images.
///
/// It is written page by page, so that it needs no memory.
package final class ComparisonHTML {
    private let file: OutputFile
    /// Returns the text of a message in the language of the page.
    private let text: (Message) -> String
    /// The bytes of images that may still be added.
    private var bytesLeft = maximumBytes
    private var pageCount = 0
    private var imageless = 0

    /// The maximum number of bytes of all images. A browser shows this much without delay.
    private static let maximumBytes = 64 << 20

    /// Begins a page.
    ///
    /// - Parameter text: returns the text of a message in the language of the page.
    /// - Throws: `.exists`, `.unwritable`.
    package init(
        at destination: Destination, title: String, _ text: @escaping (Message) -> String
    ) throws(AdapterError) {
        file = try OutputFile(at: destination)
        self.text = text
        try write(
            """
            <!DOCTYPE html>
            <html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(ComparisonHTML.escaped(title))</title><style>\(ComparisonHTML.style)</style></head><body>
            <h1>\(ComparisonHTML.escaped(title))</h1>

            """)
    }

    /// Adds a differing page.
    ///
    /// - Parameters:
    ///   - line: the line about the page.
    ///   - captions: the names of both pages.
    /// - Throws: `.unwritable`.
    package func add(_ line: Message, captions: [String], _ images: PageImages) throws(AdapterError) {
        pageCount += 1
        try write("<h2>\(ComparisonHTML.escaped(text(line)))</h2>\n")
        guard images.byteCount <= bytesLeft else {
            imageless += 1
            return
        }
        bytesLeft -= images.byteCount
        let columns = [
            (images.one, "jpeg", captions.first ?? ""), (images.other, "jpeg", captions.last ?? ""),
            (images.map, "png", text("differences")),
        ]
        try write("<div>")
        for (bytes, kind, caption) in columns {
            guard let bytes else { continue }
            try write("<figure><img loading=lazy alt=\"\" src=\"data:image/\(kind);base64,")
            try write(Data(bytes).base64EncodedString())
            try write("\"><figcaption>\(ComparisonHTML.escaped(caption))</figcaption></figure>")
        }
        try write("</div>\n")
    }

    /// Adds the lines of the output, and writes the page to its path.
    ///
    /// - Throws: `.unwritable`.
    package func finish(_ lines: [Message]) throws(AdapterError) {
        if pageCount == 0 { try write("<p>\(ComparisonHTML.escaped(text("No page differs.")))</p>\n") }
        if imageless > 0 {
            let note: Message =
                "\(imageless) pages have no images here, because all images together are limited to 64 MB."
            try write("<p>\(ComparisonHTML.escaped(text(note)))</p>\n")
        }
        try write(
            "<pre>\(lines.map { ComparisonHTML.escaped(text($0)) }.joined(separator: "\n"))</pre></body></html>\n")
        try file.publish()
    }

    private func write(_ html: String) throws(AdapterError) { try file.write(Array(html.utf8)) }

    private static func escaped(_ text: String) -> String { XMLText.escaped(FileName.shown(text)) }

    private static let style = """
        body{font:14px system-ui,sans-serif;margin:1em}h2{font-size:1em;margin:1.5em 0 .5em;overflow-wrap:anywhere}
        div{display:flex;gap:1em}figure{margin:0;flex:1;min-width:0}img{max-width:100%;border:1px solid #888}
        figcaption{overflow-wrap:anywhere}pre{white-space:pre-wrap;border-top:1px solid #ddd;padding-top:1em}
        """
}
