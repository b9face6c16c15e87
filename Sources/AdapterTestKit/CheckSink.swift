public import AdapterKit
internal import Files
public import PageModel

/// Checks the promises of every sink with books of several lengths.
///
/// Untouched pages must be restored byte for byte and in order, for 9, 10, 1000 or 1001 of them. An output is complete
/// or does not exist. An old output in its place is safe until the new one is complete. The same book yields the same
/// bytes.
///
/// - Parameters:
///   - sink: the sink to check.
///   - settings: the settings to write with. Nil selects the sink's defaults.
///   - picture: makes the image of a page from its number. Every page's image must be different, in a format that the
///     sink accepts.
///   - watch: the observer of a sink that works in other processes.
///   - read: reads an output. It returns the bytes of the pages' images in reading order. Without it, the bytes of the
///     output must depend on each page.
/// - Returns: the broken promises; empty for a conforming sink.
public func checkSink(
    _ sink: any SinkAdapter, settings: Settings? = nil,
    picture: @escaping @Sendable (Int) -> NumberedPicture = NumberedPicture.gif, watch: (any AdapterWatch)? = nil,
    read: ((_ path: String) async throws -> [[UInt8]])? = nil
) async -> [ConformanceFailure] {
    var failures: [ConformanceFailure] = []
    for count in [1, 9, 10, 99, 100, 1000, 1001] {
        let check = SinkCheck(sink, settings, picture, count: count, watch, read)
        await check.roundTrip()
        failures += check.findings.failures
        if watch != nil, !failures.isEmpty { return failures }
    }
    let check = SinkCheck(sink, settings, picture, count: 12, watch, read)
    await check.pagesLeftOut()
    await check.atomicity()
    await check.sameBytes()
    if read == nil { await check.eachPage(picture(13)) }
    return failures + check.findings.failures
}

/// The image of one page of a test book, different from that of any other page.
public struct NumberedPicture: Hashable, Sendable {
    public var encoding: ImageEncoding
    public var size: PixelSize
    public var bytes: [UInt8]

    public init(encoding: ImageEncoding, size: PixelSize, bytes: [UInt8]) {
        self.encoding = encoding
        self.size = size
        self.bytes = bytes
    }

    /// Returns a valid GIF of one pixel, with the number in a comment.
    public static func gif(_ number: Int) -> NumberedPicture {
        let comment = Array("page \(number)".utf8)
        var bytes = Array("GIF89a".utf8)
        bytes += [1, 0, 1, 0, 0x80, 0, 0]  // 1 × 1, a table of two colors
        bytes += [0, 0, 0, 255, 255, 255]
        bytes += [0x21, 0xFE, UInt8(comment.count)] + comment + [0]
        bytes += [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]
        bytes += [2, 2, 0x44, 1, 0]  // clear, pixel 0, end
        bytes += [0x3B]
        return NumberedPicture(encoding: .gif, size: PixelSize(width: 1, height: 1), bytes: bytes)
    }

    /// The image as a source offers it.
    var encoded: EncodedPicture {
        EncodedPicture(encoding: encoding, size: size, byteCount: bytes.count) { bytes }
    }
}

/// The state of a check: one sink and one book.
private struct SinkCheck {
    /// A function that reads an output.
    typealias Reader = (_ path: String) async throws -> [[UInt8]]

    let sink: any SinkAdapter
    let pages: [FinishedPage]
    private let settings: Settings
    private let reader: Reader?
    private let watch: (any AdapterWatch)?
    let findings: Findings

    init(
        _ sink: any SinkAdapter, _ settings: Settings?, _ picture: @escaping @Sendable (Int) -> NumberedPicture,
        count: Int, _ watch: (any AdapterWatch)?, _ reader: Reader?
    ) {
        self.sink = sink
        self.reader = reader
        self.watch = watch
        self.settings = settings ?? (try? Settings(sink.descriptor.settings, given: [:])) ?? Settings()
        findings = Findings(sink.descriptor, subject: "a book of \(count) pages", watch)
        pages = (1...count).map { SinkCheck.page($0, picture($0)) }
    }

