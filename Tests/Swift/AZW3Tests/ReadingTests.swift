import AdapterKit
import Files
import Metadata
import PageModel
import Scratch
import Testing

@testable import AZW3Source

/// Books that other programs lay out in other ways, and damaged ones.
@Suite struct AZW3ReadingTests {
    private func open(_ name: String) async throws -> OpenedBook {
        let path = "\(BuiltJisui.repository)/Fixtures/\(name)"
        return try await AZW3Source().open(Input(path: path), settings: Settings(), limits: Limits())
    }

    /// The numbers in the comments of the pages' pictures.
    private func numbers(_ book: OpenedBook) async throws -> [Int] {
        var numbers: [Int] = []
        for page in book.sequence.pages {
            guard case .encoded(let picture) = try await page.examine().representations.first else { continue }
            let comment = String(decoding: try await picture.read().bytes[6..<12], as: UTF8.self)
            numbers.append(Int(comment.suffix(1)) ?? 0)
        }
        return numbers
    }

    @Test(arguments: [
        ("sides-rtl.azw3", [1, 2, 3]), ("packed.azw3", [1, 2, 3]), ("originals.azw3", [1, 2]),
        ("cover-and-panels.azw3", [1, 2, 2]), ("cover-twice.azw3", [1, 2]), ("recindex.mobi", [2, 1]),
        ("both.mobi", [2, 1]),
    ])
    func pagesComeInTheOrderOfTheSpine(_ name: String, _ expected: [Int]) async throws {
        #expect(try await numbers(try await open("good/AZW3Source/\(name)")) == expected)
    }

    @Test func sidesContentsAndMetadataAreRead() async throws {
        let book = try await open("good/AZW3Source/sides-rtl.azw3").sequence
        #expect(book.pages.map(\.side) == [.single, .right, .left])
        #expect(book.pages[0].roles == [.frontCover])
        #expect(book.book.title == "図書" && book.book.authors == ["A. Artist"] && book.book.language == "ja")
        #expect(book.book.direction == .rightToLeft)
        #expect(
            book.book.outline == [
                OutlineItem(title: "表紙", page: 1, level: 0), OutlineItem(title: "One", page: 2, level: 0),
                OutlineItem(title: "Below", page: 2, level: 1), OutlineItem(title: "Two", page: 3, level: 0),
            ])
    }

    @Test(arguments: [
        ("drm.azw3", AdapterError.Code.encrypted), ("drm.mobi", .encrypted), ("flowing.azw3", .unsupported),
        ("huffman.azw3", .unsupported), ("no-pictures.azw3", .empty), ("index-torn.azw3", .damaged),
        ("entries-beyond.azw3", .damaged), ("records-backwards.azw3", .damaged), ("header-only.azw3", .damaged),
        ("not-a-book.prc", .unsupported),
    ])
    func aBookWithoutReadablePagesIsRefused(_ name: String, _ code: AdapterError.Code) async throws {
        await #expect { _ = try await open("bad/AZW3Source/\(name)") } throws: { ($0 as? AdapterError)?.code == code }
    }

    /// The other page arrives.
    @Test func aMissingImageIsAFailureOfItsPage() async throws {
        let book = try await open("bad/AZW3Source/picture-missing.azw3").sequence
        #expect(book.pages.count == 2)
        _ = try await book.pages[0].examine()
        await #expect { _ = try await book.pages[1].examine() } throws: { ($0 as? AdapterError)?.code == .damaged }
    }

    /// The sides and the originals are behind the images.
    @Test func aBookWithoutItsEndIsReadWithAWarning() async throws {
        let scratch = try ScratchFolder()
        let whole = try Files.read("\(BuiltJisui.repository)/Fixtures/good/AZW3Source/originals.azw3")
        let place = try #require(whole.indices.last { whole[$0...].starts(with: Array("BOUNDARY".utf8)) })
        let path = try scratch.write("cut.azw3", Array(whole[..<place]))
        let book = try await AZW3Source().open(Input(path: path), settings: Settings(), limits: Limits())
        #expect(book.sequence.pages.count == 2)
        #expect(book.warnings.map(\.code) == ["damaged-archive"])
    }
}
