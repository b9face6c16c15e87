internal import Glibc
internal import Scratch
internal import Testing

/// A crash or hang of a library in a worker process costs one page: the other pages are unchanged.
@Suite struct IsolationTests {
    private let scratch: ScratchFolder
    private static let fixtures = "\(BuiltJisui.fixtures)/good"
    /// A fault, its effect, and the message about the page on which it happens.
    struct Fault: CustomTestStringConvertible, Sendable {
        let word: String
        let messages: [String]

        var testDescription: String { word }

        /// Whether the fault is noticed only when the time is up.
        var waits: Bool { ["hang", "drip"].contains(word) }

        static let all: [Fault] =
            [
                // The sanitizer ends a program that crashes with a status.
                Fault(word: "crash", messages: ["was ended by signal 11", "ended with status"]),
                Fault(word: "hang", messages: ["did not answer within 8 seconds"]),
                // Meaningless lines are not an answer.
                Fault(
                    word: "drip",
                    messages: [
                        "did not answer within 8 seconds", "reports progress, but makes none",
                        "sends an unexpected line",
                    ]),
                Fault(word: "lie", messages: ["bytes in the shared-memory buffer"]),
                Fault(word: "spew", messages: ["sent a line that is not a JSON object", "sent a line of more than"]),
                Fault(word: "fork", messages: ["starting a program was refused"]),
                Fault(word: "exec", messages: ["becoming a program was refused"]),
                Fault(word: "open", messages: ["making a file was refused"]),
                Fault(word: "connect", messages: ["reaching the network was refused"]),
                // Without a memory limit, which the sanitizer does not tolerate, it would take all memory.
            ]
            + (BuiltJisui.isSanitized
                ? [] : [Fault(word: "eat", messages: ["was ended by signal", "ended with status"])])
    }

    /// A way to a book of five pages, whose third may hold a fault.
    enum Book: String, CaseIterable, Sendable {
        case avif = "single.avif"
        case heif = "hevc.heif"
        case jpegXL = "boxed.jxl"
        case jpeg2000 = "gray.jp2"
        case tiff = "fax.tif"
        case webP = "lossy.webp"
        case gif = "still.gif"
        case pdf = "vector.pdf"
        case sevenZip = "book.cb7"
        case tar = "book.cbt"
        case zip = "book.zip"

        /// One of each kind of worker: a picture's decoder, a document and an archive.
        static let ofEachWorker: Set<Book> = [.avif, .pdf, .tar]
    }

    /// Waiting costs eight seconds, and the process that waits is the same for all formats of a worker.
    private static let cases = Book.allCases.flatMap { book in
        Fault.all.filter { !$0.waits || Book.ofEachWorker.contains(book) }.map { (book, $0) }
    }

    init() throws {
        scratch = try ScratchFolder()
        mkdir(scratch("temporary"), 0o777)
    }

    private func jisui(_ arguments: [String], at path: String = BuiltJisui.path) throws -> Program.Outcome {
        let surroundings = BuiltJisui.environment(temporary: scratch("temporary"))
        return try RunningProgram(
            [path] + arguments, in: scratch("."), environment: surroundings.merging(["JISUI_TEST_FAULTS": "1"]) { $1 }
        ).wait()
    }

