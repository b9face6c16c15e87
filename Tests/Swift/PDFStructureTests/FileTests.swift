import Files
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFStructure

/// Objects, streams and errors of reading.
@Suite struct FileTests {
    private static let bytes = SyntheticPDF.bytes([
        "<</Type/Catalog/Pages 2 0 R/Values[1.6 true(a\\234b)/Na#20me null 3 0 R<</K 9>>]>>",
        "<</Type/Pages/Count 0/Kids[]>>", SyntheticPDF.stream("/Filter/ASCIIHexDecode", "6A69737569>"),
        // The part of the file that is read when it is opened shares no block with this.
        SyntheticPDF.stream("", filler), SyntheticPDF.stream("", "data"), SyntheticPDF.stream("", filler),
    ])
    private static let filler = String(repeating: "%", count: 9000)
    private let source = SyntheticBytes(bytes)

    @Test func valuesReadAsTheyAre() throws {
        let values = try PDFFile(source, password: nil).catalog["Values"]
        #expect(values.count == 7)
        #expect(values.item(0).number == 1.6 && values.item(0).integer == 2)
        #expect(values.item(1).boolean == true)
        // The sign is the one that PDFDocEncoding has at 0x9C.
        #expect(values.item(2).string == [0x61, 0x9C, 0x62] && values.item(2).text == "aœb")
        #expect(values.item(3).name == "Na me")
        #expect(values.item(4).isNull && values.item(99).isNull && values["Key"].isNull)
        #expect(values.item(5).kind == .stream && values.item(5).reference?.number == 3)
        #expect(values.item(6).keys == ["K"] && values.numbers == nil)
    }

    @Test func streamsGiveTheirData() throws {
        let file = try PDFFile(source, password: nil)
        let stream = file.object(PDFReference(number: 3, generation: 0))
        #expect(try file.data(of: stream, limit: 100) == Array("jisui".utf8))
        #expect(try file.data(of: stream, keepingFilters: 1, limit: 100) == Array("6A69737569>".utf8))
        #expect(file.offset(of: stream) == (try source.range(of: "6A69737569").lowerBound))
        #expect(throws: AdapterError.self) { try file.data(of: stream, limit: 4) }
        #expect(file.fault == nil)
    }

    @Test func readErrorIsThrownAndRecorded() throws {
        let file = try PDFFile(source, password: nil)
        source.fail(.always(try source.range(of: "data"), SyntheticBytes.diskError))
        #expect(throws: SyntheticBytes.diskError) {
            try file.data(of: file.object(PDFReference(number: 5, generation: 0)), limit: 100)
        }
        #expect(file.fault == SyntheticBytes.diskError)
    }

    @Test func aFileIsReadAtAnyPlace() throws {
        let scratch = try ScratchFolder()
        let file = try ReadableFile(path: scratch.write("bytes", Array(0..<100)))
        let source: any ByteSource = file
        #expect(try source.read(at: 90, upTo: 20) == Array(90..<100))
        #expect(try source.read(at: 100, upTo: 1).isEmpty && source.read(at: -1, upTo: 1).isEmpty)
    }

    @Test func aCopyHasTheChanges() throws {
        let scratch = try ScratchFolder()
        let made = SyntheticPDF.bytes(pages: ["/MediaBox[0 0 10 10]"])
        let file = try PDFFile(SyntheticBytes(made), password: nil)
        let box = PDFBox(left: 1, bottom: 2, right: 3, top: 4)
        file.setCropBox(of: try file.page(at: [0]).page, box)
        try file.write(to: scratch("copy.pdf"))
        let copy = try PDFFile(SyntheticBytes(scratch.read("copy.pdf")), password: nil)
        #expect(PageGeometry(try copy.page(at: [0]), showing: .crop).shown == box)
    }
}

/// Text strings, which a hostile file may have many of.
@Suite struct TextStringTests {
    @Test func languageCodesAreRemovedFromText() {
        let code: [UInt8] = [0, 0x1B, 0, 0x65, 0, 0x6E, 0, 0x1B]
        let text: [UInt8] = [0xFE, 0xFF] + code + [0, 0x41] + code + [0, 0x42, 0, 0x1B, 0, 0x43]
        #expect(TextString.decode(text) == "AB C")
    }

    /// A quarter of a million codes, which took minutes when each was looked for from the beginning.
    @Test func manyLanguageCodes() {
        let codes = [UInt8]((0..<500_000).flatMap { _ in [0, 0x1B] as [UInt8] })
        #expect(TextString.decode([0xFE, 0xFF] + codes + [0, 0x41]) == "A")
    }
}
