internal import AdapterKit
public import Audit
public import Conversion
internal import Files
internal import OrderedJSON
public import PageModel

/// A file of reports: one line of JSON for each book, written when the book has ended.
///
/// Written lines stay, regardless of how the program ends.
public final class ReportStream: Sendable {
    private let file: GrowingFile
    private let version: String
    private let recipe: Recipe?

    /// Opens a file, or standard output for "-".
    ///
    /// - Parameters:
    ///   - mayReplace: whether a file that is not an earlier report may be replaced.
    ///   - version: the version of jisui, for the reports.
    ///   - recipe: the recipe of all books, for the reports; nil for a run without one.
    /// - Throws: `.exists`, `.unwritable`.
    public init(
        _ path: String, mayReplace: Bool, version: String, recipe: Recipe? = nil
    ) throws(AdapterError) {
        self.version = version
        self.recipe = recipe
        if path == "-" {
            file = try .standardOutput(of: "the report")
            return
        }
        do {
            // A pipe, such as the shell makes of >(jq .), does not hold anything that could be lost.
            let isPipe = FileStatus(of: path)?.kind == .other
            file = try GrowingFile(
                path: path, of: "the report", mayReplace: mayReplace || isPipe || ReportStream.isReport(path))
        } catch {
            guard error.code == .exists else { throw error }
            throw AdapterError(
                .exists, "already exists and is not a report", hint: "use --force to replace it", file: path)
        }
    }

    /// Returns whether the file at a path is a report, or empty.
    static func isReport(_ path: String) -> Bool {
        guard let head = try? ReadableFile(path: path).read(at: 0, upTo: 100) else { return false }
        // Other files of jisui begin similarly, but continue differently.
        return head.isEmpty
            || String(decoding: head, as: UTF8.self).prefixMatch(of: /\{"jisui": "[^"]*", "report": [0-9]/) != nil
    }

    /// Adds the report on a book.
    ///
    /// - Throws: `.unwritable`.
    public func append(_ report: Report) throws(AdapterError) {
        try append(report.json(version: version))
    }

    /// Adds the report on a book that could not be converted.
    ///
    /// - Throws: `.unwritable`.
    public func append(_ error: AdapterError, about job: Job) throws(AdapterError) {
        try append(Report.failure(of: job.inputs.map(\.name), error, isDryRun: job.isDryRun, version: version))
    }

    private func append(_ line: JSON) throws(AdapterError) {
        var members = line.members ?? []
        if let recipe { members += [("recipe", recipe.json), ("recipeDigest", .string(recipe.digest))] }
        do {
            try file.write(Array((JSON.object(members).text + "\n").utf8))
        } catch {
            var error = error
            error.hint = "the books are still converted"
            throw error
        }
    }
}
