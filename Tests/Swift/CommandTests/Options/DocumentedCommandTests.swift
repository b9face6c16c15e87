internal import PageModel
internal import Scratch
internal import Testing

@testable internal import jisui

/// Every command line of the documentation is one that jisui understands.
@Suite(.withoutUserFiles) struct DocumentedCommandTests {
    /// A command line of a page, without "jisui".
    struct Line: CustomStringConvertible {
        let page: String
        let words: [String]

        var description: String { "\(page): jisui \(words.joined(separator: " "))" }
    }

    @Test func documentedCommandsAreUnderstood() throws {
        let pages = ["README.md", "README.ja.md", "CONTRIBUTING.md"] + DocumentedCommandTests.pages(in: "docs")
        let lines = try pages.flatMap(DocumentedCommandTests.lines)
        #expect(lines.count > 300)
        for line in lines {
            do {
                _ = try CommandLineParser.command(line.words)
            } catch let error as UsageError {
                if DocumentedCommandTests.isIncomplete(error) { continue }
                Issue.record("\(line): \(error.message.english)")
            } catch {
                // A file that the line names is not here.
            }
        }
    }

    /// Whether a command only lacks inputs or an output. The text names options without them, and shows the answer.
    private static func isIncomplete(_ error: UsageError) -> Bool {
        let answers: Set = [
            "no {0} is given", "no output is given; for example:",
            // The shell makes several inputs of one word.
            "--combine needs more than one input",
        ]
        return answers.contains(error.message.pattern)
    }

    private static func pages(in folder: String) -> [String] {
        Files.names(in: "\(BuiltJisui.repository)/\(folder)").sorted().flatMap { name in
            name.hasSuffix(".md") ? ["\(folder)/\(name)"] : name.contains(".") ? [] : pages(in: "\(folder)/\(name)")
        }
    }

    /// Returns the command lines of a page, in blocks and within lines, except those whose shown answer is wrong usage.
    private static func lines(of page: String) throws -> [Line] {
        let text = String(decoding: try Files.read("\(BuiltJisui.repository)/\(page)"), as: UTF8.self)
        let shown = text.replacing("\\\n> ", with: "").replacing("\\\n", with: "")
            .split(separator: "\n", omittingEmptySubsequences: false)
        var (commands, isBlock, isTranscript): ([Substring], Bool, Bool) = ([], false, false)
        for line in shown {
            if line.hasPrefix("```") {
                isBlock.toggle()
                isTranscript = line == "```console"
            } else if !isBlock {
                commands += line.matches(of: /`(jisui [^`]*)`/).map(\.1)
            } else if line.hasPrefix("$ ") {
                commands.append(line.dropFirst(2))
            } else if !isTranscript {
                commands.append(line)
            } else if line == "(exit status 64)" {
                commands.removeLast()
            }
        }
        return commands.flatMap(simpleCommands).compactMap { words in
            guard let start = words.firstIndex(of: "jisui") else { return nil }
            let words = words[(start + 1)...].filter { !$0.isEmpty }
            // Placeholders, and what only plug-ins understand.
            let isPattern = words.contains { word in
                word.contains(where: { "[<…".contains($0) }) || word == "..." || word.contains(/^[A-Z]{4,}$/)
            }
            return words.isEmpty || isPattern || words.contains(where: isOfPlugin)
                ? nil : Line(page: page, words: words)
        }
    }

    private static func isOfPlugin(_ word: String) -> Bool {
        let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
        return ShippedPlugin.all.contains { plugin in
            plugin.id == name || plugin.options.contains(String(name)) || name.hasPrefix("\(plugin.id)-")
        }
    }

    /// Returns the words of each command of a line, as a shell splits them.
    private static func simpleCommands(_ line: Substring) -> [[String]] {
        var (commands, word, quote): ([[String]], String, Character?) = ([[]], "", nil)
        func end() {
            commands[commands.count - 1].append(word)
            word = ""
        }
        for character in line {
            switch (quote, character) {
            case (let open?, character) where open == character: quote = nil
            case (.some, _): word.append(character)
            case (nil, "'"), (nil, "\""): quote = character
            case (nil, "#") where word.isEmpty:
                end()
                return commands
            case (nil, " "): end()
            case (nil, "|"), (nil, ";"), (nil, "&"), (nil, ">"), (nil, ")"):
                end()
                commands.append([])
            default: word.append(character)
            }
        }
        end()
        return commands
    }
}
