import Files
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFStructure

/// The filters of streams, and their limits.
@Suite struct FilterTests {
    /// `filters.py` writes streams with all kinds of parameters.
    @Test(.needs("python3", "qpdf")) func streamsUnpackAsInQPDF() throws {
        let scratch = try ScratchFolder()
        let script = "\(BuiltJisui.repository)/Tests/Programs/PDF/filters.py"
        #expect(Program.run("python3 '\(script)' '\(scratch("a.pdf"))'") == 0)
        let file = try PDFFile(ReadableFile(path: scratch("a.pdf")), password: nil)
        let count = file.trailer["Size"].integer ?? 0
        #expect(count > 100)
        for number in 3..<CInt(count) {
            let object = file.object(PDFReference(number: number, generation: 0))
            let line =
                "qpdf --show-object=\(number) --filtered-stream-data '\(scratch("a.pdf"))' > '\(scratch("data"))'"
            try #require(Program.run(line) == 0)
            let own = try file.data(of: object, limit: 1 << 20)
            #expect(try own == Files.read(scratch("data")), "object \(number): \(object["DecodeParms"].keys)")
        }
        #expect(file.fault == nil)
    }

    @Test(arguments: [
        "/Filter[\(String(repeating: "/ASCIIHexDecode ", count: 9))]",
        "/Filter/LZWDecode/DecodeParms<</Predictor 12/Columns 2147483647>>",
        "/Filter/LZWDecode/DecodeParms<</Predictor 2/Columns 2147483647/Colors 2147483647/BitsPerComponent 16>>",
        "/Filter/LZWDecode/DecodeParms<</Predictor 15/Columns -1>>",
        "/Filter/LZWDecode/DecodeParms<</Predictor 15/BitsPerComponent 3>>",
    ])
    func unusualParametersAreRefused(dictionary: String) throws {
        let stream = SyntheticPDF.stream(dictionary, "20202020")
        let file = try PDFFile(
            SyntheticBytes(SyntheticPDF.bytes(["<</Type/Catalog>>", stream])), password: nil)
        let object = file.object(PDFReference(number: 2, generation: 0))
        let error = #expect(throws: AdapterError.self) { try file.data(of: object, limit: 1 << 30) }
        #expect(error?.code == .damaged)
        #expect(file.fault == nil)
    }

    /// All open files of a book share its memory, and give it back when they are closed.
    @Test func memoryIsSharedAndReturned() throws {
        let memory = try PDFMemory(bytes: 64_000_000)
        let numbers = String(repeating: "0 ", count: 200_000)
        let bytes = SyntheticBytes(SyntheticPDF.bytes(["<</Type/Catalog/V[\(numbers)]>>"]))
        for _ in 0..<3 {
            #expect(try PDFFile(bytes, password: nil, memory: memory).catalog["V"].count == 200_000)
        }
        var files: [PDFFile] = []
        let error = #expect(throws: AdapterError.self) {
            for _ in 0..<10 {
                let file = try PDFFile(bytes, password: nil, memory: memory)
                files.append(file)
                _ = file.catalog["V"].count
                if let fault = file.fault { throw fault }
            }
        }
        #expect(error == PDFFile.exceededMemory)
        #expect(files.count > 1)
    }
}
