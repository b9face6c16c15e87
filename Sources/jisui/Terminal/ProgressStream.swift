internal import AdapterKit
internal import Audit
internal import Conversion
internal import Files
internal import OrderedJSON
internal import PageModel
internal import Synchronization
internal import Work

/// The events of a run as JSON Lines, for a program that calls jisui.
final class ProgressStream: Sendable {
    private struct State {
        var hasFailed = false
        var told = ContinuousClock.now
    }

    private let file: GrowingFile
    private let state = Mutex(State())

    /// The time between two lines about pages.
    private static let interval = Duration.milliseconds(200)

    /// - Parameter value: the value of --progress.
    /// - Throws: `.exists`, `.unwritable`.
    init(_ value: String) throws(AdapterError) {
        let place = value.dropFirst("json".count + 1)
        if place.isEmpty {
            file = try .standardOutput(of: "the progress")
        } else if let number = Int32(place) {
            file = try .descriptor(number, named: "descriptor \(number)", of: "the progress")
        } else {
            file = try GrowingFile(
                path: String(place), of: "the progress", mayReplace: ProgressStream.isOwn(String(place)))
        }
    }

    /// Returns the file that a value of --progress names; nil for a descriptor.
    static func path(in value: String) -> String? {
        let place = value.dropFirst("json".count + 1)
        return place.isEmpty || Int32(place) != nil ? nil : String(place)
    }

    /// Returns the objection to a value of --progress; nil for a valid one.
    static func objection(_ value: String) -> Message? {
        if value == "json" || value.hasPrefix("json:") && value.count > "json:".count { return nil }
        return "--progress takes json, json:FILE or json:N for descriptor N"
    }

    /// Whether the file may be replaced: a pipe, or the events of an earlier run.
    private static func isOwn(_ path: String) -> Bool {
        guard let status = FileStatus(of: path), status.kind == .file else { return true }
        let beginning = #"{"event": "#
        let head = (try? ReadableFile(path: path).read(at: 0, upTo: beginning.utf8.count)) ?? []
        return head.isEmpty || head == Array(beginning.utf8)
    }

    func note(_ event: BatchEvent, _ totals: BatchTotals) {
        switch event {
        case .began(let book): write("began", book, [("input", .string(book.name))])
        case .converting(let book, .finished(let pages)):
            if isDue() { write("pages", book, [("pages", .integer(pages))]) }
        case .converting(let book, .warned(let warning)):
            write(warning.isNote ? "note" : "warning", book, warning.json.members ?? [])
        case .finished(let book, let report):
            write(
                "finished", book,
                [
                    ("output", .string(report.output)), ("pages", .integer(report.pages.count)),
                    ("warnings", .integer(report.warnings.count)), ("inputBytes", JSON(report.inputBytes)),
                    ("outputBytes", JSON(report.outputBytes)),
                ] + ProgressStream.volumes(report) + ProgressStream.members(totals))
        case .failed(let book, let error): writeFailure(of: book, error, totals)
        case .refused(let books, let error): for book in books { writeFailure(of: book, error, totals) }
        case .unreadable(let error): write("unreadable", nil, [("error", error.json)])
        case .completed(let result):
            write("completed", nil, [("message", .string(result.tally.english))] + ProgressStream.members(totals))
        case .converting, .ended, .reportFailed: break
        }
    }

    private func writeFailure(of book: BatchBook, _ error: AdapterError, _ totals: BatchTotals) {
        write(
            "failed", book,
            [("error", error.json), ("temporary", .boolean(error.isTemporary))] + ProgressStream.members(totals))
    }

    private func isDue() -> Bool {
        state.withLock { state in
            guard ContinuousClock.now - state.told >= ProgressStream.interval else { return false }
            state.told = .now
            return true
        }
    }

    private static func volumes(_ report: Report) -> [(key: String, value: JSON)] {
        report.volumes.isEmpty ? [] : [("volumes", JSON(report.volumes.map { .string($0.output) }))]
    }

    private static func members(_ totals: BatchTotals) -> [(key: String, value: JSON)] {
        [
            ("done", .integer(totals.done)), ("failed", .integer(totals.failed)), ("of", .integer(totals.books)),
            ("seconds", .number((totals.seconds * 1000).rounded() / 1000)),
            ("secondsLeft", totals.secondsLeft.map { .number($0.rounded()) } ?? .null),
        ]
    }

    /// Writes a line. If the reader has closed the pipe, the run continues.
    private func write(_ name: String, _ book: BatchBook?, _ members: [(key: String, value: JSON)]) {
        let place = book.map { [(key: "book", value: JSON.integer($0.number))] } ?? []
        let line = JSON.object([("event", .string(name))] + place + members)
        state.withLock { state in
            guard !state.hasFailed else { return }
            state.hasFailed = (try? file.write(Array((line.text + "\n").utf8))) == nil
        }
    }
}
