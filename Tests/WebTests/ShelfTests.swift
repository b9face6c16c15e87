import AdapterKit
import Scratch
import Testing

/// What a shelf is to the file system; what it is to readers, the tests in the browser show.
@Suite struct ShelfTests {
    private let scratch: ScratchFolder
    private let page = "\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg"
    private let other = "\(BuiltJisui.fixtures)/good/Imaging/gray.png"

    init() throws { scratch = try ScratchFolder() }

    private func jisui(_ arguments: String...) throws -> Program.Outcome {
        try BuiltJisui.run(arguments + ["-q"], in: scratch.path)
    }

    @Test func severalBooksMakeAShelf() throws {
        let outcome = try jisui(page, other, "-o", "shelf", "--to", "web")
        #expect(outcome.status == 0, "\(outcome.errorText)")
        #expect(scratch.names(in: "shelf/books").count == 2)
        let again = try jisui(page, other, "-o", "shelf", "--to", "web")
        #expect(again.status == 1 && again.errorText.contains("--add adds the books to what is in it"))
    }

    /// A book that cannot be made leaves neither a part of itself nor a shelf that holds nothing.
    @Test func aBookThatFailsLeavesNothing() throws {
        try scratch.write("bad.jpg", Array("\u{1}no picture".utf8))
        let outcome = try jisui("bad.jpg", "-o", "shelf", "--to", "web", "--add", "--from", "picture")
        #expect(outcome.status == 1)
        #expect(scratch.names() == ["bad.jpg"])
    }

    /// One book on it is in the way of another run with the same book, and its list is not changed.
    @Test func aBookIsNotReplacedUnasked() throws {
        #expect(try jisui(page, "-o", "shelf", "--to", "web", "--add").status == 0)
        let list = try scratch.read("shelf/shelf.js")
        let outcome = try jisui(page, "-o", "shelf", "--to", "web", "--add", "--title", "Another")
        #expect(outcome.status == 1 && outcome.errorText.contains("holds this book already"))
        #expect(try scratch.read("shelf/shelf.js") == list)
        #expect(scratch.names(in: "shelf/books").count == 1)
    }

    @Test func foldersOfOthersAreNoShelves() throws {
        try scratch.write("mine/notes.txt", [1])
        let outcome = try jisui(page, "-o", "mine", "--to", "web", "--add")
        #expect(outcome.status == 1 && outcome.errorText.contains("holds something that is no shelf"))
        #expect(scratch.names(in: "mine") == ["notes.txt"])
        try scratch.write("broken/shelf.js", Array("jisui.shelf({);".utf8))
        let broken = try jisui(page, "-o", "broken", "--to", "web", "--add")
        #expect(broken.status == 1 && broken.errorText.contains("is no list of a shelf's books"))
    }

    /// A shelf holds covers and thumbnails of many books, which are no pages of one.
    @Test func aShelfIsNoBook() throws {
        #expect(try jisui(page, "-o", "shelf", "--to", "web", "--add").status == 0)
        let outcome = try jisui("shelf", "-o", "x.cbz")
        #expect(outcome.status == 1 && outcome.errorText.contains("is a shelf of several books"))
        let slug = try #require(scratch.names(in: "shelf/books").first)
        #expect(try jisui("shelf/books/\(slug)", "-o", "x.cbz").status == 0)
    }

    /// The same books give the same bytes.
    @Test func aShelfIsTheSameEachTime() throws {
        for name in ["one", "two"] { #expect(try jisui(page, other, "-o", name, "--to", "web").status == 0) }
        #expect(try scratch.read("one/shelf.js") == scratch.read("two/shelf.js"))
        #expect(scratch.names(in: "one/books") == scratch.names(in: "two/books"))
    }
}
