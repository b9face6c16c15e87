internal import AdapterKit
internal import Files
internal import Imaging
internal import PageModel
internal import Processes

/// A check of a sink's promises with books of small images.
struct SinkCheck {
    private let check: PluginCheck
    private static let microsecondsAfterwards: UInt32 = 150_000

    init(_ check: PluginCheck) {
        self.check = check
    }

    func run() {
        guard let folder = check.attempt("when a folder is made", { try WorkFolder(check.plugin.temporaryFiles) })
        else { return }
        let all = write("all", 1...5, in: folder)
        guard let all else { return }
        check.expect(!all.isEmpty && all.values.contains { !$0.isEmpty }, "its output is empty")
        check.expect(write("again", 1...5, in: folder) == all, "the same pages give other bytes")
        for changed in 1...5 {
            let other = write("other-\(changed)", (1...5).map { $0 == changed ? 6 : $0 }, in: folder)
            check.expect(other != all, "its output is the same when page \(changed) is another image")
        }
        check.attempt("when it is let go in the middle") {
            let session = try session("given-up", 5, in: folder)
            _ = try session.add(try page(1))
        }
        let outputs = ["all", "again"] + (1...5).map { "other-\($0)" }
        let known = Set(outputs.map { FileName.last(of: path($0, in: folder)) })
        // The mark that identifies the owner of the folder.
        let others = ((try? FolderListing.names(in: folder.path)) ?? []).filter {
            !known.contains($0) && $0 != WorkFolder.mark
        }
        check.expect(others.isEmpty, "something else than its outputs is in their folder: \(others.sorted())")
    }

    /// Writes a book of some pages; returns its files.
    private func write(_ name: String, _ numbers: some Sequence<Int>, in folder: WorkFolder) -> [String: [UInt8]]? {
        check.attempt("when it writes a book") {
            let numbers = Array(numbers)
            let session = try session(name, numbers.count, in: folder)
            var names: Set<String> = []
            for (place, number) in numbers.enumerated() {
                names.insert(try session.add(try page(number, at: place + 1)))
            }
            check.expect(names.count == numbers.count, "it gives two pages one name")
            try session.completeNow()
            let finished = files(session.written)
            CurrentProcess.pause(microseconds: SinkCheck.microsecondsAfterwards)
            check.expect(files(session.written) == finished, "it goes on writing when it has said that it is finished")
            try session.finish()
            return files(path(name, in: folder))
        }
    }

    private func path(_ name: String, in folder: WorkFolder) -> String {
        let ending = check.manifest.descriptor.extensions.first.map { ".\($0)" } ?? ""
        return "\(folder.path)/\(name)\(check.manifest.form == .folder ? "" : ending)"
    }

    private func session(_ name: String, _ count: Int, in folder: WorkFolder) throws -> ExternalSession {
        let book = BookMetadata(title: "自炊 <&> \"test\" / 1", authors: ["A. Scanner"], direction: .rightToLeft)
        let settings = try Settings(check.manifest.descriptor.settings, given: [:])
        return try ExternalSession(
            check.plugin,
            SinkRequest(
                book: book, pageCount: count, destination: Destination(path: path(name, in: folder)), settings: settings
            ),
            check.marked(Plugin.ProcessInput()))
    }

    /// Returns an image of a few pixels in a format that the output shows. Each number has a different gray level.
    private func page(_ number: Int, at place: Int? = nil) throws -> FinishedPage {
        let size = PixelSize(width: 8, height: 8)
        let raster = Raster(
            size: size, format: .gray(bits: 8), samples: [UInt8](repeating: UInt8(40 * number), count: size.area))
        let formats = check.manifest.displays ?? [.png]
        guard
            let format = EncodingRequest.formats.first(where: { formats.contains($0) && $0 != .jpeg }) ?? formats.first
        else { throw AdapterError(.usage, "its card says that its output shows no image") }
        let bytes = try PictureEncoder.encode(raster, as: format, format == .jpeg ? .quality(90) : .lossless)
        let page = Page(id: number, name: "page \(number)") {
            Picture(
                size: size, representations: [.encoded(EncodedPicture(encoding: format, size: size) { bytes })])
        }
        return FinishedPage(number: place ?? number, page: page, encoding: format, size: size, bytes: bytes)
    }

    /// Returns every file at a path or below it, by its relative path.
    private func files(_ path: String) -> [String: [UInt8]] {
        guard FileStatus.isFolder(path) else {
            guard let file = try? ReadableFile(path: path), let bytes = try? file.read(at: 0, upTo: file.size) else {
                return [:]
            }
            return ["": bytes]
        }
        var found: [String: [UInt8]] = [:]
        for (name, _) in (try? FolderListing.entries(in: path)) ?? [] {
            for (inner, bytes) in files("\(path)/\(name)") { found["\(name)/\(inner)"] = bytes }
        }
        return found
    }
}
