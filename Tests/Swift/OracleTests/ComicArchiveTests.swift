internal import Scratch
internal import Testing

/// Other people's programs read the comic archives that jisui makes of a real book.
@Suite struct ComicArchiveTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func convert(to name: String) throws -> String {
        let input = "\(ConvertedFixtures.folder)/real-bobby-make-believe.pdf"
        #expect(try BuiltJisui.run([input, "-q", "-o", scratch(name)]).status == 0)
        return scratch(name)
    }

    @Test(.needs("unzip", "7z", "python3"), arguments: ["unzip -tqq", "7z t", "python3 -m zipfile -t"])
    func theZipIsSound(_ check: String) throws {
        let outcome = try Program.outcome("\(check) '\(try convert(to: "book.cbz"))'")
        #expect(outcome.status == 0, "\(outcome.outputText)\(outcome.errorText)")
    }

    /// No flags, no extra fields, pictures stored as they are: nothing that a reader could stumble over.
    @Test(.needs("python3")) func theZipIsPlain() throws {
        let program = """
            import sys, zipfile
            book = zipfile.ZipFile(sys.argv[1])
            assert book.testzip() is None
            for entry in book.infolist():
                stored = entry.compress_type == zipfile.ZIP_STORED
                print(entry.filename, entry.flag_bits, len(entry.extra), stored, entry.date_time[0])
            """
        let path = try scratch.write("list.py", Array(program.utf8))
        let outcome = try Program.outcome("python3 '\(path)' '\(try convert(to: "book.cbz"))'")
        #expect(
            outcome.outputText == """
                0001.jpg 0 0 True 1980
                0002.jpg 0 0 True 1980
                0003.jpg 0 0 True 1980
                0004.jpg 0 0 True 1980
                ComicInfo.xml 0 0 False 1980

                """)
    }

    /// As an Android reader does: from the front, without the directory at the end.
    @Test(.needs("java")) func javaReadsItAsAStream() throws {
        let program = """
            import java.io.*; import java.util.zip.*;
            class List {
                public static void main(String[] arguments) throws Exception {
                    ZipInputStream zip = new ZipInputStream(new FileInputStream(arguments[0]));
                    for (ZipEntry entry; (entry = zip.getNextEntry()) != null; )
                        System.out.println(entry.getName() + " " + zip.readAllBytes().length);
                }
            }
            """
        let path = try scratch.write("List.java", Array(program.utf8))
        let outcome = try Program.outcome("java -Xshare:auto '\(path)' '\(try convert(to: "book.cbz"))'")
        #expect(outcome.outputText.hasPrefix("0001.jpg 286782\n0002.jpg 263882\n"))
        #expect(outcome.status == 0)
    }

    @Test(.needs("7z")) func sevenZipReadsSevenZip() throws {
        let outcome = try Program.outcome("7z t '\(try convert(to: "book.cb7"))'")
        #expect(outcome.status == 0)
    }

    @Test(.needs("tar")) func tarReadsTar() throws {
        let outcome = try Program.outcome("tar -tf '\(try convert(to: "book.cbt"))'")
        #expect(outcome.outputText == "0001.jpg\n0002.jpg\n0003.jpg\n0004.jpg\nComicInfo.xml\n")
        #expect(outcome.errorText.isEmpty)
    }
}
