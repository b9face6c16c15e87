internal import AdapterKit
internal import Files
internal import OrderedJSON
internal import PageModel
internal import Processes

/// A check of a source's promises with one book.
struct SourceCheck {
    private let check: PluginCheck
    private let file: String
    /// The folder of the copy; nil for the original.
    private let folder: WorkFolder?

    /// The maximum number of pages to examine.
    private static let maximumPages = 12
    /// The number of requests for pages before memory and descriptors are counted, and again until the second count.
    private static let gives = (before: 40, after: 200)
    private static let maximumGrowth = (memory: 32 << 20, descriptors: 8)
    private static let cuts = 40
    private static let flips = 40

    /// - Parameter file: the book. A plug-in that reads no files next to it gets a copy, because it could change it.
    init(_ check: PluginCheck, _ file: String) {
        self.check = check
        let folder = check.manifest.needs.contains(.siblings) ? nil : try? WorkFolder(check.plugin.temporaryFiles)
        self.folder = folder
        self.file = folder.flatMap { try? SourceCheck.copy(file, to: $0) } ?? file
    }

    private static func copy(_ file: String, to folder: WorkFolder) throws(AdapterError) -> String {
        let (source, path) = (try ReadableFile(path: file), "\(folder.path)/\(FileName.last(of: file))")
        let copy = try OutputFile(at: Destination(path: path))
        try copy.write(try source.read(at: 0, upTo: source.size))
        try copy.publish()
        return path
    }

    func run() {
        recognizes()
        let before = try? contents()
        guard let images = check.attempt("when it reads \(name)", { try read() }), !images.isEmpty else { return }
        refusesUnknown()
        keepsToLimits(images.map(\.byteCount).max() ?? 0, makesSamples: images.contains(where: \.isSamples))
        levelsOff()
        // Problems with intact files would be found again in each of many damaged ones.
        if check.findings.isEmpty { survivesDamage(before ?? []) }
        check.expect(before == (try? contents()), "it changes its input")
    }

    private var name: String { FileName.last(of: file) }

    private func contents() throws -> [UInt8] {
        let file = try ReadableFile(path: file)
        return try file.read(at: 0, upTo: file.size)
    }

    // MARK: By its content

    private func recognizes() {
        check.attempt("when it is shown \(name)") {
            let source = ExternalSource(check.plugin)
            check.expect(
                source.recognize(try Probe(path: file)) != .no,
                "its card has no magic or extension by which \(name) is known")
        }
        for (what, head) in SourceCheck.foreign
        where check.manifest.magic.contains(where: { $0.allSatisfy { $0.holds(head) } }) {
            check.find("its magic takes \(what) for its own")
        }
    }

    private static let foreign: [(String, [UInt8])] = [
        ("a zip archive", [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 8, 0] + [UInt8](repeating: 0, count: 4086)),
        ("a PDF", Array("%PDF-1.7\n%âãÏÓ\n1 0 obj\n<< /Type /Catalog >>\nendobj\n".utf8)),
        ("a JPEG", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [UInt8](repeating: 7, count: 100)),
        ("text", Array("Once upon a time there was a page of text.\n".utf8)),
        ("nothing", []),
    ]

    // MARK: Pages

    /// An image that was read: whether it consists of samples, and is not a file.
    private typealias Image = (byteCount: Int, isSamples: Bool)

    private func work(_ opener: BookOpener) throws -> PluginProcess { try opener.start { false } }

    private func opener(_ path: String? = nil, _ limits: Limits = Limits()) throws -> BookOpener {
        try BookOpener(
            check.plugin, Input(path: path ?? file),
            try Settings(ExternalSource(check.plugin).descriptor.settings, given: [:]),
            limits, check.marked(Plugin.ProcessInput(writable: folder.map { [$0.path] } ?? [])))
    }

    /// Reads the first pages in all their representations.
    private func read() throws -> [Image] {
        let opener = try opener()
        let process = try work(opener)
        defer { check.end(process) }
        return try (opener.listing?.pages ?? []).prefix(SourceCheck.maximumPages).flatMap {
            try read($0, opener, process)
        }
    }

