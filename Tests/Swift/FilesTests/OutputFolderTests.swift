import Files
import Glibc
import PageModel
import PageNames
import Scratch
import Testing

@Suite struct OutputFolderTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func folder(_ name: String = "out", mayReplace: Bool = false) throws -> OutputFolder {
        try OutputFolder(at: Destination(path: scratch(name), mayReplace: mayReplace), isOurs: PageFileName.matches)
    }

    @Test func appearsWholeOrNotAtAll() throws {
        let folder = try folder()
        try folder.add("0001.jpg", [1])
        #expect(!scratch.names().contains("out"))
        try folder.publish()
        #expect(scratch.names() == ["out"])
        #expect(try scratch.read("out/0001.jpg") == [1])
    }

    @Test func letGoLeavesNothing() throws {
        try folder().add("0001.jpg", [1])
        #expect(scratch.names().isEmpty)
    }

    @Test func anEmptyFolderGivesWay() throws {
        try scratch.write("out/file")
        try #require(unlink(scratch("out/file")) == 0)
        let folder = try folder("out/")
        try folder.add("0001.jpg", [1])
        try folder.publish()
        #expect(scratch.names(in: "out") == ["0001.jpg"])
        #expect(scratch.names() == ["out"])
    }

    @Test func aFullFolderIsReplacedOnlyWhenItMay() throws {
        try scratch.write("out/0001.jpg", [9])
        try scratch.write("out/0002.jpg", [9])
        #expect(throws: AdapterError.self) { try folder() }
        let replacement = try folder(mayReplace: true)
        try replacement.add("0001.png", [1])
        #expect(scratch.names(in: "out") == ["0001.jpg", "0002.jpg"])
        try replacement.publish()
        #expect(scratch.names(in: "out") == ["0001.png"])
        #expect(scratch.names() == ["out"])
    }

    @Test func foldersWithinAreMadeAndReplaced() throws {
        @Sendable func isOurs(_ name: String) -> Bool { ["a/b/1", "a/b/2", "a/3", "4"].contains(name) }
        func make(_ names: [String], mayReplace: Bool = false) throws -> OutputFolder {
            let folder = try OutputFolder(
                at: Destination(path: scratch("out"), mayReplace: mayReplace), isOurs: isOurs)
            for name in names { try folder.add(name, [1]) }
            return folder
        }
        _ = try make(["a/b/1", "a/3"])
        #expect(scratch.names().isEmpty)
        try make(["a/b/1", "a/b/2", "a/3", "4"]).publish()
        #expect(try scratch.read("out/a/b/2") == [1])
        try make(["a/b/1"], mayReplace: true).publish()
        #expect(scratch.names() == ["out"])
        #expect(scratch.names(in: "out") == ["a"])
        #expect(scratch.names(in: "out/a/b") == ["1"])
        // A folder that a link points to does not belong to jisui.
        try scratch.write("elsewhere/b/2", [7])
        try #require(symlink(scratch("elsewhere"), scratch("out/x")) == 0)
        #expect(throws: AdapterError.self) { try make(["4"], mayReplace: true) }
        #expect(try scratch.read("elsewhere/b/2") == [7])
    }

    @Test func foreignFilesStay() throws {
        try scratch.write("out/0001.jpg")
        try scratch.write("out/notes.txt")
        let error = #expect(throws: AdapterError.self) { try folder(mayReplace: true) }
        #expect(error?.code == .exists)
        #expect(scratch.names() == ["out"])
    }

    /// A folder within the folder is foreign by any name: removing it would remove its contents.
    @Test func aFolderWithAPagesNameIsForeign() throws {
        try scratch.write("out/0001.jpg/precious")
        #expect(throws: AdapterError.self) { try folder(mayReplace: true) }
        #expect(scratch.names(in: "out/0001.jpg") == ["precious"])
    }

    /// Files added to the folder after the check have not been confirmed.
    @Test func aForeignFileThatAppearedMeanwhileStays() throws {
        try scratch.write("out/0001.jpg", [9])
        let replacement = try folder(mayReplace: true)
        try replacement.add("0001.jpg", [1])
        try scratch.write("out/diary.txt", [7])
        let error = #expect(throws: AdapterError.self) { try replacement.publish() }
        #expect(error?.code == .exists)
        #expect(try scratch.read("out/diary.txt") == [7])
        #expect(try scratch.read("out/0001.jpg") == [9])
    }

    @Test func folderCreatedMeanwhileIsKept() throws {
        let folder = try folder()
        try folder.add("0001.jpg", [1])
        try scratch.write("out/file", [9])
        let error = #expect(throws: AdapterError.self) { try folder.publish() }
        #expect(error?.code == .exists)
        #expect(scratch.names(in: "out") == ["file"])
    }

    @Test func existingFileIsNotReplacedByAFolder() throws {
        try scratch.write("out", [9])
        let error = #expect(throws: AdapterError.self) { try folder(mayReplace: true) }
        #expect(error?.code == .exists)
        #expect(try scratch.read("out") == [9])
    }

    /// A killed run leaves its hidden folder behind, unlocked; the next run removes it. A running one's stays.
    @Test func remainsOfAKilledRunGo() throws {
        try scratch.write(".out.jisui-dead/pages/0001.jpg", [1])
        try scratch.write(".out.jisui-dead/.made-by-jisui")
        let running = try folder()
        try running.add("0001.jpg", [1])
        #expect(!scratch.names().contains(".out.jisui-dead"))
        let next = try folder()
        try next.add("0001.jpg", [2])
        try next.publish()
        #expect(scratch.names().count == 2)
        #expect(throws: AdapterError.self) { try running.publish() }
        #expect(try scratch.read("out/0001.jpg") == [2])
    }

    /// A folder without jisui's mark belongs to the user, even if its name looks like one of jisui's.
    @Test func aFolderWithoutTheMarkStays() throws {
        try scratch.write(".out.jisui-dead/0001.jpg", [1])
        try folder().publish()
        #expect(scratch.names(in: ".out.jisui-dead") == ["0001.jpg"])
    }

    /// A run may be killed before it has set its mark, or after it has taken it away; a folder that is empty then goes.
    @Test func anEmptyFolderWithoutTheMarkGoes() throws {
        mkdir(scratch(".out.jisui-dead"), 0o700)
        try folder().publish()
        #expect(scratch.names() == ["out"])
    }

    /// A link that is named like remains points to a folder that is not one.
    @Test func nothingIsRemovedThroughALink() throws {
        try scratch.write("precious/0001.jpg", [1])
        try scratch.write("precious/.made-by-jisui")
        try #require(symlink(scratch("precious"), scratch(".out.jisui-abc")) == 0)
        try folder().publish()
        try OutputFile(at: Destination(path: scratch("out.cbz"))).publish()
        #expect(scratch.names(in: "precious").contains("0001.jpg"))
        // Nor through one within real remains.
        try scratch.write(".out.jisui-dead/.made-by-jisui")
        try #require(symlink(scratch("precious"), scratch(".out.jisui-dead/pages")) == 0)
        _ = try folder(mayReplace: true)
        #expect(!scratch.names().contains(".out.jisui-dead"))
        #expect(scratch.names(in: "precious").contains("0001.jpg"))
    }

    /// An empty folder may be a mount point, the folder a shell is in, or one with rights of its own.
    @Test func anEmptyFolderIsFilledInPlace() throws {
        mkdir(scratch("out"), 0o2700)
        chmod(scratch("out"), 0o2700)
        var (before, after) = (stat(), stat())
        #expect(stat(scratch("out"), &before) == 0)
        let folder = try folder()
        try folder.add("0001.jpg", [1])
        try folder.add("inner/0002.jpg", [2])
        #expect(!scratch.names(in: "out").contains("0001.jpg"))
        try folder.publish()
        #expect(stat(scratch("out"), &after) == 0)
        #expect(before.st_ino == after.st_ino && after.st_mode & 0o7777 == 0o2700)
        #expect(scratch.names(in: "out") == ["0001.jpg", "inner"])
        #expect(try scratch.read("out/inner/0002.jpg") == [2])
    }

    @Test func anEmptyFolderThatGotAFileMeanwhileIsNotFilled() throws {
        mkdir(scratch("out"), 0o755)
        let folder = try folder()
        try folder.add("0001.jpg", [1])
        try scratch.write("out/diary.txt", [7])
        let error = #expect(throws: AdapterError.self) { try folder.publish() }
        #expect(error?.code == .exists)
        withExtendedLifetime(folder) {}
        #expect(scratch.names(in: "out").contains("diary.txt") && !scratch.names(in: "out").contains("0001.jpg"))
    }

    @Test func aReplacedFolderKeepsItsMode() throws {
        try scratch.write("out/0001.jpg", [9])
        chmod(scratch("out"), 0o2750)
        try folder(mayReplace: true).publish()
        var status = stat()
        #expect(stat(scratch("out"), &status) == 0 && status.st_mode & 0o7777 == 0o2750)
    }

    /// Once the program is about to end, nothing appears any more.
    @Test func nothingAppearsAfterEverythingWasRemoved() throws {
        let list = TemporaryFiles()
        let made = try OutputFolder(
            at: Destination(path: scratch("out"), temporaryFiles: list), isOurs: PageFileName.matches)
        try made.add("a/b/0001.jpg", [1])
        let file = try OutputFile(at: Destination(path: scratch("out.cbz"), temporaryFiles: list))
        #expect(list.published.isEmpty)
        list.removeAll()
        #expect(scratch.names().isEmpty)
        #expect(throws: AdapterError.self) { try made.publish() }
        #expect(throws: AdapterError.self) { try file.publish() }
        #expect(scratch.names().isEmpty)
    }

    @Test func aNameComesOnce() throws {
        let folder = try folder()
        try folder.add("0001.jpg", [1])
        // Files are written in the background: a failure shows at the latest at the end.
        #expect(throws: AdapterError.self) {
            try folder.add("0001.jpg", [2])
            try folder.publish()
        }
    }
}
