internal import Glibc

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
        public let output: [UInt8]
        public let error: [UInt8]

        public var outputText: String { String(decoding: output, as: UTF8.self) }
        public var errorText: String { String(decoding: error, as: UTF8.self) }
    }
}