    private static func page(_ number: Int, _ picture: NumberedPicture) -> FinishedPage {
        let page = Page(id: number, name: "page \(number)") {
            Picture(size: picture.size, representations: [.encoded(picture.encoded)])
        }
        return FinishedPage(
            number: number, page: page, encoding: picture.encoding, size: picture.size, bytes: picture.bytes)
    }

    /// The name of an output in its folder.
    var name: String { "book" + (sink.descriptor.extensions.first.map { ".\($0)" } ?? "") }

    func begin(_ path: String, mayReplace: Bool = false, pageCount: Int? = nil) throws(AdapterError) -> any SinkSession
    {
        try sink.begin(request(path, mayReplace: mayReplace, pageCount: pageCount))
    }

    private func request(_ path: String, mayReplace: Bool = false, pageCount: Int? = nil) -> SinkRequest {
        // A title with characters that must be escaped in XML and in file names.
        let book = BookMetadata(title: "自炊 <&> \"test\" / 1", authors: ["A. Scanner"], direction: .rightToLeft)
        return SinkRequest(
            book: book, pageCount: pageCount ?? pages.count,
            destination: Destination(path: path, mayReplace: mayReplace), settings: settings)
    }

    /// Whether the sink composes pages into images of its own.
    var composes: Bool { (try? sink.capabilities(request("output")).composition) != nil }

    /// Writes a whole book; returns the names of its pages.
    @discardableResult
    func write(_ pages: [FinishedPage], to path: String, mayReplace: Bool = false) async throws -> [String] {
        let session = try begin(path, mayReplace: mayReplace)
        let names = try pages.map { page throws(AdapterError) in try session.add(page) }
        _ = try await session.compose()
        try await session.finish()
        return names
    }
}

// MARK: - The contents

extension SinkCheck {
    /// Checks that every page is restored, untouched and in order.
    func roundTrip() async {
        await writeAndRead(pages, "writing and reading it back")
    }

    /// Checks that pages are numbered without a gap if damaged ones are skipped.
    func pagesLeftOut() async {
        var some = pages.filter { !$0.number.isMultiple(of: 5) }
        for index in some.indices { some[index].number = index + 1 }
        await writeAndRead(some, "writing it with pages left out and reading it back")
    }

    /// Returns the images in an output; its files if nothing reads it.
    private func read(_ path: String) async throws -> [[UInt8]] {
        if let reader { return try await reader(path) }
        return try contents(of: path).sorted { $0.key < $1.key }.map(\.value)
    }

    private func writeAndRead(_ pages: [FinishedPage], _ what: String) async {
        let result = await findings.attempt(what) {
            let folder = try TemporaryFolder()
            let names = try await write(pages, to: folder(name))
            return (names: names, there: folder.names(), bytes: try await read(folder(name)))
        }
        guard let (names, there, bytes) = result else { return }
        findings.expect(there == [name], "\(what) left other files next to the output: \(there)")
        findings.expect(bytes.contains { !$0.isEmpty }, "none of \(pages.count) pages could be read back")
        if composes { return }
        findings.expect(
            names.count == Set(names).count && names.allSatisfy { !$0.isEmpty }, "pages got the same names: \(names)")
        if reader == nil { return }
        findings.expect(bytes.count == pages.count, "\(bytes.count) of \(pages.count) pages could be read back")
        let wrong = zip(pages, bytes).first { $0.pictureBytes != $1 }
        if let (page, bytes) = wrong {
            let other = pages.first { $0.pictureBytes == bytes }
            findings.fail(
                "at position \(page.number), the output has "
                    + (other.map { "page \($0.number)" } ?? "\(bytes.count) bytes that belong to no page"))
        }
    }

    /// Checks that the same book yields the same bytes, at any time and under any name.
    func sameBytes() async {
        await findings.attempt("writing it twice") {
            let folder = try TemporaryFolder()
            try await write(pages, to: folder(name))
            try await write(pages, to: folder("other" + name))
            return try contents(of: folder(name)) == contents(of: folder("other" + name))
        }.map { findings.expect($0, "written twice it becomes two different outputs") }
    }

    /// Checks that the output is another if any one page has another image.
    func eachPage(_ other: NumberedPicture) async {
        await findings.attempt("writing it with other images") {
            let folder = try TemporaryFolder()
            try await write(pages, to: folder(name))
            for index in pages.indices {
                var changed = pages
                changed[index] = SinkCheck.page(index + 1, other)
                let other = folder("\(index)" + name)
                try await write(changed, to: other)
                findings.expect(
                    try contents(of: folder(name)) != contents(of: other),
                    "its output is the same when page \(index + 1) has another image")
            }
        }
    }

