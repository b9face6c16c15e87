public import PageModel

/// The descriptor of an adapter: everything that can be known without running it.
///
/// The command's help, completions, manual page, validation and `jisui formats` are all made from descriptors.
public struct AdapterDescriptor: Hashable, Sendable {
    /// The value for `--from` and `--to`: short, lower case, unique among sources or among sinks.
    public var id: String
    /// The one line for a list of formats.
    public var summary: String
    /// The file extensions of this adapter, lower case, without the dot; the first is the usual one.
    public var extensions: [String]
    /// The options that this adapter understands.
    public var settings: [Setting]

    public init(id: String, summary: String, extensions: [String], settings: [Setting] = []) {
        self.id = id
        self.summary = summary
        self.extensions = extensions
        self.settings = settings
    }
}

/// An option of an adapter, as data.
public struct Setting: Hashable, Sendable {
    /// The values that a setting accepts.
    public enum Kind: Hashable, Sendable {
        /// A flag that takes no value.
        case flag
        /// A whole number within a range.
        case integer(ClosedRange<Int>)
        /// A word from a short list.
        case choice([String])
        /// One or several words from a short list, separated by commas.
        case choices([String])
        /// The name of a color, or #rrggbb.
        case color
        /// Any text.
        case text
        /// A text of a form that the adapter checks.
        case form(ValueForm)
        /// The path of a file that the adapter reads.
        case file
        /// The path of a file that the adapter writes.
        case newFile
        /// The path of a file that the adapter reads if it exists and writes otherwise. The adapter never overwrites
        /// it.
        case keptFile
    }

    /// The option's name on the command line, without the dashes.
    public var name: String
    public var kind: Kind
    /// The value when the option is not given; nil when "not given" has a meaning of its own.
    public var defaultValue: String?
    /// The value when the option is given without one; nil when it needs one. Only a choice may have it: any other
    /// value would be ambiguous with the next word on the command line.
    public var impliedValue: String?
    /// The placeholder for the value in help: "n", "name".
    public var valueName: String
    /// The page of `jisui help` that lists the option; nil for the page of the adapter's own id.
    public var topic: String?
    /// A phrase of at most 60 characters that begins with an imperative verb and has no final period.
    public var help: String
    /// One or more sentences that add to `help`, without the final period; nil if there is nothing to add.
    public var details: String?
    /// The option without which this one has no meaning; nil for an independent option.
    public var needs: String?
    /// The options of any adapter with which this one has no meaning.
    public var excludes: [String]
    /// The option of another adapter whose value this one uses too; nil for an option that stands by itself.
    public var followsOption: String?
    /// The rule that decides when the option takes effect; nil for an option that always does. A run explains why a
    /// given option had no effect.
    public var effect: EffectRule?
    /// Whether the option may be given several times, each time with another value. Only options of jisui itself may:
    /// an adapter gets one value of each setting.
    public var isRepeatable = false
    /// Whether the value is secret, such as a key. Reports do not contain it.
    public var isSecret = false

    public init(
        _ name: String, _ kind: Kind, default defaultValue: String? = nil, implied impliedValue: String? = nil,
        valueName: String, topic: String? = nil, help: String, details: String? = nil, needs: String? = nil,
        excludes: [String] = [], followsOption: String? = nil, effect: EffectRule? = nil
    ) {
        self.name = name
        self.kind = kind
        self.defaultValue = defaultValue
        self.impliedValue = impliedValue
        self.valueName = valueName
        self.topic = topic
        self.help = help
        self.details = details
        self.needs = needs
        self.excludes = excludes
        self.followsOption = followsOption
        self.effect = effect
    }

    /// The accepted values, the value of the option without one, and the default: "a|b; default: a".
    public var notes: Message {
        var notes: [Message] = []
        switch kind {
        case .choice(let words): notes.append(Message(verbatim: words.joined(separator: "|")))
        case .choices(let words): notes.append(Message(verbatim: words.joined(separator: ",")))
        case .integer(let range) where range.upperBound < Int.max:
            notes.append("\(range.lowerBound)-\(range.upperBound)")
        case .color:
            notes.append(Message(verbatim: (RGB.named.map(\.name) + ["#rrggbb"]).joined(separator: "|")))
        case .integer, .flag, .text, .form, .file, .newFile, .keptFile: break
        }
        if let impliedValue { notes.append("without a value: \(impliedValue)") }
        if let defaultValue { notes.append("default: \(defaultValue)") }
        return notes.joined(separator: "; ")
    }

    /// The help with its details and notes.
    public var fullHelp: Message {
        let help = Message(pattern: help)
        let text: Message = details.map { "\(help). \(Message(pattern: $0))." } ?? "\(help)."
        return notes.isEmpty ? text : "\(text) (\(notes))"
    }

