internal import Metadata

/// The web reader itself: a document, a style and one script, the same in every folder except for the title.
enum ReaderFiles {
    /// The parts of the script, in the order in which they are joined.
    private static let parts = [
        PackageResources.base_js, PackageResources.pairing_js, PackageResources.store_js, PackageResources.views_js,
        PackageResources.stage_js, PackageResources.strip_js, PackageResources.gestures_js, PackageResources.loupe_js,
        PackageResources.marks_js, PackageResources.dialogs_js, PackageResources.keys_js, PackageResources.start_js,
    ]

    /// The script of shelves.
    static let library = "library.js"

    private static let textParts = [PackageResources.text_js, PackageResources.search_js]
    private static let offline = "offline.js"
    private static let printing = "print.js"
    private static let files = "files.js"
    /// The script of texts and links, which the web reader runs for a book that has any.
    static let text = "text.js"

    /// The names of all files.
    static let names: Set<String> = [
        document, "reader.js", "reader.css", "sw.js", "manifest.webmanifest", "icon.svg", library, text,
        offline, printing, files,
    ]

    static var script: [UInt8] { joined(parts) }

    private static func joined(_ parts: [[UInt8]]) -> [UInt8] { Array(parts.joined(separator: Array("\n".utf8))) }

    /// The name of the document.
    static let document = "index.html"

    /// Returns the files of the web reader other than its document, by name.
    ///
    /// - Parameter hasText: whether a book has text or links. On a shelf one may.
    static func beside(isShelf: Bool, hasText: Bool) -> [(name: String, bytes: [UInt8])] {
        (isShelf ? [(library, PackageResources.library_js)] : []) + (hasText ? [(text, joined(textParts))] : []) + [
            ("reader.js", script), ("reader.css", PackageResources.reader_css), ("sw.js", PackageResources.sw_js),
            (offline, PackageResources.offline_js), (printing, PackageResources.print_js),
            (files, PackageResources.files_js),
            ("manifest.webmanifest", PackageResources.manifest_webmanifest), ("icon.svg", PackageResources.icon_svg),
        ]
    }

    /// Returns the document of a single book.
    ///
    /// - Parameter pages: the pages to link for a browser without scripts.
    static func bookDocument(title: String, pages: [WebPage]) -> [UInt8] {
        let links = pages.enumerated().map { place, page in
            "<li><a href=\"\(WebLayout.page(page.file))\">\(XMLText.escaped(page.label ?? "\(place + 1)"))</a></li>"
        }
        return document(
            title: title, scripts: [WebLayout.bookScript],
            otherwise: "These are the pages:</p>\n<ol>\n\(links.joined(separator: "\n"))\n</ol>")
    }

    /// Returns a shelf's document.
    ///
    /// - Parameters:
    ///   - list: the name of the script that lists its books.
    ///   - catalogs: the catalogs, with their media types. Reading apps find them at the document's address.
    static func shelfDocument(title: String, list: String, catalogs: [(address: String, type: String)]) -> [UInt8] {
        let folder = "<a href=\"\(WebLayout.books)/\">\(WebLayout.books)</a>"
        return document(
            title: title, scripts: [library, list], catalogs: catalogs,
            otherwise: "The pages of the books are in the folder \(folder).</p>")
    }

    /// Returns the document, with these texts in place of its template's placeholders.
    private static func document(
        title: String, scripts: [String], catalogs: [(address: String, type: String)] = [], otherwise: String
    ) -> [UInt8] {
        let feeds = catalogs.map { "<link rel=\"alternate\" href=\"\($0.address)\" type=\"\($0.type)\">" }
        let tags = (scripts.map { "<script defer src=\"\($0)\"></script>" } + feeds).joined(separator: "\n")
        let parts = String(decoding: PackageResources.index_html, as: UTF8.self).split(
            separator: "<!--#-->", omittingEmptySubsequences: false)
        let values = [XMLText.escaped(title), tags, otherwise]
        var text = ""
        for (index, part) in parts.enumerated() { text += part + (index < values.count ? values[index] : "") }
        return Array(text.utf8)
    }
}
