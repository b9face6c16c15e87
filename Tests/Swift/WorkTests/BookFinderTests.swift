import AdapterKit
import Conversion
import Files
import FolderSource
import Glibc
import PageModel
import Scratch
import Testing

@testable import Work

/// A source of files that begin with "BOOK".
private struct MarkedSource: SourceAdapter {
    let descriptor = AdapterDescriptor(id: "marked", summary: "", extensions: ["book"])

    func recognize(_ probe: Probe) -> Recognition {
        probe.head.starts(with: Array("BOOK".utf8)) ? .maybe(90) : .no
    }

    func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook {
        throw AdapterError(.empty, "no page")
    }
}

@Suite struct BookFinderTests {
    private static let registry = Registry(sources: [FolderSource(), PictureSource(), MarkedSource()], sinks: [])
    private let books: TestBooks

    init() throws {
        books = try TestBooks()
    }

    private func found(_ patterns: PathPatterns = PathPatterns(), excluding: [String] = []) -> FoundBooks {
        BookFinder(Self.registry, patterns, excluding: excluding.map { books.scratch($0) })
            .books(at: [books.scratch(".")])
    }

    /// The paths below the folder that was searched.
    private func names(_ paths: [String]) -> [String] {
        paths.map { String($0.dropFirst(books.scratch("./").count)) }.sorted()
    }

    /// A file that a source of these tests knows.
    private func book(_ name: String) throws { try books.scratch.write(name, Array("BOOK of some bytes".utf8)) }

    @Test func booksAreFoundByContentAndName() throws {
        for name in ["a.book", "sub/b", "sub/deep/c.book"] { try book(name) }
        // A broken book is one by its name.
        try books.scratch.write("sub/broken.book", [1, 2])
        for name in ["notes.txt", "sub/data"] { try books.scratch.write(name, [1, 2, 3]) }
        let found = found()
        #expect(names(found.books.map(\.path)) == ["a.book", "sub/b", "sub/broken.book", "sub/deep/c.book"])
        #expect(names(found.others) == ["notes.txt", "sub/data"])
        #expect(
            Dictionary(
                uniqueKeysWithValues: zip(
                    names(found.books.map(\.path)), found.books.sorted { $0.path < $1.path }.map(\.folder)))
                == ["a.book": "", "sub/b": "sub", "sub/broken.book": "sub", "sub/deep/c.book": "sub/deep"])
    }

    @Test func folderOfImagesIsOneBook() throws {
        for name in ["v1/1.png", "v1/2.png", "v2/extra/1.png", "v2/0.png", "v2/info.xml"] { try books.image(name) }
        let found = found()
        #expect(names(found.books.map(\.path)) == ["v1", "v2"] && found.others.isEmpty)
        #expect(found.books.map(\.folder) == ["", ""])
    }

    /// Its own images, such as a cover, are no pages.
    @Test func folderWithBooksIsAShelf() throws {
        try books.image("series/cover.jpg")
        try book("series/one.book")
        try books.image("series/two/1.png")
        let found = found()
        #expect(names(found.books.map(\.path)) == ["series/one.book", "series/two"])
        #expect(names(found.others) == ["series/cover.jpg"])
    }

    @Test func junkOutputsAndLinkedFoldersAreLeftOut() throws {
        for name in ["a.book", "out/a.book", ".hidden.book", "@eaDir/x.book", "far/b.book"] { try book(name) }
        symlink("..", books.scratch("far/loop"))
        let found = found(excluding: ["out/"])
        #expect(names(found.books.map(\.path)) == ["a.book", "far/b.book"])
        #expect(names(found.others) == ["far/loop"])
    }

    @Test func fileIsABookInAnyCase() throws {
        try books.scratch.write("x", [1])
        let found = BookFinder(Self.registry).books(at: [books.scratch("x"), books.scratch("missing")])
        #expect(found.books.map(\.path) == [books.scratch("x"), books.scratch("missing")])
    }

    @Test(arguments: [
        (["*.book"], [], ["a.book", "s/b.book", "s/t/c.book"]),
        (["s/*.book"], [], ["s/b.book"]),
        (["s/"], [], ["s/b.book", "s/other", "s/t/c.book"]),
        (["s/**"], [], ["s/b.book", "s/other", "s/t/c.book"]),
        (["**/t/*"], [], ["s/t/c.book"]),
        (["/*.book"], [], ["a.book"]),
        (["[ab].book", "other"], [], ["a.book", "s/b.book", "s/other"]),
        ([], ["s/"], ["a.book"]),
        ([], ["t", "*.bo?k"], ["s/other"]),
        ([], ["s/**/c.book"], ["a.book", "s/b.book", "s/other"]),
        (["*.book"], ["b.*"], ["a.book", "s/t/c.book"]),
        (["A.BOOK"], [], []),
    ])
    func patternsChoose(_ included: [String], _ excluded: [String], _ expected: [String]) throws {
        for name in ["a.book", "s/b.book", "s/other", "s/t/c.book"] { try book(name) }
        #expect(names(found(PathPatterns(including: included, excluding: excluded)).books.map(\.path)) == expected)
    }
}

@Suite struct ShardTests {
    /// Every book is in one part, and the parts have about the same size.
    @Test(arguments: [1, 2, 3, 7, 64]) func partsDivideTheWhole(_ count: Int) throws {
        var random = SplitMix(seed: 7)
        let sizes = (0..<500).map { _ in Int(random.next() % 1_000_000) }
        let names = sizes.indices.map { "book \($0)" }
        let parts = try (1...count).map { try #require(Shard($0, of: count)).places(of: sizes, names) }
        #expect(parts.reduce(0) { $0 + $1.count } == 500 && parts.reduce(Set()) { $0.union($1) }.count == 500)
        let loads = parts.map { $0.reduce(0) { $0 + sizes[$1] } }
        #expect((loads.max() ?? 0) - (loads.min() ?? 0) <= 1_000_000 / 4)
    }

    /// Machines that list a folder in another order agree.
    @Test func orderDoesNotMatter() throws {
        let names = (0..<50).map { "\($0)" }
        let sizes = names.indices.map { $0 % 3 }
        let shard = try #require(Shard(2, of: 3))
        let chosen = Set(shard.places(of: sizes, names).map { names[$0] })
        let turned = Set(shard.places(of: sizes.reversed(), names.reversed()).map { names.reversed()[$0] })
        #expect(chosen == turned)
    }

    @Test(arguments: ["0/2", "3/2", "1", "1/0", "a/2", "1/2/3", "/", "-1/2"]) func otherTextsAreRefused(_ text: String)
    {
        #expect(Shard(text) == nil)
    }

    @Test func partIsRead() { #expect(Shard("2/16") == Shard(2, of: 16)) }
}
