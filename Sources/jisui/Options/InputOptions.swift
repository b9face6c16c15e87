internal import AdapterKit
internal import ArgumentParser
internal import CLinux
internal import Conversion
internal import ExternalAdapters
internal import Glibc

/// What `convert` and `info` share: how inputs are read, and how much is said.
struct InputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Read the input as this format instead of recognising it.", valueName: "format"),
        completion: .list(Registry.jisui.sources.map(\.card.id)))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "The file whose first line is the input's password; or set JISUI_PASSWORD.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Pages worked on at once. (default: the number of processors)", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "What is done in processes of their own, so that a file that crashes them costs one page: auto for drawing PDFs, "
                + "unpacking RAR, 7z and tar and decoding rare formats, all for decoding every picture as well, strict for auto, "
                + "but only where the system can keep them in bounds, none.",
            valueName: "what"),
        completion: .list(OwnWorkers.Scope.allCases.map(\.rawValue)))
    var isolate = OwnWorkers.Scope.auto.rawValue

    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say what becomes of each page.")
    var verbose = false

    @Flag(help: "Use no colours; so does the variable NO_COLOR.")
    var noColor = false

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) {
            throw ValidationError("--jobs takes a number from 1 to 256, not '\(jobs)'")
        }
        if OwnWorkers.Scope(rawValue: isolate) == nil {
            throw ValidationError("--isolate takes auto, all, strict or none, not '\(isolate)'")
        }
        if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other") }
    }

    /// Does something with workers as these options have them.
    ///
    /// - Parameters:
    ///   - settings: those of adapters.
    ///   - maxPixels: the most pixels that a picture may have, in millions; nil for the usual.
    func withWorkers<Value>(
        _ settings: [String: String], maxPixels: Int? = nil, _ body: () async throws -> Value
    ) async throws -> Value {
        let scope = OwnWorkers.Scope(rawValue: isolate) ?? .auto
        let lacks = OutsidePlugins.launcher.lacks.joined(separator: " and ")
        if !lacks.isEmpty {
            guard scope != .strict else {
                throw AdapterError(
                    .unsupported, "--isolate strict: this system cannot make sure that processes \(lacks)",
                    advice: "use --isolate auto for the bounds that there are")
            }
            if verbose, scope != .none {
                Messages.note("this system cannot make sure that processes of libraries and plug-ins \(lacks)")
            }
        }
        return try await OwnWorkers.run(
            scope, OutsidePlugins.launcher,
            seconds: settings[Setting.pageTimeout.name].flatMap { Int($0) },
            pixels: maxPixels.map { $0 * 1_000_000 } ?? Limits().pixels, body)
    }

    var width: Int { jobs ?? max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

    /// The password from the file, else from the environment. With one, a crash leaves no core dump, which would hold it.
    ///
    /// - Throws: `.unreadable`.
    func password() throws -> String? {
        let password =
            if let passwordFile {
                String(
                    decoding: try ReadableFile(path: passwordFile).read(at: 0, upTo: 4096).prefix {
                        $0 != 10 && $0 != 13
                    },
                    as: UTF8.self)
            } else {
                Terminal.environment("JISUI_PASSWORD")
            }
        if password != nil { linux_forbid_core_dump() }
        return password
    }
}
