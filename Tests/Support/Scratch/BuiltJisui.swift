internal import Glibc

/// The jisui that the tests run: the one that `JISUI_UNDER_TEST` names, or else the one that was built with the tests.
public enum BuiltJisui {
    public static let path = Program.environment["JISUI_UNDER_TEST"] ?? withFaults

    /// The folder that it lies in.
    private static let folder = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }

    /// The folder of the running tests, where the build puts jisui too.
    public static let testsFolder: String = {
        let own = realpath("/proc/self/exe", nil)
        defer { free(own) }
        let path = own.map { String(cString: $0) } ?? ""
        return path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    }()

    /// The jisui that was built with the tests, which alone has `FaultInjection`.
    public static let withFaults = "\(testsFolder)/jisui"

    /// Whether the tests, and the jisui that was built with them, contain the address sanitizer.
    public static let isSanitized = dlsym(nil, "__asan_init") != nil

    /// The root of the repository.
    public static let repository = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }

    public static let fixtures = "\(repository)/Fixtures"

    /// An environment in which jisui prints the same on every machine, and is the `jisui` of the shell.
    ///
    /// - Parameter temporary: the folder for temporary files.
    public static func environment(temporary: String) -> [String: String] {
        let own = Program.environment
        var variables = [
            "PATH": "\(folder):\(own["PATH"] ?? "/usr/bin:/bin")", "HOME": temporary, "TMPDIR": temporary,
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "NO_COLOR": "1",
        ]
        for name in ["ASAN_OPTIONS", "LSAN_OPTIONS", "JAVA_HOME", "PYENV_ROOT"] { variables[name] = own[name] }
        return variables
    }

    /// Runs jisui.
    public static func run(
        _ arguments: [String], in folder: String = "/", temporary: String = "/tmp"
    ) throws -> Program.Outcome {
        try start(arguments, in: folder, temporary: temporary).wait()
    }

    /// Starts jisui without waiting for it.
    public static func start(
        _ arguments: [String], in folder: String = "/", temporary: String = "/tmp"
    ) throws -> RunningProgram {
        try RunningProgram([path] + arguments, in: folder, environment: environment(temporary: temporary))
    }
}
