import Files
import PageModel
import Scratch
import Testing

/// Outputs that wait for an inspection notice every changed byte.
@Suite struct HeldOutputTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    /// - Parameter place: the changed byte; nil for no change.
    @Test(arguments: [nil, 0, 7, 8, 4095, 9999])
    func aChangedByteOfAFileIsFound(_ place: Int?) throws {
        let held = HeldOutput(waits: true)
        var destination = Destination(path: scratch("book"), mayReplace: true)
        destination.held = held
        let file = try OutputFile(at: destination)
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        // In pieces that do not end at whole words.
        for start in stride(from: 0, to: bytes.count, by: 13) {
            try file.write(Array(bytes[start..<min(bytes.count, start + 13)]))
        }
        try file.publish()
        let path = try #require(held.path)
        if let place {
            var changed = bytes
            changed[place] ^= 4
            try Files.write(changed, to: path)
        }
        #expect((held.changedFile() == nil) == (place == nil))
    }

    @Test func aChangedFileOfAFolderIsNamed() throws {
        let held = HeldOutput(waits: true)
        var destination = Destination(path: scratch("books"), mayReplace: true)
        destination.held = held
        let folder = try OutputFolder(at: destination) { _ in true }
        try folder.add("page.jpg", [1, 2, 3])
        try folder.add("data/book.json", [4, 5, 6])
        try folder.publish()
        #expect(held.changedFile() == nil)
        let path = try #require(held.path)
        try Files.write([4, 5, 7], to: "\(path)/data/book.json")
        #expect(held.changedFile() == "data/book.json")
    }
}
