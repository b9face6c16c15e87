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

        var testDescription: String { "\(source.descriptor.id) reads \(fixture.name)" }

        /// Nearly every PDF shows one detail of a page, and they break off alike: a few are cut at every length.
        var truncations: Int? {
            let thorough = ["jpeg.pdf", "gray8.pdf", "object-streams.pdf", "encrypted-aes-256.pdf", "labels.pdf"]
            return source.descriptor.id == "pdf" && !thorough.contains(fixture.name) ? 20 : nil
        }

        /// The fixtures of every source in its folder below `folder`.
        static func all(_ folder: String) throws -> [Case] {
            try Registry.jisui.sources.flatMap { source in
                try Fixture.all("\(folder)/\(type(of: source))").map { Case(source: source, fixture: $0) }
            }
        }
    }

    @Test(.endsWhenItHangs, arguments: try Case.all("good"))
    func keepsItsPromises(_ test: Case) async {
        let (input, pages) = (test.fixture.input, test.fixture.pages)
        record(await checkSource(test.source, input, expectedPages: pages, truncations: test.truncations))
    }

    @Test(.endsWhenItHangs, arguments: try Case.all("bad"))
    func failsCleanly(_ test: Case) async {
        record(await checkBadInput(test.source, test.fixture.input, mayPass: test.fixture.mayPass))
    }

    /// The fixtures of folders and of single pictures are the pictures.
    @Test func readsFoldersAndPictures() async throws {
        let (source, single) = (try Registry.jisui.source("folder"), try Registry.jisui.source("picture"))
        let pictures = try Fixture.all("good/Imaging")
        #expect(pictures.count > 20)
        for picture in pictures { record(await checkSource(single, picture.input, expectedPages: 1)) }
        let folder = Input(path: "\(BuiltJisui.fixtures)/good/Imaging")
        record(await checkSource(source, folder, expectedPages: pictures.count))
    }

    /// A source without fixtures, or a table without files, would test nothing.
    @Test func everySourceHasFixtures() throws {
        let good = try Case.all("good")
        let ids = Set(Registry.jisui.sources.map(\.descriptor.id))
        #expect(ids.subtracting(good.map(\.source.descriptor.id)) == ["folder", "picture"])
        #expect(good.count > 150)
        #expect(good.count { $0.fixture.pages > 1 } > 15)
        let bad = try Case.all("bad")
        #expect(bad.count > 40)
        #expect(bad.count { $0.fixture.mayPass } > 10)
    }
}

/// Every sink; the sources read back what it wrote.
@Suite struct SinkConformanceTests {
    /// No source reads what these write; their own suites read it.
    private static let unread: Set = ["xtc", "xtch"]

    @Test(.endsWhenItHangs, arguments: Registry.jisui.sinks.map(\.descriptor.id).filter { !unread.contains($0) })
    func keepsItsPromises(_ id: String) async throws {
        let sink = try Registry.jisui.sink(id)
        let picture = try Files.read("\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg")
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
        record(failures)
    }
}

/// The descriptors of all adapters.
@Test func descriptorsAreValid() {
    let registry = Registry.jisui
    let all =
        registry.sources.map(\.descriptor) + registry.transforms.map(\.descriptor) + registry.sinks.map(\.descriptor)
    #expect(all.count > 20)
    record(all.flatMap(checkDescriptor))
}

private func record(_ failures: [ConformanceFailure]) {
    for failure in failures { Issue.record(failure) }
}

/// An input under Fixtures, with its row in the table of its folder.
struct Fixture: CustomTestStringConvertible, Sendable {
    private let path: String
    /// The values by the heads of their columns.
    private let row: [Substring: Substring]

    var name: String { FileName.last(of: path) }
    var testDescription: String { name }
    var input: Input { Input(path: path, password: row["password"].flatMap { $0.isEmpty ? nil : String($0) }) }
    /// The number of pages of a good one.
    var pages: Int { row["pages"].flatMap { Int($0) } ?? 1 }
    /// For a bad one: whether a run may end as if nothing were wrong.
    var mayPass: Bool { row["exit"]?.split(separator: "|").contains("0") ?? false }

    /// The fixtures of a folder. `pages.tsv` has good ones with several pages or a password, `expected.tsv` bad ones that
    /// do not always fail.
    static func all(_ folder: String) throws -> [Fixture] {
        let path = "\(BuiltJisui.fixtures)/\(folder)"
        let table = folder.hasPrefix("good") ? "pages.tsv" : "expected.tsv"
        let names = Files.names(in: path)
        let bytes = names.contains(table) ? try Files.read("\(path)/\(table)") : []
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false)
        }
        let rows = Dictionary(lines.map { ($0[0], Dictionary(zip(lines[0], $0)) { $1 }) }) { $1 }
        return names.filter { !["md", "tsv", "json"].contains(FileName.extension(of: $0)) }
            .map { Fixture(path: "\(path)/\($0)", row: rows[$0[...]] ?? [:]) }
    }
}
