internal import AdapterKit
internal import AdapterTestKit
package import Files
internal import Imaging
internal import OrderedJSON
package import PageModel
package import Processes

/// A conformance check of a plug-in: of its program with valid and invalid requests, then of its role with the suite for
/// all adapters.
///
/// A run ignores harmless violations; this check does not. It blocks the calling thread most of the time.
package final class PluginCheck {
    private let plugin: Plugin
    private let watch: PluginWatch
    /// The judgment of the program by itself. The suite judges its role.
    private let findings: Findings
    private let seconds = Plugin.secondsForHello

    /// The program may be outside the plug-in folders, and other users may be able to change it.
    package init(_ program: String, _ launcher: PluginLauncher, _ temporaryFiles: TemporaryFiles) throws(AdapterError) {
        let name = try PluginFolders.name(ofProgram: program)
        guard let real = FileName.resolved(program) else {
            throw .system(.unreadable, "cannot be opened", file: program)
        }
        let manifest = try PluginFolders.uncheckedManifest(of: program, name: name)
        var plugin = Plugin(real, manifest, launcher, temporaryFiles)
        watch = PluginWatch(temporaryFiles)
        plugin.watch = watch
        self.plugin = plugin
        findings = Findings(manifest.descriptor, subject: program, watch)
    }

    package var manifest: PluginManifest { plugin.manifest }

    /// Runs all checks, those of a source with books that it reads. Returns the broken promises.
    package func run(files: [String]) async -> [String] {
        await runsByHand()
        await answersEveryRequest()
        var failures: [ConformanceFailure] = []
        switch manifest.role {
        case .source:
            for (what, head) in PluginCheck.foreign {
                let isTaken = manifest.magic.contains { $0.allSatisfy { $0.holds(head) } }
                findings.expect(!isTaken, "its magic takes \(what) for its own")
            }
            // Damaged copies take the most time.
            let copies = findings.failures.isEmpty ? 40 : 0
            for file in files { failures += await checkReading(file, copies) }
        case .sink: failures += await checkWriting()
        case .transform: failures += await checkChanging()
        }
        // The same fault of several steps is reported once.
        var known: Set<Substring> = []
        return (findings.failures + failures + leavesNothing()).map(\.message).filter { message in
            known.insert(message[(message.firstRange(of: ": ")?.upperBound ?? message.startIndex)...]).inserted
        }
    }

    private func checkReading(_ file: String, _ copies: Int) async -> [ConformanceFailure] {
        var path = file
        // A plug-in that reads no files next to the book gets a copy, because it could change it.
        if !manifest.needs.contains(.siblings), let folder = watch.inputs {
            await findings.attempt("when \(file) is copied") {
                path = "\(folder.path)/\(FileName.last(of: file))"
                let book = try ReadableFile(path: file)
                try GrowingFile(path: path, of: "the copy", mayReplace: true).write(book.read(at: 0, upTo: book.size))
            }
        }
        let failures = await checkSource(
            ExternalSource(plugin), Input(path: path), expectedPages: nil, truncations: copies, changedBytes: copies,
            watch: watch)
        if failures.isEmpty { await refusesUnknownPage(path) }
        return failures
    }

    private func checkWriting() async -> [ConformanceFailure] {
        let formats = manifest.displays ?? [.png]
        let format = EncodingRequest.formats.first { formats.contains($0) && $0 != .jpeg } ?? formats.first ?? .png
        let first = await findings.attempt("when a page in its format \(format.name) is made") {
            try PluginCheck.picture(1, format)
        }
        guard let first else { return [] }
        let sink = ExternalSink(plugin)
        return await checkSink(sink, picture: { (try? PluginCheck.picture($0, format)) ?? first }, watch: watch)
    }

    /// Returns an image of a few pixels, which show the bits of its number.
    private static func picture(_ number: Int, _ format: ImageEncoding) throws -> NumberedPicture {
        let size = PixelSize(width: 32, height: 8)
        let samples = (0..<size.area).map { UInt8(number >> ($0 % size.width / 2) & 1 == 1 ? 40 : 200) }
        let raster = Raster(size: size, format: .gray(bits: 8), samples: samples)
        let bytes = try PictureEncoder.encode(raster, as: format, format == .jpeg ? .quality(90) : .lossless)
        return NumberedPicture(encoding: format, size: size, bytes: bytes)
    }

    private func checkChanging() async -> [ConformanceFailure] {
        let id = manifest.descriptor.id
        let value =
            switch manifest.descriptor.settings.first(where: { $0.name == id })?.kind {
            case .choice(let words): words[0]
            case .integer(let range): String(range.lowerBound)
            default: "true"
            }
        guard let settings = try? Settings(manifest.descriptor.settings, given: [id: value]) else {
            findings.expect(false, "its manifest rejects the value '\(value)' of its own option --\(id)")
            return []
        }
        return await checkTransform(
            ExternalTransform(plugin), settings: settings, mayRequestPreviews: true,
            changesImages: manifest.changesImages, watch: watch)
    }

    /// The beginnings of files that a source must not take for its own.
    private static let foreign: [(String, [UInt8])] = [
        ("a zip archive", [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 8, 0] + [UInt8](repeating: 0, count: 4086)),
        ("a PDF", Array("%PDF-1.7\n%âãÏÓ\n1 0 obj\n<< /Type /Catalog >>\nendobj\n".utf8)),
        ("a JPEG", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [UInt8](repeating: 7, count: 100)),
        ("text", Array("Once upon a time there was a page of text.\n".utf8)),
        ("nothing", []),
    ]

    private func refusesUnknownPage(_ path: String) async {
        await findings.attempt("when it is asked for a page that does not exist") {
            let settings = try Settings(ExternalSource(plugin).descriptor.settings, given: [:])
            let opener = try BookOpener(plugin, Input(path: path), settings, Limits())
            let process = try opener.start { false }
            let unknown = (opener.listing?.pages.last?.id ?? 0) + 1000
            for ask in ["examine", "read"] {
                let answer = try process.ask(
                    .object([("ask", .string(ask)), ("id", .integer(unknown)), ("representation", 0)]),
                    seconds: opener.seconds)
                findings.expect(answer["error"] != nil, "it answers '\(ask)' for page \(unknown), which does not exist")
            }
            process.end()
        }
    }

    private func answersEveryRequest() async {
        await findings.attempt("when it is started") {
            let process = try plugin.start(Plugin.ProcessInput()) { false }
            // Keys and a request of later versions.
            let answer = try process.ask(["ask": "later", "later": ["much": [1, 2, 3]]], seconds: seconds)
            let isRefused = answer["error"]?.asString == AdapterError.Code.unsupported.rawValue
            findings.expect(isRefused, "it does not answer 'unsupported' to a request that it cannot know")
            let again = try process.ask(hello([1, 999]), seconds: seconds)
            findings.expect(again["version"]?.asInteger == 1, "it does not choose version 1 of 1 and 999")
            process.end()
        }
        let (offer, longText) = (hello([999]).compactText, String(repeating: "a", count: 1 << 20))
        for (what, line, fault) in [
            (
                "is offered only version 999", offer,
                "it accepted a version that it does not support: refuse hello unless versions contains 1"
            ),
            ("gets garbage", "garbage", "it answers well to garbage"),
            ("gets a line of 1 MiB", #"{"ask":"later","text":"\#(longText)"}"#, "it answers well to a line of 1 MiB"),
        ] {
            await findings.attempt("when it \(what)") {
                let process = try bare()
                do {
                    try process.send(bytes: Array("\(line)\n".utf8), seconds: seconds)
                    let answer = try process.answer(seconds: seconds) { _ in nil }
                    findings.expect(answer["error"] != nil, fault)
                } catch PluginProcess.Fault.crashed where line != offer {
                    // It may also end.
                }
                process.end()
            }
        }
    }

    private func hello(_ versions: [Int]) -> JSON {
        .object([
            ("ask", "hello"), ("versions", JSON(versions.map(JSON.integer))), ("role", .string(manifest.role.rawValue)),
            ("settings", .object([])), ("limits", ["pages": 50_000, "bytes": 2_000_000_000, "pixels": 250_000_000]),
            ("later", true),
        ])
    }

    private func bare(_ arguments: [String] = [], isRunByJisui: Bool = true) throws -> PluginProcess {
        try PluginProcess(
            .plugin(plugin.program), plugin.launcher, arguments: arguments,
            environment: ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", watch.variable]
                + (isRunByJisui ? ["JISUI_PLUGIN=1"] : []),
            files: [], policy: plugin.policy(Plugin.ProcessInput()), isCancelled: { false })
    }

    /// Checks the program without jisui: it prints its manifest, or a description.
    private func runsByHand() async {
        await findings.attempt("when it is to print its card") {
            let process = try bare(["manifest"], isRunByJisui: false)
            let status = process.waitForEnd(seconds: seconds)
            findings.expect(status == 0, "'\(plugin.name) manifest' does not end with status 0")
            let printed = try PluginManifest(parsing: Array(process.printedText.utf8))
            findings.expect(printed == manifest, "the descriptor that it prints differs from its .json file")
        }
        await findings.attempt("when it is run by hand") {
            let process = try bare(isRunByJisui: false)
            let status = process.waitForEnd(seconds: seconds)
            let end = status.map { "ends with \(PluginWatch.description(of: $0)), not with 64" } ?? "does not end"
            findings.expect(status == 64 << 8, "run by hand, without JISUI_PLUGIN, it \(end)")
            findings.expect(status == nil || process.lastWords != nil, "run by hand, it does not print a description")
        }
    }

    /// Checks that all its child processes have ended with it, and that it wrote only permitted files.
    private func leavesNothing() -> [ConformanceFailure] {
        // A list of its own: earlier faults do not excuse processes and files.
        let findings = Findings(manifest.descriptor, subject: plugin.program, watch)
        let files = watch.strayFiles
        findings.expect(
            files.isEmpty, "it writes files, which its card does not say that it needs (scratch): \(files)")
        var left = childProcesses
        // The system takes a moment to end those that were killed.
        for _ in 0..<30 where !left.isEmpty {
            CurrentProcess.pause(microseconds: 100_000)
            left = childProcesses
        }
        findings.expect(left.isEmpty, "it leaves processes running")
        for number in left { Signals.kill(number) }
        findings.addFaults("when it ends")
        return findings.failures
    }

    private var childProcesses: [Int32] {
        ((try? FolderListing.names(in: "/proc")) ?? []).compactMap { Int32($0) }.filter { number in
            ReadableFile.systemFile("/proc/\(number)/environ", upTo: 4096)?
                .firstRange(of: Array(watch.variable.utf8)) != nil
        }
    }
}
