internal import CWebReader
internal import Files

/// The web reader itself: a document, a style and one script, the same in every folder except for the title.
enum ReaderFiles {
    /// The parts of the script, in the order in which they are joined.
    private static let parts = [
        base_js(), language_js(), pairing_js(), store_js(), views_js(),
        stage_js(), strip_js(), gestures_js(), loupe_js(),
        marks_js(), dialogs_js(), sheets_js(), keys_js(), start_js(),
    ].map(\.bytes)

    /// The script of shelves.
    static let library = "library.js"

    private static let textParts = [text_js(), search_js()].map(\.bytes)
    private static let offline = "offline.js"
    private static let printing = "print.js"
    private static let files = "files.js"
    /// The script of texts and links, which the web reader runs for a book that has any.
    static let text = "text.js"

    /// The texts in other languages than English, by the names of their files. The script `language.js` lists them too.
    private static let languages = ["ja.js": ja_js().bytes]

    /// The names of all files.
    static let names = Set(languages.keys).union([
        document, "reader.js", "reader.css", "sw.js", "manifest.webmanifest", "icon.svg", library, text,
        offline, printing, files,
    ])

    static var script: [UInt8] { joined(parts) }

    private static func joined(_ parts: [[UInt8]]) -> [UInt8] { Array(parts.joined(separator: Array("\n".utf8))) }

    /// The name of the document.
    static let document = "index.html"

    /// Returns the files of the web reader other than its document, by name.
    ///
    /// - Parameter hasText: whether a book has text or links. On a shelf one may.
    static func beside(isShelf: Bool, hasText: Bool) -> [(name: String, bytes: [UInt8])] {
        (isShelf ? [(library, library_js().bytes)] : []) + (hasText ? [(text, joined(textParts))] : []) + [
            ("reader.js", script), ("reader.css", reader_css().bytes), ("sw.js", sw_js().bytes),
            (offline, offline_js().bytes), (printing, print_js().bytes),
            (files, files_js().bytes),
            ("manifest.webmanifest", manifest_webmanifest().bytes), ("icon.svg", icon_svg().bytes),
        ] + languages.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The document, in the parts between which texts belong.
    static var documentParts: [Substring] {
        String(decoding: index_html().bytes, as: UTF8.self).split(
            separator: "<!--#-->", omittingEmptySubsequences: false)
    }
}
