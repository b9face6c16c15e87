import AdapterKit
import AdapterTestKit
import Conversion
import PageModel
import Testing

@testable import jisui

/// Every sink; the sources read back what it wrote.
@Suite struct SinkConformanceTests {
    @Test(.timeLimit(.minutes(10)), arguments: Registry.jisui.sinks.map(\.card.id))
    func keepsItsPromises(_ id: String) async throws {
        let sink = try Registry.jisui.sink(id)
        let jpeg = try ReadableFile(path: "\(Fixture.root)/good/Imaging/baseline.jpg")
        let picture = try jpeg.read(at: 0, exactly: jpeg.size)
        let failures = await checkSink(
            sink,
            picture: { number in
                // Pictures of two kinds, so that the order does not come from names' endings.
                if number % 3 != 0 { return .gif(number) }
                let comment = Array("page \(number)".utf8)
                let segment = [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment
                return NumberedPicture(
                    encoding: .jpeg, size: PixelSize(width: 5, height: 5),
                    bytes: Array(picture[..<2]) + segment + Array(picture[2...]))
            },
            read: { path in
                let library = Library(.jisui)
                let (book, _) = try await library.open(Input(path: path), source: nil, settings: [:], limits: Limits())
                var pages: [[UInt8]] = []
                for page in book.sequence.pages {
                    guard case .encoded(let picture) = try await page.examine().representations.first else { continue }
                    pages.append(try await picture.read())
                }
                return pages
            })
        for failure in failures { Issue.record(failure) }
    }
}
