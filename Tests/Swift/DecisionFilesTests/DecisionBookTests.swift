import AdapterKit
import Files
import OrderedJSON
import PageModel
import Scratch
import Synchronization
import Testing

@testable import DecisionFiles

/// A decision file is followed only with the book for which it was made.
@Suite struct DecisionBookTests {
    private static let kind = DecisionDocument.Kind(
        contents: "boxes", key: "jisui-trim", version: 1, list: "pages", entry: "page", option: "trim-file")

    private struct NoPreviews: PreviewProvider {
        func preview(of page: Page, pixels: Int, as meaning: SampleMeaning) throws -> PagePreview {
            throw CancellationError()
        }
    }

    /// A book whose pages have digests of the given texts; "-" stands for a page without one.
    private struct Book {
        var pages: [Page]
        let request: TransformRequest

        init(_ digests: [String], report: @escaping @Sendable (Warning) -> Void = { _ in }) {
            pages = digests.indices.map { index in
                Page(id: index + 1, name: "\(index + 1).jpg") { throw AdapterError(.damaged, "not for reading") }
            }
            let book = SourceBook(pages: pages) { page in
                let digest = digests[page.id - 1]
                return digest == "-" ? nil : PageDigest(text: digest.contains(":") ? digest : "image:\(digest)")
            }
            request = TransformRequest(previews: NoPreviews(), book: book, width: 2, report: report)
        }
    }

    private struct Outcome {
        var changed: Set<Int>
        var warnings: [Warning]
    }

    /// The outcome of following a file for one book with another.
    ///
    /// - Parameters:
    ///   - selected: the pages of the run; nil for all.
    ///   - pages: pages in place of those of the book.
    private func followed(
        _ made: [String], with now: [String], selected: [Int]? = nil, pages: [Page]? = nil,
        names: [Int: String]? = nil
    ) async throws -> Outcome {
        let warnings = Mutex<[Warning]>([])
        let (old, book) = (Book(made), Book(now) { warning in warnings.withLock { $0.append(warning) } })
        let filed = try await DecisionBook(old.pages, old.request)
        let chosen = (pages ?? book.pages).filter { selected?.contains($0.id) ?? true }
        let changed = try await Self.kind.changedPages(
            among: chosen, named: names ?? Dictionary(uniqueKeysWithValues: old.pages.map { ($0.id, $0.name) }),
            of: filed, path: "b/boxes.json", book.request)
        return Outcome(changed: changed, warnings: warnings.withLock { $0 })
    }

