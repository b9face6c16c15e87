internal import AdapterKit
internal import PageModel

/// The options for a book for browsers.
struct WebOptions {
    static let add = Setting(
        "add", .flag, valueName: "",
        topic: "web", help: "Add the book to the bookshelf in the output folder",
        details: "jisui creates the shelf if it does not exist")

    static let shelfTitle = Setting(
        "shelf-title", .form(ValueForm("shelf title") { $0.isEmpty ? "--shelf-title needs a text" : nil }),
        valueName: "text",
        topic: "web", help: "Set the title of the bookshelf",
        details: "The shelf keeps it")

    /// The formats in which a book may be added, by the ids of their sinks.
    static let formatsAlongside = ["cbz", "epub", "pdf"]

    static let settings = [
        Setting.bake, add,
        Setting(
            "with", .choices(formatsAlongside), valueName: "formats",
            topic: "web", help: "Add the book in these formats, for download"),
        Setting(
            "base-url", .form(CatalogAddress.form), valueName: "url",
            topic: "web", help: "Write OPDS catalogs for a shelf served at this address",
            details: "none removes them"),
        shelfTitle,
        Setting(
            "no-thumbnails", .flag, valueName: "",
            topic: "web", help: "Omit the thumbnails of pages"),
    ]

    /// Whether partly visible images are cropped, and facing pages that are to be one image are joined.
    let bakes: Bool
    let hasThumbnails: Bool
    let addsToShelf: Bool

    /// - Throws: `.usage` for settings that exclude each other.
    init(_ request: SinkRequest) throws(AdapterError) {
        bakes = request.settings.flag("bake")
        addsToShelf = request.settings.flag("add")
        if request.settings["base-url"] != nil, !addsToShelf {
            throw AdapterError(
                .usage, "--base-url is for the catalogs of a shelf, and this is one book",
                hint: "--add makes a shelf of it")
        }
        if request.settings[WebOptions.shelfTitle.name] != nil, !addsToShelf {
            throw AdapterError(
                .usage, "--shelf-title is for a shelf, and this is one book", hint: "--add makes a shelf of it")
        }
        hasThumbnails = !request.settings.flag("no-thumbnails")
    }
}
