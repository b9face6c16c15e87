import AdapterKit
import Files
import Imaging
import Metadata
import PageModel
import Scratch
import ZipFile

@testable import EPUBSink

/// A book written as an EPUB, and what is in it.
struct SyntheticEPUB {
    /// A page to write: a JPEG of noise.
    struct SyntheticPage {
        var size = PixelSize(width: 60, height: 90)
        var shown: PixelRect?
        var side = Side.single
        var label: String?
        var roles: [PageRole] = []
        var links: [PageLink] = []
        /// The number of its image; that of the page if it is nil.
        var image: UInt64?
    }

    let entries: [(name: String, isStored: Bool, bytes: [UInt8])]
    let warnings: [Warning]
    let pictures: [[UInt8]]

    static func jpeg(_ size: PixelSize, _ seed: UInt64) throws -> [UInt8] {
        var random = SplitMix(seed: seed)
        let writer = try JPEGWriter(size: size, format: .gray(bits: 8), fidelity: .quality(80))
        try writer.write((0..<size.area).map { _ in UInt8.random(in: 0...255, using: &random) })
        return try writer.finish()
    }

    /// - Parameter path: where it is to be kept; else it is deleted.
    init(
        _ pages: [SyntheticPage], book: BookMetadata = BookMetadata(), settings given: [String: String] = [:],
        name: String = "book.epub", in scratch: ScratchFolder
    ) async throws {
        let cover = pages.firstIndex { $0.roles.contains(.frontCover) }.map { $0 + 1 }
        let sink = EPUBSink()
        let session = try sink.begin(
            SinkRequest(
                book: book, pageCount: pages.count, cover: cover, destination: Destination(path: scratch(name)),
                settings: try Settings(sink.descriptor.settings, given: given)))
        var pictures: [[UInt8]] = []
        for (index, made) in pages.enumerated() {
            struct Never: Error {}
            var page = Page(id: index + 1, name: "\(index + 1).jpg", label: made.label, side: made.side) {
                throw Never()
            }
            page.sourceID = index + 1
            page.roles = made.roles
            let bytes = try SyntheticEPUB.jpeg(made.size, made.image ?? UInt64(index))
            pictures.append(bytes)
            var framing = Framing(made.size)
            if let shown = made.shown { framing = framing.keeping(shown) }
            var finished = FinishedPage(
                number: index + 1, page: page,
                content: .encoded(EncodedPage(encoding: .jpeg, bytes: bytes, framing: framing)))
            finished.links = made.links
            _ = try session.add(finished)
        }
        warnings = try await session.compose().warnings
        try await session.finish()
        self.pictures = pictures
        let zip = try ZipReader(try ReadableFile(path: scratch(name)), limits: Limits())
        entries = try zip.entries.map {
            (String(decoding: $0.name.bytes, as: UTF8.self), $0.method == .stored, try zip.bytes(of: $0))
        }
    }

    func bytes(_ name: String) -> [UInt8]? { entries.first { $0.name == name }?.bytes }

    func document(_ name: String) throws -> XMLElement {
        struct Missing: Error { let name: String }
        guard let bytes = bytes(name) else { throw Missing(name: name) }
        return try XMLReader.read(bytes)
    }

    var package: XMLElement { get throws { try document("item/standard.opf") } }

    /// The properties of each page in the spine.
    var spine: [String] {
        get throws {
            try package.elements.first { $0.name.local == "spine" }?.elements.map { $0["properties"] ?? "" } ?? []
        }
    }
}
