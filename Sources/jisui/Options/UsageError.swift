internal import AdapterKit
internal import Conversion
internal import PageModel
internal import Work

/// A command line that jisui cannot follow.
struct UsageError: Error {
    var message: Message
    /// The hint after the message; nil if the message contains one.
    let hint: Message?
    /// Lines below the message, safe to show; nil for none.
    var lines: String?

    static let help: Message = "see jisui --help"

    init(_ message: Message, hint: Message? = help, lines: String? = nil) {
        self.message = message
        self.hint = hint
        self.lines = lines
    }

    /// Makes the error of an invalid value. Its objection may contain a hint, as those that come from errors do.
    ///
    /// - Parameter hint: the hint if the objection contains none.
    init(objection: Message, hint: Message) {
        self.init(objection, hint: objection.pattern.contains("; ") ? nil : hint)
    }

    /// Checks the settings of a recipe, as they were typed.
    static func check(_ recipe: Recipe, _ settings: [Setting]) throws(UsageError) {
        do throws(AdapterError) {
            try recipe.check(settings)
        } catch {
            throw UsageError(error.message, hint: error.hint ?? help)
        }
    }
}

extension CommandEntry {
    /// The hint on the help of this command, or of the topic of an option.
    func help(on setting: Setting? = nil) -> Message {
        if name != Convert.entry.name { return "see jisui help \(name)" }
        return setting.flatMap(HelpTopic.init(of:)).map { "see jisui help \($0.id)" } ?? UsageError.help
    }

    /// Returns the error for an option that the command does not have.
    func unknown(_ option: String) -> UsageError {
        // A letter is like each other letter.
        let nearest = option.count < 3 ? nil : Spelling.nearest(to: option, among: options.map { "--\($0.name)" })
        let meant = CommandSuggestions.meant(byUnknown: option) ?? nearest.map { "did you mean \($0)?" }
        return UsageError("unknown option \(option)", hint: meant ?? help())
    }

    /// Returns the error for an operand too many.
    func unexpected(_ word: String) -> UsageError {
        let nearest = Spelling.nearest(to: "\(name) \(word)", among: subcommands.map(\.name))
        return UsageError(
            "unexpected argument '\(word)'", hint: nearest.map { "did you mean 'jisui \($0)'?" } ?? help())
    }

    /// Returns the error for an option without its value.
    ///
    /// - Parameters:
    ///   - typed: the name or the letter of the option, as it was typed.
    ///   - next: the next word, which begins with a hyphen; nil for none.
    func missingValue(of setting: Setting, _ typed: String, before next: String?) -> UsageError {
        if let next, next.isNegativeNumber {
            if let objection = setting.objection(to: next) {
                return UsageError(objection: objection, hint: help(on: setting))
            }
            return UsageError("a value that begins with a hyphen is given as \(typed)=\(next)", hint: help(on: setting))
        }
        let words: [String] =
            switch setting.kind {
            case .choice(let words): words
            case .form(let form): form.words
            default: []
            }
        if !words.isEmpty { return UsageError("\(typed) needs a value: \(words.commaSeparated)", hint: nil) }
        let value = HelpTopic.exampleValue(of: setting) ?? setting.valueName.uppercased()
        if setting.valueName == "text" { return UsageError("\(typed) needs a text: \(typed) \(value)", hint: nil) }
        return UsageError("\(typed) needs a value: \(Message(verbatim: "\(typed) \(value)"))", hint: nil)
    }
}

extension String {
    /// Whether a word that begins with a hyphen looks like a number.
    var isNegativeNumber: Bool {
        guard hasPrefix("-"), let digit = dropFirst().first else { return false }
        return digit.isNumber || digit == "."
    }
}
