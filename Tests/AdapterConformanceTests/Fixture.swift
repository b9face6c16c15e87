import AdapterKit
import Glibc
import Testing

/// An input under Fixtures, with what is known of it.
struct Fixture: CustomTestStringConvertible, Sendable {
    let input: Input
    let pages: Int
    /// For a bad one: whether a run may end as if nothing were wrong.
    var mayPass = false

    var testDescription: String { FileName.last(of: input.path) }

    /// The fixtures of an adapter that are good, by file name.
    ///
    /// `pages.tsv` in their folder tells the pages and the password of those that have not one page and none.
    static func good(_ adapter: String) throws -> [Fixture] {
        let table = try table("good/\(adapter)/pages.tsv")
        return try files("good/\(adapter)").map { path in
            let row = table[FileName.last(of: path)] ?? []
            let password = row.dropFirst().first.flatMap { $0.isEmpty ? nil : $0 }
            return Fixture(input: Input(path: path, password: password), pages: row.first.flatMap { Int($0) } ?? 1)
        }
    }

    /// The fixtures of an adapter that are bad, by file name.
    ///
    /// `expected.tsv` in their folder tells the exit statuses that are right, if it is there.
    static func bad(_ adapter: String) throws -> [Fixture] {
        let table = try table("bad/\(adapter)/expected.tsv")
        return try files("bad/\(adapter)").map { path in
            let statuses = table[FileName.last(of: path)]?.first?.split(separator: "|") ?? []
            return Fixture(input: Input(path: path), pages: 0, mayPass: statuses.contains("0"))
        }
    }

    /// The files of a folder under Fixtures that are inputs; none when there is no such folder.
    private static func files(_ folder: String) throws -> [String] {
        guard access("\(root)/\(folder)", F_OK) == 0 else { return [] }
        let papers: Set<String> = ["md", "tsv", "json"]
        return try FolderListing.names(in: "\(root)/\(folder)").sorted()
            .filter { !papers.contains(FileName.extension(of: $0)) }.map { "\(root)/\(folder)/\($0)" }
    }

    /// The rows of a table by their first column, without it; empty when there is no such table.
    private static func table(_ name: String) throws -> [String: [String]] {
        guard access("\(root)/\(name)", F_OK) == 0 else { return [:] }
        let file = try ReadableFile(path: "\(root)/\(name)")
        let text = String(decoding: try file.read(at: 0, exactly: file.size), as: UTF8.self)
        return text.split(separator: "\n").dropFirst().reduce(into: [:]) { rows, line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            rows[cells[0]] = Array(cells.dropFirst())
        }
    }

    static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Fixtures"
}
