internal import AdapterKit
internal import Conversion
internal import PageModel

/// What `jisui info` tells of one input.
struct BookInfo {
    private let input: Input
    private let source: String
    private let book: BookMetadata
    private let pages: [PageInfo]
    private let skipped: [String]
    let warnings: [Warning]

    /// Opens an input and looks at each page, without reading pictures.
    static func read(
        _ input: Input, source: String?, settings: [String: String], width: Int
    ) async throws -> BookInfo {
        let (opened, source) = try await Library(.jisui).open(
            input, source: source, settings: settings, limits: Limits())
        let planner = Planner(displays: nil)
        var pages: [PageInfo] = []
        var warnings = opened.warnings
        try await forEachInOrder(opened.sequence.pages, width: width) { page in
            do {
                let picture = try await page.examine()
                return PageInfo(page, picture, try planner.plans(for: page, picture).first, defects: picture.defects)
            } catch let error as AdapterError {
                return PageInfo(page, nil, nil, defects: [error.message])
            }
        } body: { page in
            warnings += page.defects.map {
                Warning(code: "damaged-page", page: page.page.id, message: "\(page.page.name): \($0)")
            }
            pages.append(page)
        }
        return BookInfo(
            input: input, source: source, book: opened.sequence.book, pages: pages, skipped: opened.skipped,
            warnings: warnings)
    }

    var json: JSON {
        [
            "jisui": .string(Jisui.version), "info": 1, "input": .string(input.path), "format": .string(source),
            "title": JSON(book.title), "authors": JSON(book.authors.map(JSON.string)), "series": JSON(book.series),
            "volume": JSON(book.number), "language": JSON(book.language),
            "direction": JSON(book.direction?.rawValue), "pages": JSON(pages.map(\.json)),
            "outline": JSON(
                book.outline.map {
                    ["title": .string($0.title), "page": JSON($0.page), "level": .integer($0.level)]
                }), "warnings": JSON(warnings.map(\.json)), "skipped": JSON(skipped.map(JSON.string)),
        ]
    }

    /// Lines that are safe to show.
    var text: String {
        var lines = ["\(input.path): \(source), \(pages.count == 1 ? "1 page" : "\(pages.count) pages")"]
        func add(_ name: String, _ value: String?) {
            if let value { lines.append("  \(name): \(value)") }
        }
        add("title", book.title)
        add("authors", book.authors.isEmpty ? nil : book.authors.joined(separator: ", "))
        add("series", book.series.map { series in series + (book.number.map { " \($0)" } ?? "") })
        add("language", book.language)
        add("direction", book.direction?.rawValue)
        add("outline", book.outline.isEmpty ? nil : "\(book.outline.count) lines")
        add("left out", skipped.isEmpty ? nil : "\(skipped.count) files that are no pages")
        return (lines + pages.map { $0.line(digits: String(pages.count).count) }).map(Terminal.safe).joined(
            separator: "\n")
    }
}