    private func read(_ entry: BookListing.Entry, _ opener: BookOpener, _ process: PluginProcess) throws -> [Image] {
        let answer = try process.request("examine", entry.id, seconds: opener.seconds)
        let picture = try ExternalPicture(answer, entry.id, opener, process).picture { _, _ in throw CancellationError()
        }
        let pages = opener.listing?.pages.map(\.id) ?? []
        let images = try picture.representations.enumerated().map { method, representation -> Image in
            let bytes = try given(entry.id, method, representation, opener, process)
            if case .encoded = representation { return (bytes.count, false) }
            return (bytes.count, true)
        }
        _ = try PluginText.lines(process, ["ask": "text", "id": .integer(entry.id)], seconds: opener.seconds)
        for link in try PluginText.links(process, ["ask": "links", "id": .integer(entry.id)], seconds: opener.seconds) {
            guard case .page(let page, _) = link.target else { continue }
            check.expect(pages.contains(page), "a link on \(entry.name) links to page \(page), which does not exist")
        }
        return images
    }

    /// Returns an image's bytes, decoded as far as jisui does that itself.
    private func given(
        _ id: Int, _ method: Int, _ representation: Picture.Representation, _ opener: BookOpener,
        _ process: PluginProcess
    ) throws -> [UInt8] {
        switch representation {
        case .encoded, .joined: return try GivenPicture(id, method: method, nil, opener, process).bytes
        case .sampled(let sampled):
            let given = try GivenPicture(id, method: method, nil, opener, process)
            return try given.decoded(size: sampled.size, format: sampled.format).raster.samples
        case .drawn(let drawn):
            // At a resolution other than its own choice.
            var half = drawn
            half.resolution = max(10, drawn.resolution / 2)
            let request = RenderingRequest(resolution: half.resolution, size: half.size)
            return try GivenPicture(id, method: method, request, opener, process).decoded(size: half.size, format: nil)
                .raster.samples
        }
    }

    // MARK: Limits

    private func refusesUnknown() {
        check.attempt("when it is asked for a page that does not exist") {
            let opener = try opener()
            let process = try work(opener)
            let unknown = (opener.listing?.pages.last?.id ?? 0) + 1000
            for ask in ["examine", "read"] {
                let answer = try process.ask(
                    .object([("ask", .string(ask)), ("id", .integer(unknown)), ("representation", 0)]),
                    seconds: opener.seconds)
                check.expect(answer["error"] != nil, "it answers '\(ask)' for page \(unknown), which does not exist")
            }
            check.end(process)
        }
    }

    /// Checks that the plug-in itself enforces limits that are one too low.
    private func keepsToLimits(_ maximum: Int, makesSamples: Bool) {
        let count =
            (try? opener()).flatMap { opener in
                (try? work(opener)).map { process in
                    process.end()
                    return opener.listing?.pages.count ?? 0
                }
            } ?? 0
        var few = Limits()
        few.pages = count - 1
        if count > 1 { isTooLarge("a book of \(count) pages where \(count - 1) are allowed", few) }
        var short = Limits()
        short.entryBytes = max(1, maximum / 4)
        isTooLarge("images of more bytes than are allowed", short, asksPages: true)
        // jisui itself counts the pixels of encoded images.
        guard makesSamples else { return }
        var small = Limits()
        small.pixels = 1
        isTooLarge("pages of more pixels than are allowed", small, asksPages: true)
    }

    private func isTooLarge(_ what: String, _ limits: Limits, asksPages: Bool = false) {
        check.attempt("when it is given \(what)") {
            let opener = try opener(nil, limits)
            do {
                let process = try work(opener)
                defer { process.end() }
                for entry in (opener.listing?.pages ?? []).prefix(SourceCheck.maximumPages) where asksPages {
                    _ = try read(entry, opener, process)
                }
                check.find("it does not refuse \(what)")
            } catch let error as AdapterError where error.code == .tooLarge {
                check.expect(!error.isOwn, "it does not refuse \(what) by itself")
            }
        }
    }

