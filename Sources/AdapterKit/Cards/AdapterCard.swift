internal import PageModel

/// Everything that is known about an adapter without running it.
///
/// The command's help, completions, manual page, validation and `jisui formats` are all made from cards.
public struct AdapterCard: Hashable, Sendable {
    /// What `--from` and `--to` take: short, lower case, unique among sources or among sinks.
    public var id: String
    /// One line for a list of formats.
    public var summary: String
    /// The file extensions this adapter stands for, lower case, without the dot; the first is the usual one.
    public var extensions: [String]
    /// The options this adapter understands.
    public var settings: [Setting]

    public init(id: String, summary: String, extensions: [String], settings: [Setting] = []) {
        self.id = id
        self.summary = summary
        self.extensions = extensions
        self.settings = settings
    }
}

/// One option of an adapter, as data.
public struct Setting: Hashable, Sendable {
    /// What a setting's value may be.
    public enum Kind: Hashable, Sendable {
        /// Given or not given.
        case flag
        /// A whole number within a range.
        case integer(ClosedRange<Int>)
        /// One of a few words.
        case choice([String])
        /// One or several of a few words, with commas between them.
        case choices([String])
        /// A name of a colour, or #rrggbb.
        case color
        /// Any text.
        case text
        /// The path of a file that the adapter reads.
        case file
        /// The path of a file that the adapter writes.
        case newFile
        /// The path of a file that the adapter reads if it is there, and else writes: it never writes over it.
        case keptFile
    }

    /// The option's name on the command line, without the dashes.
    public var name: String
    public var kind: Kind
    /// The value when the option is not given; nil when "not given" has a meaning of its own.
    public var defaultValue: String?
    /// The value when the option is given without one; nil when it needs one. Only a choice may have it: of other values
    /// it could not be told from what comes next on the command line.
    public var impliedValue: String?
    /// What stands for the value in help: "n", "name".
    public var valueName: String
    /// One sentence without a final stop.
    public var help: String
    /// When the option takes effect; nil where it does whenever it is accepted. A run says of an option that was given, and
    /// took none, why.
    public var effect: EffectRule?

    public init(
        _ name: String, _ kind: Kind, default defaultValue: String? = nil, implied impliedValue: String? = nil,
        valueName: String, help: String, effect: EffectRule? = nil
    ) {
        self.name = name
        self.kind = kind
        self.defaultValue = defaultValue
        self.impliedValue = impliedValue
        self.valueName = valueName
        self.help = help
        self.effect = effect
    }

    /// The help with the values it may have, the one it has when none is given, and the one when it is not given.
    public var fullHelp: String {
        var notes: [String] = []
        switch kind {
        case .choice(let words): notes.append(words.joined(separator: "|"))
        case .choices(let words): notes.append(words.joined(separator: ","))
        case .integer(let range) where range.upperBound < Int.max:
            notes.append("\(range.lowerBound)-\(range.upperBound)")
        case .color: notes.append((RGB.named.map(\.name) + ["#rrggbb"]).joined(separator: "|"))
        case .integer, .flag, .text, .file, .newFile, .keptFile: break
        }
        if let impliedValue { notes.append("without a value: \(impliedValue)") }
        if let defaultValue { notes.append("default: \(defaultValue)") }
        return help + "." + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }

    /// The words of a value that may have several.
    static func list(_ value: String) -> [String] {
        value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Why `value` will not do, or nil when it will.
    public func objection(to value: String) -> String? {
        switch kind {
        case .flag, .text:
            nil
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
            words.contains(value) ? nil : "--\(name) takes \(words.joined(separator: ", ")), not '\(value)'"
        case .choices(let words):
            Setting.list(value).allSatisfy(words.contains)
                ? nil : "--\(name) takes one or several of \(words.joined(separator: ",")), not '\(value)'"
        }
    }
}

/// The values of an adapter's settings for one run, checked against its card.
public struct Settings: Hashable, Sendable {
    private var values: [String: String] = [:]
    /// Those that were given, without defaults.
    public private(set) var given: [String: String] = [:]

    /// Settings with every value at its default.
    public init() {}

    /// Checks `given` against `settings`, which are those of one card; names that the card lacks are left out.
    ///
    /// - Throws: `.usage` with the objection to the first value that will not do.
    public init(_ settings: [Setting], given: [String: String]) throws(AdapterError) {
        for setting in settings {
            guard let value = given[setting.name] ?? setting.defaultValue else { continue }
            if let objection = setting.objection(to: value) {
                throw AdapterError(.usage, objection)
            }
            values[setting.name] = value
            self.given[setting.name] = given[setting.name]
        }
    }

    /// The text of a setting, if it was given or has a default.
    public subscript(name: String) -> String? { values[name] }

    /// The value of an integer setting, if it was given or has a default.
    public func integer(_ name: String) -> Int? { values[name].flatMap { Int($0) } }

    /// The words of a setting that may have several, each once.
    public func list(_ name: String) -> [String] {
        let words = values[name].map(Setting.list) ?? []
        return words.enumerated().filter { !words[..<$0].contains($1) }.map(\.element)
    }

    /// Whether a flag was given.
    public func flag(_ name: String) -> Bool { values[name] == "true" }
}
