internal import CLinux
internal import Glibc
internal import PageModel

/// Standard input and output, written as "-" on the command line.
public enum StandardStreams {
    /// The names of the streams in messages and reports.
    public static let inputName = "standard input"
    public static let outputName = "standard output"
    /// Both names, which contain no information about a book. Outputs that are named after standard input have its
    /// name.
    public static let names: Set<String> = [inputName, outputName]

    /// Paths under which the system opens the target of a stream: a file, if the shell redirected the stream.
    public static let inputPath = "/dev/stdin"
    public static let outputPath = "/dev/stdout"

    public static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    public static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Opens a descriptor that always fails in place of each standard stream that the program got closed. Otherwise the
    /// next opened file would get the number and be used as that stream.
    public static func reopenClosedStreams() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) == -1 {
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Makes standard output line-buffered, so that its lines are ordered with those on standard error.
    public static func writeOutputByLines() { linux_write_lines() }

    /// Writes the waiting data of `print`.
    ///
    /// - Returns: whether some of the standard output could not be written, now or before.
    public static func outputHasFailed() -> Bool { linux_output_failed() != 0 }

    /// Reads standard input to its end. The spool gives random access to it, because pages are read in any order.
    ///
    /// - Parameter limit: the maximum number of bytes. A longer input is an error.
    /// - Throws: `AdapterError`: `.unreadable`, `.tooLarge`, `.unwritable`; `CancellationError`.
    public static func spooledInput(maximumBytes limit: Int) throws -> SpoolFile {
        let spool = try SpoolFile()
        var total = 0
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { block.deallocate() }
        while true {
            // The writing process may be slow, and the run may be canceled meanwhile.
            try Task.checkCancellation()
            var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, pollMilliseconds) == 0 { continue }
            let count = read(STDIN_FILENO, block.baseAddress, block.count)
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count >= 0 else { throw AdapterError.system(.unreadable, "cannot be read", file: inputName) }
            if count == 0 { return spool }
            total += count
            guard total <= limit else {
                throw AdapterError(.tooLarge, "has more than the \(limit) bytes allowed", file: inputName)
            }
            _ = try spool.append(UnsafeRawBufferPointer(rebasing: block[..<count]))
        }
    }

    private static let pollMilliseconds: CInt = 100
}

extension Destination {
    /// Returns standard output as a destination. Its data appears at once and cannot be withdrawn.
    ///
    /// - Parameter mayReplace: whether additional files may replace others.
    public static func standardOutput(
        mayReplace: Bool = false, temporaryFiles: TemporaryFiles = TemporaryFiles()
    ) -> Destination {
        var destination = Destination(
            path: StandardStreams.outputName, mayReplace: mayReplace, temporaryFiles: temporaryFiles)
        destination.isStandardOutput = true
        return destination
    }
}