    /// Checks that memory and descriptors do not grow with every page.
    private func levelsOff() {
        check.attempt("when it gives pages again and again") {
            let opener = try opener()
            let process = try work(opener)
            let ids = (opener.listing?.pages ?? []).prefix(4).map(\.id)
            func give(_ count: Int) throws {
                for index in 0..<count {
                    let answer = try process.request("examine", ids[index % ids.count], seconds: opener.seconds)
                    let picture = try ExternalPicture(answer, ids[index % ids.count], opener, process)
                        .picture { _, _ in throw CancellationError() }
                    if let first = picture.representations.first {
                        _ = try given(ids[index % ids.count], 0, first, opener, process)
                    }
                }
            }
            try give(SourceCheck.gives.before)
            let before = SourceCheck.usage(process.number)
            try give(SourceCheck.gives.after)
            let after = SourceCheck.usage(process.number)
            check.expect(
                after.memory - before.memory < SourceCheck.maximumGrowth.memory,
                "its memory grows by \((after.memory - before.memory) >> 20) MB with \(SourceCheck.gives.after) pages given"
            )
            check.expect(
                after.descriptors - before.descriptors < SourceCheck.maximumGrowth.descriptors,
                "it leaves \(after.descriptors - before.descriptors) files open after \(SourceCheck.gives.after) pages given"
            )
            check.end(process)
        }
    }

    /// Returns the bytes of memory and the open files of a process.
    private static func usage(_ number: Int) -> (memory: Int, descriptors: Int) {
        let files = (try? FolderListing.names(in: "/proc/\(number)/fd").count) ?? 0
        let memory = ReadableFile.systemFile("/proc/\(number)/statm", upTo: 256) ?? []
        let numbers = String(decoding: memory, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        return ((numbers.count > 1 ? numbers[1] : 0) * CurrentProcess.memoryPageBytes, files)
    }

    // MARK: Damage

    /// Checks that a truncated or changed file is read as far as possible or refused, without a crash.
    private func survivesDamage(_ whole: [UInt8]) {
        guard whole.count < 64 << 20, let folder = try? WorkFolder(check.plugin.temporaryFiles) else { return }
        let path = "\(folder.path)/\(name)"
        var generator = SystemRandomNumberGenerator()
        for index in 0..<SourceCheck.cuts + SourceCheck.flips {
            var bytes = whole
            var what = "when \(name) is cut short"
            if index < SourceCheck.cuts {
                bytes = Array(whole.prefix(index * whole.count / SourceCheck.cuts))
                if bytes.isEmpty { what = "when \(name) is empty" }
            } else {
                what = "when a byte of \(name) is changed"
                if !bytes.isEmpty { bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 0xFF }
            }
            let isOpened = check.attempt(what) {
                do {
                    return try opens(path, bytes)
                } catch PluginProcess.Fault.protocolViolation where !bytes.isEmpty {
                    // The result for a damaged file may be wrong; only crashes count.
                    return false
                }
            }
            if bytes.isEmpty { check.expect(isOpened != true, "it finds pages in an empty file") }
            // A crash or hang would repeat.
            if !check.findings.isEmpty { return }
        }
    }

    /// - Returns: whether it could be opened.
    private func opens(_ path: String, _ bytes: [UInt8]) throws -> Bool {
        let copy = try OutputFile(at: Destination(path: path, mayReplace: true))
        try copy.write(bytes)
        try copy.publish()
        let opener = try opener(path)
        let process: PluginProcess
        do {
            process = try work(opener)
        } catch let error as AdapterError {
            guard [.damaged, .empty, .unsupported, .tooLarge, .encrypted, .unreadable].contains(error.code) else {
                throw error
            }
            return false
        }
        defer {
            for remark in process.remarks.sorted() { check.find("it \(remark)") }
            process.end()
        }
        for entry in (opener.listing?.pages ?? []).prefix(2) {
            do {
                _ = try read(entry, opener, process)
            } catch is AdapterError {
                // The damage of one page must not affect others.
            }
        }
        return true
    }
}
