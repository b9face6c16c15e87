internal import Glibc

/// Standard input and output, for which "-" stands on the command line.
public enum StandardStreams {
    /// What they are called in messages and reports.
    public static let inputName = "standard input"
    public static let outputName = "standard output"
    /// Both, which say nothing of a book. Outputs that are named after standard input have its name.
    public static let names: Set<String> = [inputName, outputName]

    /// Paths under which the system knows what they lead to: a file, if the shell has put one there.
    public static let inputPath = "/dev/stdin"
    public static let outputPath = "/dev/stdout"

    public static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    public static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Puts something that fails in the place of those of the three standard streams that the program got closed:
    /// else the next file that is opened would get the number, and be read or written as that stream.
    public static func occupyClosed() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) == -1 {
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Reads standard input to its end, into a spool: pages are read in any order, and more than once.
    ///
    /// - Parameter limit: the most bytes that are taken.
    /// - Throws: `AdapterError`: `.unreadable`, `.tooLarge`, `.unwritable`; `CancellationError`.
    public static func spooledInput(most limit: Int) throws -> SpoolFile {
        let spool = try SpoolFile()
        var total = 0
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { block.deallocate() }
        while true {
            // Whoever writes into a pipe may take its time, and the run be cancelled meanwhile.
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

extension Input {
    /// What standard input held, as an input.
    ///
    /// - Parameter spool: has to stay as long as the input is read.
    /// - Throws: `.unwritable` where /proc is not mounted.
    public init(standardInput spool: SpoolFile, password: String? = nil) throws(AdapterError) {
        self.init(path: try spool.path(), name: StandardStreams.inputName, password: password)
    }
}

extension Destination {
    /// Standard output: what goes there is there at once, and cannot be taken back.
    ///
    /// - Parameter mayReplace: whether files that are written besides may replace others.
    public static func standardOutput(
        mayReplace: Bool = false, temporaryFiles: TemporaryFiles = TemporaryFiles()
    ) -> Destination {
        var destination = Destination(
            path: StandardStreams.outputName, mayReplace: mayReplace, temporaryFiles: temporaryFiles)
        destination.isStandardOutput = true
        return destination
    }
}
