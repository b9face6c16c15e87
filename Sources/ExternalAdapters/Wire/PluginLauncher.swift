internal import AdapterKit
internal import CProcess
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Starts processes: of plug-ins, and those that work for jisui.
///
/// A process is to end with jisui, however that ends; the system ends it with the *thread* that started it, so that one thread
/// starts them all, which lasts as long as the program.
public final class PluginLauncher: Sendable {
    /// What a process gets.
    struct Launch: Sendable {
        var program: Program
        var arguments: [String] = []
        var environment: [String]
        /// The descriptors that it finds as 3, 4, and from 5 on.
        var socket: CInt
        var slot: CInt
        var files: [CInt]
        /// Where its standard output and error go.
        var output: CInt
        var bounds: Bounds
    }

    /// What a process runs.
    enum Program: Sendable {
        /// A plug-in, by its path.
        case plugin(String)
        /// jisui itself, as a worker for a kind of work.
        case worker(String)

        /// The file that an error is about; nil for jisui's own.
        var file: String? {
            switch self {
            case .plugin(let path): path
            case .worker: nil
            }
        }
    }

    /// What a process may do.
    struct Bounds: Sendable {
        /// The most bytes of a file that it may write; nil for any number.
        var fileBytes: Int?
        /// The most bytes of memory that it may take; nil for any number.
        var memoryBytes: Int?
        var mayStartPrograms = false
        /// Whether the folders may be read where fontconfig looks for fonts as this user has told it.
        var readsOwnFonts = false
        var readable: [String] = []
        var writable: [String] = []

        /// The bytes of what a program takes by itself, and of a few pictures of so many pixels.
        static func memory(pixels: Int) -> Int { 1 << 30 + 32 * min(pixels, 1 << 40) }
    }

    /// The program that puts a process in bounds and then becomes the plug-in, or works itself: jisui, started as `CProcess` has it.
    private let trampoline: String?
    private let requests = Mutex<[@Sendable () -> Void]>([])
    private let waiting = DispatchSemaphore(value: 0)
    private let isRunning = Mutex(false)

    /// - Parameter trampoline: the path of jisui; nil to start plug-ins as they are, without any bounds.
    public init(trampoline: String?) {
        self.trampoline = trampoline
    }

    /// The names of the bounds that hold here: "files", "calls"; none without a trampoline.
    public var layers: [String] {
        guard trampoline != nil else { return [] }
        let layers = UInt32(clamping: sandbox_layers())
        return [(sandbox_files, "files"), (sandbox_calls, "calls")].filter { layers & $0.0.rawValue != 0 }.map(\.1)
    }

    /// What processes are not kept from here, for people: half sentences, none where both layers are there.
    public var lacks: [String] {
        let layers = layers
        return [("files", "see only their own files (Landlock)"), ("calls", "have no network (seccomp)")]
            .filter { !layers.contains($0.0) }.map(\.1)
    }

    /// Starts a process in a group of its own.
    ///
    /// - Returns: the number of the process, which is that of its group as well.
    /// - Throws: `.unreadable`.
    func start(_ launch: Launch) throws(AdapterError) -> pid_t {
        guard begin() else {
            errno = EAGAIN
            throw .system(.unreadable, "a process cannot be started", file: launch.program.file)
        }
        let answer = Mutex<(pid: pid_t, errno: CInt)?>(nil)
        let done = DispatchSemaphore(value: 0)
        requests.withLock {
            $0.append {
                let started = self.spawn(launch)
                answer.withLock { $0 = started }
                done.signal()
            }
        }
        waiting.signal()
        done.wait()
        let (pid, number) = answer.withLock { $0 } ?? (0, EAGAIN)
        guard number == 0 else {
            errno = number
            throw .system(.unreadable, "a process cannot be started", file: launch.program.file)
        }
        return pid
    }

    /// Begins the thread, if that was not done.
    ///
    /// - Returns: false where no thread can be had.
    private func begin() -> Bool {
        isRunning.withLock { isRunning in
            if isRunning { return true }
            var thread = pthread_t()
            let this = Unmanaged.passRetained(self)
            let failed = pthread_create(
                &thread, nil,
                { argument in
                    // It was put there right below, and nobody else takes it.
                    guard let argument else { return nil }
                    Unmanaged<PluginLauncher>.fromOpaque(argument).takeUnretainedValue().serve()
                }, this.toOpaque())
            if failed != 0 {
                this.release()
                return false
            }
            pthread_detach(thread)
            isRunning = true
            return true
        }
    }

    private func serve() -> Never {
        while true {
            waiting.wait()
            requests.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
        }
    }

    private func spawn(_ launch: Launch) -> (pid: pid_t, errno: CInt) {
        let program: String
        let arguments: [String]
        switch (launch.program, trampoline) {
        case (.plugin(let path), nil):
            (program, arguments) = (path, [path] + launch.arguments)
        case (.plugin(let path), let trampoline?):
            let word = String(cString: sandbox_plugin_word())
            (program, arguments) = (trampoline, ["jisui", word, path] + PluginLauncher.words(launch))
        case (.worker(let kind), let trampoline?):
            let word = String(cString: sandbox_worker_word())
            (program, arguments) = (trampoline, ["jisui", word, kind] + PluginLauncher.words(launch))
        case (.worker, nil): return (0, ENOSYS)
        }
        let descriptors =
            [-1, launch.output, launch.output, launch.socket, launch.slot] + launch.files
        var pid = pid_t()
        let failed = PluginLauncher.withCStrings(arguments) { arguments in
            PluginLauncher.withCStrings(launch.environment) { environment in
                FileName.withCString(of: program) {
                    process_start(&pid, $0, arguments, environment, descriptors, CInt(descriptors.count))
                }
            }
        }
        return (pid, failed)
    }

    /// The bounds of a process, as `CProcess` has them.
    private static func words(_ launch: Launch) -> [String] {
        var words = [String(launch.bounds.fileBytes ?? 0), String(launch.bounds.memoryBytes ?? 0)]
        words += launch.bounds.mayStartPrograms ? ["exec"] : []
        words += launch.bounds.readsOwnFonts ? ["fonts"] : []
        words += launch.bounds.readable.map { "read:\($0)" } + launch.bounds.writable.map { "write:\($0)" }
        return words + launch.arguments.map { "arg:\($0)" }
    }

    /// Texts as C has lists of them, for the time that `body` takes.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = texts.map { text in FileName.withCString(of: text) { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        // The array that is made here lives as long as the call.
        return (copies + [nil]).withUnsafeBufferPointer { list in
            guard let first = list.baseAddress else { preconditionFailure("it has a last element") }
            return body(first)
        }
    }
}
