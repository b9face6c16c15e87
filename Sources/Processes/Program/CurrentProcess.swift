internal import CLinux
internal import CProcess
internal import Glibc

/// The process of this program.
package enum CurrentProcess {
    /// Becomes a plug-in, if the arguments ask for it: see `PluginLauncher`.
    ///
    /// Must be the first call in `main`, before the process has a second thread.
    package static func becomePluginIfAsked() {
        sandbox_become_asked(CommandLine.argc, CommandLine.unsafeArgv)
    }

    /// Enters the sandbox of a worker process, if the arguments ask for it.
    ///
    /// Must be called before the process has a second thread.
    ///
    /// - Returns: the kind of work; nil if the arguments do not ask for a worker.
    package static func becomeWorkerIfAsked() -> String? {
        sandbox_worker_asked(CommandLine.argc, CommandLine.unsafeArgv).map { String(cString: $0) }
    }

    /// Gives up everything that jisui never needs, such as the network.
    ///
    /// Must be called before the process has a second thread.
    package static func giveUpUnused() { sandbox_give_up_unused() }

    /// Makes C libraries interpret file names as UTF-8, which they do only in a UTF-8 locale.
    package static func readNamesAsUTF8() { setlocale(LC_CTYPE, "C.UTF-8") }

    /// Keeps freed blocks of memory of up to `bytes` instead of returning them to the system.
    package static func keepMemory(upTo bytes: Int32) { linux_keep_memory(bytes) }

    /// Prevents core dumps, which could contain a password.
    package static func forbidCoreDump() { linux_forbid_core_dump() }

    /// The number of processors that are available to the system.
    package static var processorCount: Int { sysconf(CInt(_SC_NPROCESSORS_ONLN)) }

    /// The number of bytes of a page of memory, the unit in which the system counts the memory of processes.
    package static var memoryPageBytes: Int { Int(getpagesize()) }

    /// Ends the process without destroying the statics, which an abandoned thread may still use.
    package static func end(_ status: Int32) -> Never { _exit(status) }

    /// Blocks the calling thread for a time.
    package static func pause(microseconds: UInt32) { usleep(microseconds) }

    /// Runs code on a new thread.
    ///
    /// - Returns: false when the thread cannot be created.
    package static func runOnNewThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(ThreadBody(body))
        let beginning: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            // It was retained for this call alone.
            if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
            return nil
        }
        guard pthread_create(&thread, nil, beginning, box.toOpaque()) == 0 else {
            box.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}

/// A container that transfers code to a thread.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