    /// Returns all bytes of an output: one file's, or those of every file below a folder.
    private func contents(of path: String) throws -> [String: [UInt8]] {
        guard FileStatus.isFolder(path) else { return ["": try TemporaryFolder.read(path)] }
        return try TemporaryFolder.files(in: path).reduce(into: [:]) {
            $0[$1] = try TemporaryFolder.read("\(path)/\($1)")
        }
    }
}

// MARK: - Atomicity

extension SinkCheck {
    /// Checks that the output is complete or does not exist, and that an existing file in its place is safe until then.
    func atomicity() async {
        await nothingBeforeFinish()
        await nothingAfterGivingUp()
        await existingOutput()
        await findings.expectError(.unwritable, "writing it into a folder that does not exist") {
            let folder = try TemporaryFolder()
            try await write(pages, to: folder("none/\(name)"))
        }
    }

    private func nothingBeforeFinish() async {
        let seen = await findings.attempt("writing it") {
            let folder = try TemporaryFolder()
            let session = try begin(folder(name))
            for page in pages { _ = try session.add(page) }
            _ = try await session.compose()
            let before = folder.names()
            try await session.finish()
            return (before: before, after: folder.names())
        }
        guard let (before, after) = seen else { return }
        findings.expect(!before.contains(name), "something is at the destination before finish")
        findings.expect(after == [name], "after finish there is \(after) and not just \(name)")
    }

    /// Checks that a session leaves no files if it is abandoned at its start, in the middle or right before its end.
    private func nothingAfterGivingUp() async {
        for count in [0, 1, pages.count] {
            let left = await findings.attempt("giving a session up") {
                let folder = try TemporaryFolder()
                try abandon(after: count, folder(name))
                return folder.names()
            }
            findings.expect(left ?? [] == [], "a session given up after \(count) pages leaves \(left ?? [])")
        }
    }

    private func abandon(after count: Int, _ path: String, mayReplace: Bool = false) throws(AdapterError) {
        let session = try begin(path, mayReplace: mayReplace)
        for page in pages.prefix(count) { _ = try session.add(page) }
    }

    private func existingOutput() async {
        guard let folder = await findings.attempt("making a folder", { try TemporaryFolder() }) else { return }
        let (old, new) = (Array(pages.prefix(3)), Array(pages.suffix(4)))
        let path = folder(name)
        await findings.attempt("writing it") { _ = try await write(old, to: path) }
        await findings.expectError(.exists, "writing it over another that may not be replaced") {
            try await write(new, to: path)
        }
        await expect(old, at: path, "after an attempt that may not replace it")
        // Only the program could recognize its own files in a folder.
        if watch != nil, FileStatus.isFolder(path) { return }
        await findings.attempt("giving up a session that may replace it") {
            try abandon(after: 2, path, mayReplace: true)
        }
        await expect(old, at: path, "after a session that was given up")
        await findings.attempt("replacing it") { _ = try await write(new, to: path, mayReplace: true) }
        await expect(new, at: path, "after it was replaced")
        findings.expect(folder.names() == [name], "replacing it left \(folder.names())")
    }

    private func expect(_ pages: [FinishedPage], at path: String, _ when: String) async {
        let bytes = await findings.attempt("reading the output \(when)") { try await read(path) }
        let expected = await findings.attempt("writing it elsewhere") { try await contents(of: pages) }
        findings.expect(bytes == expected, "the output is wrong \(when)")
    }

    /// Returns the expected contents of an output of these pages: the pages' own bytes, or the sink's images of them.
    private func contents(of pages: [FinishedPage]) async throws -> [[UInt8]] {
        if !composes, reader != nil { return pages.map(\.pictureBytes) }
        let folder = try TemporaryFolder()
        try await write(pages, to: folder(name))
        return try await read(folder(name))
    }
}

extension FinishedPage {
    /// The bytes of a page that is an image file.
    fileprivate var pictureBytes: [UInt8] {
        if case .encoded(let picture) = content { picture.bytes } else { [] }
    }
}
