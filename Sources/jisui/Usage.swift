internal import AdapterKit
internal import ArgumentParser

/// What is said to somebody who does not know yet how jisui is called, or whose fingers slipped.
enum Usage {
    static let examples = [
        (command: "jisui book.pdf -o book.cbz", meaning: "Make a comic book archive."),
        (command: "jisui book.cbz -o pages/", meaning: "Put the pages into a folder."),
        (
            command: "jisui *.cbr -o shelf/ --to cbz --trim",
            meaning: "Convert many, without their margins."
        ),
    ]

    /// What a call without any arguments prints.
    static var shortHelp: String {
        let width = examples.map(\.command.count).max() ?? 0
        let lines = examples.map { example in
            "  \(example.command)\(String(repeating: " ", count: width - example.command.count))   \(example.meaning)"
        }
        return
            (["jisui converts scanned books and comics without losing what the scanner saw.", ""] + lines + [
                "", "See jisui --help, and jisui help convert.",
            ])
            .joined(separator: "\n")
    }

    /// The subcommand that was meant by a first argument that is neither a subcommand nor a file.
    static func meantSubcommand(_ arguments: [String]) -> String? {
        guard let word = arguments.first, !word.isEmpty, word.allSatisfy(\.isLetter), FileStatus(of: word) == nil else {
            return nil
        }
        let names = ["convert", "info", "catalog", "formats", "plugin", "help"]
        if names.contains(word) || word == "manual" || word == "completions" { return nil }
        return names.first { distance(Array(word.lowercased()), Array($0)) <= 2 }
    }

    /// What to say where argument-parser misses an argument and says only that: an option that it does not know is the
    /// likelier reason, and what most people leave out is the output.
    static func missing(_ message: String, in arguments: [String]) -> String {
        if let unknown = unknownOption(arguments) { return unknown }
        return message.contains("'--output")
            ? "-o is missing: it says where to, as in -o book.cbz or -o pages/" : message
    }

    /// What to say where argument-parser misses the value of an option: a value that begins with a hyphen it takes for
    /// another option. What is wrong with a negative number is told, if anything is, else how to give it.
    static func missingValue(_ message: String, in arguments: [String]) -> String {
        for (index, (option, value)) in zip(arguments, arguments.dropFirst()).enumerated() {
            guard option.hasPrefix("--"), message.contains("'\(option) "), value.hasPrefix("-"),
                let first = value.dropFirst().first, first.isNumber || first == "."
            else { continue }
            var joined = arguments
            joined.replaceSubrange(index...(index + 1), with: ["\(option)=\(value)"])
            do {
                _ = try Jisui.parseAsRoot(joined)
            } catch {
                let fault = Jisui.message(for: error)
                if fault.hasPrefix("\(option) ") { return fault }
            }
            return "a value that begins with a hyphen is given as \(option)=\(value)"
        }
        return message
    }

    private static func unknownOption(_ arguments: [String]) -> String? {
        for missing in [["--", "input"], ["-o", "output.cbz", "--", "input"]] {
            do {
                _ = try Jisui.parseAsRoot(arguments + missing)
            } catch {
                let message = Jisui.message(for: error)
                if message.hasPrefix("Unknown option"), !message.hasPrefix("Unknown option '-o'") { return message }
            }
        }
        return nil
    }

    /// How many letters have to be changed, put in, left out or swapped with the next to make one word of another.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var rows = [Array(0...other.count)]
        for row in 0..<one.count {
            var next = [row + 1]
            for column in 0..<other.count {
                var least = min(
                    rows[row][column] + (one[row] == other[column] ? 0 : 1), rows[row][column + 1] + 1, next[column] + 1
                )
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                next.append(least)
            }
            rows.append(next)
        }
        return rows[one.count][other.count]
    }
}
