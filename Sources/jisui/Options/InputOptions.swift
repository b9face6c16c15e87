internal import AdapterKit
internal import Files
internal import PageModel
internal import Processes
internal import Work

/// The options of commands that read inputs, except those of a recipe.
struct InputOptions {
    /// The settings that these options are made of.
    static let settings: [Setting] = [.passwordFile, .jobs, .isolate, .quiet, .verbose, .noColor]

    let inputs: [String]
    let passwordFile: String?
    /// The number of pages in work at once.
    let width: Int
    private let scope: OwnWorkers.Scope
    let quiet: Bool
    let verbose: Bool
    private let noColor: Bool

    /// - Throws: an error if options exclude each other, or standard input cannot be used in this way.
    init(_ given: GivenOptions) throws(UsageError) {
        inputs = given.operands
        passwordFile = given[.passwordFile]
        width = given[.jobs].flatMap { Int($0) } ?? max(1, CurrentProcess.processorCount)
        scope = given[.isolate].flatMap(OwnWorkers.Scope.init) ?? .auto
        (quiet, verbose, noColor) = (given.has(.quiet), given.has(.verbose), given.has(.noColor))
        if quiet && verbose { throw UsageError("--quiet and --verbose exclude each other") }
        let count = inputs.count { $0 == "-" }
        if count > 1 {
            throw UsageError("standard input can be read only once, but '-' is given \(count) times")
        }
        if count == 1, StandardStreams.inputIsTerminal {
            throw UsageError("standard input is a terminal; redirect a file or a pipe to '-'", hint: nil)
        }
    }

    /// Whether libraries that read fonts work in this process.
    var rendersInProcess: Bool { scope == .none }

    func configureMessages() { Messages.configure(quiet: quiet, noColor: noColor) }

    /// Calls a function with the workers that these options and a recipe configure.
    func withWorkers<Value>(_ recipe: Recipe, _ body: () async throws -> Value) async throws -> Value {
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
