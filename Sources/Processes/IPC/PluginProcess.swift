internal import CProcess
internal import Dispatch
internal import Files
internal import Glibc
package import OrderedJSON
package import PageModel

/// A running process of a plug-in: a socket for lines, a memory file for image bytes, and its printed output.
///
/// It serves one task at a time. When this object is released, the process ends with everything that it started.
package final class PluginProcess {
    /// The reason why the process cannot answer.
    package enum Fault: Error {
        /// It ended, or closed the socket; a sentence fragment.
        case crashed(Message)
        /// It did not answer in time; the limit in seconds, and whether no option changes it.
        case slow(Int, isFixed: Bool)
        /// Its answer violates the protocol; a sentence fragment.
        case protocolViolation(Message)
        case cancelled
    }

    /// The maximum number of lines of an answer: pages, entries and outline of the largest book.
    private static let maximumLines = 1_000_000

    private let pid: pid_t
    private let socket: CInt
    private let sharedBuffer: CInt
    private let isWorker: Bool
    private let printed: CInt
    private var lines = LineBuffer()
    private var tail = PrintedTail()
    private var isOver = false
    /// Whether a request has no complete answer. It stays so after a fault.
    private var isAnswering = false
    private let isCancelled: @Sendable () -> Bool
    /// The number of answered requests.
    package private(set) var answered = 0
    /// The number of requests before the first request for a page.
    package var answeredAtStart = 0
    /// The observer of the process; nil in a run.
    package var observer: (any ProcessObserver)?

    /// - Parameters:
    ///   - buffer: the first bytes of the shared-memory buffer, for a program that reads them without a request.
    ///   - files: the descriptors from 5 on.
    ///   - isCancelled: polled while waiting for an answer.
    /// - Throws: `.unreadable` when it cannot be started.
    package init(
        _ program: PluginLauncher.Program, _ launcher: PluginLauncher, arguments: [String] = [], environment: [String],
        buffer: [UInt8] = [], files: [CInt], policy: PluginLauncher.SandboxPolicy,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(AdapterError) {
        var ends: [CInt] = [-1, -1]
        var pipeEnds: [CInt] = [-1, -1]
        let memory = process_slot()
        let isReady = memory >= 0 && process_socket(&ends) == 0 && process_output(&pipeEnds) == 0
        (socket, sharedBuffer, printed) = (ends[0], memory, pipeEnds[0])
        if case .worker = program { isWorker = true } else { isWorker = false }
        self.isCancelled = isCancelled
        defer { for number in [ends[1], pipeEnds[1]] where number >= 0 { close(number) } }
        do throws(AdapterError) {
            guard isReady, PluginProcess.write(buffer, to: memory) else {
                throw .system(.unreadable, "a process cannot be started", file: program.file)
            }
            pid = try launcher.start(
                PluginLauncher.Launch(
                    program: program, arguments: arguments, environment: environment, socket: ends[1],
                    sharedBuffer: sharedBuffer,
                    files: files, output: pipeEnds[1], policy: policy))
        } catch {
            for number in [ends[0], memory, pipeEnds[0]] where number >= 0 { close(number) }
            throw error
        }
    }

    deinit {
        if isWorker { dismiss() } else { end() }
        close(sharedBuffer)
        close(printed)
    }

    // MARK: Requests

    /// Sends a request and reads the answer.
    ///
    /// - Parameters:
    ///   - request: one line. The buffer is emptied before it is sent.
    ///   - behind: the lines that follow the request. They belong to it.
    ///   - picture: the image to put into the buffer. It may be nil.
    ///   - seconds: the time limit for each line of the answer. It applies to the whole answer if that has one line.
    ///   - line: receives each line before the end. Its result is sent to the process.
    /// - Returns: the end, an object with "ok" or with "error".
    package func ask(
        _ request: JSON, behind: [JSON] = [], picture: [UInt8]? = nil, seconds: Int,
        line: ((JSON) throws -> JSON?)? = nil
    ) throws -> JSON {
        if lines.isEmpty { lines.take(from: socket) }
        guard lines.isEmpty else { throw Fault.protocolViolation(PluginProcess.unasked) }
        isAnswering = true
        try fill(picture)
        try send([request] + behind, seconds: seconds)
        let end = try answer(seconds: seconds, line: line)
        try end.mustAnswer(request)
        isAnswering = false
        return end
    }

    /// Closes the connection for requests, and waits until the process has ended. Anything that it still sends is an
    /// extra answer, so earlier answers belonged to other requests than assumed.
    ///
    /// - Parameter seconds: the time limit. A slower process is left to `end`.
    /// - Throws: `Fault.protocolViolation` for an extra answer.
    package func expectSilence(seconds: Int) throws {
        shutdown(socket, CInt(SHUT_WR))
        let start = SuspendingClock.now
        while lines.isEmpty {
            // Checked before its output is read: nothing can follow its end.
            let isLast = hasEnded
            if lines.take(from: socket) { break }
            if isLast || errno != EAGAIN && errno != EINTR { return }
            takePrinted()
            if isCancelled() { throw Fault.cancelled }
            guard SuspendingClock.now - start < .seconds(seconds) else { return }
            usleep(2000)
        }
        throw Fault.protocolViolation(PluginProcess.unasked)
    }

    private static let unasked: Message = "sent an answer without a request"

    /// Sends lines without waiting for an answer.
    private func send(_ lines: [JSON], seconds: Int) throws(Fault) {
        try send(bytes: Array(lines.map { $0.compactText + "\n" }.joined().utf8), seconds: seconds)
    }

    /// Sends bytes, valid or not.
    package func send(bytes: [UInt8], seconds: Int) throws(Fault) {
        var bytes = bytes[...]
        let start = SuspendingClock.now
        while !bytes.isEmpty {
            let sent = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if sent > 0 {
                bytes = bytes.dropFirst(sent)
            } else if errno == EAGAIN || errno == EINTR {
                try wait(POLLOUT, since: start, seconds: seconds)
            } else {
                throw crashFault()
            }
        }
    }

    /// Reads an answer to its end.
    ///
    /// - Parameters:
    ///   - seconds: the time limit for each line. It applies to the whole answer if that has one line.
    ///   - line: nil for an answer of one line.
    package func answer(seconds: Int, line: ((JSON) throws -> JSON?)? = nil) throws -> JSON {
        let start = SuspendingClock.now
        for _ in 0..<PluginProcess.maximumLines {
            let json = try nextLine(since: line == nil ? start : SuspendingClock.now, seconds: seconds)
            if json["ok"] != nil || json["error"] != nil {
                answered += 1
                try judge(end: json)
                return json
            }
            if let reply = try line?(json) { try send([reply], seconds: seconds) }
            if line == nil { throw Fault.protocolViolation("sends an unexpected line: \(json.excerpt)") }
        }
        throw Fault.protocolViolation("answered with more than \(PluginProcess.maximumLines) lines")
    }

    /// Checks the end of an answer. A valid one has "ok" with true, or an error with a known code.
    private func judge(end: JSON) throws(Fault) {
        if let code = end["error"]?.asString {
            guard let observer else { return }
            if AdapterError.Code(rawValue: code) == nil { observer.remarked("answers with an unknown error code") }
            let message = end["message"]?.asString ?? ""
            if message.isEmpty { observer.remarked("answers with an error without a message") }
            if message.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                observer.remarked("answers with a message that has control characters")
            }
        } else if end["ok"]?.asBoolean != true {
            throw .protocolViolation("ends an answer with neither ok nor an error")
        }
    }

    private func nextLine(since start: SuspendingClock.Instant, seconds: Int) throws(Fault) -> JSON {
        while true {
            if let line = lines.next() {
                guard line.count <= LineBuffer.maximumBytes else { break }
                guard let json = JSON(parsing: line), json.members != nil else {
                    throw Fault.protocolViolation(
                        "sent a line that is not a JSON object: \(PrintedTail.excerpt(of: line))")
                }
                return json
            }
            guard lines.count <= LineBuffer.maximumBytes else { break }
            try wait(POLLIN, since: start, seconds: seconds)
            if !lines.take(from: socket), errno != EAGAIN && errno != EINTR || hasEnded { throw crashFault() }
        }
        throw Fault.protocolViolation("sent a line of more than \(LineBuffer.maximumBytes) bytes")
    }

    /// Waits until the socket is ready, and reads printed output meanwhile.
    private func wait(_ event: CInt, since start: SuspendingClock.Instant, seconds: Int) throws(Fault) {
        while true {
            if isCancelled() { throw .cancelled }
            guard SuspendingClock.now - start < .seconds(seconds) else { throw .slow(seconds, isFixed: false) }
            var waiting = [
                pollfd(fd: socket, events: Int16(event), revents: 0),
                pollfd(fd: printed, events: Int16(POLLIN), revents: 0),
            ]
            if hasPrintedAll { waiting.removeLast() }
            _ = poll(&waiting, nfds_t(waiting.count), 50)
            if waiting.count > 1, waiting[1].revents != 0 { takePrinted() }
            if waiting[0].revents != 0 { return }
        }
    }

    // MARK: The buffer

    /// Puts an image into the buffer. A plug-in finds nothing else in it. A worker of jisui's own gets the length
    /// instead, because releasing and allocating the memory would take longer than filling it.
    package func fill(_ picture: [UInt8]?) throws(Fault) {
        let count = isWorker ? picture?.count : 0
        guard count.map({ ftruncate(sharedBuffer, off_t($0)) == 0 }) ?? true else {
            throw .protocolViolation("has a shared-memory buffer that cannot be emptied")
        }
        guard let picture else { return }
        guard PluginProcess.write(picture, to: sharedBuffer) else {
            throw .protocolViolation("has a shared-memory buffer that cannot be written: out of memory")
        }
    }

    /// Writes bytes to the start of a memory file.
    ///
    /// - Returns: whether all were written.
    private static func write(_ bytes: [UInt8], to file: CInt) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = pwrite(file, rest.baseAddress, rest.count, off_t(written))
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    /// Returns bytes of the buffer, exactly that many.
    package func bytesInBuffer(_ count: Int, from start: Int = 0) throws(Fault) -> [UInt8] {
        var status = stat()
        guard count >= 0, start >= 0, fstat(sharedBuffer, &status) == 0, status.st_size - start >= count else {
            throw .protocolViolation(
                "reported \(count) bytes in the shared-memory buffer, but there are \(status.st_size)")
        }
        var filled = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while filled < count {
                let got = pread(
                    sharedBuffer, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(start + filled))
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else { break }
                filled += got
            }
            initialized = filled
        }
        guard filled == count else { throw .protocolViolation("emptied the shared-memory buffer while it was read") }
        return bytes
    }

    // MARK: Its printed output and its end

    private var hasPrintedAll = false
    private var hasEnded: Bool { PluginProcess.hasEnded(pid) }

    private func takePrinted() {
        if !hasPrintedAll { hasPrintedAll = tail.take(from: printed) }
    }

    /// The last printed line, if it is readable text; nil without output.
    package var lastWords: String? {
        takePrinted()
        return tail.lastLine
    }

    /// The printed text; only the end of a long one.
    package var printedText: String {
        takePrinted()
        return tail.text
    }

    /// Waits until it has ended by itself.
    ///
    /// - Returns: the exit status; nil if it did not end.
    package func waitForEnd(seconds: Int) -> CInt? {
        let start = SuspendingClock.now
        while !hasEnded, !isCancelled(), SuspendingClock.now - start < .seconds(seconds) {
            takePrinted()
            usleep(2000)
        }
        return hasEnded ? end() : nil
    }

    /// Its number, which is also that of its group.
    package var number: Int { Int(pid) }

    private static func hasEnded(_ pid: pid_t) -> Bool {
        var information = siginfo_t()
        // It stays a zombie: until it is reaped, no other process gets its number.
        return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo != 0
    }

    /// Returns its exit reason as an error. It gets a moment to end, because its end of the socket is closed before.
    private func crashFault() -> Fault {
        isAnswering = true
        let way: Message
        if let status = end() {
            let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
            way =
                if signal != 0 {
                    "was ended by signal \(signal) (\(PluginProcess.name(ofSignal: signal)))"
                } else {
                    code == 69 ? "lacks something that it needs" : "ended with status \(code)"
                }
        } else {
            way = "closed its socket"
        }
        return .crashed(lastWords.map { "\(way): \($0)" } ?? way)
    }

    private static func name(ofSignal number: CInt) -> String {
        strsignal(number).map { String(cString: $0) } ?? "unknown"
    }

    /// Kills a worker of jisui's own, which needs no cleanup, without waiting until its memory is free.
    private func dismiss() {
        guard !isOver else { return }
        isOver = true
        close(socket)
        kill(-pid, SIGKILL)
        DispatchQueue.global().async { [pid] in
            var status: CInt = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        }
    }

    /// Closes the socket, waits a moment, and kills the remaining processes. This includes its child processes.
    ///
    /// - Returns: the exit status; nil if it was killed or had ended before.
    @discardableResult
    package func end() -> CInt? {
        guard !isOver else { return nil }
        isOver = true
        // A busy machine may take longer than a run waits.
        let patience: Duration = observer == nil ? .milliseconds(200) : .seconds(3)
        close(socket)
        let start = SuspendingClock.now
        var endedItself = PluginProcess.hasEnded(pid)
        while !endedItself, SuspendingClock.now - start < patience, !isCancelled() {
            takePrinted()
            usleep(2000)
            endedItself = PluginProcess.hasEnded(pid)
        }
        takePrinted()
        // Its group has its number, which stays reserved until it is reaped.
        kill(-pid, SIGKILL)
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        if !isAnswering, !isCancelled() { observer?.ended(endedItself ? status : nil, printed: tail.count) }
        return endedItself ? status : nil
    }
}
