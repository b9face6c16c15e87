internal import Files
internal import Metadata
internal import OrderedJSON
internal import PageModel

/// The file `shelf.js`: the list of a shelf's books, its title, and the address for its catalogs.
///
/// It is written after each book. Lines are kept as written, so that a long list costs little.
struct ShelfList {
    static let file = "shelf.js"
    /// The title of a shelf without one. The web reader shows it in its own language.
    private static let usualTitle = "Books"
    private static let head = "jisui.shelf("
    private static let tail = ");\n"
    private static let maximumBytes = 256 << 20

    private(set) var entries: [ShelfEntry] = []
    private var lines: [String] = []
    private var placesByID: [String: Int] = [:]
    private var placesByName: [[String?]: Int] = [:]
    var title = ShelfList.usualTitle
    var baseURL: CatalogAddress?

    init() {}

    /// Returns a title that is safe to show.
    static func shownTitle(_ text: String) -> String {
        let text = XMLText.clean(FileName.shown(text))
        return text.isEmpty ? usualTitle : text
    }

    /// - Throws: `.unreadable`, `.damaged`.
    init(_ path: String) throws(AdapterError) {
        let file = try ReadableFile(path: path)
        let bytes = try file.read(at: 0, exactly: min(file.size, ShelfList.maximumBytes))
        let (head, tail) = (Array(ShelfList.head.utf8), Array(ShelfList.tail.utf8))
        let damaged = AdapterError(
            .damaged, "not a list of a shelf's books", hint: "create the shelf again", file: path)
        guard bytes.starts(with: head), bytes.suffix(tail.count) == tail[...], bytes.count >= head.count + tail.count,
            let json = JSON(parsing: Array(bytes[head.count..<(bytes.count - tail.count)])),
            let books = json["books"]?.elements
        else { throw damaged }
        for book in books {
            guard let entry = ShelfEntry(read: book) else { throw damaged }
            put(entry)
        }
        title = json["title"]?.asString.map(ShelfList.shownTitle) ?? ShelfList.usualTitle
        baseURL = json["base"]?.asString.flatMap { CatalogAddress($0) }
    }

    var bytes: [UInt8] {
        let base = baseURL.map { "\"base\": \(ScriptText.ascii(.string($0.text))), " } ?? ""
        let title = title == ShelfList.usualTitle ? "" : "\"title\": \(ScriptText.ascii(.string(title))), "
        let list = lines.isEmpty ? "" : "\n\(lines.joined(separator: ",\n"))\n"
        return Array(
            "\(ShelfList.head){\"version\": 1, \(title)\(base)\"books\": [\(list)]}\(ShelfList.tail)".utf8)
    }

    /// Returns the index of a book: of one with these pages, otherwise of one of this name.
    func place(of entry: ShelfEntry) -> Int? { placesByID[entry.id] ?? placesByName[entry.name] }

    /// Returns the index of a book of this name other than the one with these pages.
    func namesake(of entry: ShelfEntry) -> Int? {
        placesByName[entry.name].flatMap { $0 == place(of: entry) ? nil : $0 }
    }

    /// Puts a book in the place of another, or at the end.
    mutating func put(_ entry: ShelfEntry, at place: Int? = nil) {
        if let place {
            let old = entries[place]
            if placesByID[old.id] == place { placesByID[old.id] = nil }
            if placesByName[old.name] == place { placesByName[old.name] = nil }
            placesByID[entry.id] = place
            placesByName[entry.name] = placesByName[entry.name] ?? place
            (entries[place], lines[place]) = (entry, entry.line)
            return
        }
        placesByID[entry.id] = entries.count
        placesByName[entry.name] = placesByName[entry.name] ?? entries.count
        entries.append(entry)
        lines.append(entry.line)
    }

    /// Removes books.
    mutating func remove(where isGone: (ShelfEntry) -> Bool) {
        let kept = entries.indices.filter { !isGone(entries[$0]) }
        guard kept.count < entries.count else { return }
        (entries, lines) = (kept.map { entries[$0] }, kept.map { lines[$0] })
        index()
    }

    private mutating func index() {
        placesByID = Dictionary(entries.enumerated().map { ($1.id, $0) }) { first, _ in first }
        placesByName = Dictionary(entries.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }
}
