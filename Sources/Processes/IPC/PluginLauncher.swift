internal import CProcess
internal import Dispatch
internal import Files
internal import Glibc
package import PageModel
internal import Synchronization

/// The launcher of plug-in processes and of jisui's worker processes.
///
/// Every process must end with jisui, even after a crash of jisui. The system ends it with the *thread* that started
/// it. Therefore one thread, which lives as long as the program, starts all processes.
package final class PluginLauncher: Sendable {
    /// The startup data of a process.
    struct Launch: Sendable {
        var program: Program
        var arguments: [String] = []
        var environment: [String]
        /// The descriptors that it gets as 3, 4, and from 5 on.
        var socket: CInt
        var sharedBuffer: CInt
        var files: [CInt]
        /// The destination of its standard output and error.
        var output: CInt
        var policy: SandboxPolicy
    }

    /// The program that a process runs.
    package enum Program: Sendable {
        /// A plug-in, by its path.
        case plugin(String)
        /// jisui itself, as a worker for this kind of work.
        case worker(String)

        /// The file that an error is about; nil for jisui's own.
        var file: String? {
            switch self {
            case .plugin(let path): path
            case .worker: nil
            }
        }
    }

    /// The permissions of a process in the sandbox.
    package struct SandboxPolicy: Sendable {
        /// The maximum size in bytes of a file that it writes; nil for any size.
        package var fileBytes: Int?
        /// The maximum number of bytes of memory; nil for any number.
        package var memoryBytes: Int?
        package var mayStartPrograms = false
        /// Whether it may read the folders in which fontconfig looks for fonts by this user's configuration.
        var readsOwnFonts = false
        package var readable: [String] = []
        package var writable: [String] = []

        package init() {}

        /// Returns the memory limit of a plug-in: the needs of a program itself, and of a few images with that many pixels.
        package static func memory(pixels: Int) -> Int { 1 << 30 + 32 * min(pixels, 1 << 40) }

        /// Returns the memory limit of a worker of jisui itself: for the work on one page, and for the program.
        package static func memory(work bytes: Int) -> Int { 512 << 20 + min(bytes, 1 << 50) }
    }

    /// The program that sandboxes a process and then becomes the plug-in, or works itself: jisui, started as in
    /// `CProcess`.
    private let trampoline: String?
    private let requests = Mutex<[@Sendable () -> Void]>([])
    private let waiting = DispatchSemaphore(value: 0)
    private let isRunning = Mutex(false)

    /// - Parameter trampoline: the path of jisui; nil to start plug-ins directly, without a sandbox.
    package init(trampoline: String?) {
        self.trampoline = trampoline
    }

    /// The names of the active sandbox layers: "files", "calls"; empty without a trampoline.
    package var layers: [String] {
        guard trampoline != nil else { return [] }
        let layers = UInt32(clamping: sandbox_layers())
        return [(sandbox_files, "files"), (sandbox_calls, "calls")].filter { layers & $0.0.rawValue != 0 }.map(\.1)
    }

    /// The restrictions that are missing here, as sentence fragments for people; empty if both layers are active.
    package var lacks: [Message] {
        let layers = layers
        let lacks: [(layer: String, message: Message)] = [
            ("files", "see only their own files (Landlock)"), ("calls", "have no network (seccomp)"),
        ]
        return lacks.filter { !layers.contains($0.layer) }.map(\.message)
    }

    /// Starts a process in a group of its own.
    ///
    /// - Returns: the number of the process and of its group.
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

    /// Starts the thread unless it is running.
    ///
    /// - Returns: false when the thread cannot be created.
    private func begin() -> Bool {
        isRunning.withLock { isRunning in
            if isRunning { return true }
            var thread = pthread_t()
            let this = Unmanaged.passRetained(self)
            let failed = pthread_create(
                &thread, nil,
                { argument in
                    // It was stored right below, and this is its only reader.
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
            [-1, launch.output, launch.output, launch.socket, launch.sharedBuffer] + launch.files
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

    /// Returns the permissions of a process in the form of `CProcess`.
    private static func words(_ launch: Launch) -> [String] {
        var words = [String(launch.policy.fileBytes ?? 0), String(launch.policy.memoryBytes ?? 0)]
        words += launch.policy.mayStartPrograms ? ["exec"] : []
        words += launch.policy.readsOwnFonts ? ["fonts"] : []
        words += launch.policy.readable.map { "read:\($0)" } + launch.policy.writable.map { "write:\($0)" }
        return words + launch.arguments.map { "arg:\($0)" }
    }

    /// Converts texts to a C list for the duration of `body`.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = texts.map { text in FileName.withCString(of: text) { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        // The temporary array lives as long as the call.
        return (copies + [nil]).withUnsafeBufferPointer { list in
            guard let first = list.baseAddress else { preconditionFailure("it has a last element") }
            return body(first)
        }
    }
}
