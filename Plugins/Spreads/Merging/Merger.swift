internal import Imaging
internal import PageModel

/// A merger that puts two facing pages into one image, side by side.
struct Merger: Sendable {
    let options: SpreadOptions
    let direction: Direction

    /// Returns two pages, in reading order, as one. Returns nil if one has an unknown size.
    ///
    /// - Throws: `.usage` if they are to overlap by more than the left one's width.
    func merged(
        _ first: SizedPage, _ second: SizedPage, _ finding: SpreadFinding
    ) throws(AdapterError) -> Page? {
        let isReversed = direction.firstSide == .right
        guard var left = part(isReversed ? second : first), var right = part(isReversed ? first : second) else {
            return nil
        }
        let height = max(left.size.height, right.size.height)
        if options.gutter < 0 {
            // The overlap is cut off one of them, the left one, before scaling: then it is only shown larger.
            let factor = options.alignment == .scale ? Double(left.size.height) / Double(height) : 1
            let cut = Int(clamping: (Double(-options.gutter) * factor).rounded(), to: 1...Int(Int32.max))
            let rest = PixelRect(x: 0, y: 0, width: left.size.width - cut, height: left.size.height)
            guard rest.width > 0 else {
                throw AdapterError(
                    .usage,
                    "is only \(left.size.width) pixels wide, and --gutter \(options.gutter) leaves none of them",
                    page: left.page.name)
            }
            left.page.edits.append(.move(.keep(rest, of: left.size)))
            left.size = rest.size
        }
        if options.alignment == .scale {
            left.scale(to: height)
            right.scale(to: height)
        }
        let gap = max(0, options.gutter)
        let size = PixelSize(width: left.size.width + gap + right.size.width, height: height)
        let parts = [(left, 0), (right, left.size.width + gap)].map { part, x in
            let y = options.alignment.place(of: part.size.height, within: height)
            return (part.page, PixelRect(x: x, y: y, part.size))
        }
        let labels = [first.page.label, second.page.label].compactMap { $0 }
        var page = joined(
            parts, size: size, id: first.page.id, name: PageName.merged(first.page.name, second.page.name),
            label: labels.isEmpty ? nil : labels.joined(separator: "–"))
        page.sourceID = first.page.sourceID
        page.book = first.page.book
        page.isDoublePage = true
        page.roles = Merger.roles(first.page.roles, second.page.roles)
        page.spread = finding
        page.parts = [first.page, second.page]
        return page
    }

    /// Returns the types of two joined pages. A page without a type belongs to the story; if one of the two is to be shown, both
    /// are.
    private static func roles(_ first: [PageRole], _ second: [PageRole]) -> [PageRole] {
        if first.isEmpty && second.isEmpty { return [] }
        let all = [first, second].flatMap { $0.isEmpty ? [.story] : $0 }
        let isDeleted = first.contains(.deleted) && second.contains(.deleted)
        return PageRole.allCases.filter { all.contains($0) && ($0 != .deleted || isDeleted) }
    }

    /// Returns an unpaired page on a canvas as wide as two pages.
    func onCanvas(_ sized: SizedPage, _ side: Side) -> Page? {
        guard let part = part(sized) else { return nil }
        let gap = max(0, options.gutter)
        let size = PixelSize(width: 2 * part.size.width + gap, height: part.size.height)
        let x = side == .right ? part.size.width + gap : 0
        var page = joined(
            [(part.page, PixelRect(x: x, y: 0, part.size))], size: size, id: sized.page.id, name: sized.page.name,
            label: sized.page.label)
        page.sourceID = sized.page.sourceID
        page.book = sized.page.book
        page.isDoublePage = true
        page.roles = sized.page.roles
        page.parts = [sized.page]
        page.spread = SpreadFinding("alone, on the \(side.word) of a canvas for two", isWide: true)
        return page
    }

    private struct MergedPage {
        var page: Page
        var size: PixelSize

        mutating func scale(to height: Int) {
            let box = FitBox(width: nil, height: height, enlarges: true)
            if box.size(for: size) == size { return }
            page.edits.append(.change(ScaledPart(frame: box)))
            size = box.size(for: size)
        }
    }

    private func part(_ sized: SizedPage) -> MergedPage? {
        sized.size.map { MergedPage(page: sized.page, size: $0) }
    }

    private func joined(
        _ parts: [(page: Page, place: PixelRect)], size: PixelSize, id: Int, name: String, label: String?
    ) -> Page {
        let options = options
        return Page(id: id, name: name, label: label) {
            var joined = JoinedPicture(
                size: size, parts: [], background: options.background, seam: options.seam,
                alignment: options.alignment)
            for (page, place) in parts {
                let picture = try await page.examine()
                joined.parts.append(JoinedPicture.Part(page: page, picture: picture, place: place))
            }
            return Picture(size: size, representations: [.joined(joined)])
        }
    }
}

/// The scaling of a page to the height of the page next to it.
struct ScaledPart: PageOperation {
    static let id = "align"

    var frame: FitBox

    var box: FitBox? { frame }

    var note: Note { Note(.scaled) }

    func apply(to raster: Raster) throws(PictureFault) -> Raster { try raster.scaled(to: size(after: raster.size)) }
}
