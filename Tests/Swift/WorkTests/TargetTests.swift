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
            ("book.mobi", nil, "jisui writes no MOBI"),
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
        let target = try books.target(nil, to: "cbz", for: [path])
        #expect(try books.jobs(target, [path], mayReplace: true).map(\.destination.mayReplace) == [false])
    }

    @Test func templatesNameOutputs() async throws {
        let paths = [try books.image("a/one.png"), try books.image("b/one.png"), books.scratch("missing.png")]
        let target = try books.target(books.scratch("out/"), to: "cbz", for: paths)
        let jobs = try books.jobs(target, paths) { $0.metadataOptions.book.series = "S" }
        func names(_ template: String) async throws -> (names: [String], note: String?) {
            let named = try await target.named(jobs, try NameTemplate(template), inputFolders: InputFolders([]))
            return (named.jobs.map { FileName.last(of: $0.destination.path) }, named.note?.english)
        }
        let folders = try await names("{folder} {name}.{ext}")
        #expect(folders.names.prefix(2) == ["a one.cbz", "b one.cbz"] && folders.note == nil)
        // A book that cannot be opened keeps its name.
        let titles = try await names("{series} {title} ({number}).{ext}")
        #expect(titles.names == ["S one.cbz", "S one.cbz", "missing.cbz"] && titles.note == nil)
        let numbers = try await names("{series} {number}.{ext}")
        #expect(numbers.names == ["one.cbz", "one.cbz", "missing.cbz"])
        #expect(
            numbers.note == "took the inputs' names for the outputs of 2 books without {number}, such as \(paths[0]); "
                + "use --guess to infer metadata from the file name")
    }

    @Test(arguments: [("x.cbz", nil), ("pages/", nil), ("shelf/", "web")] as [(String, String?)])
    func outputsWithNamesTakeNoTemplate(_ output: String, _ id: String?) async throws {
        let path = try books.image("one.png")
        let settings = id == nil ? [:] : ["add": "true"]
        let target = try books.target(books.scratch(output), to: id, for: [path], settings: settings)
        let jobs = try books.jobs(target, [path])
        let error = await #expect(throws: AdapterError.self) {
            try await target.named(jobs, try NameTemplate("{title}"), inputFolders: InputFolders([]))
        }
        #expect(error?.code == .usage)
    }

    @Test func folderOfVolumesIsAmbiguous() throws {
        for name in ["Vol 1/1.png", "Vol 2/1.png", "Vol 10/1.png"] { try books.image("My Books/\(name)") }
        let root = books.scratch("My Books")
        let target = try books.target(books.scratch("out/"), to: "cbz", for: [root])
        let error = #expect(throws: AdapterError.self) { try books.jobs(target, [root]) }
        #expect(error?.message.english == "holds 3 folders of volumes, such as Vol 1")
        #expect(
            error?.hint?.english == "for a book of each, use jisui '\(root)/'*/ -o \(books.scratch("out/")) --to cbz; "
                + "for one book with chapters, use jisui '\(root)' -o '\(books.scratch("out/My Books.cbz"))'")
        // The name of the output answers it.
        let named = try books.target(books.scratch("one.cbz"), for: [root])
        #expect(try books.jobs(named, [root]).count == 1)
    }

    @Test(arguments: [
        ["Chapter 1/1.png", "Chapter 2/1.png"], ["v1 c1/1.png", "v1 c2/1.png"], ["Vol 1/1.png", "extras/1.png"],
        ["Vol 1/1.png", "Vol 2/1.png", "cover.png"], ["Vol 1/1.png"],
    ])
    func foldersOfChaptersAreOneBook(_ names: [String]) throws {
        for name in names { try books.image("book/\(name)") }
        let target = try books.target(books.scratch("out/"), to: "cbz", for: [books.scratch("book")])
        #expect(try books.jobs(target, [books.scratch("book")]).count == 1)
    }

    @Test func outputReplacesNoPageOfTheBook() throws {
        try books.image("book/1.png")
        let target = try books.target(books.scratch("book/1.png"), to: "cbz", for: [books.scratch("book")])
        let error = #expect(throws: AdapterError.self) { try books.jobs(target, [books.scratch("book")]) }
        #expect(error?.message.english == "the output would replace a page of the book")
    }
}
