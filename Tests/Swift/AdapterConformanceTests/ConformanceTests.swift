import AdapterKit
import AdapterTestKit
import Conversion
import Files
import Glibc
import PageModel
import Scratch
import Testing

@testable import jisui

/// Every source, with every fixture of its own.
@Suite struct SourceConformanceTests {
    /// A source and one of its fixtures.
    struct Case: CustomTestStringConvertible, Sendable {
        let source: any SourceAdapter
        let fixture: Fixture

        var testDescription: String { "\(source.descriptor.id) reads \(fixture.testDescription)" }
    }

    @Test(.endsWhenItHangs, arguments: try cases(Fixture.good))
    func keepsItsPromises(_ test: Case) async {
        let failures = await checkSource(
            test.source, test.fixture.input, expectedPages: test.fixture.pages, prefixes: Self.sweep(test))
        for failure in failures { Issue.record(failure) }
    }

    @Test(.endsWhenItHangs, arguments: try cases(Fixture.bad))
    func failsCleanly(_ test: Case) async {
        let failures = await checkBadInput(test.source, test.fixture.input, mayPass: test.fixture.mayPass)
        for failure in failures { Issue.record(failure) }
    }

    /// The fixtures of folders and of single pictures are the pictures.
    @Test func readsFoldersAndPictures() async throws {
        let (source, single) = (try Registry.jisui.source("folder"), try Registry.jisui.source("picture"))
        let pictures = try Fixture.good("Imaging")
        #expect(pictures.count > 20)
        for picture in pictures {
            let failures = await checkSource(single, picture.input, expectedPages: 1)
            for failure in failures { Issue.record(failure) }
        }
        let folder = Input(path: "\(Fixture.root)/good/Imaging")
        let failures = await checkSource(source, folder, expectedPages: pictures.count)
        for failure in failures { Issue.record(failure) }
    }

    /// Nearly every PDF shows one detail of a page, and they break off alike: a few are cut at every length.
    private static func sweep(_ test: Case) -> PrefixSweep {
        let thorough = ["jpeg.pdf", "gray8.pdf", "object-streams.pdf", "encrypted-aes-256.pdf", "labels.pdf"]
        let isOneOfMany = test.source.descriptor.id == "pdf" && !thorough.contains(test.fixture.testDescription)
        return isOneOfMany ? .spread(20) : .standard
    }

    static func cases(_ fixtures: (String) throws -> [Fixture]) throws -> [Case] {
        try Registry.jisui.sources.flatMap { source in
            try fixtures("\(type(of: source))").map { Case(source: source, fixture: $0) }
        }
    }
}

/// Every sink; the sources read back what it wrote.
@Suite struct SinkConformanceTests {
    /// No source reads what these write; their own suites read it.
    private static let unread: Set = ["xtc", "xtch"]

    @Test(.endsWhenItHangs, arguments: Registry.jisui.sinks.map(\.descriptor.id).filter { !unread.contains($0) })
    func keepsItsPromises(_ id: String) async throws {
        let sink = try Registry.jisui.sink(id)
        let jpeg = try ReadableFile(path: "\(Fixture.root)/good/Imaging/baseline.jpg")
        let picture = try jpeg.read(at: 0, exactly: jpeg.size)
        let request = SinkRequest(book: BookMetadata(), pageCount: 0, destination: Destination(path: "output"))
        let takesGIF = try sink.capabilities(request).shows(.gif)
        let failures = await checkSink(
            sink,
            picture: { number in
                // Pictures of two kinds, so that the order does not come from names' endings.
                if number % 3 != 0 && takesGIF { return .gif(number) }
                let comment = Array("page \(number)".utf8)
                let segment = [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment
                return NumberedPicture(
                    encoding: .jpeg, size: PixelSize(width: 5, height: 5),
                    bytes: Array(picture[..<2]) + segment + Array(picture[2...]))
            },
            read: { path in
                let library = Library(.jisui)
                let (book, _) = try await library.open(Input(path: path), source: nil, settings: [:], limits: Limits())
                var pages: [[UInt8]] = []
                for page in book.sequence.pages {
                    guard case .encoded(let picture) = try await page.examine().representations.first else { continue }
                    pages.append(try await picture.read().bytes)
                }
                return pages
            })
        for failure in failures { Issue.record(failure) }
    }
}

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

    static let root = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/Fixtures"
}
