import OrderedJSON
import Scratch
import Testing

/// A shelf in the file system; the browser tests check the reader's view of it.
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
        #expect(again.status == 1 && again.errorText.contains("use --add to add the books to its contents"))
    }

    /// A book that cannot be made leaves neither a part of itself nor a shelf that holds nothing.
    @Test func aBookThatFailsLeavesNothing() throws {
        try scratch.write("bad.jpg", Array("\u{1}no picture".utf8))
        let outcome = try jisui("bad.jpg", "-o", "shelf", "--to", "web", "--add", "--from", "picture")
        #expect(outcome.status == 1)
        #expect(scratch.names() == ["bad.jpg"])
    }

    /// A book on the shelf blocks another run with the same book, and the shelf's list stays unchanged.
    @Test func bookIsNotReplacedByDefault() throws {
        #expect(try jisui(page, "-o", "shelf", "--to", "web", "--add").status == 0)
        let list = try scratch.read("shelf/shelf.js")
        let outcome = try jisui(page, "-o", "shelf", "--to", "web", "--add", "--title", "Another")
        #expect(outcome.status == 1)
        #expect(
            outcome.errorText.contains("the shelf holds this book already, as 'baseline'; use --force to replace it"))
        #expect(try scratch.read("shelf/shelf.js") == list)
        #expect(scratch.names(in: "shelf/books").count == 1)
    }

    /// A book is known by its pages and by its name: --force replaces the one that has either, and no other.
    @Test func aBookOfTheSameNameIsReplacedWhenAsked() throws {
        #expect(try jisui(page, "-o", "shelf", "--to", "web", "--add", "--title", "First").status == 0)
        #expect(try jisui(other, "-o", "shelf", "--to", "web", "--add", "--title", "Second").status == 0)
        let folders = scratch.names(in: "shelf/books")
        let third = "\(BuiltJisui.fixtures)/good/Imaging/lossy.webp"
        let refused = try jisui(third, "-o", "shelf", "--to", "web", "--add", "--title", "First")
        #expect(refused.status == 1 && refused.errorText.contains("the shelf holds another book called 'First'"))
        #expect(scratch.names(in: "shelf/books") == folders)
        // Another volume of the same title is another book.
        #expect(
            try jisui(third, "-o", "shelf", "--to", "web", "--add", "--title", "First", "--series", "S").status == 0)
        #expect(try jisui("catalog", "shelf", "--remove", "shelf/books/\(try slug(of: 2))").status == 0)
        #expect(try jisui(third, "-o", "shelf", "--to", "web", "--add", "--title", "First", "--force").status == 0)
        #expect(try titles() == ["First", "Second"])
        #expect(scratch.names(in: "shelf/books").sorted() == [try slug(of: 0), try slug(of: 1)].sorted())
        #expect(try slug(of: 0) != folders.first { $0.hasPrefix("first") })
    }

    /// A book that is added again under another name keeps its address. One whose folder was deleted leaves the list.
    @Test func aBookKeepsItsAddressAndADeletedOneGoes() throws {
        #expect(try jisui(page, "-o", "shelf", "--to", "web", "--add", "--title", "One").status == 0)
        #expect(try jisui(other, "-o", "shelf", "--to", "web", "--add", "--title", "Two").status == 0)
        let folders = [try slug(of: 0), try slug(of: 1)]
        let again = ["-o", "shelf", "--to", "web", "--add", "--force", "--title", "Another", "-q"]
        #expect(try BuiltJisui.run([other] + again, in: scratch.path).status == 0)
        #expect(try titles() == ["One", "Another"] && slug(of: 1) == folders[1])
        #expect(try Program.outcome("rm -r 'shelf/books/\(folders[0])'", in: scratch.path).status == 0)
        #expect(try BuiltJisui.run([other] + again, in: scratch.path).status == 0)
        #expect(try titles() == ["Another"] && scratch.names(in: "shelf/books") == [folders[1]])
    }

    /// A run does not replace the books that it added itself, even with --force: the user did not ask to lose them.
    @Test func booksOfOneRunDoNotReplaceEachOther() throws {
        for (name, file) in [("a", page), ("b", other)] { try scratch.write("\(name)/vol", try Files.read(file)) }
        let outcome = try jisui("a/vol", "b/vol", "-o", "shelf", "--to", "web", "--force")
        #expect(
            outcome.status == 1 && outcome.errorText.contains("'vol' was just put on the shelf"), "\(outcome.errorText)"
        )
        #expect(try titles() == ["vol"])
    }

    /// A book that is there already cannot be given the name of another one.
    @Test func namesOfAShelfStayApart() throws {
        for (title, file) in [("One", page), ("Two", other)] {
            #expect(try jisui(file, "-o", "shelf", "--to", "web", "--add", "--title", title).status == 0)
        }
        let list = try scratch.read("shelf/shelf.js")
        let renamed = try jisui(page, "-o", "shelf", "--to", "web", "--add", "--title", "Two", "--force")
        #expect(
            renamed.status == 1 && renamed.errorText.contains("another book called 'Two'"), "\(renamed.errorText)")
        #expect(try scratch.read("shelf/shelf.js") == list)
    }

    @Test func booksAreListedAndTakenAway() throws {
        #expect(try jisui(page, "-o", "shelf", "--to", "web", "--add", "--title", "One").status == 0)
        #expect(try jisui(other, "-o", "shelf", "--to", "web", "--add", "--title", "Two").status == 0)
        let slugs = [try slug(of: 0), try slug(of: 1)]
        #expect(try jisui("catalog", "shelf").outputText == "One  (1 page, \(slugs[0]))\nTwo  (1 page, \(slugs[1]))\n")
        let unknown = try jisui("catalog", "shelf", "--remove", "One", "--remove", "Three")
        #expect(unknown.status == 64 && unknown.errorText.contains("no book called 'Three' is on the shelf"))
        #expect(scratch.names(in: "shelf/books").count == 2)
        // A user's own file is not deleted with the book.
        try scratch.write("shelf/books/\(slugs[0])/notes.txt", [1])
        let foreign = try jisui("catalog", "shelf", "--remove", "One")
        #expect(foreign.status == 1 && foreign.errorText.contains("'notes.txt'"))
        #expect(try titles() == ["One", "Two"])
        let removed = try jisui("catalog", "shelf", "--remove", slugs[1])
        #expect(removed.status == 0, "\(removed.errorText)")
        #expect(try titles() == ["One"])
        #expect(scratch.names(in: "shelf/books") == [slugs[0]])
        let none = try jisui("catalog", ".", "--remove", "One")
        #expect(none.status == 1 && none.errorText.contains("not a bookshelf"))
    }

    /// Whenever a run is ended, the list names only books that are whole, and the next run goes on.
    @Test(arguments: Array(stride(from: 20, through: 300, by: 10))) func aShelfOutlivesItsRuns(_ milliseconds: Int)
        throws
    {
        #expect(try jisui(page, "-o", "shelf", "--to", "web", "--add", "--title", "Old").status == 0)
        let command =
            "timeout -s KILL \(Double(milliseconds) / 1000) '\(BuiltJisui.path)' '\(other)' -o shelf --to web --add --force --title Old -q"
        _ = try Program.outcome(command, in: scratch.path)
        let listed = try (0..<titles().count).map(slug)
        #expect(listed.count == 1)
        for slug in listed {
            let book = try #require(JSON(parsing: try scratch.read("shelf/books/\(slug)/book.json")))
            for page in book["pages"]?.elements ?? [] {
                _ = try scratch.read("shelf/books/\(slug)/pages/\(page.elements?.first?.asString ?? "")")
            }
        }
        let next = try jisui(other, "-o", "shelf", "--to", "web", "--add", "--force", "--title", "Old")
        #expect(next.status == 0, "\(next.errorText)")
        #expect(try titles() == ["Old"])
        #expect(scratch.names(in: "shelf/books").filter { $0.hasPrefix(".") }.isEmpty)
    }

    /// The next run removes the leftovers of a killed run in the folders of books, but no file of another program.
    @Test func foldersThatNoListNamesGo() throws {
        for (title, file) in [("One", page), ("Two", other)] {
            #expect(try jisui(file, "-o", "shelf", "--to", "web", "--add", "--title", title).status == 0)
        }
        let (one, two) = (try slug(of: 0), try slug(of: 1))
        let list = try scratch.read("shelf/shelf.js")
        for copy in ["copied", "left", "foreign"] {
            let outcome = try Program.outcome("cp -r shelf/books/\(one) shelf/books/\(copy)", in: scratch.path)
            #expect(outcome.status == 0)
        }
        for slug in [two, "left", "foreign"] { try scratch.write("shelf/books/\(slug)/unlisted", []) }
        try scratch.write("shelf/books/foreign/notes.txt", [1])
        let third = "\(BuiltJisui.fixtures)/good/Imaging/lossy.webp"
        #expect(try jisui(third, "-o", "shelf", "--to", "web", "--add", "--title", "Three").status == 0)
        #expect(try titles() == ["One", "Two", "Three"])
        #expect(
            scratch.names(in: "shelf/books").sorted()
                == [one, two, try slug(of: 2), "copied", "foreign"].sorted())
        #expect(!scratch.names(in: "shelf/books/\(two)").contains("unlisted"))
        #expect(scratch.names(in: "shelf/books/foreign").contains("notes.txt"))
        #expect(try jisui("catalog", "shelf", "--remove", "Three").status == 0)
        #expect(try scratch.read("shelf/shelf.js") == list)
    }

    /// A run that was killed before it had listed its first book has left no shelf, but nothing that blocks one.
    @Test(arguments: [["reader.js", "books/left/unlisted"], [".reader.js.jisui-1/.made-by-jisui"]])
    func leftoversOfAFirstRunDoNotBlockAShelf(_ left: [String]) throws {
        for name in left { try scratch.write("shelf/\(name)", []) }
        #expect(try jisui(page, "-o", "shelf", "--to", "web", "--add").status == 0)
        #expect(scratch.names(in: "shelf/books") == [try slug(of: 0)])
        #expect(!scratch.names(in: "shelf").contains { $0.hasPrefix(".") })
    }

    /// Without JavaScript there is a way to the pages all the same.
    @Test func withoutScriptsTheFolderIsNamed() throws {
        #expect(try jisui(page, "-o", "shelf", "--to", "web", "--add").status == 0)
        let document = String(decoding: try scratch.read("shelf/index.html"), as: UTF8.self)
        #expect(document.contains("needs JavaScript. The pages of the books are in the folder <a href=\"books/\">"))
    }

    /// Two concurrent runs would each lose the other's changes.
    @Test func anotherRunWaits() throws {
        #expect(try jisui(page, "-o", "shelf", "--to", "web", "--add").status == 0)
        let command = "flock shelf '\(BuiltJisui.path)' '\(other)' -o shelf --to web --add -q"
        let outcome = try Program.outcome(command, in: scratch.path)
        #expect(outcome.status == 75 && outcome.errorText.contains("another run of jisui"))
    }

    private func list() throws -> [JSON] {
        let script = String(decoding: try scratch.read("shelf/shelf.js"), as: UTF8.self)
        let json = JSON(parsing: Array(script.dropFirst("jisui.shelf(".count).dropLast(");\n".count).utf8))
        return try #require(json?["books"]?.elements)
    }

    private func titles() throws -> [String] { try list().map { $0["title"]?.asString ?? "" } }

    private func slug(of place: Int) throws -> String { try #require(try list()[place]["slug"]?.asString) }

    @Test func foreignFoldersAreNotUsedAsShelves() throws {
        try scratch.write("mine/notes.txt", [1])
        let outcome = try jisui(page, "-o", "mine", "--to", "web", "--add")
        #expect(outcome.status == 1 && outcome.errorText.contains("holds something other than a bookshelf"))
        #expect(scratch.names(in: "mine") == ["notes.txt"])
        try scratch.write("broken/shelf.js", Array("jisui.shelf({);".utf8))
        let broken = try jisui(page, "-o", "broken", "--to", "web", "--add")
        #expect(broken.status == 1 && broken.errorText.contains("not a list of a shelf's books"))
    }

    /// A shelf holds covers and thumbnails of many books, which are not pages of one book.
    @Test func shelfIsNotReadAsABook() throws {
        #expect(try jisui(page, "-o", "shelf", "--to", "web", "--add").status == 0)
        let outcome = try jisui("shelf", "-o", "x.cbz")
        #expect(outcome.status == 1 && outcome.errorText.contains("is a shelf of several books"))
        let slug = try #require(scratch.names(in: "shelf/books").first)
        #expect(try jisui("shelf/books/\(slug)", "-o", "x.cbz").status == 0)
    }

    /// A title stays until another is given, and a text that a browser would take for markup stays text.
    @Test func theTitleOfAShelfStays() throws {
        func title() throws -> String? {
            let script = String(decoding: try scratch.read("shelf/shelf.js"), as: UTF8.self)
            return JSON(parsing: Array(script.dropFirst(12).dropLast(3).utf8))?["title"]?.asString
        }
        func document() throws -> String { String(decoding: try scratch.read("shelf/index.html"), as: UTF8.self) }
        #expect(try jisui(page, "-o", "shelf", "--to", "web", "--add").status == 0)
        #expect(try title() == nil && document().contains("<title>Books</title>"))
        let given = "</script>私の本\n"
        #expect(try jisui(other, "-o", "shelf", "--to", "web", "--add", "--shelf-title", given).status == 0)
        #expect(try title()?.hasPrefix("</script>私の本") == true && document().contains("<title>&lt;/script&gt;私の本"))
        let third = "\(BuiltJisui.fixtures)/good/Imaging/lossy.webp"
        let base = "https://example.org/"
        #expect(try jisui(third, "-o", "shelf", "--to", "web", "--add", "--base-url", base).status == 0)
        #expect(try String(decoding: scratch.read("shelf/opds.xml"), as: UTF8.self).contains("私の本"))
        #expect(try jisui("catalog", "shelf", "--shelf-title", "Comics").status == 0)
        #expect(try title() == "Comics" && document().contains("<title>Comics</title>"))
        #expect(try String(decoding: scratch.read("shelf/opds.xml"), as: UTF8.self).contains("<title>Comics</title>"))
        let refused = try jisui(page, "-o", "one", "--to", "web", "--shelf-title", "Comics")
        #expect(refused.status == 64)
        #expect(refused.errorText.contains("--shelf-title is for a shelf, and this is one book"))
        #expect(!scratch.names().contains("one"))
    }

    /// The same books give the same bytes.
    @Test func aShelfIsTheSameEachTime() throws {
        for name in ["one", "two"] { #expect(try jisui(page, other, "-o", name, "--to", "web").status == 0) }
        #expect(try scratch.read("one/shelf.js") == scratch.read("two/shelf.js"))
        #expect(scratch.names(in: "one/books") == scratch.names(in: "two/books"))
    }
}
