internal import AdapterKit
internal import ArgumentParser
internal import CLinux
internal import Conversion
internal import Glibc

@main
enum Main {
    // Not an asynchronous main: that one leaves the first thread, whose signal mask all others inherit.
    static func main() {
        // File names are bytes; C libraries take them for UTF-8 only when told to.
        setlocale(LC_CTYPE, "C.UTF-8")
        // Pages come and go: their memory is kept for the next ones rather than given back and asked for again.
        linux_keep_memory(64 << 20)
        signal(SIGXFSZ, SIG_IGN)
        Terminal.silenceLibraries()
        Interruption.blockSignals()
        let work = Task.detached {
            let status = await run()
            if linux_output_failed() != 0 {
                Messages.error("standard output cannot be written")
                _exit(ExitStatus.failed.rawValue)
            }
            // Not exit(): a page that was given up may still be being drawn by code that exit() would pull the rug from.
            _exit(status.rawValue)
        }
        Interruption.watch { work.cancel() }
    }

    private static func run() async -> ExitStatus {
        do {
            var command = try Jisui.parseAsRoot(
                ImpliedValues(Registry.jisui.settings).completing(CommandLine.arguments.dropFirst()))
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return .done
        } catch let status as ExitStatus {
            return status
        } catch is CancellationError {
            Messages.error("interrupted; nothing was written")
            return .interrupted
        } catch let error as AdapterError {
            Messages.error(error)
            return error.code == .usage ? .usage : .failed
        } catch {
            // Help, the version, and what argument-parser has to say.
            let status = Jisui.exitCode(for: error)
            if status.isSuccess {
                print(Jisui.fullMessage(for: error))
                return .done
            }
            let message = Jisui.message(for: error)
            Messages.error((message.hasSuffix(".") ? String(message.dropLast()) : message) + "; see jisui --help")
            return ExitStatus(rawValue: status.rawValue) ?? .failed
        }
    }
}
