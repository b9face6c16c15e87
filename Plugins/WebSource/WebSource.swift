public import AdapterKit
internal import Files
internal import OrderedJSON
public import PageModel

/// The source for the folder that `WebSink` writes: a book for browsers is a source again.
public struct WebSource: SourceAdapter {
    public let descriptor = AdapterDescriptor(id: "web", summary: "a web reader that jisui wrote", extensions: [])
    /// The maximum number of bytes of book.json.
    private static let maximumBytes = 64 << 20
    /// The beginning of book.json; with any other it is a foreign file.
    private static let head = Array("{\"jisui\": \"web\", ".utf8)

    public init() {}

    /// Recognizes a folder with jisui's book.json; a folder of images belongs to another source.
    public func recognize(_ probe: Probe) -> Recognition {
        guard probe.isFolder, WebSource.isBook(probe.path) || WebSource.isShelf(probe.path) else { return .no }
        // More than a folder of images.
        return .maybe(95)
    }

    private static func isBook(_ folder: String) -> Bool {
        guard let file = try? ReadableFile(path: "\(folder)/book.json") else { return false }
        return (try? file.read(at: 0, upTo: head.count)) == head
    }

    private static func isShelf(_ folder: String) -> Bool {
        let head = Array("jisui.shelf(".utf8)
        guard let file = try? ReadableFile(path: "\(folder)/shelf.js") else { return false }
        return (try? file.read(at: 0, upTo: head.count)) == head
    }

    /// - Throws: `.unreadable`, `.damaged`, `.empty`, `.tooLarge`; `.unsupported` for a shelf, which is not a book.
    public func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook {
        if !WebSource.isBook(input.path), WebSource.isShelf(input.path) {
            throw AdapterError(
                .unsupported, "is a shelf of several books",
                hint:
                    "convert its books one by one: jisui \(FileName.withoutSlashAtEnd(input.name))/books/* -o books/ --to cbz",
                file: input.name)
        }
        do throws(AdapterError) {
            let file = try ReadableFile(path: "\(input.path)/book.json")
            guard file.size <= WebSource.maximumBytes else {
                throw AdapterError(.tooLarge, "book.json has \(file.size) bytes")
            }
            guard let json = JSON(parsing: try file.read(at: 0, exactly: file.size)) else {
                throw AdapterError(.damaged, "book.json is not valid JSON")
            }
            let sequence = try BookFile(json, in: input.path, limits).sequence
            guard !sequence.pages.isEmpty else { throw AdapterError(.empty, "the book has no pages") }
            return OpenedBook(sequence: sequence)
        } catch {
            throw error.at(file: input.name)
        }
    }
}
