internal import ArgumentParser
internal import Files
internal import PageModel
internal import Work

extension TypedInputs {
    /// - Throws: `ValidationError` if the arguments use standard input in an unsupported way.
    static func validate(_ typed: [String]) throws {
        let count = typed.count { $0 == "-" }
        if count > 1 {
            throw ValidationError(message: "standard input can be read only once, but '-' is given \(count) times")
        }
        if count == 1, StandardStreams.inputIsTerminal {
            throw ValidationError(
                message:
                    "standard input is a terminal; redirect a file or a pipe to '-'")
        }
    }
}
