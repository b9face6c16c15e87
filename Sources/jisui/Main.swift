internal import CProgram
internal import Files
internal import PageModel
internal import Processes
internal import Synchronization
internal import Work

enum Jisui {
    static let version = "0.9.0"

    /// The description of the program, for the manual page.
    static let about = [
        "Convert scanned books and comics between formats, losslessly by default.",
        "Pages are copied byte for byte wherever the output allows it. Everything else, including the changes you ask for, "
            + "uses the least lossy method and is reported page by page.",
    ]
}

@main
enum Main {
    // Not an asynchronous main, because that would leave the first thread, whose signal mask all other threads inherit.
    static func main() {
        // A process that is to become a plug-in replaces itself here: see `PluginLauncher`.
        CurrentProcess.becomePluginIfAsked()
        let service = CurrentProcess.becomeWorkerIfAsked()
        CurrentProcess.readNamesAsUTF8()
        // Pages need memory again and again, so it is kept rather than returned to the system and requested again.
        CurrentProcess.keepMemory(upTo: 64 << 20)
        Signals.ignoreLargeFiles()
        // A worker process serves its parent here: see `OwnWorkers`.
        if let kind = service {
            Services.serve(kind)
            // Only jisui starts workers, and it knows their kinds, so the user typed this.
            Messages.error("no worker is called '\(kind)'; jisui starts its workers itself")
            CurrentProcess.end(ExitStatus.usage.rawValue)
        }
        CurrentProcess.giveUpUnused()
        StandardStreams.reopenClosedStreams()
        StandardStreams.writeOutputByLines()
        Terminal.silenceLibraries()
        CrashReport.watch()
        // libdispatch, whose threads run tasks, reads their load there, and ends the program if it cannot.
        guard FileStatus.isFolder("/proc/self/task") else {
            Messages.error("/proc is not mounted, without which Swift's threads cannot be counted; mount it first")
            CurrentProcess.end(ExitStatus.failed.rawValue)
        }
        if let error = OpenFiles.raise() {
            Messages.error(error)
            CurrentProcess.end(ExitStatus.failed.rawValue)
        }
        Signals.blockInterruptions()
        guard MainTask.begin(Main.command()) else { MainTask.exitWithoutThreads() }
        Interruption.watch { MainTask.cancel() }
    }

    /// The arguments after the command's name. File names may be any bytes, and `CommandLine.arguments` would repair them.
    private static var typed: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0].map { FileName.text(of: $0) } }
    }

    /// Returns the command for the arguments, and restricts the process to its files. The program ends if it cannot understand
    /// the command.
    private static func command() -> any Command {
        let words = typed
        // Needs no adapters, which take longer to list than this answer takes otherwise.
        if words == ["--version"] {
            print(Jisui.version)
            MainTask.end(.done)
        }
        if words.isEmpty {
            Terminal.writeError(HelpPage.shortest + "\n")
            CurrentProcess.end(ExitStatus.usage.rawValue)
        }
        if let answer = CommandSuggestions.answer(words) {
            Messages.error(answer)
            CurrentProcess.end(ExitStatus.usage.rawValue)
        }
        do {
            let command = try CommandLineParser.command(words)
            command.reach?.keep()
            return command
        } catch {
            MainTask.end(status(of: error))
        }
    }

    fileprivate static func run(_ command: any Command) async -> ExitStatus {
        do {
            try await command.run()
            return .done
        } catch {
            return status(of: error)
        }
    }

    /// Prints the message of an error, and returns the exit status.
    private static func status(of error: any Error) -> ExitStatus {
        switch error {
        case let status as ExitStatus: return status
        case let error as UsageError:
            Messages.error(error.hint.map { "\(error.message); \($0)" } ?? error.message, lines: error.lines)
            return .usage
        case let error as AdapterError:
            Messages.error(error)
            return ExitStatus(error)
        case is CancellationError:
            Messages.error(Run.interruption)
            return Interruption.status
        default:
            Messages.error(Message(verbatim: "\(error)"))
            return .failed
        }
    }
}

