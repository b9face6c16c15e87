import AdapterKit
import Files
import Imaging
import PageModel
import Scratch

@testable import AZW3Sink
@testable import AZW3Source

/// A book written as an AZW3, and what the source reads of it.
struct WrittenBook {
    struct SyntheticPage {
        var size = PixelSize(width: 60, height: 90)
        var side = Side.single
        var roles: [PageRole] = []
    }

    let path: String
    let pictures: [[UInt8]]
    let database: PalmDatabase
    let opened: OpenedBook

    /// A JPEG of noise: its size is that of its pixels, nearly.
    static func jpeg(_ size: PixelSize, _ seed: UInt64) throws -> [UInt8] {
        var random = SplitMix(seed: seed)
        let writer = try JPEGWriter(size: size, format: .gray(bits: 8), fidelity: .quality(80))
        try writer.write((0..<size.area).map { _ in UInt8.random(in: 0...255, using: &random) })
        return try writer.finish()
    }

    /// A size whose JPEG of noise is larger than an image record of a Kindle.
    static let large = PixelSize(width: 520, height: 600)

    init(
        _ pages: [SyntheticPage], _ book: BookMetadata = BookMetadata(), name: String = "book.azw3",
        settings: [String: String] = [:], in scratch: ScratchFolder
    ) async throws {
        let cover = pages.firstIndex { $0.roles.contains(.frontCover) }.map { $0 + 1 }
        path = scratch(name)
        let session = try AZW3Sink().begin(
            SinkRequest(
                book: book, pageCount: pages.count, cover: cover, destination: Destination(path: path),
                settings: try Settings(AZW3Sink().descriptor.settings, given: settings)))
        var pictures: [[UInt8]] = []
        for (index, made) in pages.enumerated() {
            struct Never: Error {}
            var page = Page(id: index + 1, name: "\(index + 1).jpg", side: made.side) { throw Never() }
            page.roles = made.roles
            let bytes = try WrittenBook.jpeg(made.size, UInt64(index))
            pictures.append(bytes)
            _ = try session.add(
                FinishedPage(number: index + 1, page: page, encoding: .jpeg, size: made.size, bytes: bytes))
        }
        try await session.finish()
        self.pictures = pictures
        database = try PalmDatabase(ReadableFile(path: path))
        opened = try await AZW3Source().open(Input(path: path), settings: Settings(), limits: Limits())
    }

    var sequence: PageSequence { opened.sequence }

    /// The bytes of the pages as the source reads them.
    var readPictures: [[UInt8]] {
        get async throws {
            var read: [[UInt8]] = []
            for page in sequence.pages {
                guard case .encoded(let picture) = try await page.examine().representations.first else { continue }
                read.append(try await picture.read().bytes)
            }
            return read
        }
    }

    var header: MobiHeader { get throws { try MobiHeader(database, at: 0) } }

    /// The records that begin with a text.
    func records(_ text: String) throws -> [Int] {
        try (0..<database.count).filter { try database.record($0, beginsWith: text) }
    }
}
