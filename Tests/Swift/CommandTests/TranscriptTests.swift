internal import Glibc
internal import Scratch
internal import Testing

/// jisui does what the transcripts show, to the letter.
///
/// `RECORD=1 swift test --filter TranscriptTests` writes down what it does now, and fails so that nobody takes that
/// for a passed test: read the difference before it is committed.
@Suite struct TranscriptTests {
    private static let folder = "\(BuiltJisui.repository)/Tests/Swift/CommandTests/Transcripts"
    private static let isRecording = getenv("RECORD") != nil

    private static let names = Files.names(in: folder).filter { $0.hasSuffix(".md") }

    @Test func transcriptsAreFound() {
        #expect(TranscriptTests.names.count >= 10)
    }

    @Test(arguments: names) func jisuiAnswersAs(transcript name: String) throws {
        let path = "\(TranscriptTests.folder)/\(name)"
        let scratch = try ScratchFolder()
        let (work, temporary) = (scratch("work"), scratch("tmp"))
        for folder in [work, temporary] { mkdir(folder, 0o777) }
        symlink(BuiltJisui.fixtures, "\(work)/Fixtures")

        let transcript = Transcript(String(decoding: try Files.read(path), as: UTF8.self))
        #expect(!transcript.exchanges.isEmpty, "\(name) shows nothing")
        let recorded = try transcript.answered { exchange in
            let answer = try TranscriptTests.answer(to: exchange.command, in: work, temporary: temporary)
            if answer != exchange.answer && !TranscriptTests.isRecording {
                let place = SourceLocation(
                    fileID: "CommandTests/\(name)", filePath: path, line: exchange.line, column: 1)
                Issue.record(
                    """
                    $ \(exchange.command)
                    \(TranscriptTests.difference(exchange.answer, answer))
                    """, sourceLocation: place)
            }
            return answer
        }
        let leftBehind = scratch.names(in: "tmp")
        #expect(leftBehind.isEmpty, "temporary files are left behind")
        if TranscriptTests.isRecording {
            try Files.write(Array(recorded.utf8), to: path)
            Issue.record("\(name) was recorded, not tested")
        }
    }

    /// What the shell prints, as a transcript has it.
    private static func answer(to command: String, in folder: String, temporary: String) throws -> [String] {
        let outcome = try Program.outcome(
            command, in: folder, environment: BuiltJisui.environment(temporary: temporary))
        var answer = lines(of: outcome.outputText) + lines(of: outcome.errorText).map { "2> \($0)" }
        // Which and how many bytes come of a book depends on the libraries that encode it.
        answer = answer.map { line in
            line.replacing(#/; [0-9.]+ (bytes|kB|MB) → [0-9.]+ (bytes|kB|MB)/#, with: "; SIZE → SIZE")
                .replacing(#/; [0-9.]+ (bytes|kB|MB)$/#, with: "; SIZE")
                .replacing(#/"outputBytes": [0-9]+/#, with: "\"outputBytes\": SIZE")
                .replacing(#/"sha256": "[0-9a-f]{64}"/#, with: "\"sha256\": DIGEST")
        }
        if outcome.status != 0 { answer.append("=> \(outcome.status)") }
        return answer
    }

    private static func lines(of text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() } else { lines.append("(no end of line)") }
        return lines
    }

    /// Both answers, the lines that only one has marked.
    private static func difference(_ expected: [String], _ actual: [String]) -> String {
        let changes = actual.difference(from: expected)
        let removed = Set(changes.removals.map(place))
        let added = Set(changes.insertions.map(place))
        let wanted = expected.enumerated().filter { removed.contains($0.offset) }.map { "- \($0.element)" }
        let got = actual.enumerated().map { (added.contains($0.offset) ? "+ " : "  ") + $0.element }
        return (wanted + got).joined(separator: "\n")
    }

    private static func place(_ change: CollectionDifference<String>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}

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
