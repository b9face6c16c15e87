internal import AdapterKit
internal import CProcess
internal import Dispatch
internal import Glibc

/// One running process of a plug-in: a socket for lines, a file in memory for the bytes of a picture, and what it prints.
///
/// It serves one task at a time. It is ended, with everything that it started, when this is let go.
final class PluginProcess {
    /// Why nothing more can be had of the process.
    enum Fault: Error {
        /// It ended, or closed the socket; half a sentence.
        case died(String)
        /// It did not answer in time; the seconds that it had.
        case slow(Int)
        /// What it said is against the protocol; half a sentence.
        case broke(String)
        case cancelled
    }

    /// The most lines of an answer: pages, entries and outline of the largest book.
    private static let mostLines = 1_000_000

    private let pid: pid_t
    private let socket: CInt
    private let slot: CInt
    private let isWorker: Bool
    private let printed: CInt
    private var lines = LineBuffer()
    private var tail = PrintedTail()
    private var isOver = false
    private let isCancelled: @Sendable () -> Bool
    /// How many requests were answered.
    private(set) var answered = 0
    /// What it did that is against the protocol and does no harm: for those who make plug-ins.
    private(set) var remarks: Set<String> = []
    /// How many requests it takes until it can be asked for a page.
    var answeredAtStart = 0
    /// How many bytes it printed.
    var printedCount: Int { tail.count }

    /// - Parameters:
    ///   - files: the descriptors that become 5 and those behind it.
    ///   - isCancelled: asked again and again while an answer is waited for.
    /// - Throws: `.unreadable` when it cannot be started.
    init(
        _ program: PluginLauncher.Program, _ launcher: PluginLauncher, arguments: [String] = [], environment: [String],
        files: [CInt], bounds: PluginLauncher.Bounds, isCancelled: @escaping @Sendable () -> Bool
    ) throws(AdapterError) {
        var ends: [CInt] = [-1, -1]
        var pipeEnds: [CInt] = [-1, -1]
        let memory = process_slot()
        let isReady = memory >= 0 && process_socket(&ends) == 0 && process_output(&pipeEnds) == 0
        (socket, slot, printed) = (ends[0], memory, pipeEnds[0])
        if case .worker = program { isWorker = true } else { isWorker = false }
        self.isCancelled = isCancelled
        defer { for number in [ends[1], pipeEnds[1]] where number >= 0 { close(number) } }
        do throws(AdapterError) {
            guard isReady else { throw .system(.unreadable, "a process cannot be started", file: program.file) }
            pid = try launcher.start(
                PluginLauncher.Launch(
                    program: program, arguments: arguments, environment: environment, socket: ends[1], slot: slot,
                    files: files, output: pipeEnds[1], bounds: bounds))
        } catch {
            for number in [ends[0], memory, pipeEnds[0]] where number >= 0 { close(number) }
            throw error
        }
    }

    deinit {
        if isWorker { dismiss() } else { end() }
        close(slot)
        close(printed)
    }

    // MARK: Asking

    /// Asks for something and reads the answer.
    ///
    /// - Parameters:
    ///   - request: one line; the slot is emptied before it is sent.
    ///   - behind: the lines that belong to the request and follow it.
    ///   - picture: what is put into the slot.
    ///   - seconds: the time it may take for each line of the answer, or for all of one that has but one.
    ///   - line: gets each line before the end; what it gives back is sent.
    /// - Returns: the end, an object with "ok" or with "error".
    func ask(
        _ request: JSON, behind: [JSON] = [], picture: [UInt8]? = nil, seconds: Int,
        line: ((JSON) throws -> JSON?)? = nil
    ) throws -> JSON {
        if lines.isEmpty { lines.take(from: socket) }
        guard lines.isEmpty else { throw Fault.broke(PluginProcess.unasked) }
        try fill(picture)
        try send([request] + behind, seconds: seconds)
        let end = try answer(seconds: seconds, line: line)
        try end.mustAnswer(request)
        return end
    }

