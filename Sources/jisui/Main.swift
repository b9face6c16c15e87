internal import AdapterKit
internal import ArgumentParser
internal import CLinux
internal import CProcess
internal import CProgram
internal import Conversion
internal import Glibc
internal import Synchronization

struct Jisui: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "jisui",
        abstract:
            "Converts scanned books and comics from any container to any other, without losing what the scanner saw.",
        usage: """
            jisui <input> ... -o <output> [<options>]
            jisui info <input> ... [--json]
            jisui catalog <shelf> [--remove <book>] [--base-url <url>]
            jisui formats [--json]
            jisui plugin <subcommand>
            """,
        discussion: """
            Every page arrives untouched unless a change was asked for; a change takes the least lossy way there is; \
            and jisui says, page by page, which way it took.
            """,
        version: version,
        subcommands: [
            Convert.self, Info.self, Catalog.self, Formats.self, Plugins.self, Manual.self, Completions.self,
        ],
        defaultSubcommand: Convert.self)
}

@main
enum Main {
    // Not an asynchronous main: that one leaves the first thread, whose signal mask all others inherit.
    static func main() {
        // A process that is to become a plug-in does: see `PluginLauncher`.
        sandbox_become_asked(CommandLine.argc, CommandLine.unsafeArgv)
        let service = sandbox_worker_asked(CommandLine.argc, CommandLine.unsafeArgv)
        // File names are bytes; C libraries take them for UTF-8 only when told to.
        setlocale(LC_CTYPE, "C.UTF-8")
        // Pages come and go: their memory is kept for the next ones rather than given back and asked for again.
        linux_keep_memory(64 << 20)
        signal(SIGXFSZ, SIG_IGN)
        // A process that is to work for another does: see `OwnWorkers`.
        if let service {
            let kind = String(cString: service)
            Services.serve(kind)
            // Only jisui starts workers, and it knows their kinds: this was typed.
            Messages.error("there are no workers for '\(kind)'; jisui starts those that it needs by itself")
            _exit(ExitStatus.usage.rawValue)
        }
        sandbox_give_up_unused()
        StandardStreams.occupyClosed()
        Terminal.silenceLibraries()
        CrashReport.watch()
        // libdispatch, on whose threads tasks run, reads there how busy they are, and ends the program when it cannot.
        guard FileStatus.isFolder("/proc/self/task") else {
            Messages.error("/proc is not mounted, without which Swift's threads cannot be counted; mount it first")
            _exit(ExitStatus.failed.rawValue)
        }
        if let error = OpenFiles.raise() {
            Messages.error(error)
            _exit(ExitStatus.failed.rawValue)
        }
        Interruption.blockSignals()
        guard Work.begin(Main.command()) else { Work.endForWantOfThreads() }
        Interruption.watch { Work.cancel() }
    }

    /// What was typed behind the command's name, file names being any bytes: `CommandLine.arguments` would repair them.
    private static var typed: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0].map { FileName.text(of: $0) } }
    }

    /// The command that was typed, to whose files the process keeps from now on. One that cannot be understood ends the program, as
    /// help does.
    private static func command() -> any ParsableCommand {
        let arguments = ImpliedValues(Registry.jisui.settings).completing(typed)
        if arguments.isEmpty {
            Terminal.writeError(Usage.shortHelp + "\n")
            _exit(ExitStatus.usage.rawValue)
        }
        if let meant = Usage.meantSubcommand(arguments) {
            Messages.error("there is no file and no subcommand '\(arguments[0])'; did you mean 'jisui \(meant)'?")
            _exit(ExitStatus.usage.rawValue)
        }
        if let objection = RepeatedOptions.objection(to: arguments) {
            Messages.error(objection)
            _exit(ExitStatus.usage.rawValue)
        }
        do {
            let command = try Jisui.parseAsRoot(arguments)
            (command as? any KeepsToFiles)?.reach.keep()
            return command
        } catch {
            let status = Main.status(of: error, arguments)
            Work.end(status)
        }
    }

    fileprivate static func run(_ command: any ParsableCommand) async -> ExitStatus {
        var command = command
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return .done
        } catch let status as ExitStatus {
            return status
        } catch is CancellationError {
            Messages.error(Run.interruption)
            return .interrupted
        } catch let error as AdapterError {
            Messages.error(error)
            return error.code == .usage ? .usage : .failed
        } catch {
            return status(of: error, typed)
        }
    }

    /// Prints help, the version, or what argument-parser has to say.
    private static func status(of error: any Error, _ arguments: [String]) -> ExitStatus {
        let status = Jisui.exitCode(for: error)
        if status.isSuccess {
            print(Jisui.fullMessage(for: error))
            return .done
        }
        var message = Jisui.message(for: error)
        if message.hasPrefix("Missing expected") { message = Usage.missing(message, in: arguments) }
        if message.hasPrefix("Missing value") { message = Usage.missingValue(message, in: arguments) }
        Messages.error((message.hasSuffix(".") ? String(message.dropLast()) : message) + "; see jisui --help")
        return ExitStatus(rawValue: status.rawValue) ?? .failed
    }
}

