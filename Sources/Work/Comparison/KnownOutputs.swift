internal import Audit
internal import Files
internal import OrderedJSON
package import PageModel

/// The digests of outputs that reports and journals contain.
package struct KnownOutputs: Sendable {
    /// An output when it was written.
    package struct Output: Hashable, Sendable {
        /// The absolute path.
        package let path: String
        /// The absolute paths of the inputs.
        package let inputs: [String]
        /// The digest as `FileDigest` computes it.
        package let sha256: String
        /// The report or journal.
        package let record: String
        /// The nanoseconds since 1970 at which it was finished, or at which the report was.
        fileprivate let finished: Int
    }

    private var outputs: [String: Output] = [:]
    /// The paths by their last names.
    private var names: [String: Set<String>] = [:]

    package init() {}

    /// Adds the outputs of a report or journal. The last record of an output counts.
    ///
    /// - Throws: `.unsupported` for another file; `.unreadable`.
    package mutating func add(file path: String) throws(AdapterError) {
        if try KnownOutputs.begins(path, #/\{"jisui": "[^"]*", "journal": [0-9]/#) {
            for entry in try JournalLines(file: path).entries.values where entry.outcome != .failed {
                for output in entry.volumes.isEmpty ? [entry.output] : entry.volumes {
                    add(
                        output.sha256, of: output.path, entry.inputs.map(\.path), from: path,
                        finished: entry.finished.multipliedReportingOverflow(by: 1_000_000_000).partialValue)
                }
            }
        } else if try KnownOutputs.begins(path, #/\{"jisui": "[^"]*", "report": [0-9]/#) {
            let finished = FileStamp(of: path)?.modified ?? 0
            try LogFile.readLines(of: path) { line throws(AdapterError) in
                guard let report = JSON(parsing: line) else { return }
                let inputs = report["inputs"]?.elements?.compactMap(\.asString) ?? [report["input"]?.asString ?? ""]
                for written in report["volumes"]?.elements ?? [report] {
                    guard let output = written["output"]?.asString else { continue }
                    add(
                        KnownOutputs.digest(written["outputFiles"], of: output), of: BookFile.absolute(output),
                        inputs.map(BookFile.absolute), from: path, finished: finished)
                }
            }
        } else {
            throw AdapterError(.unsupported, "not a report or a journal", hint: nil, file: path)
        }
    }

    /// Adds those of some files that are reports or journals, by their contents.
    ///
    /// - Throws: `.unreadable`.
    package mutating func add(among paths: [String]) throws(AdapterError) {
        for path in paths where ["json", "jsonl"].contains(FileName.extension(of: path)) {
            do throws(AdapterError) {
                try add(file: path)
            } catch {
                if error.code != .unsupported { throw error }
            }
        }
    }

    private mutating func add(
        _ digest: String?, of path: String, _ inputs: [String], from record: String, finished: Int
    ) {
        guard let digest else { return }
        if let known = outputs[path], known.finished > finished { return }
        outputs[path] = Output(path: path, inputs: inputs, sha256: digest, record: record, finished: finished)
        names[FileName.last(of: path), default: []].insert(path)
    }

    private static func begins(_ path: String, _ pattern: Regex<Substring>) throws(AdapterError) -> Bool {
        let head = try ReadableFile(path: path).read(at: 0, upTo: 100)
        return String(decoding: head, as: UTF8.self).prefixMatch(of: pattern) != nil
    }

    /// Returns the digest of an output, of the digests of its files in a report.
    private static func digest(_ files: JSON?, of output: String) -> String? {
        let digests = (files?.elements ?? []).compactMap { file in
            file["name"]?.asString.flatMap { name in file["sha256"]?.asString.map { (name, $0) } }
        }
        guard let first = digests.first else { return nil }
        if digests.count == 1, !FileStatus.isFolder(output) { return first.1 }
        return FileDigest.digest(ofFiles: digests)
    }

    /// Returns the record of an output. A moved output is found by its name, if only one output with the name is missing.
    func output(at path: String) -> Output? {
        let path = BookFile.absolute(path)
        if let known = outputs[path] { return known }
        let lost = names[FileName.last(of: path), default: []].filter(FileStatus.isMissing)
        return lost.count == 1 ? lost.first.flatMap { outputs[$0] } : nil
    }

    /// Returns the outputs in a folder that do not exist, in the order of their names.
    func missing(in folder: String) -> [Output] {
        let parent = BookFile.absolute(folder) + "/"
        return outputs.values.filter { $0.path.hasPrefix(parent) && FileStatus.isMissing($0.path) }
            .sorted { $0.path < $1.path }
    }
}
