import Files
import PageModel
import Testing

@testable import PDFStructure

/// Values, labels and outlines that are written.
@Suite struct WritingTests {
    private func text(_ value: PDFValue) -> String { String(decoding: value.syntax, as: UTF8.self) }

    @Test func values() {
        #expect(
            text(.dictionary(["B": .integer(-3), "A": .array([.null, .boolean(true)])]))
                == "<< /A [ null true ] /B -3 >>")
        #expect(text(.name("a b/#é")) == "/a#20b#2F#23#C3#A9")
        #expect(text(.text("(a)")) == "<286129>")
        #expect(text(.text("字")) == "<FEFF5B57>")
        #expect(text(.text("a\nb")) == "<FEFF0061000A0062>")
        #expect(text(.reference(PDFReference(number: 7, generation: 0))) == "7 0 R")
    }

    @Test(arguments: [
        (0.0, "0"), (12, "12"), (-0.5, "-0.5"), (1.23456789, "1.23457"), (0.00001, "0.00001"), (0.000001, "0"),
        (-1e-9, "0"), (.nan, "0"), (.infinity, "0"), (1e300, "0"), (3.10, "3.1"), (-2.00001, "-2.00001"),
    ])
    func numbers(_ value: Double, _ text: String) {
        #expect(PDFValue.decimal(value) == text)
    }

    @Test(arguments: [
        ["1", "2", "3"], ["i", "ii", "iii", "iv", "1", "2"], ["Cover", nil, "A-1", "A-2", "A-9"],
        ["c", "d", "e"], ["c", "ci", "cii"], ["y", "z", "aa", "bb"], ["X", "XI", "XII"], ["007", "008"],
        ["p. 1", "p. 2", "", "表紙", "裏2", "裏3"], [nil, nil, "5"], ["9999999999999999999999"], ["iix", "IC", "Ab", "0"],
    ])
    func labelsRoundTrip(_ labels: [String?]) throws {
        let file = try PDFFile()
        try file.set("PageLabels", of: file.catalog, to: try #require(PageLabels.tree(of: labels)))
        let read = PageLabels(file.catalog)
        #expect(labels.indices.map { read[$0] } == labels.map { $0 == "" ? nil : $0 })
    }

    @Test func labelsThatGoOnAreOneEntry() {
        let labels = (1...500).map { "A-\($0)" }
        #expect(PageLabels.tree(of: labels).map(text) == "<< /Nums [ 0 << /P <412D> /S /D >> ] >>")
        #expect(PageLabels.tree(of: [nil, nil]) == nil)
    }

    @Test func unreadableStreamFailsTheWriting() throws {
        let file = try PDFFile()
        let spool = try SpoolFile()
        let start = try spool.append([1, 2, 3])
        let stream = try file.addStream([:], spool, at: start..<start + 10)
        try file.set("Metadata", of: file.catalog, to: .reference(stream))
        let form = PDFFile.Form(
            packsObjects: true, isLinearized: false, identifier: String(repeating: "0", count: 32))
        let error = #expect(throws: AdapterError.self) { try file.write(form) { _ in } }
        #expect(error?.code == .unreadable)
    }

    /// The receiver of the bytes may stop it.
    @Test func writingCanBeStopped() throws {
        struct Stop: Error {}
        let file = try PDFFile()
        let form = PDFFile.Form(
            packsObjects: true, isLinearized: false, identifier: String(repeating: "0", count: 32))
        #expect(throws: Stop.self) { try file.write(form) { _ in throw Stop() } }
    }
}
