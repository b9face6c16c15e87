internal import AdapterKit
internal import PageModel
internal import Scratch

/// One sink and one book under examination.
struct SinkCheck {
    /// What reads an output back.
    typealias Reader = (_ path: String) async throws -> [[UInt8]]

    let sink: any SinkAdapter
    let pages: [FinishedPage]
    private let settings: Settings
    let findings: Findings

    init(
        _ sink: any SinkAdapter, _ settings: Settings?, _ picture: @escaping @Sendable (Int) -> NumberedPicture,
        count: Int
    ) {
        self.sink = sink
        self.settings = settings ?? (try? Settings(sink.card.settings, given: [:])) ?? Settings()
        findings = Findings(sink.card, subject: "a book of \(count) pages")
        pages = (1...count).map { number in
            let picture = picture(number)
            let page = Page(id: number, name: "page \(number)") {
                Picture(size: picture.size, representations: [.encoded(picture.encoded)])
            }
            return FinishedPage(
                number: number, page: page, encoding: picture.encoding, size: picture.size, bytes: picture.bytes)
        }
    }

    /// The name outputs get in their folder.
    var name: String { "book" + (sink.card.extensions.first.map { ".\($0)" } ?? "") }

    func begin(_ path: String, mayReplace: Bool = false, pageCount: Int? = nil) throws(AdapterError) -> any SinkSession
    {
        // Titles with what XML and file names must escape.
        let book = BookMetadata(title: "自炊 <&> \"test\" / 1", authors: ["A. Scanner"], direction: .rightToLeft)
        return try sink.begin(
            SinkRequest(
                book: book, pageCount: pageCount ?? pages.count,
                destination: Destination(path: path, mayReplace: mayReplace), settings: settings))
    }

    /// Writes a whole book; returns the names its pages got.
    @discardableResult
    func write(_ pages: [FinishedPage], to path: String, mayReplace: Bool = false) async throws -> [String] {
        let session = try begin(path, mayReplace: mayReplace)
        let names = try pages.map { page throws(AdapterError) in try session.add(page) }
        try await session.finish()
        return names
    }
}
