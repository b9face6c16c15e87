internal import AdapterKit

/// What a book for browsers is to be.
struct WebOptions {
    static let add = Setting(
        "add", .flag, valueName: "",
        help: "Put the book on the shelf in the output folder, which is made if it is not there")

    static let settings = [
        Setting.bake, add,
        Setting(
            "no-thumbnails", .flag, valueName: "",
            help: "Leave out the small pictures of pages, which take a little time and room"),
    ]

    /// Whether pictures that are shown in part are cut, and facing pages that are to be one picture are made one.
    let bakes: Bool
    let hasThumbnails: Bool
    let addsToShelf: Bool

    init(_ request: SinkRequest) {
        bakes = request.settings.flag("bake")
        addsToShelf = request.settings.flag("add")
        hasThumbnails = !request.settings.flag("no-thumbnails")
    }
}
