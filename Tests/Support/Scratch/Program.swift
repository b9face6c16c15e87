internal import Glibc
public import Testing

/// Other programs: those of other people that judge what jisui writes, and jisui itself.
public enum Program {
    /// Whether a program is installed.
    public static func exists(_ name: String) -> Bool {
        run("command -v \(name)") == 0
    }

    /// Runs a line of shell, silently; its exit status.
    public static func run(_ line: String) -> CInt {
        let status = system("{ \(line)\n} >/dev/null 2>&1 </dev/null")
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }

    /// Runs a line of shell and returns what came of it.
    public static func outcome(
        _ line: String, in folder: String = "/", environment: [String: String] = Program.environment
    ) throws -> Outcome {
        try RunningProgram(["/bin/sh", "-c", line], in: folder, environment: environment).wait()
    }

    /// This process's own environment.
    public static var environment: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let pointer = entry.pointee {
            let parts = String(cString: pointer).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return variables
    }

    /// What a program that has ended leaves.
    public struct Outcome: Sendable {
        /// The exit status; 128 more than the signal's number when a signal ended it, as shells count.
        public let status: CInt
        /// Whether the system wrote its memory to a file.
        public let dumpedCore: Bool
        public let output: [UInt8]
        public let error: [UInt8]

        public var outputText: String { String(decoding: output, as: UTF8.self) }
        public var errorText: String { String(decoding: error, as: UTF8.self) }
    }
}

/// A program that was started and may be sent signals. Whoever starts one waits for it.
public final class RunningProgram: Sendable {
    public struct Failure: Error {
        public let program: String
        public let number: CInt
    }

    private let id: pid_t
    /// Holds what the program prints: files never fill up as pipes do.
    private let printed: ScratchFolder

    /// - Parameter arguments: the path of the program, then what it is told.
    public init(
        _ arguments: [String], in folder: String = "/", environment: [String: String] = Program.environment
    ) throws {
        printed = try ScratchFolder()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        let flags = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, printed("output"), flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, printed("error"), flags, 0o600)

        // The test's own blocked and ignored signals are none of the program's business.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var child = pid_t()
        // Glibc shows Swift no way to spawn into a folder; env goes there and then becomes the program.
        let status = RunningProgram.withPointers(to: ["/usr/bin/env", "-C", folder] + arguments) { arguments in
            RunningProgram.withPointers(to: environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawn(&child, "/usr/bin/env", &actions, &attributes, arguments, environment)
            }
        }
        guard status == 0 else { throw Failure(program: arguments[0], number: status) }
        id = child
    }

    public func send(_ signal: CInt) {
        kill(id, signal)
    }

    /// Whether the program holds a file in a folder open, be it one without a name.
    public func holdsOpen(aFileIn folder: String) -> Bool {
        let descriptors = "/proc/\(id)/fd"
        return Files.names(in: descriptors).contains { name in
            var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            guard readlink("\(descriptors)/\(name)", &target, Int(PATH_MAX)) > 0 else { return false }
            return target.withUnsafeBytes { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).hasPrefix("\(folder)/")
            }
        }
    }

    /// Waits for the end.
    public func wait() throws -> Program.Outcome {
        var status: CInt = 0
        while waitpid(id, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        return Program.Outcome(
            status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, dumpedCore: signal != 0 && status & 0x80 != 0,
            output: try printed.read("output"), error: try printed.read("error"))
    }

    /// Calls `body` with texts as C wants a list of them: pointers, the last of which is nil.
    private static func withPointers<Result>(
        to texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("the list has an end") }
            return body(base)
        }
    }
}

/// A program that a test needs is not installed.
private struct Missing: Error, CustomStringConvertible {
    let programs: [String]

    var description: String { "not installed: \(programs.joined(separator: ", ")) (`make deps` installs it)" }
}

extension Trait where Self == ConditionTrait {
    /// Leaves a test out where one of the programs it needs is missing: most are other people's, and judge what jisui
    /// writes. Where `JISUI_REQUIRE_TOOLS` is set, as `.ci/run` does, the test fails instead.
    public static func needs(_ programs: String...) -> ConditionTrait {
        let missing = Missing(programs: programs.filter { !Program.exists($0) })
        return .enabled("\(missing)") {
            if missing.programs.isEmpty { return true }
            if mustRun { throw missing }
            return false
        }
    }

    /// Leaves a test out where a line of shell fails; where `JISUI_REQUIRE_TOOLS` is set, the test fails instead.
    public static func needs(line: String, _ comment: Comment) -> ConditionTrait {
        .enabled(comment) {
            if Program.run(line) == 0 { return true }
            if mustRun { throw Missing(programs: [line]) }
            return false
        }
    }

    /// Leaves a test out where Debian's Python lacks modules, such as Selenium, through which scripts work browsers.
    public static func needs(modules: String) -> ConditionTrait {
        .needs(line: "/usr/bin/python3 -c 'import \(modules)'", "Debian's Python needs \(modules)")
    }
}

/// Expects that the tests of a script pass, which are run by pytest. A script without tests fails, too.
///
/// - Parameter script: its path below `Tests/Programs`, and options of pytest.
public func expectPytest(_ script: String, jisui: String = BuiltJisui.path) throws {
    let scratch = try ScratchFolder()
    let pytest = "JISUI_UNDER_TEST='\(jisui)' /usr/bin/python3 -B -m pytest --basetemp=work"
    let outcome = try Program.outcome("\(pytest) '\(BuiltJisui.repository)'/Tests/Programs/\(script)", in: scratch.path)
    #expect(outcome.status == 0, "\(outcome.outputText)\(outcome.errorText)")
}

private let mustRun = Program.environment["JISUI_REQUIRE_TOOLS"] != nil