    /// Returns the words of a value that may have several.
    static func list(_ value: String) -> [String] {
        value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the reason why this setting's value is invalid among all given ones, or nil when it is valid.
    public func objection(among given: [String: String]) -> Message? {
        guard let value = given[name] else { return nil }
        if let needs, given[needs] == nil { return "--\(name) needs --\(needs)" }
        if let other = excludes.first(where: { given[$0] != nil }) {
            return "--\(name) and --\(other) exclude each other"
        }
        return objection(to: value)
    }

    /// Returns the reason why `value` is invalid, or nil when it is valid.
    public func objection(to value: String) -> Message? {
        switch kind {
        case .flag, .text:
            nil
        case .form(let form):
            form.objection(value)
        case .file, .newFile, .keptFile:
            value.isEmpty ? "--\(name) needs a path" : nil
        case .integer(let range):
            if let number = Int(value), range.contains(number) {
                nil
            } else {
                "--\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(value)'"
            }
        case .color:
            RGB(value) == nil ? "--\(name) takes a color like white, black or #rrggbb, not '\(value)'" : nil
        case .choice(let words):
            words.contains(value) ? nil : "--\(name) takes \(words.commaSeparated), not '\(value)'"
        case .choices(let words):
            Setting.list(value).allSatisfy(words.contains)
                ? nil : "--\(name) takes one or several of \(words.joined(separator: ",")), not '\(value)'"
        }
    }
}

extension Setting {
    /// Returns the usual spelling of a valid value, which means the same: "85" for "085".
    public func canonical(_ value: String) -> String {
        switch kind {
        case .integer: Int(value).map(String.init) ?? value
        case .form(let form): form.canonical(value)
        case .flag, .choice, .choices, .color, .text, .file, .newFile, .keptFile: value
        }
    }

    /// Whether a value may begin with a minus.
    public var mayBeginWithMinus: Bool {
        switch kind {
        case .integer(let range): range.lowerBound < 0
        case .form(let form): form.mayBeginWithMinus
        case .flag, .choice, .choices, .color, .text, .file, .newFile, .keptFile: false
        }
    }
}

/// The form of a setting's values, if it is neither a number nor a word of a list.
public struct ValueForm: Hashable, Sendable {
    /// The name of the form: "box". Forms of the same name are equal.
    public let name: String
    /// The values that completion offers; empty if there are too many.
    public let words: [String]
    /// Whether a value may begin with a minus.
    public let mayBeginWithMinus: Bool
    /// Returns the usual spelling of a valid value.
    public let canonical: @Sendable (String) -> String
    /// Returns the reason why a value is invalid, or nil when it is valid.
    public let objection: @Sendable (String) -> Message?

    public init(
        _ name: String, words: [String] = [], mayBeginWithMinus: Bool = false,
        canonical: @escaping @Sendable (String) -> String = { $0 },
        objection: @escaping @Sendable (String) -> Message?
    ) {
        self.name = name
        self.words = words
        self.mayBeginWithMinus = mayBeginWithMinus
        self.canonical = canonical
        self.objection = objection
    }

    public static func == (one: ValueForm, other: ValueForm) -> Bool { one.name == other.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The values of an adapter's settings for one run, checked against its descriptor.
public struct Settings: Hashable, Sendable {
    private var values: [String: String] = [:]
    /// The values that were given, without defaults. They include the options of other adapters that settings read.
    public private(set) var given: [String: String] = [:]

    /// Settings with every value at its default.
    public init() {}

    /// Checks `given` against `settings`, the settings of one descriptor. It ignores names that the descriptor lacks.
    ///
    /// - Throws: `.usage` with the objection to the first invalid value.
    public init(_ settings: [Setting], given: [String: String]) throws(AdapterError) {
        for setting in settings {
            guard let value = given[setting.name] ?? setting.defaultValue else { continue }
            if let objection = setting.objection(among: given) {
                throw AdapterError(.usage, objection)
            }
            values[setting.name] = value
            self.given[setting.name] = given[setting.name]
            if let other = setting.followsOption {
                values[other] = given[other]
                self.given[other] = given[other]
            }
        }
    }

    /// The text of a setting, if it was given or has a default.
    public subscript(name: String) -> String? { values[name] }

    /// Returns the value of an integer setting, if it was given or has a default.
    public func integer(_ name: String) -> Int? { values[name].flatMap { Int($0) } }

    /// Returns the words of a setting that may have several, each once.
    public func list(_ name: String) -> [String] {
        let words = values[name].map(Setting.list) ?? []
        return words.enumerated().filter { !words[..<$0].contains($1) }.map(\.element)
    }

    /// Whether a flag was given.
    public func flag(_ name: String) -> Bool { values[name] == "true" }
}