/// The exit status of the program. A subcommand throws it after printing its messages.
enum ExitStatus: CInt, Error {
    case done = 0
    case failed = 1
    /// The output is complete, but there were warnings about it.
    case warnings = 3
    /// EX_USAGE of sysexits.
    case usage = 64
    /// EX_TEMPFAIL of sysexits: the same command may succeed later.
    case temporary = 75
    /// The status that shells report for a program that SIGINT ended.
    case interrupted = 130

    init(_ error: AdapterError) {
        self = error.code == .usage ? .usage : error.isTemporary ? .temporary : .failed
    }
}

/// A container that transfers the parsed command from the first thread to the thread that begins the work.
private final class TypedCommand {
    let command: any Command

    init(_ command: any Command) {
        self.command = command
    }
}

/// The work of the program, except waiting for signals.
enum MainTask {
    private static let task = Mutex<Task<Void, Never>?>(nil)

    /// Begins the work on another thread; returns false if that thread cannot be started. If the system cannot provide a thread
    /// for the task, its creation blocks, and the first thread must still handle signals.
    static func begin(_ command: any Command) -> Bool {
        threads_watch { MainTask.exitWithoutThreads() }
        let address = UInt(bitPattern: Unmanaged.passRetained(TypedCommand(command)).toOpaque())
        return CurrentProcess.runOnNewThread { MainTask.start(address) }
    }

    /// - Parameter address: the address of a `TypedCommand` that was retained for this call alone.
    private static func start(_ address: UInt) {
        let work: Task<Void, Never> = Task.detached {
            guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
            end(await Main.run(Unmanaged<TypedCommand>.fromOpaque(pointer).takeRetainedValue().command))
        }
        task.withLock { $0 = work }
    }

    static func end(_ status: ExitStatus) -> Never {
        if StandardStreams.outputHasFailed() {
            Messages.error("standard output cannot be written")
            CurrentProcess.end(ExitStatus.failed.rawValue)
        }
        CurrentProcess.end(status.rawValue)
    }

    static func cancel() {
        task.withLock { $0 }?.cancel()
    }

    /// Ends the program if the system does not provide any more threads, which tasks need to continue.
    static func exitWithoutThreads() -> Never {
        Run.temporaryFiles.removeAll()
        Messages.error(
            "no more threads can be started: the system limit on processes or memory is reached; "
                + "raise it (ulimit -u, ulimit -v, or the limits of the container)")
        CurrentProcess.end(ExitStatus.temporary.rawValue)
    }
}

/// The handling of SIGINT, SIGTERM and SIGHUP. They cancel the work, which removes its temporary files. If a C library does not
/// return, the program removes them and ends itself.
enum Interruption {
    private static let secondsToStop = 2
    private static let isByPerson = Mutex(true)

    /// The exit status after an interruption. Only a person sends SIGINT; systems that will run the command again send others.
    static var status: ExitStatus { isByPerson.withLock { $0 } ? .interrupted : .temporary }

    /// Waits for signals while the program runs. The first one calls `cancel`; a second one or a timeout ends the program.
    static func watch(_ cancel: () -> Void) -> Never {
        let isByPerson = Signals.waitForInterruption()
        self.isByPerson.withLock { $0 = isByPerson }
        cancel()
        Signals.waitForInterruption(seconds: secondsToStop)
        Run.temporaryFiles.removeAll()
        Messages.error(Run.interruption)
        CurrentProcess.end(status.rawValue)
    }
}

/// The state of the run as a whole, for the message when a signal ends it.
enum Run {
    static let temporaryFiles = TemporaryFiles()
    /// The folder with the user's own defaults. Tests have another one, because the developer's would change their results.
    @TaskLocal static var userFiles = UserFiles.standard

    private static let streams = Mutex(false)

    /// Records that a book is written to standard output, where the data written so far remain.
    static func fillsStandardOutput() {
        streams.withLock { $0 = true }
    }

    /// The message about an interrupted run.
    static var interruption: Message {
        if streams.withLock({ $0 }) { return "interrupted; the data on standard output is incomplete" }
        let published = temporaryFiles.published
        return switch published.count {
        case 0: "interrupted; nothing was written"
        case 1: "interrupted; \(published[0]) is finished, and nothing else was written"
        default:
            "interrupted; \(published.count) outputs are finished, and nothing was written of the others; "
                + "run the same command again to continue"
        }
    }
}
