internal import ArgumentParser
internal import OrderedJSON
internal import PageModel

/// The detection of options that accept one value but were given several: argument-parser silently keeps only the last.
enum RepeatedOptions {
    /// Returns the error for an option that accepts one value and was given twice; nil if each was given once.
    static func objection(to arguments: [String]) -> Message? {
        let words = arguments.prefix { $0 != "--" }.map(name)
        // The options are looked up only if one appears twice, because that costs more than all other parsing.
        let seeming = words.filter(isOption).map { long in
            // "--output" may appear again as "-o".
            let short = String(long.dropFirst().prefix(2))
            return long.hasPrefix("--") && words.contains(short) ? short : long
        }
        guard Set(seeming).count < seeming.count, let options = known(for: arguments) else { return nil }
        var values: [String: String] = [:]
        var index = 0
        while index < words.count {
            defer { index += 1 }
            guard let option = options[words[index]] else { continue }
            let isJoined = words[index] != arguments[index]
            let value: String
            if isJoined {
                value = String(arguments[index].dropFirst(words[index].count + 1))
            } else {
                index += 1
                guard index < words.count else { return nil }
                value = arguments[index]
            }
            guard !option.isRepeating else { continue }
            if let earlier = values.updateValue(value, forKey: option.key) {
                return "\(option.key) was given twice; \(hint(option.key, earlier, value))"
            }
        }
        return nil
    }

    private static func hint(_ option: String, _ earlier: String, _ value: String) -> Message {
        option == "--pages" ? "give one list, as in --pages \(earlier),\(value)" : "give it once"
    }

    private struct Known {
        /// The key that all names of the option share.
        let key: String
        let isRepeating: Bool
    }

    private static func isOption(_ word: String) -> Bool { word.count > 1 && word.hasPrefix("-") }

    /// Returns the option without a value that is joined to it.
    private static func name(_ argument: String) -> String {
        argument.hasPrefix("-") ? String(argument.prefix { $0 != "=" }) : argument
    }

    /// Returns the options with values of the subcommand that the arguments call, by all their names.
    private static func known(for arguments: [String]) -> [String: Known]? {
        guard let root = JSON(parsing: Array(Jisui._dumpHelp().utf8))?["command"] else { return nil }
        let subcommands = root["subcommands"]?.elements ?? []
        let named = { (name: String?) in subcommands.first { $0["commandName"]?.asString == name } }
        guard var command = named(arguments.first) ?? named(Convert._commandName) else { return nil }
        if let inner = command["subcommands"]?.elements, !inner.isEmpty {
            guard let meant = inner.first(where: { $0["commandName"]?.asString == arguments.dropFirst().first }) else {
                return nil
            }
            command = meant
        }
        var known: [String: Known] = [:]
        for argument in command["arguments"]?.elements ?? [] where argument["kind"]?.asString == "option" {
            let names = (argument["names"]?.elements ?? []).compactMap { name in
                name["name"]?.asString.map { (name["kind"]?.asString == "long" ? "--" : "-") + $0 }
            }
            guard let key = names.first(where: { $0.hasPrefix("--") }) ?? names.first else { continue }
            for name in names {
                known[name] = Known(key: key, isRepeating: argument["isRepeating"]?.asBoolean ?? true)
            }
        }
        return known
    }
}
