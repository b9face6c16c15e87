internal import Files
internal import PageModel
internal import Synchronization
internal import Work

/// The sums of a run in the text format of Prometheus, for its textfile collector. The file is always complete.
final class MetricsFile: Sendable {
    private let path: String
    private let began = SystemClock.secondsSince1970
    /// The time of the last file; nil before the first.
    private let written = Mutex<ContinuousClock.Instant?>(nil)

    private static let interval = Duration.seconds(10)
    private static let beginning = "# HELP jisui_"

    /// - Throws: `.exists` for another file.
    init(_ path: String) throws(AdapterError) {
        self.path = path
        guard let status = FileStatus(of: path), status.kind == .file, status.byteCount > 0 else { return }
        let head = try ReadableFile(path: path).read(at: 0, upTo: MetricsFile.beginning.utf8.count)
        guard head == Array(MetricsFile.beginning.utf8) else {
            throw AdapterError(
                .exists, "already exists and has no metrics of jisui", hint: "give another name", file: path)
        }
    }

    func note(_ totals: BatchTotals, isLast: Bool) {
        let isDue = written.withLock { written in
            let now = ContinuousClock.now
            if !isLast, let written, now - written < MetricsFile.interval { return false }
            written = now
            return true
        }
        guard isDue else { return }
        // A run does not end for lack of metrics.
        let destination = Destination(path: path, mayReplace: true, temporaryFiles: TemporaryFiles())
        guard let file = try? OutputFile(at: destination) else { return }
        try? file.write(Array(text(totals, isLast: isLast).utf8))
        try? file.publish(mode: 0o644)
    }

    private func text(_ totals: BatchTotals, isLast: Bool) -> String {
        var text = ""
        func add(_ name: String, _ type: String, _ help: String, _ values: [(label: String, value: String)]) {
            text += "# HELP jisui_\(name) \(help)\n# TYPE jisui_\(name) \(type)\n"
            for (label, value) in values { text += "jisui_\(name)\(label) \(value)\n" }
        }
        add(
            "books_total", "counter", "Books by their outcome.",
            [
                (#"{outcome="done"}"#, "\(totals.done - totals.withWarnings)"),
                (#"{outcome="warnings"}"#, "\(totals.withWarnings)"), (#"{outcome="failed"}"#, "\(totals.failed)"),
            ])
        add("books", "gauge", "Books of the run.", [("", "\(totals.books)")])
        add("pages_total", "counter", "Converted pages.", [("", "\(totals.pages)")])
        add("input_bytes_total", "counter", "Bytes of the inputs of finished books.", [("", "\(totals.inputBytes)")])
        add("output_bytes_total", "counter", "Bytes of the outputs of finished books.", [("", "\(totals.outputBytes)")])
        add(
            "processor_seconds_total", "counter", "Processor time of the run.",
            [("", "\(SystemClock.processorSeconds)")])
        add("start_time_seconds", "gauge", "Start of the run, in seconds since 1970.", [("", "\(began)")])
        add("running", "gauge", "Whether the run has not ended.", [("", isLast ? "0" : "1")])
        return text
    }
}
