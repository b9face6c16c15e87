import CDeflate
import ComicSink
import PageModel
import Scratch
import Testing

/// The bytes of a CBZ, and what other programs make of them.
@Suite struct ZipTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func number(_ bytes: [UInt8], _ offset: Int, _ width: Int) -> Int {
        (0..<width).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    @Test func theBytesOfATinyBook() async throws {
        let picture: [UInt8] = [0xFF, 0xD8, 1, 2, 3, 0xFF, 0xD9]
        let crc = Int(libdeflate_crc32(0, picture, picture.count))
        try await Sample.write(CBZSink(), [Sample.page(1, bytes: picture)], to: scratch("a.cbz"))
        let bytes = try scratch.read("a.cbz")

        // The first local header: signature, version 1.0, no flags, stored, 1980-01-01, CRC and sizes, no extra field.
        #expect(Array(bytes[..<4]) == [0x50, 0x4B, 3, 4])
        #expect(Array(bytes[4..<14]) == [10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0])
        #expect(number(bytes, 14, 4) == crc)
        #expect(number(bytes, 18, 4) == picture.count && number(bytes, 22, 4) == picture.count)
        #expect(number(bytes, 26, 2) == 8 && number(bytes, 28, 2) == 0)
        #expect(Array(bytes[30..<45]) == Array("0001.jpg".utf8) + picture)

        // ComicInfo.xml follows, and is the last; the directory follows it, and ends the file.
        let second = 45
        #expect(Array(bytes[second..<second + 4]) == [0x50, 0x4B, 3, 4])
        #expect(Array(bytes[(second + 30)...].prefix(13)) == Array("ComicInfo.xml".utf8))
        let end = bytes.count - 22
        #expect(Array(bytes[end..<end + 4]) == [0x50, 0x4B, 5, 6])
        #expect(number(bytes, end + 8, 2) == 2 && number(bytes, end + 10, 2) == 2)
        let directory = number(bytes, end + 16, 4)
        #expect(directory == second + 30 + 13 + number(bytes, second + 18, 4))
        #expect(directory + number(bytes, end + 12, 4) == end)

        // The first directory header agrees with the local one.
        #expect(Array(bytes[directory..<directory + 4]) == [0x50, 0x4B, 1, 2])
        #expect(Array(bytes[directory + 6..<directory + 32]) == Array(bytes[4..<30]))
        #expect(number(bytes, directory + 38, 4) == 0o100644 << 16)
        #expect(number(bytes, directory + 42, 4) == 0)
    }

    @Test func noEntryHasADataDescriptorOrAnExtraField() async throws {
        try await Sample.write(CBZSink(), (1...50).map { Sample.page($0) }, to: scratch("a.cbz"))
        let bytes = try scratch.read("a.cbz")
        var offset = 0
        var count = 0
        while bytes[offset + 2] == 3 {
            #expect(number(bytes, offset + 6, 2) == 0)
            #expect([0, 8].contains(number(bytes, offset + 8, 2)))
            #expect(number(bytes, offset + 28, 2) == 0)
            offset += 30 + number(bytes, offset + 26, 2) + number(bytes, offset + 18, 4)
            count += 1
        }
        #expect(count == 51)
    }

    @Test(.needs("python3"))
    func pythonReadsIt() async throws {
        try await writeBook()
        let script = """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1])
            assert z.testzip() is None
            names = z.namelist()
            assert names[-1] == 'ComicInfo.xml' and names[:-1] == sorted(names[:-1]) and len(names) == 13, names
            assert z.read('0012.jpg') == b'picture 12'
            assert all(i.flag_bits == 0 and not i.extra and i.date_time == (1980, 1, 1, 0, 0, 0) for i in z.infolist())
            import xml.dom.minidom as dom
            root = dom.parseString(z.read('ComicInfo.xml')).documentElement
            pages = root.getElementsByTagName('Page')
            assert [int(p.getAttribute('Image')) for p in pages] == list(range(12))
            assert [int(p.getAttribute('ImageSize')) for p in pages] == [len(z.read(n)) for n in names[:-1]]
            """
        try scratch.write("check.py", Array(script.utf8))
        #expect(Program.run("python3 '\(scratch("check.py"))' '\(scratch("a.cbz"))'") == 0)
    }

    @Test(.needs("unzip"))
    func unzipReadsIt() async throws {
        try await writeBook()
        #expect(Program.run("unzip -t '\(scratch("a.cbz"))'") == 0)
    }

    @Test(.needs("7z"))
    func sevenZipReadsIt() async throws {
        try await writeBook()
        #expect(Program.run("7z t '\(scratch("a.cbz"))'") == 0)
    }

    /// Java's stream reader is the strictest: it sees no directory, and refuses descriptors behind stored entries.
    @Test(.needs("java"))
    func javaReadsItAsAStream() async throws {
        try await writeBook()
        let program = """
            import java.io.*; import java.util.zip.*;
            class Check {
                public static void main(String[] arguments) throws Exception {
                    ZipInputStream zip = new ZipInputStream(new FileInputStream(arguments[0]));
                    int count = 0;
                    for (ZipEntry entry; (entry = zip.getNextEntry()) != null; count++) {
                        byte[] bytes = zip.readAllBytes();
                        if (entry.getSize() != bytes.length) throw new Exception(entry.getName());
                    }
                    if (count != 13) throw new Exception("" + count);
                }
            }
            """
        try scratch.write("Check.java", Array(program.utf8))
        #expect(Program.run("java -Xshare:auto '\(scratch("Check.java"))' '\(scratch("a.cbz"))'") == 0)
    }

    private func writeBook() async throws {
        let book = BookMetadata(title: "A & B", direction: .rightToLeft)
        try await Sample.write(CBZSink(), (1...12).map { Sample.page($0) }, to: scratch("a.cbz"), book: book)
    }
}