    /// Says that there are no more requests, and waits until the process has ended: what it still says is an answer too many, so
    /// that those before it were taken for answers to other requests than theirs.
    ///
    /// - Parameter seconds: the time it has; one that takes longer is left to `end`.
    /// - Throws: `Fault.broke` when it says anything.
    func expectSilence(seconds: Int) throws {
        shutdown(socket, CInt(SHUT_WR))
        let start = SuspendingClock.now
        while lines.isEmpty {
            // Asked before what it said is taken: nothing comes after its end.
            let isLast = hasEnded
            if lines.take(from: socket) { break }
            if isLast || errno != EAGAIN && errno != EINTR { return }
            takePrinted()
            if isCancelled() { throw Fault.cancelled }
            guard SuspendingClock.now - start < .seconds(seconds) else { return }
            usleep(2000)
        }
        throw Fault.broke(PluginProcess.unasked)
    }

    private static let unasked = "said something that it was not asked"

    /// Sends lines without waiting for an answer.
    private func send(_ lines: [JSON], seconds: Int) throws(Fault) {
        try send(bytes: Array(lines.map { $0.compactText + "\n" }.joined().utf8), seconds: seconds)
    }

    /// Sends bytes, whatever they are.
    func send(bytes: [UInt8], seconds: Int) throws(Fault) {
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
                throw death()
            }
        }
    }

    /// Reads an answer to its end.
    ///
    /// - Parameters:
    ///   - seconds: the time that each line may take, or all of an answer that has but one.
    ///   - line: nil where an answer has but one.
    func answer(seconds: Int, line: ((JSON) throws -> JSON?)? = nil) throws -> JSON {
        let start = SuspendingClock.now
        for _ in 0..<PluginProcess.mostLines {
            let json = try nextLine(since: line == nil ? start : SuspendingClock.now, seconds: seconds)
            if json["ok"] != nil || json["error"] != nil {
                answered += 1
                try judge(end: json)
                return json
            }
            if let reply = try line?(json) { try send([reply], seconds: seconds) }
            if line == nil { throw Fault.broke("answers with a line where there is none to be: \(json.told)") }
        }
        throw Fault.broke("answered with more than \(PluginProcess.mostLines) lines")
    }

    /// An end is "ok" with true, or an error with a code that there is.
    private func judge(end: JSON) throws(Fault) {
        if let code = end["error"]?.asString {
            if AdapterError.Code(rawValue: code) == nil { remark("answers with an error of a code that there is not") }
            let message = end["message"]?.asString ?? ""
            if message.isEmpty { remark("answers with an error without a message") }
            if message.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                remark("answers with a message that has control characters")
            }
        } else if end["ok"]?.asBoolean != true {
            throw .broke("ends an answer with neither ok nor an error")
        }
    }

    /// Notes something that does no harm.
    func remark(_ what: String) {
        if remarks.count < 20 { remarks.insert(what) }
    }

    private func nextLine(since start: SuspendingClock.Instant, seconds: Int) throws(Fault) -> JSON {
        while true {
            if let line = lines.next() {
                guard line.count <= LineBuffer.mostBytes else { break }
                guard let json = JSON(parsing: line), json.members != nil else {
                    throw Fault.broke("said what is no JSON object: \(PrintedTail.told(line))")
                }
                return json
            }
            guard lines.count <= LineBuffer.mostBytes else { break }
            try wait(POLLIN, since: start, seconds: seconds)
            if !lines.take(from: socket), errno != EAGAIN && errno != EINTR || hasEnded { throw death() }
        }
        throw Fault.broke("said a line of more than \(LineBuffer.mostBytes) bytes")
    }

    /// Waits until the socket is ready, and takes in what is printed meanwhile.
    private func wait(_ event: CInt, since start: SuspendingClock.Instant, seconds: Int) throws(Fault) {
        while true {
            if isCancelled() { throw .cancelled }
            guard SuspendingClock.now - start < .seconds(seconds) else { throw .slow(seconds) }
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

    // MARK: The slot

    /// Puts a picture in the slot. A plug-in finds nothing else in it; a worker of jisui's own is told what is there, and taking the
    /// memory away and giving it back would take longer than filling it.
    func fill(_ picture: [UInt8]?) throws(Fault) {
        let count = isWorker ? picture?.count : 0
        guard count.map({ ftruncate(slot, off_t($0)) == 0 }) ?? true else {
            throw .broke("has a slot that cannot be emptied")
        }
        guard let picture else { return }
        let isWritten = picture.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = pwrite(slot, rest.baseAddress, rest.count, off_t(written))
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
        guard isWritten else { throw .broke("has a slot that cannot be written: there is no memory left") }
    }

    /// Bytes of the slot, all of them there.
    func slot(_ count: Int, from start: Int = 0) throws(Fault) -> [UInt8] {
        var status = stat()
        guard count >= 0, start >= 0, fstat(slot, &status) == 0, status.st_size - start >= count else {
            throw .broke("says that there are \(count) bytes in the slot, and there are \(status.st_size)")
        }
        var filled = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
            while filled < count {
                let got = pread(slot, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(start + filled))
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else { break }
                filled += got
            }
            initialised = filled
        }
        guard filled == count else { throw .broke("emptied the slot while it was read") }
        return bytes
    }

    // MARK: What it prints, and how it ends

    private var hasPrintedAll = false
    private var hasEnded: Bool { PluginProcess.hasEnded(pid) }

    private func takePrinted() {
        if !hasPrintedAll { hasPrintedAll = tail.take(from: printed) }
    }

    /// The last line that it printed, as far as it is text for people; nil for none.
    var lastWords: String? {
        takePrinted()
        return tail.lastLine
    }

    /// All that it printed, the end of it where it was much.
    var printedText: String {
        takePrinted()
        return tail.text
    }

    /// Waits until it has ended by itself.
    ///
    /// - Returns: how; nil when it did not.
    func waitForEnd(seconds: Int) -> CInt? {
        let start = SuspendingClock.now
        while !hasEnded, SuspendingClock.now - start < .seconds(seconds) {
            takePrinted()
            usleep(2000)
        }
        return hasEnded ? end() : nil
    }

    /// Its number, which is that of its group.
    var number: Int { Int(pid) }

    private static func hasEnded(_ pid: pid_t) -> Bool {
        var information = siginfo_t()
        // It stays a zombie: until it is reaped, nobody else gets its number.
        return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo != 0
    }

    /// How it ended, as an error. It is given a moment to do so, since its end of the socket is closed before.
    private func death() -> Fault {
        let words = { () -> String in self.lastWords.map { ": \($0)" } ?? "" }
        guard let status = end() else { return .died("closed its socket" + words()) }
        let signal = status & 0x7F
        if signal != 0 {
            return .died("was ended by signal \(signal) (\(PluginProcess.name(ofSignal: signal)))" + words())
        }
        let code = status >> 8 & 0xFF
        return code == 69
            ? .died("lacks something that it needs" + words()) : .died("ended with status \(code)" + words())
    }

    private static func name(ofSignal number: CInt) -> String {
        strsignal(number).map { String(cString: $0) } ?? "unknown"
    }

    /// Ends a worker of jisui's own, which holds nothing that it would have to put away, without waiting until its memory is free.
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

    /// Closes the socket, waits a moment, and ends what is left of the process and of those that it started.
    ///
    /// - Parameter patience: the moment.
    /// - Returns: how the process ended by itself; nil when it was ended, or had been before.
    @discardableResult
    func end(within patience: Duration = .milliseconds(200)) -> CInt? {
        guard !isOver else { return nil }
        isOver = true
        close(socket)
        let start = SuspendingClock.now
        var endedItself = PluginProcess.hasEnded(pid)
        while !endedItself, SuspendingClock.now - start < patience, !isCancelled() {
            takePrinted()
            usleep(2000)
            endedItself = PluginProcess.hasEnded(pid)
        }
        takePrinted()
        // Its group has its number, which stays taken as long as it was not reaped.
        kill(-pid, SIGKILL)
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return endedItself ? status : nil
    }
}
