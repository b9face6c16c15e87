internal import AdapterKit
internal import PageModel

/// What is dark on a page, and what it was taken for: the contact sheet shows it, so that people see why a page was cut so.
struct Mark: Hashable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case print
        /// It touches the picture's edge, or lies beside the sheet.
        case edge
        /// A streak, a ruler, a chart, or letters of the facing page.
        case streak
        /// Its edges are too soft for print: a stain, a shade, print of the other side.
        case stain
        /// It stands by itself, or is too small.
        case speck

        /// What a person reads.
        var label: String {
            switch self {
            case .print: "print"
            case .edge: "at the edge or beside the sheet"
            case .streak: "streak, ruler, chart or facing page"
            case .stain: "stain, shade or other side"
            case .speck: "speck"
            }
        }
    }

    let kind: Kind
    /// In pixels of the page.
    let box: PixelRect
    /// Whether it fills little of its box, in which other things may stand: two edges of a sheet do so.
    var isHollow = false
}

extension RasterReading {
    /// What is printed, group by group, and what is not, the largest of each kind.
    ///
    /// - Parameter preview: where the pixels lie on the page.
    func marks(_ preview: PagePreview) -> [Mark] {
        let printed = printedParts.sorted { ($0.extent, $1.top, $1.left) > ($1.extent, $0.top, $0.left) }.prefix(
            RasterReading.mostPrinted
        )
        .map { Mark(kind: .print, box: preview.page($0.rect)) }
        let rest = ink.blobs.indices.filter { ink.blobs[$0].group < 0 && Double(ink.blobs[$0].box.extent) >= 2 * unit }
        let kinds = Dictionary(grouping: rest) { kind(of: $0) }
        return Mark.Kind.allCases.flatMap { kind in
            (kinds[kind] ?? []).sorted { (ink.blobs[$0].box.extent, $1) > (ink.blobs[$1].box.extent, $0) }
                .prefix(RasterReading.mostMarks).map { index in
                    let blob = ink.blobs[index]
                    return Mark(
                        kind: kind, box: preview.page(blob.box.rect),
                        isHollow: 4 * blob.area < blob.box.width * blob.box.height
                            && Double(min(blob.box.width, blob.box.height)) > RasterReading.leastHollow * unit)
                }
        } + printed
    }

    /// The boxes of what is printed: of each row of letters, where there are such.
    private var printedParts: [Bounds] {
        guard let company else { return groups.map(\.box) }
        let printed = ink.blobs.indices.filter { ink.blobs[$0].group >= 0 && company.rows.number.indices.contains($0) }
        return Dictionary(grouping: printed) { company.rows.number[$0] }.values
            .compactMap { Bounds.union($0.map { ink.blobs[$0].box }) }
    }

    private static let mostPrinted = 300
    /// In units: smaller boxes hide nothing.
    private static let leastHollow = 20.0
    /// Of each kind: a page of screentone has a hundred thousand.
    private static let mostMarks = 100

    /// In heights of a letter.
    private static let mostSpeck = 8.0

    /// Why a blob is no print.
    private func kind(of blob: Int) -> Mark.Kind {
        let box = ink.blobs[blob].box
        if box.touchesEdge(of: size) { return .edge }
        guard let company, company.roles.indices.contains(blob) else { return .speck }
        if company.isBeside[blob] { return .edge }
        if !company.isFree[blob] || Double(box.extent) > RasterReading.mostSpeck * company.letter { return .streak }
        return company.sharpness(blob) < Company.Sharpness.companion ? .stain : .speck
    }
}
