internal import ArgumentParser

/// Prints the manual page, made from the same help texts; `make install` puts it where `man` finds it.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the manual page in roff.", shouldDisplay: false)

    func run() {
        var page = [".TH JISUI 1 \"\" \"jisui \(Jisui.version)\" \"User Commands\"", ".SH NAME"]
        page.append("jisui \\- convert scanned books and comics without losing what the scanner saw")
        let commands: [(String, any ParsableCommand.Type)] = [
            ("JISUI", Jisui.self), ("CONVERT", Convert.self), ("INFO", Info.self), ("FORMATS", Formats.self),
        ]
        for (title, command) in commands {
            page += [".SH \(title)", ".nf", Manual.escaped(Jisui.helpMessage(for: command, columns: 76)), ".fi"]
        }
        print(page.joined(separator: "\n"))
    }

    /// Text in which roff sees no requests and no escapes.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-").split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&\($0)" : String($0) }.joined(separator: "\n")
    }
}
