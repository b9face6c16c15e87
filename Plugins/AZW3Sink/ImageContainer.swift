internal import PageModel

/// The container of high-resolution images (CONT) after the book: the originals of images that are too large for the book's own
/// records. Devices with enough memory show these.
struct ImageContainer {
    private let pages: [KindlePage]
    /// The number of the book's images. The container has a record for each.
    private let slotCount: Int
    private let title: String

    /// The record for an image that has no other original.
    private static let placeholder: [UInt8] = [0xA0, 0xA0, 0xA0, 0xA0]

    /// Returns nil for a book without such images.
    init?(pages: [KindlePage], slotCount: Int, title: String) {
        guard pages.contains(where: { $0.original != nil }) else { return nil }
        (self.pages, self.slotCount, self.title) = (pages, slotCount, title)
    }

    /// The size of a box around all originals.
    private var box: String {
        let sizes = pages.filter { $0.original != nil }.map(\.size)
        return "\(sizes.map(\.width).max() ?? 0)x\(sizes.map(\.height).max() ?? 0)"
    }

    /// The value by which the book's header refers to the container: from its description to its end.
    var reference: String { "\(box):0-\(slotCount + 2)|" }

    func addRecords(to writer: inout PalmDatabaseWriter) {
        writer.add(Array("BOUNDARY".utf8))
        writer.add(description)
        var names = ""
        for index in 0..<slotCount {
            if index < pages.count, let original = pages[index].original {
                writer.add(original, after: KindleBook.words("CRES", [0, 12]))
                names += "kindle:embed:\((index + 1).base32(digits: 4))?mime=\(original.encoding.mediaType)|"
            } else {
                writer.add(ImageContainer.placeholder)
            }
        }
        writer.add(Array(names.utf8))
        writer.add(Array("CONTBOUNDARY".utf8))
        writer.add(KindleBook.endOfFile)
    }

    private var description: [UInt8] {
        var header = ExtendedHeader()
        header.add(125, 4)
        header.addCreator()
        header.add(539, "application/image")
        header.add(538, box)
        header.add(543, "HD_CONTAINER")
        let extended = header.bytes
        let name = Array(title.utf8)
        let words = [
            1 << 16 | (slotCount + 3), 65001, 0, 1, slotCount, pages.count { $0.original != nil }, slotCount + 1, 1,
            48 + extended.count, name.count,
        ]
        var rest = extended + name + [UInt8](repeating: 0, count: 256)
        rest.pad4()
        return KindleBook.words("CONT", [48 + rest.count] + words) + rest
    }
}