    /// Makes a book; the third page holds a mark for a fault.
    private func make(_ book: Book, _ name: String, _ fault: String?) throws -> String {
        let mark = fault.map { "JISUIFLT \($0) " } ?? ""
        let folder = scratch(name)
        mkdir(folder, 0o777)
        func pages(_ fixture: String, _ ending: String) throws {
            let bytes = try Files.read(fixture)
            for number in 1...5 {
                // Data after a picture's end does not matter to its decoder.
                try Files.write(bytes + Array((number == 3 ? mark : "").utf8), to: "\(folder)/\(number).\(ending)")
            }
        }
        switch book {
        case .avif, .heif, .jpegXL, .jpeg2000, .tiff, .webP, .gif:
            let ending = book.rawValue.split(separator: ".")[1]
            try pages("\(Self.fixtures)/Imaging/\(book.rawValue)", String(ending))
            return folder
        case .pdf:
            let page = "\(Self.fixtures)/PDFSource/vector.pdf"
            let path = "\(folder)/book.pdf"
            let made = try jisui(Array(repeating: page, count: 5) + ["--combine", "-q", "-o", path])
            try #require(made.status == 0, "\(made.errorText)")
            if let fault { try Files.write(Files.read(path) + Array("% page 3 JISUIFLT \(fault)\n".utf8), to: path) }
            return path
        case .sevenZip, .tar:
            try pages("\(Self.fixtures)/Imaging/baseline.jpg", "jpg")
            let path = "\(folder)-\(book.rawValue)"
            let made = try jisui([folder, "-q", "-o", path])
            try #require(made.status == 0, "\(made.errorText)")
            return path
        case .zip:
            try pages("\(Self.fixtures)/Imaging/baseline.jpg", "jpg")
            let path = "\(folder)/\(book.rawValue)"
            // A method that jisui leaves to libarchive.
            let script =
                "import sys,zipfile;z=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_BZIP2);"
                + "[z.write(f'{sys.argv[2]}/{n}.jpg',f'{n}.jpg') for n in range(1,6)]"
            #expect(Program.run("python3 -c \"\(script)\" \(path) \(folder)") == 0)
            return path
        }
    }

    /// A malicious file must not take more memory than `--max-memory` and what the program itself needs.
    @Test(.enabled(if: !BuiltJisui.isSanitized), arguments: [Book.webP, .pdf])
    func aWorkerGetsTheMemoryOfOnePage(_ book: Book) throws {
        let made = try make(book, "book", "eat")
        let outcome = try jisui(
            [made, "-o", scratch("out.cbz"), "--fit", "10x10", "--max-memory", "100", "--page-timeout", "60"],
            at: BuiltJisui.withFaults)
        let pieces = outcome.errorText.firstMatch(of: /memory ended after (\d+) pieces/).flatMap { Int($0.1) }
        let bytes = try #require(pieces, "\(outcome.errorText)") << 24
        #expect(bytes <= 512 << 20 + 100_000_000)
        #expect(outcome.status == 3)
    }

    /// The processes that were started for this test and are still there.
    private var processes: [String] {
        Files.names(in: "/proc").filter { name in
            guard Int(name) != nil, let surroundings = try? Files.read("/proc/\(name)/environ") else { return false }
            return surroundings.firstRange(of: Array("TMPDIR=\(scratch("temporary"))".utf8)) != nil
        }
    }

    /// Sanitized tests that drive the release would repeat what they did with their own jisui.
    @Test(.enabled(if: !BuiltJisui.isSanitized || BuiltJisui.path == BuiltJisui.withFaults), arguments: cases)
    func aFaultCostsAPage(_ book: Book, _ fault: Fault) throws {
        let formats = [.pdf, .sevenZip, .tar, .zip].contains(book) ? [] : ["--image-format", "png"]
        let program = BuiltJisui.withFaults
        let sound = try jisui([make(book, "sound", nil), "-q", "-o", "out-sound/"] + formats, at: program)
        try #require(sound.status == 0, "\(sound.errorText)")
        // Long enough for the sound pages on a busy machine, and waited for once. Taking all memory lasts longer there.
        let hurry = ["--page-timeout", fault.waits ? "8" : "600"]
        let broken = try jisui(
            [make(book, "broken", fault.word), "-o", "out-broken/", "--max-pixels", "1"] + hurry + formats, at: program)
        #expect(broken.status == 3, "\(broken.errorText)")
        #expect(broken.errorText.contains(/3(\.[a-z0-9]+)?: skipped/), "\(broken.errorText)")
        #expect(fault.messages.contains { broken.errorText.contains($0) }, "\(broken.errorText)")
        let (whole, rest) = (scratch.names(in: "out-sound").sorted(), scratch.names(in: "out-broken").sorted())
        try #require(whole.count == 5 && rest.count == 4, "\(rest)")
        for (page, place) in zip([0, 1, 3, 4], rest.indices) {
            #expect(try scratch.read("out-sound/\(whole[page])") == scratch.read("out-broken/\(rest[place])"))
        }
        #expect(processes.isEmpty)
        #expect(scratch.names(in: "temporary").isEmpty)
        #expect(!Files.names(in: "/tmp").contains { $0.hasPrefix("jisui-test-fault-") })
    }

