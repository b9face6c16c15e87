import AdapterKit
import Metadata
import PageModel
import Scratch
import Testing

@testable import Conversion

@Suite struct LibraryTests {
    private let one = FakeSource(
        Sample.pages(3).pages, id: "one", word: "ONE",
        book: BookMetadata(
            title: "One", authors: ["A"], direction: .rightToLeft,
            outline: [OutlineItem(title: "Start", page: 2, level: 0), OutlineItem(title: "Part", page: nil, level: 1)]),
        warnings: [Warning(code: "odd", message: "odd")], skipped: ["x"])
    private let two = FakeSource(
        [Sample.page(2), Sample.page(5)], id: "two", extensions: ["bin"], word: "TWO",
        book: BookMetadata(outline: [OutlineItem(title: "Deep", page: 5, level: 0)]),
        warnings: [Warning(code: "odd", page: 5, subject: "page 5", message: "is odd")], skipped: ["y"])

    private func open(
        _ words: [String], source: String? = nil, limits: Limits = Limits()
    ) async throws -> (book: OpenedBook, source: String) {
        let scratch = try ScratchFolder()
        let inputs = try words.enumerated().map {
            Input(path: try scratch.write("\($0.offset) \($0.element.lowercased()).bin", Array($0.element.utf8)))
        }
        return try await Library(Registry(sources: [one, two], sinks: [])).open(
            inputs, source: source, settings: [:], limits: limits)
    }

    @Test func oneBookStaysAsItIs() async throws {
        let (book, source) = try await open(["ONE"])
        #expect(source == "one")
        #expect(book.sequence.pages.map(\.name) == ["page 1", "page 2", "page 3"])
        #expect(book.sequence.book == one.book.sequence.book)
    }

    @Test func booksFollowEachOther() async throws {
        let (book, source) = try await open(["ONE", "TWO", "ONE"])
        #expect(source == "mixed")
        #expect(book.sequence.pages.map(\.id) == [1, 2, 3, 5, 8, 9, 10, 11])
        #expect(
            book.sequence.pages.map(\.name) == [
                "0 one.bin: page 1", "0 one.bin: page 2", "0 one.bin: page 3", "1 two.bin: page 2", "1 two.bin: page 5",
                "2 one.bin: page 1", "2 one.bin: page 2", "2 one.bin: page 3",
            ])
        #expect(
            book.sequence.book.outline == [
                OutlineItem(title: "One", page: 1, level: 0),
                OutlineItem(title: "Start", page: 2, level: 1),
                OutlineItem(title: "Part", page: nil, level: 2),
                // The title is the file's name where the book has none.
                OutlineItem(title: "1 two", page: 5, level: 0),
                OutlineItem(title: "Deep", page: 8, level: 1),
                OutlineItem(title: "One", page: 9, level: 0),
                OutlineItem(title: "Start", page: 10, level: 1),
                OutlineItem(title: "Part", page: nil, level: 2),
            ])
        // The metadata of the whole is the metadata of the first.
        #expect(book.sequence.book.title == "One")
        #expect(book.sequence.book.direction == .rightToLeft)
        #expect(book.warnings.map(\.page) == [nil, 8, nil])
        #expect(book.warnings.map(\.book) == [0, 1, 2])
        #expect(
            book.warnings.map(\.explanation) == ["0 one.bin: odd", "1 two.bin: page 5: is odd", "2 one.bin: odd"])
        #expect(book.skipped == ["x", "y", "x"])
        #expect(book.sequence.pages.map(\.book) == [0, 0, 0, 1, 1, 2, 2, 2])
    }

    /// Metadata of only some books does not apply to all; a value that the user states for all books is not lost.
    @Test func unsharedMetadataIsLostUnlessStatedAgain() async throws {
        let books = [
            BookMetadata(credits: [Credit("A", .author)], publisher: "P", summary: "a", genres: ["G", "H"]),
            BookMetadata(credits: [Credit("B", .inker)], publisher: "Q", summary: "a", genres: ["H"], tags: ["t"]),
        ]
        let sources = books.enumerated().map {
            FakeSource(Sample.pages(1).pages, id: "s\($0.offset)", word: "W\($0.offset)", book: $0.element)
        }
        let scratch = try ScratchFolder()
        let inputs = try ["W0", "W1"].map { Input(path: try scratch.write($0, Array($0.utf8))) }
        var sequence = try await Library(Registry(sources: sources, sinks: [])).open(
            inputs, source: nil, settings: [:], limits: Limits()
        ).book.sequence
        #expect(sequence.book.credits == [Credit("A", .author), Credit("B", .inker)])
        #expect(sequence.book.publisher == nil && sequence.book.summary == "a")
        #expect(sequence.book.genres == ["H"] && sequence.book.tags.isEmpty)
        #expect(sequence.book.conflictingFields == ["Publisher", "Genre", "Tags"])
        var filed = sequence
        var facts = MetadataOptions()
        facts.file = try MetadataFile(Array(#"{"publisher": "Q", "tags": ["x"]}"#.utf8))
        facts.apply(to: &filed)
        #expect(filed.book.publisher == "Q" && filed.book.conflictingFields == ["Genre"])
        facts = MetadataOptions()
        facts.book.publisher = "R"
        facts.apply(to: &sequence)
        #expect(sequence.book.publisher == "R" && sequence.book.conflictingFields == ["Genre", "Tags"])
    }

    @Test func booksMayBeReadInDifferentDirections() async throws {
        let book = try await open(["TWO", "ONE"]).book
        #expect(book.warnings.contains { $0.code == "mixed-directions" })
        #expect(try await !open(["ONE", "TWO", "ONE"]).book.warnings.contains { $0.code == "mixed-directions" })
    }

    @Test func booksOfOneKindKeepItsName() async throws {
        #expect(try await open(["TWO", "TWO"]).source == "two")
        #expect(try await open(["ONE", "TWO"], source: "two").source == "two")
    }

    @Test func togetherTheyKeepTheLimit() async throws {
        var limits = Limits()
        limits.pages = 5
        #expect(try await open(["ONE", "TWO"], limits: limits).book.sequence.pages.count == 5)
        limits.pages = 4
        let error = await #expect(throws: AdapterError.self) { try await open(["ONE", "TWO"], limits: limits) }
        #expect(error?.code == .tooLarge)
    }

    @Test func nothingIsAMistake() async {
        let error = await #expect(throws: AdapterError.self) { try await open([]) }
        #expect(error?.code == .usage)
    }

    @Test func errorsNameTheirInput() async throws {
        let error = await #expect(throws: AdapterError.self) { try await open(["ONE", "SIX"]) }
        #expect(error?.file?.hasSuffix("1 six.bin") == true)
        let missing = await #expect(throws: AdapterError.self) {
            try await Library(Registry(sources: [one], sinks: [])).open(
                Input(path: "/nowhere/book"), source: nil, settings: [:], limits: Limits())
        }
        #expect(missing?.code == .unreadable)
        #expect(missing?.file == "/nowhere/book")
    }
}