/// What the command tells its caller; thrown by a subcommand that has said all there is to say.
enum ExitStatus: CInt, Error {
    case done = 0
    case failed = 1
    /// The output is there, but something about it was warned of.
    case warnings = 3
    /// sysexits' EX_USAGE, which argument-parser uses too.
    case usage = 64
    /// As shells report a program that SIGINT ended.
    case interrupted = 130
}

/// Carries the command from the first thread, which understood it, to that on which the work begins.
private final class TypedCommand {
    let command: any ParsableCommand

    init(_ command: any ParsableCommand) {
        self.command = command
    }
}

/// The work of the program, all of it but waiting for signals.
enum Work {
    private static let task = Mutex<Task<Void, Never>?>(nil)

    /// Begins the work by another thread: where the system gives the task none, its beginning waits, and nobody would hear a signal.
    ///
    /// - Returns: false where no thread can be had.
    static func begin(_ command: any ParsableCommand) -> Bool {
        threads_watch { Work.endForWantOfThreads() }
        var thread = pthread_t()
        let beginning: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            Work.start(UInt(bitPattern: argument))
            return nil
        }
        let argument = Unmanaged.passRetained(TypedCommand(command)).toOpaque()
        guard pthread_create(&thread, nil, beginning, argument) == 0 else { return false }
        pthread_detach(thread)
        return true
    }

    /// - Parameter address: that of a `TypedCommand`, which was retained for this call alone.
    private static func start(_ address: UInt) {
        let work: Task<Void, Never> = Task.detached {
            guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
            end(await Main.run(Unmanaged<TypedCommand>.fromOpaque(pointer).takeRetainedValue().command))
        }
        task.withLock { $0 = work }
    }

    static func end(_ status: ExitStatus) -> Never {
        if linux_output_failed() != 0 {
            Messages.error("standard output cannot be written")
            _exit(ExitStatus.failed.rawValue)
        }
        // Not exit(): a page that was given up may still be being drawn by code that exit() would pull the rug from.
        _exit(status.rawValue)
    }

    static func cancel() {
        task.withLock { $0 }?.cancel()
    }

    /// Ends the program where the system gives it no more threads, without which no task goes on.
    static func endForWantOfThreads() -> Never {
        Run.temporaryFiles.removeAll()
        Messages.error(
            "no more threads can be started: the system's limit on processes or on memory is reached; "
                + "raise it (ulimit -u, ulimit -v, or the limits of the container)")
        _exit(ExitStatus.failed.rawValue)
    }
}

/// SIGINT, SIGTERM and SIGHUP: the work is cancelled and removes what it began. When it cannot, because a C library
/// does not return, the program removes it and ends itself.
enum Interruption {
    private static let secondsToStop = 2

    private static var signals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, number) }
        return set
    }

    /// Keeps the signals for `watch`. To be called before there is a second thread.
    static func blockSignals() {
        var set = signals
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for signals, for as long as the program runs: calls `cancel` at the first, and ends the program at the
    /// second or after a while.
    static func watch(_ cancel: () -> Void) -> Never {
        var set = signals
        var number: CInt = 0
        while sigwait(&set, &number) != 0 {}
        cancel()
        var limit = timespec(tv_sec: secondsToStop, tv_nsec: 0)
        sigtimedwait(&set, nil, &limit)
        Run.temporaryFiles.removeAll()
        Messages.error(Run.interruption)
        _exit(ExitStatus.interrupted.rawValue)
    }
}

/// What the program knows about its run as a whole: for the moment in which a signal ends it.
enum Run {
    static let temporaryFiles = TemporaryFiles()

    private static let streams = Mutex(false)

    /// Notes that a book goes to standard output, where what was written stays.
    static func fillsStandardOutput() {
        streams.withLock { $0 = true }
    }

    /// What to say of a run that was interrupted.
    static var interruption: String {
        if streams.withLock({ $0 }) { return "interrupted; what went to standard output is not whole" }
        let published = temporaryFiles.published
        return switch published.count {
        case 0: "interrupted; nothing was written"
        case 1: "interrupted; \(published[0]) is finished, and nothing else was written"
        default: "interrupted; \(published.count) outputs are finished, and nothing was written of the others"
        }
    }
}
