internal import AdapterKit
internal import PageModel
internal import Scratch

/// One sink and one book under examination.
struct SinkCheck {
    /// What reads an output back.
    typealias Reader = (_ path: String) async throws -> [[UInt8]]

    let sink: any SinkAdapter
    let pages: [FinishedPage]
    /// Whether pages end up in pictures of the sink's own.
    var composes: Bool { (try? sink.capabilities(request("x")).composition) != nil }
    let settings: Settings
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
        try sink.begin(request(path, mayReplace: mayReplace, pageCount: pageCount))
    }

    private func request(_ path: String, mayReplace: Bool = false, pageCount: Int? = nil) -> SinkRequest {
        // Titles with what XML and file names must escape.
        let book = BookMetadata(title: "自炊 <&> \"test\" / 1", authors: ["A. Scanner"], direction: .rightToLeft)
        return SinkRequest(
            book: book, pageCount: pageCount ?? pages.count,
            destination: Destination(path: path, mayReplace: mayReplace), settings: settings)
    }

    /// The bytes of a page's picture.
    static func bytes(_ page: FinishedPage) -> [UInt8] {
        if case .encoded(let picture) = page.content { picture.bytes } else { [] }
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
