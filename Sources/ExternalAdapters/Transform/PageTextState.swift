internal import AdapterKit
internal import LayoutAnalysis
internal import PageModel

/// The text that a page has before its text is recognized.
struct PageTextState: Sendable {
    /// The text that covers the printed lines of the page.
    enum Kind: String, Sendable {
        /// None does: the text is missing, or is something else, such as a library's line at the foot.
        case missing
        /// Text that the page does not show, such as the recognized text of a scan.
        case invisible
        /// Text that the page shows.
        case visible
    }

    private(set) var kind = Kind.missing
    /// Whether the page has text that it does not show.
    private(set) var hasInvisibleText = false
    /// The beginning of the text, for a message; nil without text.
    private(set) var sample: String?

    /// The shorter side in pixels of the preview in which lines are found. The search for lines was measured with it.
    private static let pixels = 600
    private static let maximumSample = 40

    /// A page whose text or image is unreadable counts as one with text.
    ///
    /// - Throws: `CancellationError`.
    init(_ page: Page, _ previews: any PreviewProvider) async throws {
        do {
            let text = try await page.text()
            guard !text.isEmpty else { return }
            let visible = try await page.visibleText()
            func count(_ lines: [TextLine]) -> Int { lines.reduce(0) { $0 + $1.words.count } }
            hasInvisibleText = count(visible) < count(text)
            // The longest line says most; a watermark may be in pieces.
            sample = text.map(\.text).max { $0.count < $1.count }.map { line in
                let start = line.prefix(Self.maximumSample)
                return start.count < line.count ? start + "…" : line
            }
            let preview = try await previews.preview(of: page.unmoved, pixels: Self.pixels, as: .brightness)
            let strokes = Strokes(preview.raster)
            func covers(_ text: [TextLine]) -> Bool {
                TextCoverage(page.turned(text, preview.raster.size)).covers(strokes, of: preview.raster.size)
            }
            kind = !covers(text) ? .missing : !visible.isEmpty && covers(visible) ? .visible : .invisible
        } catch {
            try error.throwIfCancelled()
            kind = .visible
        }
    }
}

extension Page {
    /// The whole page, in its rotated orientation.
    ///
    /// Changes of images by plug-ins count, unless another change comes before them.
    var unmoved: Page {
        var whole = self
        let kept = edits.prefix { $0.turns != nil || $0.operation is ImageChange }
        whole.edits = kept + edits.dropFirst(kept.count).filter { $0.turns != nil }
        return whole
    }

    /// Returns text of the page as `unmoved` shows it.
    func turned(_ lines: [TextLine], _ size: PixelSize) -> [TextLine] {
        var map = PageMap(size)
        map.append(.turn(quarters: edits.reduce(0) { $0 + ($1.turns ?? 0) }))
        return map.placed(lines)
    }
}

extension PageEdit {
    /// The quarter turns of an edit that only rotates the page.
    var turns: Int? { if case .move(.turn(let quarters)) = self { quarters } else { nil } }
}
