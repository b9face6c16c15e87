internal import AdapterKit
internal import Files
internal import PageModel
internal import Work

/// The parser of the command line.
///
/// Options have names ("--jobs 2", "--jobs=2"), some also letters ("-j 2", "-j2", "-j=2"). The letters of flags may be in
/// one word ("-nq"). Options and operands come in any order; only operands follow "--". An option that takes one value is
/// given once; a flag may be repeated.
struct CommandLineParser {
    private let entry: CommandEntry
    private let names: [String: Setting]
    private let exists: (String) -> Bool
    private var rest: ArraySlice<String>
    private var values: [String: [String]] = [:]
    private var operands: [String] = []

    /// Returns the command that words call.
    ///
    /// - Throws: `UsageError`; an `AdapterError` of a file that the options name.
    static func command(_ words: [String]) throws -> any Command {
        let (entry, rest) = CommandEntry.called(by: words)
        if entry.takesAnyWord { return try entry.make(GivenOptions(operands: Array(rest))) }
        // Help comes first, even if something else is wrong.
        let options = rest.prefix { $0 != "--" }
        if options.contains(where: ["--help", "-h"].contains) { return HelpCommand(entry) }
        if options.contains("--version") {
            return VersionReport(isVerbose: options.contains(where: ["--verbose", "-v"].contains))
        }
        let given = try parse(rest, as: entry)
        return given.has(.showHelp) ? HelpCommand(entry) : try entry.make(given)
    }

    /// Returns the options and operands of a command.
    ///
    /// - Parameters:
    ///   - words: the words after the command's name.
    ///   - exists: whether a file or folder exists.
    static func parse(
        _ words: ArraySlice<String>, as entry: CommandEntry,
        exists: @escaping (String) -> Bool = { FileStatus(of: $0) != nil }
    ) throws(UsageError) -> GivenOptions {
        var parser = CommandLineParser(entry, words, exists)
        while let word = parser.rest.popFirst() {
            if word == "--" {
                parser.operands += parser.rest
                break
            }
            if word.hasPrefix("--") {
                try parser.takeName(word)
            } else if word.hasPrefix("-"), word != "-" {
                try parser.takeLetters(word)
            } else {
                parser.operands.append(word)
            }
        }
        try parser.checkOperands()
        return GivenOptions(
            values: LayeredRecipe([.commandLine: Recipe(parser.values)]), operands: parser.operands)
    }

    private init(_ entry: CommandEntry, _ words: ArraySlice<String>, _ exists: @escaping (String) -> Bool) {
        self.entry = entry
        self.exists = exists
        rest = words
        var names: [String: Setting] = [:]
        for setting in entry.options {
            names["--\(setting.name)"] = setting
            if let letter = setting.letter { names["-\(letter)"] = setting }
        }
        self.names = names
    }

    private mutating func takeName(_ word: String) throws(UsageError) {
        let (name, value) = CommandLineParser.split(word)
        guard let setting = names[name] else { throw entry.unknown(name) }
        try take(setting, name, value)
    }

    private mutating func takeLetters(_ word: String) throws(UsageError) {
        let first = String(word.prefix(2))
        if let setting = names[first], setting.kind != .flag {
            let value = word.dropFirst(2)
            let joined = value.isEmpty ? nil : String(value.hasPrefix("=") ? value.dropFirst() : value)
            return try take(setting, first, joined)
        }
        let (letters, value) = CommandLineParser.split(word)
        let all = letters.dropFirst().map { "-\($0)" }
        for (index, letter) in all.enumerated() {
            let isLast = index == all.count - 1
            // "-no" may have a value in the next word, but "-on" has the value "n".
            guard let setting = names[letter], setting.kind == .flag || isLast && value == nil else {
                // A long word is more likely a name with one hyphen.
                throw entry.unknown(names[letter] == nil && all.count < 3 ? letter : letters)
            }
            try take(setting, letter, isLast ? value : nil)
        }
        if all.isEmpty { throw entry.unknown(word) }
    }

    /// - Parameters:
    ///   - name: the name or the letter of the option, as it was typed.
    ///   - joined: the value in the same word; nil for none.
    private mutating func take(_ setting: Setting, _ name: String, _ joined: String?) throws(UsageError) {
        if setting.kind == .flag {
            if let joined, !joined.isEmpty { throw UsageError("\(name) takes no value, not '\(joined)'") }
            values[setting.name] = ["true"]
            return
        }
        let value = if let joined { joined } else { try nextValue(of: setting, name) }
        if value.isEmpty, joined != nil { throw entry.missingValue(of: setting, name, before: nil) }
        if let earlier = values[setting.name]?.first, !setting.isRepeatable {
            let isList = setting == .pages
            throw UsageError(
                "--\(setting.name) was given twice",
                hint: isList ? "give one list, as in --pages \(earlier),\(value)" : "give it once")
        }
        if let objection = setting.objection(to: value) {
            let meant = CommandSuggestions.meant(byValue: value, of: setting)
            throw UsageError(objection: objection, hint: meant ?? entry.help(on: setting))
        }
        values[setting.name, default: []].append(value)
    }

    /// Takes the value of an option from the next word.
    ///
    /// If the option may be given without a value, the next word is its value if it is one of its words. It is an operand
    /// if it contains a dot or a slash or exists. Any other word counts as the value, so that a typing error is reported
    /// as one.
    private mutating func nextValue(of setting: Setting, _ name: String) throws(UsageError) -> String {
        let next = rest.first
        if let implied = setting.impliedValue, case .choice(let words) = setting.kind {
            guard let next, !next.hasPrefix("-") else { return implied }
            if !words.contains(next), next.contains(where: { "./".contains($0) }) || exists(next) { return implied }
        } else {
            guard let next, !next.hasPrefix("-") || next == "-" || setting.mayBeginWithMinus && next.isNegativeNumber
            else { throw entry.missingValue(of: setting, name, before: next) }
        }
        return rest.popFirst() ?? ""
    }

    private func checkOperands() throws(UsageError) {
        // An answer without operands, such as help, needs none.
        if values[Setting.showHelp.name] != nil { return }
        // The inputs are in a list.
        if operands.isEmpty, values[Setting.fromList.name] != nil { return }
        // The options alone can be saved.
        if operands.isEmpty, values[Setting.savePreset.name] != nil { return }
        let required = entry.operands.prefix(while: \.isRequired)
        if operands.count < required.count {
            let missing = required[operands.count]
            throw UsageError("no \(Message(pattern: missing.name)) is given", hint: "use \(entry.shortestCall)")
        }
        if entry.operands.last?.isRepeatable != true, operands.count > entry.operands.count {
            throw entry.unexpected(operands[entry.operands.count])
        }
    }

    /// Returns a word in two parts: before and after its first equals sign.
    private static func split(_ word: String) -> (name: String, value: String?) {
        guard let sign = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }
}
