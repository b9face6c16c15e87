internal import CLinux
internal import Glibc

/// Standard error as the program received it. Silenced libraries do not write to it.
public struct ErrorStream: Sendable {
    /// The number of its descriptor; negative if the program got none.
    public let number: Int32

    public init() {
        number = dup(STDERR_FILENO)
    }

    public var isTerminal: Bool { isatty(number) == 1 }

    /// The width of the terminal in characters; nil if it is unknown.
    public var columns: Int? {
        var size = winsize()
        guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Returns the number of columns that a character takes on a terminal; nil if the C library does not know it.
    public static func columns(of character: Unicode.Scalar) -> Int? {
        let count = linux_columns(character.value)
        return count < 0 ? nil : Int(count)
    }

    /// Discards everything that libraries print to standard error from now on.
    public func silenceLibraries() {
        guard number >= 0 else { return }
        let nowhere = open("/dev/null", O_WRONLY)
        dup2(nowhere, STDERR_FILENO)
        close(nowhere)
    }

    /// Writes text. A failure has no consequence, because it could not be reported.
    public func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
