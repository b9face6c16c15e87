import Scratch
import Testing

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

    /// The compressed bytes of a fax in a PDF, as qpdf takes them out.
    @Test func theDigestOfAStreamIsThatOfItsStoredBytes() throws {
        let scratch = try ScratchFolder()
        let source = "\(BuiltJisui.fixtures)/good/PDFSource/ccitt-g4.pdf"
        let made = try BuiltJisui.run([source, "-o", "out/", "--report", "report.json"], in: scratch.path)
        try #require(made.status == 0, "\(made.errorText)")
        let script = #"""
            import hashlib, json, re, sys
            file = open(sys.argv[1], "rb").read()
            digests = json.load(open("report.json"))["pages"][0]["digests"]
            assert digests["image"]["of"] == "stream" and digests["pixels"]["samples"] == "gray8", digests
            streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", file, re.S)
            assert digests["image"]["sha256"] in [hashlib.sha256(one).hexdigest() for one in streams], digests
            """#
        try scratch.write("compare.py", Array(script.utf8))
        let outcome = try Program.outcome(
            "python3 compare.py '\(source)'", in: scratch.path,
            environment: BuiltJisui.environment(temporary: scratch.path))
        #expect(outcome.status == 0, "\(outcome.errorText)")
    }
}
