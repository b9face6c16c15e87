import AdapterKit
import ComicSink
import Files
import FolderSink
import Glibc
import PageModel
import Scratch
import Testing

/// The guarantees of every sink here.
@Suite struct SinkTests {
    static let sinks: [any SinkAdapter] = [FolderSink(), CBZSink(), CB7Sink(), CBTSink()]

    @Test(arguments: sinks)
    func nothingIsThereBeforeFinish(_ sink: any SinkAdapter) async throws {
        let scratch = try ScratchFolder()
        let session = try sink.begin(
            SinkRequest(book: BookMetadata(), pageCount: 1, destination: Destination(path: scratch("out"))))
        _ = try session.add(Sample.page(1))
        #expect(!scratch.names().contains("out"))
        try await session.finish()
        #expect(scratch.names() == ["out"])
    }

    @Test(arguments: sinks)
    func abandonedSessionLeavesNothing(_ sink: any SinkAdapter) throws {
        let scratch = try ScratchFolder()
        do {
            let session = try sink.begin(
                SinkRequest(book: BookMetadata(), pageCount: 2, destination: Destination(path: scratch("out"))))
            _ = try session.add(Sample.page(1))
            withExtendedLifetime(session) {}
        }
        #expect(scratch.names().isEmpty)
    }

    @Test(arguments: sinks)
    func existingOutputIsReplacedOnlyIfAllowed(_ sink: any SinkAdapter) async throws {
        let scratch = try ScratchFolder()
        try await Sample.write(sink, [Sample.page(1), Sample.page(2)], to: scratch("out"))
        let error = await #expect(throws: AdapterError.self) {
            try await Sample.write(sink, [Sample.page(1)], to: scratch("out"))
        }
        #expect(error?.code == .exists)
        try await Sample.write(sink, [Sample.page(1)], to: scratch("out"), mayReplace: true)
        #expect(scratch.names() == ["out"])
        if sink.form(Settings()) == .folder { #expect(scratch.names(in: "out") == ["0001.jpg"]) }
    }

    @Test(arguments: sinks)
    func missingParentFolderIsReported(_ sink: any SinkAdapter) async throws {
        let scratch = try ScratchFolder()
        let error = await #expect(throws: AdapterError.self) {
            try await Sample.write(sink, [Sample.page(1)], to: scratch("no/such/out"))
        }
        #expect(error?.code == .unwritable)
    }

    @Test(arguments: [(9, 4), (10, 4), (99, 4), (100, 4), (1000, 4), (1001, 4), (10_000, 5)])
    func namesSortAsTheyCount(_ count: Int, _ width: Int) async throws {
        let scratch = try ScratchFolder()
        let names = try await Sample.write(FolderSink(), (1...count).map { Sample.page($0) }, to: scratch("out"))
        #expect(names.sorted() == names)
        #expect(names.allSatisfy { $0.utf8.count == width + 4 })
        #expect(scratch.names(in: "out") == names)
    }

    @Test func theExtensionIsThatOfTheBytes() async throws {
        let scratch = try ScratchFolder()
        let encodings = ImageEncoding.known + [ImageEncoding(rawValue: "qoi")]
        let pages = encodings.enumerated().map { Sample.page($0.offset + 1, encoding: $0.element) }
        let names = try await Sample.write(FolderSink(), pages, to: scratch("out"))
        #expect(
            names.map { $0.dropFirst(5) } == [
                "jpg", "png", "gif", "webp", "bmp", "avif", "heif", "jxl", "tif", "jp2", "j2k", "qoi",
            ])
    }

    /// Its content is replaced with the pages, by a run that writes it again.
    @Test func folderContainsComicInfoOnRequest() async throws {
        let scratch = try ScratchFolder()
        let sink = FolderSink()
        let settings = try Settings(sink.descriptor.settings, given: ["comic-info": "true"])
        func write(_ title: String, _ settings: Settings) async throws {
            try await Sample.write(
                sink, [Sample.page(1), Sample.page(2)], to: scratch("out"), mayReplace: true,
                book: BookMetadata(title: title), settings)
        }
        for title in ["Old", "New"] { try await write(title, settings) }
        #expect(scratch.names(in: "out") == ["0001.jpg", "0002.jpg", "ComicInfo.xml"])
        let info = String(decoding: try scratch.read("out/ComicInfo.xml"), as: UTF8.self)
        #expect(info.contains("<Title>New</Title>") && info.contains("<PageCount>2</PageCount>"))
        let error = await #expect(throws: AdapterError.self) { try await write("Other", Settings()) }
        #expect(error?.code == .exists && error?.message.english.contains("ComicInfo.xml") == true)
    }

    @Test func aFolderWithForeignFilesIsNotReplaced() async throws {
        let scratch = try ScratchFolder()
        try scratch.write("out/0001.jpg")
        try scratch.write("out/diary.txt")
        let error = await #expect(throws: AdapterError.self) {
            try await Sample.write(FolderSink(), [Sample.page(1)], to: scratch("out"), mayReplace: true)
        }
        #expect(error?.code == .exists)
        #expect(error?.message.english.contains("diary.txt") == true)
        #expect(scratch.names(in: "out") == ["0001.jpg", "diary.txt"])
    }

    /// A file system of 64 kB, where one can be made.
    @Test(arguments: sinks)
    func aFullDiskLeavesNothing(_ sink: any SinkAdapter) async throws {
        let scratch = try ScratchFolder()
        try scratch.write("small/mark")
        try #require(unlink(scratch("small/mark")) == 0)
        guard mount("jisui-test", scratch("small"), "tmpfs", 0, "size=64k") == 0 else {
            // Only root can; the test of OutputFile under a size limit covers the rest.
            return
        }
        defer { umount2(scratch("small"), CInt(MNT_DETACH)) }
        let big = Sample.page(1, bytes: [UInt8](repeating: 7, count: 200_000))
        let error = await #expect(throws: AdapterError.self) {
            try await Sample.write(sink, [big], to: scratch("small/out"))
        }
        #expect(error?.code == .unwritable)
        #expect(error?.message.english.contains("disk is full") == true)
        #expect(scratch.names(in: "small").isEmpty)
    }
}
