import AdapterKit
import Files
import PageModel
import Scratch
import Synchronization
import Testing

@testable import ZipFile

/// The bytes of a zip archive, and what other programs make of them.
@Suite struct ZipWriterTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func number(_ bytes: [UInt8], _ offset: Int, _ width: Int) -> Int {
        (0..<width).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    private func writer(_ name: String, limits: ZipLimits = ZipLimits()) throws -> ZipWriter {
        ZipWriter(try OutputFile(at: Destination(path: scratch(name), mayReplace: false)), limits: limits)
    }

    @Test func nonASCIINameSetsTheUTF8Flag() throws {
        let zip = try writer("a.zip")
        try zip.add("0001.jpg", [1], compresses: false)
        try zip.add("表紙.jpg", [1], compresses: false)
        try zip.finish()
        let bytes = try scratch.read("a.zip")
        #expect(number(bytes, 6, 2) == 0)
        #expect(number(bytes, 30 + 8 + 1 + 6, 2) == 0x0800)
    }

    /// An archive that cannot be read has not lost its list of entries.
    @Test func errorsOfTheDiskAreNotDamage() throws {
        let zip = try writer("a.zip")
        try zip.add("0001.jpg", [1], compresses: false)
        try zip.finish()
        let bytes = try scratch.read("a.zip")
        for place in 1...4 {
            let error = #expect(throws: AdapterError.self) {
                _ = try ZipReader(FailingFile(bytes, readsBefore: place - 1), limits: Limits())
            }
            #expect(error?.code == .unreadable, "\(place)")
        }
        #expect(try ZipReader(FailingFile(bytes, readsBefore: 5), limits: Limits()).entries.count == 1)
    }

    /// The header before the data is not read again for each part.
    @Test func partsOfAStoredEntryTakeOneReadEach() throws {
        let zip = try writer("a.zip")
        try zip.add("0001.jpg", [1, 2, 3], compresses: false)
        try zip.finish()
        let file = FailingFile(try scratch.read("a.zip"), readsBefore: 100)
        let directory = try ZipReader(file, limits: Limits())
        let content = ZipContent(directory.entries[0], in: directory)
        #expect(try content.part(at: 0, upTo: 1) == [1])
        let left = file.readsLeft.withLock { $0 }
        #expect(try content.part(at: 1, upTo: 1) == [2])
        #expect(try content.part(at: 2, upTo: 9) == [3])
        #expect(try content.findDefect() == nil)
        #expect(left - file.readsLeft.withLock { $0 } == 3)
    }

    /// The last entry's name stands where ZIP64 has its locator.
    @Test func nameResemblingALocatorIsReadAsAName() throws {
        let zip = try writer("a.zip")
        let name = "a" + "PK\u{6}\u{7}" + String(repeating: "\u{1}", count: 16)
        try zip.add(name, [7], compresses: false)
        try zip.finish()
        let read = try ZipReader(ReadableFile(path: scratch("a.zip")), limits: Limits())
        #expect(read.entries.map(\.name.bytes) == [Array(name.utf8)])
    }

    @Test func aNameThatIsTooLongIsRefused() throws {
        let zip = try writer("a.zip")
        let error = #expect(throws: AdapterError.self) {
            try zip.add(String(repeating: "a", count: 0x1_0000), [], compresses: false)
        }
        #expect(error?.code == .unwritable)
    }

    /// EPUB requires `mimetype` first, stored, without an extra field, so that its text starts at byte 30 + 8.
    @Test func anEPUBBeginsWithItsType() throws {
        let type = Array("application/epub+zip".utf8)
        let text = Array(String(repeating: "<p>text</p>", count: 100).utf8)
        let zip = try writer("a.epub")
        try zip.add("mimetype", type, compresses: false)
        try zip.add("OEBPS/text.xhtml", text, compresses: true)
        try zip.finish()
        let bytes = try scratch.read("a.epub")
        #expect(Array(bytes[30..<58]) == Array("mimetype".utf8) + type)

        let reader = try ZipReader(ReadableFile(path: scratch("a.epub")), limits: Limits())
        #expect(reader.entries.map(\.method) == [.stored, .deflated])
        let entry = try #require(reader.entry(named: "OEBPS/text.xhtml"))
        #expect(entry.compressedSize < text.count)
        #expect(try reader.bytes(of: entry) == text)
        #expect(try ZipContent(reader.entries[0], in: reader).head(count: 4) == Array("appl".utf8))
        #expect(reader.entry(named: "OEBPS") == nil)
    }

    // MARK: ZIP64

    private func writeZip64(_ limits: ZipLimits) throws {
        let archive = try writer("big.zip", limits: limits)
        try archive.add("0001.jpg", [UInt8](repeating: 1, count: 300), compresses: false)
        try archive.add("0002.jpg", [UInt8](repeating: 2, count: 40), compresses: false)
        try archive.add("0003.txt", [UInt8](repeating: 3, count: 400), compresses: true)
        try archive.finish()
    }

    /// Sizes, offsets, the count of entries, or all of them beyond the range of the old fields.
    @Test(arguments: [(200, 0xFFFF), (350, 0xFFFF), (0xFFFF_FFFF, 2), (1, 1)])
    func zip64IsReadBack(_ bytes: Int, _ entries: Int) throws {
        try writeZip64(ZipLimits(bytes: bytes, entries: entries))
        let reader = try ZipReader(ReadableFile(path: scratch("big.zip")), limits: Limits())
        #expect(reader.diagnostics.isEmpty)
        #expect(reader.entries.map(\.size) == [300, 40, 400])
        #expect(try reader.bytes(of: reader.entries[2]) == [UInt8](repeating: 3, count: 400))
    }

    @Test(
        .enabled(if: Program.exists("python3") && Program.exists("7z"), "python3 or 7z is not installed"),
        arguments: [(200, 0xFFFF), (350, 0xFFFF), (0xFFFF_FFFF, 2), (1, 1)])
    func zip64IsReadByOthers(_ bytes: Int, _ entries: Int) throws {
        try writeZip64(ZipLimits(bytes: bytes, entries: entries))
        let script = """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1])
            assert z.testzip() is None
            assert [i.file_size for i in z.infolist()] == [300, 40, 400]
            assert z.read('0003.txt') == b'\\3' * 400
            """
        try scratch.write("check.py", Array(script.utf8))
        #expect(Program.run("python3 '\(scratch("check.py"))' '\(scratch("big.zip"))'") == 0)
        #expect(Program.run("7z t '\(scratch("big.zip"))'") == 0)
        #expect(Program.run("! command -v unzip || unzip -t '\(scratch("big.zip"))'") == 0)
    }

    @Test func zip64IsUsedOnlyWhenNeeded() throws {
        try writeZip64(ZipLimits())
        let plain = try scratch.read("big.zip")
        #expect(plain[4] == 10)
        #expect(!plain.indices.dropLast(3).contains { Array(plain[$0..<$0 + 4]) == [0x50, 0x4B, 6, 6] })

        let entry = ZipEntry(
            name: RawName(bytes: [65]), form: .file, method: .stored, isEncrypted: false, checksum: 0,
            compressedSize: 300, size: 300, offset: 5, end: 5)
        let header = entry.localHeader(ZipLimits(bytes: 300, entries: 9))
        #expect(header[4] == 45)
        #expect(Array(header[18..<26]) == [UInt8](repeating: 0xFF, count: 8))
        #expect(Array(header[31...]) == [1, 0, 16, 0, 44, 1, 0, 0, 0, 0, 0, 0, 44, 1, 0, 0, 0, 0, 0, 0])
        // The offset fits: the directory does not repeat it.
        let directory = entry.directoryHeader(ZipLimits(bytes: 300, entries: 9))
        #expect(number(directory, 42, 4) == 5 && number(directory, 30, 2) == 20)
    }
}

/// A file on a disk that fails after some reads.
private final class FailingFile: RandomAccess {
    private let bytes: [UInt8]
    let readsLeft: Mutex<Int>

    init(_ bytes: [UInt8], readsBefore count: Int) {
        self.bytes = bytes
        readsLeft = Mutex(count)
    }

    var size: Int { bytes.count }
    var starts: [Int] { [0] }

    func read(at offset: Int, upTo count: Int) throws(AdapterError) -> [UInt8] {
        let left = readsLeft.withLock { left in
            left -= 1
            return left
        }
        guard left >= 0 else { throw AdapterError(.unreadable, "cannot be read") }
        return Array(bytes.dropFirst(offset).prefix(count))
    }

    func read(at offset: Int, exactly count: Int) throws(AdapterError) -> [UInt8] {
        try read(at: offset, upTo: count)
    }
}
