/// The web reader itself: a document, a style and one script, the same in every folder except for the title.
public enum ReaderFiles {
    /// The parts of the script, in the order in which they are joined.
    private static let parts = [
        PackageResources.base_js, PackageResources.pairing_js, PackageResources.store_js, PackageResources.views_js,
        PackageResources.stage_js, PackageResources.strip_js, PackageResources.gestures_js, PackageResources.loupe_js,
        PackageResources.marks_js, PackageResources.dialogs_js, PackageResources.keys_js, PackageResources.start_js,
    ]

    /// The script of shelves.
    public static let library = "library.js"

    private static let textParts = [PackageResources.text_js, PackageResources.search_js]
    private static let offline = "offline.js"
    private static let printing = "print.js"
    private static let files = "files.js"
    /// The script of texts and links, which the web reader runs for a book that has any.
    public static let text = "text.js"

    /// The names of all files.
    public static let names: Set<String> = [
        document, "reader.js", "reader.css", "sw.js", "manifest.webmanifest", "icon.svg", library, text,
        offline, printing, files,
    ]

    public static var script: [UInt8] { joined(parts) }

    private static func joined(_ parts: [[UInt8]]) -> [UInt8] { Array(parts.joined(separator: Array("\n".utf8))) }

    /// The name of the document.
    public static let document = "index.html"

    /// Returns the files of the web reader other than its document, by name.
    ///
    /// - Parameter hasText: whether a book has text or links. On a shelf one may.
    public static func beside(isShelf: Bool, hasText: Bool) -> [(name: String, bytes: [UInt8])] {
        (isShelf ? [(library, PackageResources.library_js)] : []) + (hasText ? [(text, joined(textParts))] : []) + [
            ("reader.js", script), ("reader.css", PackageResources.reader_css), ("sw.js", PackageResources.sw_js),
            (offline, PackageResources.offline_js), (printing, PackageResources.print_js),
            (files, PackageResources.files_js),
            ("manifest.webmanifest", PackageResources.manifest_webmanifest), ("icon.svg", PackageResources.icon_svg),
        ]
    }

    /// The document, in the parts between which texts belong.
    public static var documentParts: [Substring] {
        String(decoding: PackageResources.index_html, as: UTF8.self).split(
            separator: "<!--#-->", omittingEmptySubsequences: false)
    }
}
