import AdapterKit
import Conversion
import Files
import PageModel
import Scratch
import Testing
import Work

@Suite struct TargetTests {
    private let books: TestBooks

    init() throws {
        books = try TestBooks()
    }

    @Test func nameOfTheOutputSelectsTheSink() throws {
        try books.image("pages/1.png")
        for (output, id) in [("book.cbz", "cbz"), ("new/", "folder"), (books.scratch("pages"), "folder")] {
            #expect(try books.target(output, for: ["a.png"]).sink.descriptor.id == id, "\(output)")
        }
    }

    @Test(
        arguments: [
            ("book.xyz", nil, "no output format matches 'book.xyz'"),
            ("-", nil, "no format is given for standard output"),
            ("-", "folder", "a folder cannot be written to standard output"),
            ("book.mobi", nil, "MOBI cannot be written: Amazon's formats are proprietary"),
            ("book.cbz", "folder", "--to folder does not write .cbz files"),
            (nil, "rar", "RAR cannot be written: only the program of its makers may write it"),
            (nil, "nothing", "unknown format 'nothing'"),
        ] as [(String?, String?, String)])
    func outputsWithoutASinkAreRejected(_ output: String?, _ id: String?, _ message: String) throws {
        let error = #expect(throws: AdapterError.self) { try books.target(output, to: id, for: ["a.png"]) }
        #expect(error?.code == .usage)
        #expect(error?.message.english == message)
    }

    @Test func severalBooksNeedAFolder() throws {
        let paths = [try books.image("one.png"), try books.image("two.png")]
        let error = #expect(throws: AdapterError.self) { try books.target("book.cbz", for: paths) }
        #expect(error?.message.english == "several inputs cannot become 'book.cbz' one by one")
        let missing = #expect(throws: AdapterError.self) { try books.target("x.cbz", for: paths + ["/no/such.png"]) }
        #expect(missing?.file == "/no/such.png")
    }

    @Test func severalBooksBecomeAShelf() throws {
        let paths = [try books.image("books/one.png"), try books.image("books/two.png")]
        let target = try books.target(books.scratch("shelf/"), to: "web", for: paths)
        #expect(try target.collection(mayReplace: false) != nil)
        #expect(target.settings["add"] == "true")
        // Books are added to other files only on request.
        let error = #expect(throws: AdapterError.self) {
            try books.target(books.scratch("books"), to: "web", for: paths)
        }
        #expect(error?.code == .exists)
        let added = try books.target(books.scratch("books"), to: "web", for: paths, settings: ["add": "true"])
        #expect(try added.collection(mayReplace: false) != nil)
    }

    @Test(
        arguments: [
            (nil, "cbz", "in/a.png", "in/a.cbz"), (nil, "folder", "in/a.png", "in/a/"),
            ("out/", "cbz", "in/a.png", "out/a.cbz"),
            ("./b.cbz", nil, "in/a.png", "./b.cbz"), ("pages/", nil, "in/a.png", "pages/"),
            (nil, "cbz", "a.png", "a.cbz"),
        ] as [(String?, String?, String, String)])
    func destinationIsNamedAfterTheInput(
        _ output: String?, _ id: String?, _ input: String, _ destination: String
    ) throws {
        let target = try books.target(output, to: id, for: [input])
        #expect(target.destination(for: Input(path: input), mayReplace: false).path == destination)
    }

    @Test func outputNextToTheInputReplacesNothing() throws {
        let path = try books.image("one.png")
        try books.scratch.write("one.cbz")
        let target = try books.target(nil, to: "cbz", for: [path])
        let error = #expect(throws: AdapterError.self) { try books.jobs(target, [path], mayReplace: true) }
        #expect(error?.code == .exists)
        #expect(error?.file == books.scratch("one.cbz"))
    }

    @Test func outputReplacesNoPageOfTheBook() throws {
        try books.image("book/1.png")
        let target = try books.target(books.scratch("book/1.png"), to: "cbz", for: [books.scratch("book")])
        let error = #expect(throws: AdapterError.self) { try books.jobs(target, [books.scratch("book")]) }
        #expect(error?.message.english == "the output would replace a page of the book")
    }
}
