/// What was typed and what was printed, kept in the fenced blocks of a Markdown file.
///
/// A line `$ …` is typed into a shell. The lines after it are what it prints to standard output; those that begin
/// with `2> ` what it prints to standard error; `=> N` its exit status where that is not 0. Everything outside the
/// blocks is for people.
struct Transcript {
    /// Something typed, and what came of it.
    struct Exchange {
        /// The line in the file, from 1.
        let line: Int
        let command: String
        var answer: [String] = []
    }

    /// The file's parts in order.
    private enum Part {
        case prose(String)
        case exchange(Exchange)
    }

    private var parts: [Part] = []

    init(_ text: String) {
        var isInBlock = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") { isInBlock.toggle() }
            if isInBlock, line.hasPrefix("$ ") {
                parts.append(.exchange(Exchange(line: index + 1, command: String(line.dropFirst(2)))))
            } else if isInBlock, !line.hasPrefix("```"), case .exchange(var exchange)? = parts.last {
                exchange.answer.append(String(line))
                parts[parts.count - 1] = .exchange(exchange)
            } else {
                parts.append(.prose(String(line)))
            }
        }
    }

    var exchanges: [Exchange] {
        parts.compactMap { if case .exchange(let exchange) = $0 { exchange } else { nil } }
    }

    /// The file with the answers that `answer` gives.
    func answered(_ answer: (Exchange) throws -> [String]) rethrows -> String {
        try parts.flatMap { part in
            switch part {
            case .prose(let line): [line]
            case .exchange(let exchange): ["$ \(exchange.command)"] + (try answer(exchange))
            }
        }.joined(separator: "\n")
    }
}
