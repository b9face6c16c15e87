import Metadata
import PageModel
import Scratch
import Testing

@testable import AZW3Sink

/// The program of libmobi, which shares nothing with jisui, reads what jisui writes.
@Suite(.needs("mobitool")) struct MobitoolTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    /// Unpacks a book into the folder `book_markup`.
    private func unpack() throws -> String {
        let outcome = try Program.outcome("mobitool -s -o '\(scratch.path)' '\(scratch("book.azw3"))'")
        #expect(outcome.status == 0, "\(outcome.outputText)\(outcome.errorText)")
        return outcome.outputText
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try scratch.read("book_markup/\(name)"), as: UTF8.self)
    }

    @Test(arguments: [true, false])
    func everyPageIsUnpackedInOrder(_ isNested: Bool) async throws {
        let outline = (1...12).map { page in
            OutlineItem(title: "第\(page)章 <&>", page: page * 5, level: isNested ? page % 3 : 0)
        }
        let book = BookMetadata(
            title: "自炊 <&> \"book\"", authors: ["A. Writer", "B & C"], publisher: "P", language: "ja",
            direction: .rightToLeft, outline: outline)
        let written = try await WrittenBook(
            [WrittenBook.SyntheticPage](repeating: .init(), count: 60), book, in: scratch)
        let report = try unpack()
        #expect(report.contains("Mobi version: 8") && report.contains("A. Writer; B & C"))
        for (index, picture) in written.pictures.enumerated() {
            let number = String(String(100_000 + index).dropFirst())
            #expect(try scratch.read("book_markup/resource\(number).jpg") == picture)
            #expect(try text("part\(number).html").contains("src=\"resource\(number).jpg\""))
        }
        let names = scratch.names(in: "book_markup")
        #expect(names.count { $0.hasPrefix("part") } == 60)
        let package = try text(try #require(names.first { $0.hasSuffix(".opf") }))
        #expect(package.split(separator: "<itemref ").count == 61)
        #expect(package.contains("name=\"primary-writing-mode\" content=\"horizontal-rl\""))
        let contents = try text(try #require(names.first { $0.hasSuffix(".ncx") }))
        let titles = contents.split(separator: "<navLabel>").dropFirst().map { $0.prefix { $0 != "/" } }
        #expect(titles.count == 12 && (1...12).allSatisfy { number in titles.contains { $0.contains("第\(number)章") } })
    }

    /// libmobi does not read the container of originals, and shows the smaller copies as small devices do.
    @Test func aCopyOfALargeImageIsUnpacked() async throws {
        let written = try await WrittenBook([.init(), .init(size: WrittenBook.large), .init()], in: scratch)
        _ = try unpack()
        #expect(try scratch.read("book_markup/resource00000.jpg") == written.pictures[0])
        #expect(try scratch.read("book_markup/resource00001.jpg").count <= AZW3Session.maximumImageBytes)
        #expect(try scratch.read("book_markup/resource00002.jpg") == written.pictures[2])
    }
}
