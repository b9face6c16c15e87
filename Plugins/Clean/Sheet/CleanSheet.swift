internal import AdapterKit
internal import DecisionFiles
internal import Imaging
internal import OrderedWork
internal import PageModel

/// The sheet of `--clean-sheet`: each page before and after cleaning, and the file of `--clean-file`.
struct CleanSheet {
    struct Entry {
        /// The number of the page in the book, from 1.
        let number: Int
        let page: Page
        /// JPEGs of the page before and after; nil for a page that cannot be shown, or that stays as it is.
        let before: [UInt8]?
        let after: [UInt8]?
        /// The removed specks, in percent of the page: left, top, width and height.
        var frames: [[Double]] = []

        var paper: PaperFinding? { page.findings[PaperFinding.self] }
        var specks: SpeckFinding? { page.findings[SpeckFinding.self] }
        var borders: BorderFinding? { page.findings[BorderFinding.self] }
    }

    /// The minimum length of an image's shorter side, in pixels, and the quality. One file contains all pages.
    private static let (side, quality) = (500, 50)
    /// The maximum number of specks that are shown on a page.
    fileprivate static let frames = 200
    /// The confidence from which the color of the paper is certain.
    private static let certain = 0.6

    private let sheet: DecisionSheet
    private let entries: [Entry]
    private let decisions: CleanFile
    /// The decisions by `Page.id`.
    private let known: [Int: CleanFile.Entry]
    private let path: String?

