public import AdapterKit
internal import Files
public import PageModel

/// Checks the promises of every sink with books of several lengths.
///
/// Untouched pages must be restored byte for byte and in order. An output is complete or does not exist. An old output
/// in its place is safe until the new one is complete. The same book yields the same bytes.
///
/// - Parameters:
///   - settings: the settings to write with. Nil selects the sink's defaults.
///   - picture: makes the image of a page from its number, in a format that the sink accepts.
///   - watch: the observer of a sink that works in other processes.
///   - read: returns the bytes of an output's images in reading order. Without it, the output must depend on each page.
public func checkSink(
    _ sink: any SinkAdapter, settings: Settings? = nil,
    picture: @escaping @Sendable (Int) -> NumberedPicture = NumberedPicture.gif, watch: (any AdapterWatch)? = nil,
    read: ((_ path: String) async throws -> [[UInt8]])? = nil
) async -> [ConformanceFailure] {
    func check(_ count: Int) -> SinkCheck {
        SinkCheck(
            sink: sink, settings: settings ?? Settings(defaultsOf: sink.descriptor), reader: read,
            pages: (1...count).map { picture($0).page($0) },
            findings: Findings(sink.descriptor, subject: "a book of \(count) pages", watch))
    }
    var failures: [ConformanceFailure] = []
    for count in [1, 9, 10, 99, 100, 1000, 1001] {
        let check = check(count)
        await check.restores(check.pages, "writing and reading it back")
        failures += check.findings.failures
        if check.findings.mayStop { return failures }
    }
    let last = check(12)
    // Pages are numbered without a gap if damaged ones are skipped.
    var some = last.pages.filter { !$0.number.isMultiple(of: 5) }
    for index in some.indices { some[index].number = index + 1 }
    await last.restores(some, "writing it with pages left out and reading it back")
    await last.nothingAfterGivingUp()
    await last.existingOutput()
    await last.findings.isRefused("writing it into a folder that does not exist", as: .unwritable, must: true) {
        let folder = try WorkFolder()
        try await last.write(last.pages, to: folder("none/\(last.name)"))
    }
    await last.dependsOnPages(read == nil ? picture(13) : nil)
    return failures + last.findings.failures
}

/// The image of one page of a test book, different from that of any other page.
public struct NumberedPicture: Hashable, Sendable {
    public var encoding: ImageEncoding
    public var size: PixelSize
    public var bytes: [UInt8]

    public init(encoding: ImageEncoding, size: PixelSize, bytes: [UInt8]) {
        (self.encoding, self.size, self.bytes) = (encoding, size, bytes)
    }

    /// Returns a valid GIF of one pixel, with the number in a comment.
    public static func gif(_ number: Int) -> NumberedPicture {
        let comment = Array("page \(number)".utf8)
        let head = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
        let bytes = head + [0x21, 0xFE, UInt8(comment.count)] + comment + [0] + image
        return NumberedPicture(encoding: .gif, size: PixelSize(width: 1, height: 1), bytes: bytes)
    }

    var encoded: EncodedPicture { EncodedPicture(encoding: encoding, size: size, byteCount: bytes.count) { bytes } }

    fileprivate func page(_ number: Int) -> FinishedPage {
        let page = Page(id: number, name: "page \(number)") {
            Picture(size: size, representations: [.encoded(encoded)])
        }
        return FinishedPage(number: number, page: page, encoding: encoding, size: size, bytes: bytes)
    }
}

/// The state of a check: one sink and one book.
private struct SinkCheck {
    let sink: any SinkAdapter
    let settings: Settings
    let reader: ((_ path: String) async throws -> [[UInt8]])?
    let pages: [FinishedPage]
    let findings: Findings

    /// The name of an output in its folder.
    var name: String { "book" + (sink.descriptor.extensions.first.map { ".\($0)" } ?? "") }

    private func request(_ path: String, mayReplace: Bool = false) -> SinkRequest {
        // A title with characters that must be escaped in XML and in file names.
        let book = BookMetadata(title: "自炊 <&> \"test\" / 1", authors: ["A. Scanner"], direction: .rightToLeft)
        let destination = Destination(path: path, mayReplace: mayReplace)
        return SinkRequest(book: book, pageCount: pages.count, destination: destination, settings: settings)
    }

    /// Whether the sink composes pages into images of its own.
    private var composes: Bool { (try? sink.capabilities(request("output")).composition) != nil }

    /// Begins a session that may replace an output, adds some pages, and gives it up.
    private func giveUp(after count: Int, _ path: String) throws {
        let session = try sink.begin(request(path, mayReplace: true))
        for page in pages.prefix(count) { _ = try session.add(page) }
    }

