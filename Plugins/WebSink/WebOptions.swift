internal import AdapterKit

/// What a book for browsers is to be.
struct WebOptions {
    static let add = Setting(
        "add", .flag, valueName: "",
        help: "Put the book on the shelf in the output folder, which is made if it is not there")

    /// The formats that may lie beside a book, by the ids of their sinks.
    static let formatsAlongside = ["cbz", "epub", "pdf"]

    static let settings = [
        Setting.bake, add,
        Setting(
            "with", .choices(formatsAlongside), valueName: "formats",
            help: "Put the book beside itself as a file as well, for other readers to download"),
        Setting(
            "base-url", .text, valueName: "url",
            help:
                "Make OPDS catalogs of the shelf, to which reading apps subscribe, for a shelf that is served at this "
                + "address; none takes them away"),
        Setting(
            "no-thumbnails", .flag, valueName: "",
            help: "Leave out the small pictures of pages, which take a little time and room"),
    ]

    /// Whether pictures that are shown in part are cut, and facing pages that are to be one picture are made one.
    let bakes: Bool
    let hasThumbnails: Bool
    let addsToShelf: Bool

    /// - Throws: `.usage` for settings that do not go together.
    init(_ request: SinkRequest) throws(AdapterError) {
        bakes = request.settings.flag("bake")
        addsToShelf = request.settings.flag("add")
        let address = request.settings["base-url"]
        if let address { _ = try CatalogAddress(typed: address) }
        if address != nil, !addsToShelf {
            throw AdapterError(
                .usage, "--base-url is for the catalogs of a shelf, and this is one book",
                advice: "--add makes a shelf of it")
        }
        hasThumbnails = !request.settings.flag("no-thumbnails")
    }
}