    /// - Parameters:
    ///   - decisions: the decisions. They can be changed on the sheet.
    ///   - path: the path of their file, if it exists. Changes are saved under its name.
    init(
        title: String, _ entries: [Entry], _ decisions: CleanFile, path: String?,
        in language: MessageLanguage = .english
    ) {
        sheet = DecisionSheet(
            "\(title): cleaning", heading: title, style: PackageResources.clean_css,
            script: PackageResources.clean_js, in: language)
        (self.entries, self.decisions, self.path) = (entries, decisions, path)
        known = Dictionary(decisions.entries.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The parts of the sheet in their order. Pages that a person should check come first.
    private enum Part: CaseIterable {
        case unread, uncertain, leftAlone, cleaned, unchanged

        var title: Message {
            switch self {
            case .unread: "Not analyzed"
            case .uncertain: "Whitened, but not certain"
            case .leftAlone: "Left alone"
            case .cleaned: "Cleaned pages"
            case .unchanged: "Nothing to clean"
            }
        }
    }

    private static func part(of entry: Entry) -> Part {
        if entry.before == nil { return .unread }
        if let paper = entry.paper {
            if paper.isWhitened { return (paper.confidence ?? 0) < certain ? .uncertain : .cleaned }
            if !paper.isWhite, entry.after == nil { return .leftAlone }
        }
        return entry.after == nil && entry.frames.isEmpty ? .unchanged : .cleaned
    }

    /// The whole file. In each part, the pages of the lowest confidence come first.
    var html: String {
        let parts = Dictionary(grouping: entries, by: CleanSheet.part)
        let legend = CleanSheet.legend.map { "<p class=\"quiet\">\(sheet.escaped($0))</p>" }
        return sheet.html(
            legend: legend.joined(separator: "\n"),
            Part.allCases.compactMap { part in
                parts[part].map { entries in
                    let sorted = entries.sorted {
                        ($0.paper?.confidence ?? 0, $0.number) < ($1.paper?.confidence ?? 0, $1.number)
                    }
                    return (part.title, sorted.map(figure))
                }
            }, decisions: decisions.text, path: path, orName: "cleaning.json", texts: CleanSheet.texts)
    }

    private static let legend: [Message] = [
        "Each page is shown before and after cleaning. Drag the slider below it to compare. Red frames are removed specks.",
        "Clear a box to leave a page alone, or set it to clean the page. Then save the decisions.",
    ]

    /// The texts of the script, by the names that it uses.
    static let texts: [(key: String, text: Message)] = [
        ("save", "Save the decisions"), ("one", "1 page is changed"), ("many", "{0} pages are changed"),
        ("saved", "saved as {0}: give it with --clean-file, and the same options as for this sheet"),
    ]

    private func figure(_ entry: Entry) -> String {
        let decision = known[entry.page.id]
        let boxes = [
            checkbox("whiten", "Make the paper white", decision?.whitens),
            checkbox("despeckle", "Remove specks", decision?.despeckles),
            checkbox("borders", "Fill borders and punch holes", decision?.fillsBorders),
        ].compactMap(\.self)
        let remarks = [entry.paper?.remark, entry.specks?.remark, entry.borders?.remark].compactMap(\.self).joined(
            separator: "; ")
        return "<figure data-page=\"\(entry.page.id)\">\(comparison(entry))"
            + "<figcaption>\(sheet.name(entry.number, entry.page.name))<br>\(swatch(entry))\(sheet.escaped(remarks))"
            + "</figcaption>\(boxes.joined())</figure>"
    }

    /// Returns the images of a page, the later one over the earlier one up to the slider.
    private func comparison(_ entry: Entry) -> String {
        guard let before = entry.before else { return "" }
        func image(_ kind: String, _ bytes: [UInt8]) -> String {
            "<img class=\"\(kind)\" alt=\"\" src=\"\(DecisionSheet.address(ofJPEG: bytes))\">"
        }
        let frames = entry.frames.map {
            "<i style=\"left:\($0[0])%;top:\($0[1])%;width:\($0[2])%;height:\($0[3])%\"></i>"
        }.joined()
        guard let after = entry.after else { return "<div class=\"pair\">\(image("before", before))\(frames)</div>" }
        let label = sheet.escaped("Compare before and after")
        return "<div class=\"pair\">\(image("before", before))\(image("after", after))\(frames)</div>"
            + "<input type=\"range\" min=\"0\" max=\"100\" value=\"50\" aria-label=\"\(label)\">"
    }

    private func swatch(_ entry: Entry) -> String {
        entry.paper?.paper.map { "<i style=\"background:\($0.hex)\"></i>" } ?? ""
    }

    /// Returns a box for a decision; nil if its option was not given, or the page was not analyzed for it.
    private func checkbox(_ key: String, _ label: Message, _ isSet: Bool?) -> String? {
        isSet.map {
            "<label><input type=\"checkbox\" name=\"\(key)\"\($0 ? " checked" : "")>\(sheet.escaped(label))</label>"
        }
    }
}

extension CleanSheet {
    /// Returns the entries of a book, with images of its pages.
    ///
    /// - Parameters:
    ///   - before: the pages before they were cleaned.
    ///   - after: the cleaned pages, in the same order.
    static func entries(before: [Page], after: [Page], _ request: TransformRequest) async throws -> [Entry] {
        try await mapInOrder(Array(after.indices), width: request.width) { index in
            func look(_ page: Page) async throws -> PagePreview? {
                try await request.previews.look(at: page, pixels: side, as: .color).preview
            }
            func jpeg(_ preview: PagePreview?) -> [UInt8]? {
                preview.flatMap { try? PictureEncoder.encode($0.raster, as: .jpeg, .quality(quality)) }
            }
            let (old, page) = (try await look(before[index]), after[index])
            // Frames show the specks.
            let isChanged = page.edits.contains { $0.operation is Whiten || $0.operation is FillBorders }
            return Entry(
                number: index + 1, page: page, before: jpeg(old), after: isChanged ? jpeg(try await look(page)) : nil,
                frames: old.map { page.specks(in: $0.size) } ?? [])
        }
    }
}

extension Page {
    /// Returns the specks that are removed from the page, in percent of its size.
    fileprivate func specks(in size: PixelSize) -> [[Double]] {
        let removed = edits.lazy.compactMap { edit -> Despeckle? in
            if case .change(let operation) = edit { operation as? Despeckle } else { nil }
        }.first
        let (across, down) = (100 / Double(size.width), 100 / Double(size.height))
        return (removed?.specks ?? []).prefix(CleanSheet.frames).map { box in
            let places = [
                Double(box.x) * across, Double(box.y) * down, Double(box.width) * across, Double(box.height) * down,
            ]
            return places.map { ($0 * 100).rounded() / 100 }
        }
    }
}
