internal import Glibc

/// Programs of other people that judge what jisui writes.
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
}