    private func refusal(
        _ made: [String], with now: [String], selected: [Int]? = nil, names: [Int: String]? = nil
    ) async throws -> AdapterError {
        try #require(
            await #expect(throws: AdapterError.self) {
                try await followed(made, with: now, selected: selected, names: names)
            })
    }

    @Test func sameBookIsFollowed() async throws {
        let outcome = try await followed(["a", "b", "-"], with: ["a", "b", "-"])
        #expect(outcome.changed.isEmpty && outcome.warnings.isEmpty)
    }

    /// The same images in another container may have other names.
    @Test func namesDoNotCountIfDigestsAreEqual() async throws {
        let outcome = try await followed(["a", "b"], with: ["a", "b"], names: [1: "page 1", 2: "page 2"])
        #expect(outcome.changed.isEmpty && outcome.warnings.isEmpty)
    }

    @Test func anotherNumberOfPagesIsRefused() async throws {
        let error = try await refusal(["a", "b"], with: ["a", "b", "c"])
        #expect(error.code == .usage && error.file == "b/boxes.json")
        #expect(error.message == "is of another book: its number of pages is 2, not 3")
        #expect(error.hint == "use --dry-run and --trim-file with another name to create a file for this book")
    }

    @Test func bookOfWhichMostPagesDifferIsRefused() async throws {
        let error = try await refusal(["a", "b", "c"], with: ["x", "y", "c"])
        #expect(error.code == .usage && error.message == "is of another book: 2 of 3 compared pages differ")
    }

    @Test func changedPageIsNamed() async throws {
        let outcome = try await followed(["a", "b", "c"], with: ["a", "x", "c"])
        #expect(outcome.changed == [2])
        #expect(outcome.warnings.map(\.code) == ["page-changed"])
        #expect(outcome.warnings[0].page == 2 && outcome.warnings[0].subject == "2.jpg")
        #expect(
            outcome.warnings[0].message
                == "did not apply boxes.json: the page has changed since the file was made")
        #expect(outcome.warnings[0].hint == "remove the digest of page 2 from the file to apply it")
        #expect(!outcome.warnings[0].isNote)
    }

    /// Without its digest, the page is compared by its name.
    @Test func renamedPageNeedsItsNewNameInTheFile() async throws {
        let names = [1: "1.jpg", 2: "2.png", 3: "3.jpg"]
        let outcome = try await followed(["a", "b", "c"], with: ["a", "x", "c"], names: names)
        #expect(
            outcome.warnings.map(\.hint)
                == ["to apply it, remove the digest of page 2 from the file and change its name there"])
        let error = try await refusal(["a", "-", "c"], with: ["a", "x", "c"], names: names)
        #expect(error.message == "is of another book: its page 2 is '2.png', not '2.jpg'")
        let named = [1: "1.jpg", 2: "2.jpg", 3: "3.jpg"]
        #expect(try await followed(["a", "-", "c"], with: ["a", "x", "c"], names: named).changed.isEmpty)
    }

    /// A run of changed pages alone does not show whether the others are the same, so jisui compares those too.
    @Test func selectionOfChangedPagesIsNotAnotherBook() async throws {
        #expect(try await followed(["a", "b", "c"], with: ["a", "x", "c"], selected: [2]).changed == [2])
        let error = try await refusal(["a", "b", "c"], with: ["x", "y", "c"], selected: [1])
        #expect(error.message == "is of another book: 2 of 3 compared pages differ")
        #expect(try await followed(["a", "b", "c"], with: ["x", "y", "c"], selected: [3]).changed.isEmpty)
    }

    /// A person may remove the digest of a page that was replaced.
    @Test func pageWithoutDigestIsComparedByName() async throws {
        #expect(try await followed(["a", "-"], with: ["a", "x"]).changed.isEmpty)
        let error = try await refusal(["a", "-"], with: ["a", "x"], names: [1: "1.jpg", 2: "page 2"])
        #expect(error.message == "is of another book: its page 2 is 'page 2', not '2.jpg'")
    }

    /// The digest of a rendered page does not show whether its scan is the same.
    @Test func digestsOfOtherDataAreNotCompared() async throws {
        #expect(try await followed(["image:a", "b"], with: ["content:c", "b"]).changed.isEmpty)
        let error = try await refusal(["image:a"], with: ["content:c"], names: [1: "page 1"])
        #expect(error.message == "is of another book: its page 1 is 'page 1', not '1.jpg'")
    }

    /// Both halves of a page have its digest.
    @Test func halvesAreComparedByNameToo() async throws {
        var half = Page(id: 3, name: "2.jpg, right half") { throw CancellationError() }
        half.sourceID = 2
        func changed(_ name: String, _ now: [String]) async throws -> Set<Int> {
            try await followed(["a", "b", "c"], with: now, pages: [half], names: [3: name]).changed
        }
        #expect(try await changed("2.jpg, right half", ["a", "b", "c"]).isEmpty)
        #expect(try await changed("2.jpg, right half", ["a", "x", "c"]) == [3])
        await #expect(throws: AdapterError.self) { try await changed("2.jpg, left half", ["a", "b", "c"]) }
    }

    @Test func pagesWithoutDecisionAreNotReported() async throws {
        let outcome = try await followed(["a", "b", "c"], with: ["a", "b", "x"], names: [1: "1.jpg"])
        #expect(outcome.changed.isEmpty && outcome.warnings.isEmpty)
    }

    /// Such as files of earlier versions.
    @Test func fileWithoutBookIsComparedByName() async throws {
        let warnings = Mutex<[Warning]>([])
        let book = Book(["a", "b"]) { warning in warnings.withLock { $0.append(warning) } }
        func changed(_ names: [Int: String]) async throws -> Set<Int> {
            try await Self.kind.changedPages(
                among: book.pages, named: names, of: nil, path: "b/boxes.json", book.request)
        }
        #expect(try await changed([1: "1.jpg", 7: "7.jpg"]).isEmpty)
        let notes = warnings.withLock { $0 }
        #expect(notes.map(\.code) == ["file-without-digests"] && notes[0].isNote)
        #expect(notes[0].subject == "boxes.json")
        await #expect(throws: AdapterError.self) { try await changed([2: "1.jpg"]) }
    }

    /// A run of some pages records those, and the number of all.
    @Test func writtenBookIsReadBack() async throws {
        let scratch = try ScratchFolder()
        let book = Book(["a", "b", "c"])
        let filed = try #require(try await DecisionBook(Array(book.pages.dropFirst()), book.request))
        #expect(
            filed.text == """
                {"pages": 3, "digests": {
                "2": "image:b",
                "3": "image:c"}}
                """)
        let written = DecisionDocument(options: ["trim": "page"], entries: [["page": 2]], book: filed)
        let path = try scratch.write("boxes.json", Array(written.text(as: Self.kind).utf8))
        let read = try DecisionDocument(try ReadableFile(path: path), as: Self.kind)
        #expect(read.book == filed && read.entries.count == 1)
    }

    @Test(arguments: ["{}", "{\"pages\": 0, \"digests\": {}}", "{\"pages\": 1, \"digests\": {\"one\": \"a\"}}", "[]"])
    func invalidBookIsRefused(_ book: String) throws {
        let scratch = try ScratchFolder()
        let text = "{\"jisui-trim\": 1, \"options\": {}, \"pages\": [], \"book\": \(book)}"
        let path = try scratch.write("boxes.json", Array(text.utf8))
        let error = #expect(throws: AdapterError.self) {
            try DecisionDocument(try ReadableFile(path: path), as: Self.kind)
        }
        #expect(error?.code == .damaged && error?.message == "has an invalid 'book'")
    }
}
