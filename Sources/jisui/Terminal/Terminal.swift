internal import Files

/// The terminal that jisui uses, if there is one.
enum Terminal {
    static let errorIsTerminal = error.isTerminal && Environment.text("TERM") != "dumb"

    /// Standard error as the program received it.
    static let error = ErrorStream()

    /// Keeps C libraries from printing messages to standard error that they should have returned ("some font thing failed"). With
    /// JISUI_DEBUG set, all of them are printed.
    static func silenceLibraries() {
        if Environment.text("JISUI_DEBUG") == nil { error.silenceLibraries() }
    }

    /// The width of the terminal in characters.
    static var columns: Int { error.columns ?? 80 }

    /// Returns the number of columns of a text on a terminal. Combining marks count 0, and wide characters such as those of
    /// Chinese, Japanese and Korean count 2.
    static func width(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { sum, scalar in
            // Characters that the C library does not know yet may be wide.
            sum + (ErrorStream.columns(of: scalar) ?? 2)
        }
    }

    /// Returns text of at most so many columns, with "…" for the omitted part.
    static func cut(_ text: String, to columns: Int) -> String {
        if width(of: text) <= columns { return text }
        var (shown, count) = ("", 0)
        for character in text {
            let width = width(of: String(character))
            if count + width > columns - 1 { break }
            shown.append(character)
            count += width
        }
        return columns > 0 ? shown + "…" : ""
    }

    /// Returns text that is safe to show. Names can contain control characters that move the cursor or reverse the line. They can
    /// also contain bytes that are not text, and be as long as a book. Text that is too long loses its middle, because the file
    /// comes first and the reason last.
    static func safe(_ text: String) -> String {
        let scalars = text.unicodeScalars
        // Counting bytes is fast, and a text has at least as many bytes as characters.
        guard text.utf8.count > longest, scalars.count > longest else { return escaped(scalars[...]) }
        let ends = longest / 2
        return "\(escaped(scalars.prefix(ends))) … \(escaped(scalars.suffix(ends)))"
    }

    /// Returns text of several lines, each made safe.
    static func safeLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { safe(String($0)) }.joined(separator: "\n")
    }

    /// The maximum number of characters that are shown of one message.
    private static let longest = 4000

    private static func escaped(_ text: Substring.UnicodeScalarView) -> String {
        var shown = ""
        for scalar in text {
            switch scalar.properties.generalCategory {
            case .privateUse where FileName.byte(codedAs: scalar) != nil:
                shown += FileName.shown(String(scalar))
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// Writes a message, which it makes safe. On a terminal, it is wrapped at words.
    ///
    /// - Parameter label: safe text before the message.
    static func writeLine(_ message: String, label: String = "") {
        let line = label + safe(message)
        writeError((errorIsTerminal ? LineWrapping.wrapped(line, columns: columns) : line) + "\n")
    }

    static func writeError(_ text: String) {
        error.write(text)
    }
}
