internal import ArgumentParser
internal import CProgram
internal import Conversion
internal import Files
internal import PageModel
internal import Processes
internal import Synchronization

struct Jisui: AsyncParsableCommand {
    static let version = "0.9.0"

    static let configuration = CommandConfiguration(
        commandName: "jisui",
        abstract: "Convert scanned books and comics between formats, losslessly by default.",
        usage: """
            jisui [<options>] <input> ... -o <output>
            jisui info <input> ... [--json]
            jisui catalog <shelf> [--remove <book>] [--base-url <url>] [--shelf-title <text>]
            jisui formats [--json]
            jisui plugin <subcommand>
            """,
        discussion: """
            Pages are copied byte for byte wherever the output allows it. Everything else, including the changes you \
            ask for, uses the least lossy method and is reported page by page.
            """,
        version: version,
        subcommands: [
            Convert.self, Info.self, Catalog.self, Formats.self, Plugins.self, Manual.self, Completions.self,
        ],
        defaultSubcommand: Convert.self)

    /// The names of all subcommands, those that the help does not list included.
    static let subcommandNames = configuration.subcommands.map { $0._commandName }

    /// The names that people type: those that the help lists, and `help`.
    static let listedCommands =
        configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName } + ["help"]
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
    /// the command, or has only shown help.
    private static func command() -> any ParsableCommand {
        // Needs no adapters, which take longer to list than this answer takes otherwise.
        if typed == ["--version"] {
            print(Jisui.version)
            MainTask.end(.done)
        }
        let arguments = ImpliedValues(Registry.jisui.settings).completing(typed)
        if arguments.isEmpty {
            Terminal.writeError(Usage.shortHelp + "\n")
            CurrentProcess.end(ExitStatus.usage.rawValue)
        }
        if let report = VersionReport.answer(arguments) {
            print(Terminal.safeLines(report))
            MainTask.end(.done)
        }
        if let help = HelpCommand.answer(arguments) {
            guard help.isError else {
                print(Terminal.safeLines(help.text))
                MainTask.end(.done)
            }
            Messages.error(lines: help.text)
            CurrentProcess.end(ExitStatus.usage.rawValue)
        }
        if let answer = FirstWords.answer(arguments) {
            Messages.error(answer)
            CurrentProcess.end(ExitStatus.usage.rawValue)
        }
        if let objection = RepeatedOptions.objection(to: arguments) {
            Messages.error(objection)
            CurrentProcess.end(ExitStatus.usage.rawValue)
        }
        let complete = withRecipe(arguments)
        do {
            let command = try Jisui.parseAsRoot(complete.arguments)
            if let note = complete.note, (command as? Convert)?.options.quiet == false { Messages.note(note) }
            (command as? any DeclaresFileAccess)?.reach.keep()
            return command
        } catch {
            let status = Main.status(of: error, complete.arguments, recipe: complete.path)
            MainTask.end(status)
        }
    }

    /// Returns the arguments with the settings of a recipe file. The program ends if there is something wrong with the file.
    private static func withRecipe(_ arguments: [String]) -> RecipeArguments {
        do throws(AdapterError) {
            return try RecipeArguments(arguments)
        } catch {
            Messages.error(error)
            CurrentProcess.end((error.code == .usage ? ExitStatus.usage : .failed).rawValue)
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

    /// Prints help, the version, or the message of argument-parser.
    ///
    /// - Parameter recipe: the path of the recipe file whose settings are among the arguments.
    private static func status(of error: any Error, _ arguments: [String], recipe: String? = nil) -> ExitStatus {
        let status = Jisui.exitCode(for: error)
        if status.isSuccess {
            print(Jisui.fullMessage(for: error))
            return .done
        }
        var message = Jisui.message(for: error)
        if message.hasPrefix("Missing expected") { message = Usage.missing(message, in: arguments) }
        if message.hasPrefix("Missing value") { message = Usage.missingValue(message, in: arguments) }
        if message.hasPrefix(FirstWords.noOutput.localized), let unknown = Usage.unknownOption(arguments) {
            message = unknown
        }
        if let meant = Usage.meantOption(message) { message = meant }
        if message.hasPrefix(FirstWords.noOutput.localized) {
            Messages.error(lines: message)
            return .usage
        }
        let fault = Message(verbatim: message.hasSuffix(".") ? String(message.dropLast()) : message)
        let whole: Message = recipe.map { "\(fault) (with the settings of \($0))" } ?? fault
        // A message with a hint needs no other.
        Messages.error(message.contains(/; |: jisui|needs a/) ? whole : "\(whole); see jisui --help")
        return ExitStatus(rawValue: status.rawValue) ?? .failed
    }
}

/// The exit status of the program. A subcommand throws it after printing its messages.
enum ExitStatus: CInt, Error {
    case done = 0
    case failed = 1
    /// The output is complete, but there were warnings about it.
    case warnings = 3
    /// EX_USAGE of sysexits, which argument-parser uses too.
    case usage = 64
    /// The status that shells report for a program that SIGINT ended.
    case interrupted = 130
}

/// A container that transfers the parsed command from the first thread to the thread that begins the work.
private final class TypedCommand {
    let command: any ParsableCommand

    init(_ command: any ParsableCommand) {
        self.command = command
    }
}

/// The work of the program, except waiting for signals.
enum MainTask {
    private static let task = Mutex<Task<Void, Never>?>(nil)

    /// Begins the work on another thread; returns false if that thread cannot be started. If the system cannot provide a thread
    /// for the task, its creation blocks, and the first thread must still handle signals.
    static func begin(_ command: any ParsableCommand) -> Bool {
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
        CurrentProcess.end(ExitStatus.failed.rawValue)
    }
}

/// The handling of SIGINT, SIGTERM and SIGHUP. They cancel the work, which removes its temporary files. If a C library does not
/// return, the program removes them and ends itself.
enum Interruption {
    private static let secondsToStop = 2

    /// Waits for signals while the program runs. The first one calls `cancel`; a second one or a timeout ends the program.
    static func watch(_ cancel: () -> Void) -> Never {
        Signals.waitForInterruption()
        cancel()
        Signals.waitForInterruption(seconds: secondsToStop)
        Run.temporaryFiles.removeAll()
        Messages.error(Run.interruption)
        CurrentProcess.end(ExitStatus.interrupted.rawValue)
    }
}

/// The state of the run as a whole, for the message when a signal ends it.
enum Run {
    static let temporaryFiles = TemporaryFiles()

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
        default: "interrupted; \(published.count) outputs are finished, and nothing was written of the others"
        }
    }
}
