internal import AdapterKit
internal import ArgumentParser
internal import Conversion
internal import ExternalAdapters
internal import Files
internal import PageModel
internal import Processes
internal import Work

/// The options of both `convert` and `info` that are not part of a recipe: those for reading inputs, and the amount of
/// messages.
struct InputOptions: ParsableArguments {
    @Option(help: .option("password-file"), completion: .file())
    var passwordFile: String?

    @Option(name: .shortAndLong, help: .option("jobs"))
    var jobs: Int?

    @Option(help: .option("isolate"), completion: .list(OwnWorkers.Scope.allCases.map(\.rawValue)))
    var isolate = OwnWorkers.Scope.auto.rawValue

    @Flag(name: .shortAndLong, help: .option("quiet"))
    var quiet = false

    @Flag(name: .shortAndLong, help: .option("verbose"))
    var verbose = false

    @Flag(help: .option("no-color"))
    var noColor = false

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) {
            throw ValidationError(message: "--jobs takes a number from 1 to 256, not '\(jobs)'")
        }
        if OwnWorkers.Scope(rawValue: isolate) == nil {
            throw ValidationError(message: "--isolate takes auto, all, strict or none, not '\(isolate)'")
        }
        if quiet && verbose { throw ValidationError(message: "--quiet and --verbose exclude each other") }
    }

    /// Calls a function with the workers that these options and a recipe configure.
    func withWorkers<Value>(_ recipe: Recipe, _ body: () async throws -> Value) async throws -> Value {
        let scope = OwnWorkers.Scope(rawValue: isolate) ?? .auto
        let lacks = ExternalPlugins.launcher.lacks.listed()
        if !lacks.isEmpty {
            guard scope != .strict else {
                throw AdapterError(
                    .unsupported, "--isolate strict: this system cannot guarantee that processes \(lacks)",
                    hint: "use --isolate auto to run with the available restrictions")
            }
            if verbose, scope != .none {
                Messages.note("this system cannot guarantee that the processes of libraries and plug-ins \(lacks)")
            }
        }
        return try await OwnWorkers.run(
            scope, ExternalPlugins.launcher,
            seconds: recipe.integer(.pageTimeout), pixels: recipe.limits.pixels,
            memory: recipe.limits.memory, body)
    }

    var width: Int { jobs ?? max(1, CurrentProcess.processorCount) }

    /// Returns the password from the file, or else from the environment. With a password, core dumps are disabled, because they
    /// would contain it.
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
                Environment.text("JISUI_PASSWORD")
            }
        if password != nil { CurrentProcess.forbidCoreDump() }
        return password
    }
}
