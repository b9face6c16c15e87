import AdapterKit
import AdapterTestKit
import Conversion
import Files
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
            test.source, test.fixture.input, expectedPages: test.fixture.pages, truncations: Self.truncations(test))
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

    /// A source without fixtures, or a table without files, would test nothing.
    @Test func everySourceHasFixtures() throws {
        let good = try Registry.jisui.sources.map { ($0.descriptor.id, try Fixture.good("\(type(of: $0))")) }
        #expect(Set(good.filter { $1.isEmpty }.map { $0.0 }) == ["folder", "picture"])
        #expect(good.flatMap(\.1).count > 150)
        #expect(good.flatMap(\.1).count { $0.pages > 1 } > 15)
        let bad = try Self.cases(Fixture.bad).map(\.fixture)
        #expect(bad.count > 40)
        #expect(bad.count { $0.mayPass } > 10)
    }

    /// Nearly every PDF shows one detail of a page, and they break off alike: a few are cut at every length.
    private static func truncations(_ test: Case) -> Int? {
        let thorough = ["jpeg.pdf", "gray8.pdf", "object-streams.pdf", "encrypted-aes-256.pdf", "labels.pdf"]
        let isOneOfMany = test.source.descriptor.id == "pdf" && !thorough.contains(test.fixture.testDescription)
        return isOneOfMany ? 20 : nil
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
        let picture = try Files.read("\(Fixture.root)/good/Imaging/baseline.jpg")
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
    /// The number of pages of a good one.
    let pages: Int
    /// For a bad one: whether a run may end as if nothing were wrong.
    let mayPass: Bool

    var testDescription: String { FileName.last(of: input.path) }

    static let root = "\(BuiltJisui.repository)/Fixtures"

    /// The good fixtures of an adapter. `pages.tsv` has the pages and the password of those that have not one page and none.
    static func good(_ adapter: String) throws -> [Fixture] {
        try all("\(root)/good/\(adapter)", table: "pages.tsv") { path, row in
            let password = row.count > 1 && !row[1].isEmpty ? row[1] : nil
            return Fixture(
                input: Input(path: path, password: password), pages: row.first.flatMap { Int($0) } ?? 1, mayPass: false)
        }
    }

    /// The bad fixtures of an adapter. `expected.tsv` has the exit statuses of those that do not always fail.
    static func bad(_ adapter: String) throws -> [Fixture] {
        try all("\(root)/bad/\(adapter)", table: "expected.tsv") { path, row in
            let statuses = row.first?.split(separator: "|") ?? []
            return Fixture(input: Input(path: path), pages: 0, mayPass: statuses.contains("0"))
        }
    }

    /// The inputs of a folder by their names, each with the rest of its row in the table of the folder.
    private static func all(
        _ folder: String, table: String, _ fixture: (_ path: String, _ row: [String]) -> Fixture
    ) throws -> [Fixture] {
        let names = Files.names(in: folder)
        let text = names.contains(table) ? String(decoding: try Files.read("\(folder)/\(table)"), as: UTF8.self) : ""
        let lines = text.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        let rows = Dictionary(lines.map { ($0[0], Array($0.dropFirst())) }) { $1 }
        return names.filter { !["md", "tsv", "json"].contains(FileName.extension(of: $0)) }
            .map { fixture("\(folder)/\($0)", rows[$0] ?? []) }
    }
}
