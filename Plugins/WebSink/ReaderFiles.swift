internal import Metadata

/// The reader itself: a document, a style and one script, the same in every folder but for the title.
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
    /// The script of texts and links, which the reader runs when it opens a book that has any.
    static let text = "text.js"

    /// The names of all files.
    static let names: Set<String> = [
        "index.html", "reader.js", "reader.css", "sw.js", "manifest.webmanifest", "icon.svg", library, text,
        offline,
    ]

    static var script: [UInt8] { joined(parts) }

    private static func joined(_ parts: [[UInt8]]) -> [UInt8] { Array(parts.joined(separator: Array("\n".utf8))) }

    /// All files of the reader by name.
    ///
    /// - Parameters:
    ///   - scripts: what the document loads besides the reader.
    ///   - title: of the book, or of the shelf.
    ///   - pages: what is linked for a browser that runs no script.
    ///   - hasText: whether a book has text or links. On a shelf one may.
    ///   - catalogs: what reading apps find that are given the document's address, with their media types.
    static func all(
        scripts: [String], title: String, pages: [WebPage], hasText: Bool = false,
        catalogs: [(address: String, type: String)] = []
    ) -> [(name: String, bytes: [UInt8])] {
        let isShelf = scripts.contains(library)
        let own = isShelf ? [(library, PackageResources.library_js)] : []
        let texts = isShelf || hasText ? [(text, joined(textParts))] : []
        return own + texts + [
            ("index.html", document(scripts: scripts, title: title, pages: pages, catalogs: catalogs)),
            ("reader.js", script),
            ("reader.css", PackageResources.reader_css), ("sw.js", PackageResources.sw_js),
            (offline, PackageResources.offline_js),
            ("manifest.webmanifest", PackageResources.manifest_webmanifest), ("icon.svg", PackageResources.icon_svg),
        ]
    }

    /// The document, with these in the places that its template leaves for them.
    private static func document(
        scripts: [String], title: String, pages: [WebPage], catalogs: [(address: String, type: String)]
    ) -> [UInt8] {
        let feeds = catalogs.map { "<link rel=\"alternate\" href=\"\($0.address)\" type=\"\($0.type)\">" }
        let tags = (scripts.map { "<script defer src=\"\($0)\"></script>" } + feeds).joined(separator: "\n")
        let links = pages.enumerated().map { place, page in
            "<li><a href=\"\(WebLayout.page(page.file))\">\(XMLText.escaped(page.label ?? "\(place + 1)"))</a></li>"
        }
        let list = links.isEmpty ? "" : "<ol>\n\(links.joined(separator: "\n"))\n</ol>"
        let parts = String(decoding: PackageResources.index_html, as: UTF8.self).split(
            separator: "<!--#-->", omittingEmptySubsequences: false)
        let values = [XMLText.escaped(title), tags, list]
        var text = ""
        for (index, part) in parts.enumerated() { text += part + (index < values.count ? values[index] : "") }
        return Array(text.utf8)
    }
}
