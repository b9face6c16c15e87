import AdapterKit
import Conversion
import PageModel
import Scratch
import Testing
import Work

@Suite struct SideFilesTests {
    private let books: TestBooks

    init() throws {
        books = try TestBooks()
    }

    /// Returns the error for side files of the book "book" that becomes the folder "pages".
    private func error(_ files: [SideFile], bookCount: Int = 1) throws -> AdapterError? {
        try books.image("book/1.png")
        try books.scratch.write("book/notes.txt")
        try books.scratch.write("pages/x")
        let paths = Array(repeating: books.scratch("book"), count: bookCount)
        let target = try books.target(books.scratch(bookCount == 1 ? "pages/" : "shelf/"), to: "web", for: paths)
        let sideFiles = SideFiles(
            files, readFiles: paths + [books.scratch("facts.json")],
            inputFolders: InputFolders(paths.map { Input(path: $0) }))
        let jobs = try books.jobs(target, paths)
        do throws(AdapterError) {
            _ = try Batch(TestBooks.registry, jobs, sideFiles: sideFiles)
            return nil
        } catch {
            return error
        }
    }

    private func file(_ name: String, option: String = "trim-sheet", keeps: Bool = false) -> SideFile {
        SideFile(option: option, path: name == "-" ? name : books.scratch(name), keepsWhatIsThere: keeps)
    }

    @Test(arguments: [
        ("book/1.png", "the trim-sheet would replace a page of the book"),
        ("book/notes.txt", "the trim-sheet would replace a file in the book's folder"),
        ("facts.json", "the trim-sheet would replace a file that this run reads or writes"),
        ("./facts.json", "the trim-sheet would replace a file that this run reads or writes"),
        ("pages/../facts.json", "the trim-sheet would replace a file that this run reads or writes"),
        ("pages", "the trim-sheet would replace a file that this run reads or writes"),
        ("-", "--trim-sheet needs a file: standard output is for --report"),
    ])
    func fileThatWouldReplaceAnotherIsRejected(_ name: String, _ message: String) throws {
        #expect(try error([file(name)])?.message.english == message)
    }

    @Test func fileInTheOutputFolderIsRejected() throws {
        let message = try error([file("pages/sheet.html")])?.message.english
        #expect(message?.hasPrefix("the trim-sheet is inside the output folder") == true)
        #expect(try error([file("sheet.html")]) == nil)
    }

    @Test func twoOptionsNeedTwoFiles() throws {
        let message = try error([file("a.json"), file("a.json", option: "trim-file")])?.message.english
        #expect(message == "--trim-file and --trim-sheet would write the same file")
        let other = try error([file("a.json"), file("./a.json", option: "trim-file")])?.message.english
        #expect(other == message)
    }

    @Test func onlyTheReportIsForSeveralBooks() throws {
        #expect(try error([file("r.json", option: SideFile.report)], bookCount: 2) == nil)
        #expect(
            try error([file("a.json")], bookCount: 2)?.message.english
                == "--trim-sheet can be used for one book only, but there are 2")
    }

    @Test func keptFileMayBeInTheBookFolder() throws {
        #expect(try error([file("book/notes.txt", option: "trim-file", keeps: true)]) == nil)
    }

    @Test func reportReplacesOnlyReports() throws {
        try books.scratch.write("old.json", Array(#"{"jisui": "0.9.0", "report": 1}"#.utf8))
        try books.scratch.write("other.json", Array(#"{"jisui": "0.9.0", "info": 1}"#.utf8))
        _ = try ReportStream(books.scratch("old.json"), mayReplace: false, version: "1.2.3")
        #expect(try books.scratch.read("old.json").isEmpty)
        let error = #expect(throws: AdapterError.self) {
            try ReportStream(books.scratch("other.json"), mayReplace: false, version: "1.2.3")
        }
        #expect(error?.message.english == "already exists and is not a report")
    }
}
