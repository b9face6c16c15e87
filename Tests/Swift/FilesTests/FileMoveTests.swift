import Glibc
import PageModel
import Scratch
import Testing

@testable import Files

/// Moves of files and folders, in one file system and to another one.
@Suite struct FileMoveTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        try scratch.write("in/book.pdf", [1, 2, 3])
        for name in ["in/scan/1.png", "in/scan/part/2.png"] { try scratch.write(name, [4, 5]) }
        _ = mkdir(scratch("done"), 0o777)
    }

    private static let ways = ["renamed", "copied"]

    private func move(_ old: String, to new: String, _ way: String) throws -> Bool {
        let (old, new) = (scratch(old), scratch(new))
        return way == "renamed"
            ? try FileMove.move(old, to: new, TemporaryFiles()) : try FileMove.copy(old, to: new, TemporaryFiles())
    }

    @Test(arguments: ways) func aFileKeepsItsBytesAndTime(_ way: String) throws {
        let time = FileStamp(of: scratch("in/book.pdf"))?.modified
        #expect(try move("in/book.pdf", to: "done/book.pdf", way))
        #expect(try scratch.read("done/book.pdf") == [1, 2, 3])
        #expect(FileStamp(of: scratch("done/book.pdf"))?.modified == time)
        #expect(scratch.names(in: "in") == ["scan"] && scratch.names(in: "done") == ["book.pdf"])
    }

    @Test(arguments: ways) func aFolderKeepsItsFiles(_ way: String) throws {
        #expect(try move("in/scan", to: "done/scan", way))
        #expect(scratch.names(in: "in") == ["book.pdf"] && scratch.names(in: "done") == ["scan"])
        #expect(try scratch.read("done/scan/1.png") == [4, 5])
        #expect(try scratch.read("done/scan/part/2.png") == [4, 5])
    }

    @Test(arguments: ways, ["in/book.pdf", "in/scan"]) func nothingIsReplaced(_ way: String, _ old: String) throws {
        try scratch.write("done/other", [9])
        #expect(try !move(old, to: "done/other", way))
        _ = mkdir(scratch("done/empty"), 0o777)
        #expect(try !move(old, to: "done/empty", way))
        #expect(try scratch.read("done/other") == [9])
        #expect(scratch.names(in: "in") == ["book.pdf", "scan"] && scratch.names(in: "done") == ["empty", "other"])
    }

    @Test func aLinkIsNotCopied() throws {
        symlink("book.pdf", scratch("in/link"))
        symlink("../book.pdf", scratch("in/scan/link"))
        for name in ["link", "scan"] {
            #expect(throws: AdapterError.self) { try move("in/\(name)", to: "done/\(name)", "copied") }
        }
        #expect(scratch.names(in: "in") == ["book.pdf", "link", "scan"] && scratch.names(in: "done").isEmpty)
        #expect(try move("in/link", to: "done/link", "renamed"))
    }
}
