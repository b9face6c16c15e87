internal import CPoppler
internal import Glibc
internal import Synchronization

/// What poppler says while it draws: it carries on past every fault, and tells only its log.
enum PopplerDiagnostics {
    private static let heard = Mutex<[pthread_t: [String]]>([:])

    /// Takes over GLib's log for the whole program. Messages of threads that nobody listens to are dropped.
    private static let listening: Void = {
        guard let library = cpoppler_load()?.pointee else { return }
        library.g_log_set_writer_func(
            { _, fields, count, _ in
                for field in UnsafeBufferPointer(start: fields, count: Int(count)) {
                    guard let key = field.key, let value = field.value, String(cString: key) == "MESSAGE" else {
                        continue
                    }
                    let bytes = value.assumingMemoryBound(to: CChar.self)
                    PopplerDiagnostics.note(String(cString: bytes))
                }
                return CUnsignedInt(CPOPPLER_LOG_HANDLED)
            }, nil, nil)
    }()

    private static func note(_ message: String) {
        guard let fault = fault(in: message) else { return }
        heard.withLock { heard in
            if let count = heard[pthread_self()]?.count, count < 20 { heard[pthread_self()]?.append(fault) }
        }
    }

    /// What is wrong, without "Syntax error at position 123: "; nil for what poppler itself calls a warning.
    private static func fault(in message: String) -> String? {
        if message.hasPrefix("Syntax warning") { return nil }
        guard let place = message.firstRange(of: " at position "),
            let colon = message[place.upperBound...].firstRange(of: ": ")
        else { return message }
        return String(message[colon.upperBound...])
    }

    /// Calls `body`, and returns what poppler said meanwhile on this thread.
    static func during<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> (Result, [String]) {
        _ = listening
        heard.withLock { $0[pthread_self()] = [] }
        defer { heard.withLock { _ = $0.removeValue(forKey: pthread_self()) } }
        let result = try body()
        return (result, heard.withLock { $0[pthread_self()] } ?? [])
    }
}