    /// Writes a whole book; returns the names of its pages.
    @discardableResult
    func write(
        _ pages: [FinishedPage], to path: String, mayReplace: Bool = false, beforeFinish: () -> Void = {}
    ) async throws -> [String] {
        let session = try sink.begin(request(path, mayReplace: mayReplace))
        let names = try pages.map { page throws(AdapterError) in try session.add(page) }
        _ = try await session.compose()
        beforeFinish()
        try await session.finish()
        return names
    }

    /// Writes pages into a folder of their own; returns the files of the output.
    private func files(of pages: [FinishedPage], _ name: String) async throws -> [String: [UInt8]] {
        let folder = try WorkFolder()
        try await write(pages, to: folder(name))
        return try WorkFolder.contents(of: folder(name))
    }

    /// Checks that nothing appears before the end, and that every page is restored, untouched and in order.
    func restores(_ pages: [FinishedPage], _ what: String) async {
        var early: [String] = []
        let result = await findings.attempt(what) {
            let folder = try WorkFolder()
            let names = try await write(pages, to: folder(name)) { early = folder.names() }
            let bytes = try await reader?(folder(name)) ?? Array(WorkFolder.contents(of: folder(name)).values)
            return (names: names, there: folder.names(), bytes: bytes)
        }
        findings.expect(!early.contains(name), "something is at the destination before finish")
        guard let (names, there, bytes) = result else { return }
        findings.expect(there == [name], "\(what) left other files next to the output: \(there)")
        findings.expect(bytes.contains { !$0.isEmpty }, "none of \(pages.count) pages could be read back")
        if composes { return }
        findings.expect(
            names.count == Set(names).count && names.allSatisfy { !$0.isEmpty }, "pages got the same names: \(names)")
        if reader == nil { return }
        findings.expect(bytes.count == pages.count, "\(bytes.count) of \(pages.count) pages could be read back")
        guard let (page, wrong) = zip(pages, bytes).first(where: { $0.pictureBytes != $1 }) else { return }
        let other = pages.first { $0.pictureBytes == wrong }.map { "page \($0.number)" }
        let found = other ?? "\(wrong.count) bytes that belong to no page"
        findings.expect(false, "at position \(page.number), the output has \(found)")
    }

    /// Checks that the same book yields the same bytes under any name, and another one other bytes.
    ///
    /// - Parameter picture: an image of no page, if nothing reads the output.
    func dependsOnPages(_ picture: NumberedPicture?) async {
        await findings.attempt("writing it several times") {
            let first = try await files(of: pages, name)
            let second = try await files(of: pages, "other" + name)
            findings.expect(first == second, "written twice it becomes two different outputs")
            for (index, page) in pages.enumerated() {
                guard let picture else { return }
                var changed = pages
                changed[index] = picture.page(page.number)
                let third = try await files(of: changed, name)
                findings.expect(first != third, "its output is the same when page \(page.number) has another image")
            }
        }
    }

    /// Checks that a session leaves no files if it is abandoned at its start, in the middle or right before its end.
    func nothingAfterGivingUp() async {
        for count in [0, 1, pages.count] {
            let left = await findings.attempt("giving a session up") {
                let folder = try WorkFolder()
                try giveUp(after: count, folder(name))
                return folder.names()
            }
            findings.expect(left ?? [] == [], "a session given up after \(count) pages leaves \(left ?? [])")
        }
    }

    /// Checks that an existing file in the output's place is safe until the output is complete.
    func existingOutput() async {
        guard let folder = await findings.attempt("making a folder", { try WorkFolder() }) else { return }
        let (old, new) = (Array(pages.prefix(3)), Array(pages.suffix(4)))
        let path = folder(name)
        await findings.attempt("writing it") { try await write(old, to: path) }
        await findings.isRefused("writing it over another that may not be replaced", as: .exists, must: true) {
            try await write(new, to: path)
        }
        await expect(old, at: path, "after an attempt that may not replace it")
        // Only the program could recognize its own files in a folder.
        if findings.watch != nil, FileStatus.isFolder(path) { return }
        await findings.attempt("giving up a session that may replace it") { try giveUp(after: 2, path) }
        await expect(old, at: path, "after a session that was given up")
        await findings.attempt("replacing it") { try await write(new, to: path, mayReplace: true) }
        await expect(new, at: path, "after it was replaced")
        findings.expect(folder.names() == [name], "replacing it left \(folder.names())")
    }

    /// Checks that an output has these pages: their own bytes, or those of the same pages written elsewhere.
    private func expect(_ pages: [FinishedPage], at path: String, _ when: String) async {
        let isRight = await findings.attempt("reading the output \(when)") {
            if let reader, !composes { return try await reader(path) == pages.map(\.pictureBytes) }
            return try await WorkFolder.contents(of: path) == files(of: pages, name)
        }
        findings.expect(isRight == true, "the output is wrong \(when)")
    }
}

extension FinishedPage {
    fileprivate var pictureBytes: [UInt8] {
        if case .encoded(let picture) = content { picture.bytes } else { [] }
    }
}