    /// The contents of a file trigger no fault unless the tests ask for it.
    @Test func withoutTestsThereAreNoFaults() throws {
        let book = try make(.jpeg2000, "book", "crash")
        let outcome = try RunningProgram(
            [BuiltJisui.withFaults, book, "-q", "-o", scratch("out/"), "--image-format", "png"],
            environment: BuiltJisui.environment(temporary: scratch("temporary"))
        ).wait()
        #expect(outcome.status == 0, "\(outcome.errorText)")
        #expect(scratch.names(in: "out").count == 5)
    }

    @Test(.enabled(if: Program.environment["JISUI_UNDER_TEST"] != nil, "for the release"))
    func releaseContainsNoFaults() throws {
        let outcome = try jisui([make(.jpeg2000, "book", "crash"), "-q", "-o", "out/", "--image-format", "png"])
        #expect(outcome.status == 0, "\(outcome.errorText)")
        let search = "grep -qa JISUI_TEST_FAULTS"
        #expect(Program.run("\(search) '\(BuiltJisui.path)'") == 1)
        #expect(Program.run("\(search) '\(BuiltJisui.withFaults)'") == 0)
    }

    /// An archive that grows too much is rejected, and not mistaken for a truncated one.
    @Test func rejectedArchiveIsAlsoRejectedInIsolation() throws {
        let picture = "\(Self.fixtures)/Imaging/baseline.jpg"
        let script =
            "import io,sys,tarfile;t=tarfile.open(sys.argv[1],'w:gz');t.add(sys.argv[2],'1.jpg');"
            + "i=tarfile.TarInfo('2.jpg');i.size=100<<20;t.addfile(i,io.BytesIO(bytes(i.size)));t.close()"
        #expect(Program.run("python3 -c \"\(script)\" \(scratch("book.tgz")) \(picture)") == 0)
        let patient = ["--page-timeout", "600"]
        let here = try jisui(patient + ["book.tgz", "-o", "here.cbz", "--isolate", "none"])
        let apart = try jisui(patient + ["book.tgz", "-o", "here.cbz", "--isolate", "auto"])
        #expect(here.status == 1 && here.errorText.contains("would grow more than"), "\(here.errorText)")
        #expect(apart.status == here.status && apart.error == here.error, "\(apart.errorText)")
    }

    /// The output for every fixture, one folder for each, including the output of worker processes.
    private func outputs(_ isolated: String, _ kind: String, _ more: [String]) throws -> [String: [UInt8]] {
        let folder = "\(Self.fixtures)/\(kind)"
        // Pictures make one book.
        let inputs =
            kind == "Imaging"
            ? [folder]
            : Files.names(in: folder).sorted().filter { !$0.hasSuffix(".md") && !$0.hasSuffix(".tsv") }.map {
                "\(folder)/\($0)"
            }
        let output = "out-\(isolated)-\(kind)-\(more.count)"
        mkdir(scratch(output), 0o777)
        let outcome = try jisui(
            inputs + [
                "-q", "--to", "folder", "--isolate", isolated, "-o", output + (kind == "Imaging" ? "/all/" : "/"),
            ] + more)
        var files = ["messages": outcome.error]
        for book in scratch.names(in: output) {
            for name in scratch.names(in: "\(output)/\(book)") {
                files["\(book)/\(name)"] = try scratch.read("\(output)/\(book)/\(name)")
            }
        }
        return files
    }

    @Test(
        arguments: ["PDFSource", "ArchiveSource", "Imaging", "TIFFSource", "EPUBSource"],
        [[], ["--image-format", "png"]])
    func theBytesAreTheSame(_ kind: String, _ more: [String]) throws {
        let here = try outputs("none", kind, more)
        let apart = try outputs("all", kind, more)
        #expect(here.count > 3)
        #expect(here.keys.sorted() == apart.keys.sorted())
        for (name, bytes) in here { #expect(apart[name] == bytes, "\(name)") }
    }
}
