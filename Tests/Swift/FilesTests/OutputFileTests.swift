import Files
import Glibc
import PageModel
import Scratch
import Testing

@Suite struct OutputFileTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func file(mayReplace: Bool = false) throws -> OutputFile {
        try OutputFile(at: Destination(path: scratch("out"), mayReplace: mayReplace))
    }

    @Test func appearsWholeOrNotAtAll() throws {
        let file = try file()
        try file.write([1, 2])
        #expect(!scratch.names().contains("out"))
        try file.write([3])
        #expect(file.count == 3)
        try file.publish()
        #expect(scratch.names() == ["out"])
        #expect(try scratch.read("out") == [1, 2, 3])
    }

    @Test func letGoLeavesNothing() throws {
        try file().write([1])
        #expect(scratch.names().isEmpty)
    }

    @Test func replacesOnlyWhenItMay() throws {
        try scratch.write("out", [9])
        #expect(throws: AdapterError.self) { try file() }
        let replacement = try file(mayReplace: true)
        try replacement.write([1])
        #expect(try scratch.read("out") == [9])
        try replacement.publish()
        #expect(try scratch.read("out") == [1])
        #expect(scratch.names() == ["out"])
    }

    @Test func aReplacedFileKeepsItsMode() throws {
        try scratch.write("out", [9])
        chmod(scratch("out"), 0o640)
        try file(mayReplace: true).publish()
        var status = stat()
        #expect(stat(scratch("out"), &status) == 0 && status.st_mode & 0o7777 == 0o640)
    }

    /// Another program may be quicker.
    @Test func fileCreatedMeanwhileIsKept() throws {
        let file = try file()
        try file.write([1])
        try scratch.write("out", [9])
        let error = #expect(throws: AdapterError.self) { try file.publish() }
        #expect(error?.code == .exists)
        #expect(try scratch.read("out") == [9])
        #expect(scratch.names() == ["out"])
    }

    @Test func aFolderIsNeverReplaced() throws {
        try scratch.write("out/file")
        let error = #expect(throws: AdapterError.self) { try file(mayReplace: true) }
        #expect(error?.code == .exists)
        #expect(scratch.names(in: "out") == ["file"])
    }

    /// A file must not replace /dev/null, or a pipe that another program reads.
    @Test func namedPipeIsNeverReplaced() throws {
        #expect(mkfifo(scratch("out"), 0o600) == 0)
        let error = #expect(throws: AdapterError.self) { try file(mayReplace: true) }
        #expect(error?.code == .exists)
    }

    @Test func aLinkStaysOne() throws {
        try scratch.write("behind/it", [9])
        #expect(symlink("behind/it", scratch("out")) == 0)
        #expect(throws: AdapterError.self) { try file() }
        let replacement = try file(mayReplace: true)
        try replacement.write([1])
        try replacement.publish()
        #expect(try scratch.read("behind/it") == [1])
        var status = stat()
        #expect(lstat(scratch("out"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    /// The file gets the mode that the umask leaves, as any program's output does.
    @Test func theModeIsThatOfOtherFiles() throws {
        try file().publish()
        try scratch.write("plain")
        var ours = stat()
        var plain = stat()
        #expect(stat(scratch("out"), &ours) == 0 && stat(scratch("plain"), &plain) == 0)
        #expect(ours.st_mode == plain.st_mode)
    }

    @Test func missingFolderIsReported() throws {
        let error = #expect(throws: AdapterError.self) {
            try OutputFile(at: Destination(path: scratch("no/out")))
        }
        #expect(error?.code == .unwritable)
    }
}
