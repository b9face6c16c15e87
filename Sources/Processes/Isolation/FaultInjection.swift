internal import Glibc
package import PageModel

/// The faults of a broken library, for tests of the sandbox.
///
/// A file with "JISUIFLT crash", or with another word, triggers that fault in its worker. A file with "page 3 JISUIFLT
/// crash" triggers it in a worker for whole books when the worker reaches that page. Faults need JISUI_TEST_FAULTS=1 in
/// jisui's environment, and they never happen in jisui's own process. Only builds for tests contain them.
package enum FaultInjection {
    #if DEBUG || JISUI_FAULTS
    private enum Kind: String, CaseIterable {
        case crash, hang, drip, exhaustMemory = "eat", lie, spew, fork, exec, open, connect, calls
    }

    private static let isAllowed = getenv("JISUI_TEST_FAULTS").map { String(cString: $0) } == "1"

    #endif

    /// Triggers the fault that a file names, if it names one.
    ///
    /// - Throws: `.damaged` with the result of an attempt that the system should refuse.
    package static func trigger(
        namedIn file: @autoclosure () -> [UInt8], onPage page: Int? = nil
    ) throws(AdapterError) {
        #if DEBUG || JISUI_FAULTS
        guard isAllowed else { return }
        let file = file()
        let mark = (page.map { "page \($0) " } ?? "") + "JISUIFLT "
        guard let place = file.firstRange(of: Array(mark.utf8)) else { return }
        let rest = file[place.upperBound...]
        guard let kind = Kind.allCases.first(where: { rest.starts(with: $0.rawValue.utf8) }) else { return }
        switch kind {
        case .crash: raise(SIGSEGV)
        case .hang: while true { sleep(1000) }
        case .drip:
            while true {
                send("{}")
                usleep(200_000)
            }
        case .exhaustMemory: exhaustMemory()
        case .lie: send(#"{"ok":true,"parts":[1000000000000]}"#)
        case .spew: while true { send(String(repeating: "spew ", count: 20_000)) }
        case .fork: try report("starting a program", spawned())
        case .exec: try report("becoming a program", become())
        case .open: try report("making a file", makeFile())
        case .connect: try report("reaching the network", connected())
        case .calls:
            let list = String(decoding: rest.dropFirst(kind.rawValue.utf8.count).prefix { $0 != 10 }, as: UTF8.self)
            throw AdapterError(.damaged, "a fault that a test asked for: \(attempted(list))")
        }
        #endif
    }

    #if DEBUG || JISUI_FAULTS
    private static func exhaustMemory() {
        // An optimizer removes memory that is never used.
        var blocks: [UnsafeMutableRawPointer] = []
        while let block = malloc(1 << 24) {
            memset(block, 1, 1 << 24)
            blocks.append(block)
        }
        perror("memory ended after \(blocks.count) pieces")
        abort()
    }

    private static func send(_ text: String) {
        for number: CInt in [3, 1] { _ = text.withCString { write(number, $0, strlen($0)) } }
        _ = write(3, "\n", 1)
    }

    private static func spawned() -> CInt {
        var pid = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
        return posix_spawn(&pid, "/bin/sleep", nil, nil, &arguments, nil)
    }

    private static func become() -> CInt {
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
        execv("/bin/sleep", &arguments)
        return errno
    }

    private static func connected() -> CInt {
        socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0) < 0 ? errno : 0
    }

    private static func report(_ attempt: String, _ number: CInt) throws(AdapterError) {
        let outcome = number == 0 ? "was possible" : "was refused: \(String(cString: strerror(number)))"
        throw AdapterError(.damaged, "a fault that a test asked for: \(attempt) \(outcome)")
    }
    #endif
}

#if DEBUG || JISUI_FAULTS
private func makeFile() -> CInt {
    open("/tmp/jisui-test-fault-\(getpid())", O_CREAT | O_WRONLY, 0o600) < 0 ? errno : 0
}
#endif
