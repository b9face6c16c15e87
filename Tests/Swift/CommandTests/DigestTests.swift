internal import OrderedJSON
internal import Scratch
internal import Testing

/// The digests in a report are those that other programs compute.
@Suite struct DigestTests {
    /// Compares a report's digests with those of `unzip -p` and of the files themselves.
    private static let comparison = #"""
        import hashlib, json, subprocess, sys
        source, output, report = sys.argv[1:]
        def entry(archive, name):
            bytes = subprocess.run(["unzip", "-p", archive, name], check=True, capture_output=True).stdout
            return hashlib.sha256(bytes).hexdigest()
        report = json.load(open(report))
        assert report["outputFiles"] == [
            {"name": output, "sha256": hashlib.sha256(open(output, "rb").read()).hexdigest()}], report["outputFiles"]
        for page in report["pages"]:
            digests = page["digests"]
            assert digests["output"]["sha256"] == entry(output, page["output"]), page
            if source.endswith(".cbz"):
                assert digests["image"] == {"sha256": entry(source, page["source"]), "of": "image"}, page
                assert digests["pixels"] is None, page
        print(len(report["pages"]), report["pages"][0]["digests"]["image"]["of"])
        """#

    private func compare(_ source: String, _ scratch: ScratchFolder) throws -> String {
        let made = try BuiltJisui.run(
            [source, "-o", "out.cbz", "--report", "report.json"], in: scratch.path, temporary: scratch.path)
        try #require(made.status == 0, "\(made.errorText)")
        let outcome = try Program.outcome(
            "python3 compare.py '\(source)' out.cbz report.json", in: scratch.path,
            environment: BuiltJisui.environment(temporary: scratch.path))
        #expect(outcome.status == 0, "\(outcome.errorText)")
        return outcome.outputText
    }

    @Test func digestsOfAnArchiveAreThoseOfItsEntries() throws {
        let scratch = try ScratchFolder()
        try scratch.write("compare.py", Array(Self.comparison.utf8))
        let made = try BuiltJisui.run(
            ["\(BuiltJisui.fixtures)/good/PDFSource/jpeg.pdf", "-o", "book.cbz"], in: scratch.path)
        try #require(made.status == 0, "\(made.errorText)")
        #expect(try compare("book.cbz", scratch) == "1 image\n")
    }

    @Test func digestsOfAPDFAreThoseOfItsPictures() throws {
        let scratch = try ScratchFolder()
        try scratch.write("compare.py", Array(Self.comparison.utf8))
        #expect(try compare("\(BuiltJisui.fixtures)/good/PDFSource/mixed.pdf", scratch) == "4 image\n")
    }

    /// The compressed bytes of a fax in a PDF, extracted or copied with its page, are those in the file.
    @Test(arguments: [("out/", "\"gray8\""), ("out.pdf", "null")])
    func theDigestOfAStreamIsThatOfItsStoredBytes(_ output: String, _ samples: String) throws {
        let scratch = try ScratchFolder()
        let source = "\(BuiltJisui.fixtures)/good/PDFSource/ccitt-g4.pdf"
        let made = try BuiltJisui.run([source, "-o", output, "--report", "report.json"], in: scratch.path)
        try #require(made.status == 0, "\(made.errorText)")
        let script = #"""
            import hashlib, json, re, sys
            file = open(sys.argv[1], "rb").read()
            digests = json.load(open("report.json"))["pages"][0]["digests"]
            assert digests["image"]["of"] == "stream", digests
            assert (digests["pixels"] or {"samples": None})["samples"] == json.loads(sys.argv[2]), digests
            streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", file, re.S)
            assert digests["image"]["sha256"] in [hashlib.sha256(one).hexdigest() for one in streams], digests
            if digests["pixels"] is None: assert digests["output"]["sha256"] == digests["image"]["sha256"], digests
            """#
        try scratch.write("compare.py", Array(script.utf8))
        let outcome = try Program.outcome(
            "python3 compare.py '\(source)' '\(samples)'", in: scratch.path,
            environment: BuiltJisui.environment(temporary: scratch.path))
        #expect(outcome.status == 0, "\(outcome.errorText)")
    }

    @Test func theDigestOfStandardOutputIsThatOfItsBytes() throws {
        let scratch = try ScratchFolder()
        let source = "\(BuiltJisui.fixtures)/good/PDFSource/jpeg.pdf"
        let outcome = try Program.outcome(
            "'\(BuiltJisui.path)' '\(source)' -o - --to cbz --report report.json | sha256sum", in: scratch.path,
            environment: BuiltJisui.environment(temporary: scratch.path))
        let report = try JSON(parsing: scratch.read("report.json"))
        let files = report?["outputFiles"]?.elements?.map { [$0["name"]?.asString, $0["sha256"]?.asString] }
        #expect(files == [["standard output", String(outcome.outputText.prefix(64))]])
    }
}
