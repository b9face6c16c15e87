import Files
import PageModel
import Scratch
import Testing

@testable import Work

/// E-readers whose storage is mounted.
@Suite struct MountedDeviceTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        try scratch.write("my kobo/.kobo/version", [1])
        try scratch.write("kindle/system/version.txt", [1])
        try scratch.write("kindle/documents/old.azw3", [7])
        try scratch.write("usb/readme", [1])
    }

    private func table(_ names: [String], source: String = "/dev/sda1") -> String {
        let lines = names.map { "\(source) \(scratch($0).replacing(" ", with: "\\040")) vfat rw 0 0" }
        return "proc /proc proc rw 0 0\n" + lines.joined(separator: "\n") + "\n"
    }

    @Test func theMarkerFilesDecide() throws {
        let kobo = try MountedDevice.only(of: table(["usb", "my kobo"]))
        #expect(kobo.name == "Kobo" && kobo.folder == scratch("my kobo"))
        let kindle = try MountedDevice.only(of: table(["kindle"]))
        #expect(kindle.name == "Kindle" && kindle.folder == scratch("kindle/documents"))
    }

    @Test func oneDeviceIsNeeded() {
        let none = #expect(throws: AdapterError.self) { try MountedDevice.only(of: table(["usb"])) }
        #expect(none?.message.english == "no Kobo, Kindle or PocketBook is mounted")
        let several = #expect(throws: AdapterError.self) { try MountedDevice.only(of: table(["kindle", "my kobo"])) }
        #expect(several?.message.english.hasPrefix("several devices are mounted: ") == true)
        // A network may not answer.
        #expect(throws: AdapterError.self) { try MountedDevice.only(of: table(["kindle"], source: "server:/x")) }
    }

    /// A book for a Kobo would be of no use on a Kindle.
    @Test func theDeviceOfTheBookDecides() throws {
        let catalog = try DeviceCatalog.all(UserFiles(folder: nil))
        let both = table(["kindle", "my kobo"])
        let kobo = try MountedDevice.only(of: both, catalog.profile(named: "kobo-sage"))
        #expect(kobo.name == "Kobo" && kobo.coverFolder == nil && kobo.folders == [scratch("my kobo")])
        let missing = #expect(throws: AdapterError.self) {
            try MountedDevice.only(of: table(["kindle"]), catalog.profile(named: "kobo-sage"))
        }
        #expect(missing?.message.english == "no Kobo is mounted")
        let remarkable = #expect(throws: AdapterError.self) {
            try MountedDevice.only(of: both, catalog.profile(named: "remarkable-2"))
        }
        #expect(remarkable?.message.english == "--to-device copies to disks, and a reMarkable 2 is not a disk")
        #expect(remarkable?.hint?.english.contains("http://10.11.99.1") == true)
        // Any disk may be that of a screen that jisui does not know.
        #expect(try MountedDevice.only(of: table(["kindle"]), catalog.profile(named: "600x800")).name == "Kindle")
    }

    @Test func aKindleHasAFolderForCovers() throws {
        #expect(try #require(MountedDevice(at: scratch("kindle"))).coverFolder == nil)
        try scratch.write("kindle/system/thumbnails/x.jpg", [1])
        let kindle = try #require(MountedDevice(at: scratch("kindle")))
        #expect(kindle.folders == [scratch("kindle/documents"), scratch("kindle/system/thumbnails")])
    }

    @Test func aBookIsAddedAndNothingElseChanges() throws {
        let book = try scratch.write("book.azw3", (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
        let kindle = try #require(MountedDevice(at: scratch("kindle")))
        let copy = try kindle.copy(book, mayReplace: false, TemporaryFiles())
        #expect(copy == scratch("kindle/documents/book.azw3"))
        #expect(try scratch.read("kindle/documents/book.azw3") == scratch.read("book.azw3"))
        #expect(try FolderListing.names(in: scratch("kindle/documents")).sorted() == ["book.azw3", "old.azw3"])
        let again = #expect(throws: AdapterError.self) { try kindle.copy(book, mayReplace: false, TemporaryFiles()) }
        #expect(again?.code == .exists)
        try scratch.write("book.azw3", [1])
        _ = try kindle.copy(book, mayReplace: true, TemporaryFiles())
        #expect(try scratch.read("kindle/documents/book.azw3") == [1])
        #expect(throws: AdapterError.self) { try kindle.copy(scratch("usb"), mayReplace: false, TemporaryFiles()) }
    }
}
