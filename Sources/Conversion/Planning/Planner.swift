public import AdapterKit
internal import Imaging
public import PageModel

/// Chooses for each page the least lossy way to what was asked for.
public struct Planner: Sendable {
    private let displays: Set<ImageEncoding>?

    /// - Parameter displays: the formats that readers of the output show; nil when any will do.
    public init(displays: Set<ImageEncoding>?) {
        self.displays = displays
    }

    /// The plans that lead to the page, the best first. The others are for when its data turns out to be damaged.
    ///
    /// - Throws: `.unsupported` when no way leads there, `.usage` when nothing of the page would be left.
    public func plans(for page: Page, _ picture: Picture) throws(AdapterError) -> [PagePlan] {
        var plans: [PagePlan] = []
        var obstacle: String?
        for way in picture.ways {
            switch way {
            case .encoded(let encoded):
                let edits = encoded.pending + page.edits
                if !edits.isEmpty {
                    plans += try change(encoded, edits, of: page, &obstacle)
                } else if isDisplayed(encoded.encoding) || !picture.hasOtherExactWay {
                    plans.append(copy(encoded))
                } else {
                    obstacle = obstacle ?? "few readers show \(encoded.encoding.name)"
                }
            case .sampled(let sampled):
                plans.append(try store(sampled, of: page, after: obstacle))
            case .drawn(let drawn):
                plans.append(try draw(drawn, of: page, because: obstacle ?? picture.reason))
            }
        }
        guard !plans.isEmpty else {
            throw AdapterError(.unsupported, obstacle ?? "the page has no picture", page: page.name)
        }
        return plans
    }

    private func isDisplayed(_ encoding: ImageEncoding) -> Bool {
        displays?.contains(encoding) ?? true
    }

    private func copy(_ encoded: EncodedPicture) -> PagePlan {
        let shown = isDisplayed(encoded.encoding) ? "" : "; not every reader shows \(encoded.encoding.name)"
        return PagePlan(
            treatment: encoded.repair == nil ? .verbatim : .lossless,
            reason: (encoded.repair ?? "the source's own \(encoded.encoding.name)") + shown,
            encoding: encoded.encoding, size: encoded.size, step: .copy(encoded))
    }

    /// The ways to a picture file's changed picture: a JPEG's coefficients first, then its pixels.
    private func change(
        _ encoded: EncodedPicture, _ edits: [Edit], of page: Page, _ obstacle: inout String?
    ) throws(AdapterError) -> [PagePlan] {
        let name = encoded.encoding.name
        guard let size = encoded.size, encoded.encoding == .jpeg, let grid = encoded.grid else {
            obstacle = obstacle ?? "the \(name) would have to be \(Planner.participle(edits))"
            return []
        }
        let framing = try Planner.framing(size, encoded.orientation, edits, page)
        var plans: [PagePlan] = []
        if let wider = JPEGSurgery.lossless(framing, grid: grid) {
            plans.append(
                PagePlan(
                    treatment: .lossless,
                    reason: "the JPEG's own coefficients, \(Planner.deed(framing))\(Planner.surplus(framing, wider))",
                    encoding: .jpeg, size: wider.rect.size, crop: Planner.crop(wider),
                    step: .operate(encoded, wider)))
        }
        let why = plans.isEmpty ? "the JPEG cannot be \(Planner.participle(edits)) without loss" : "its data is damaged"
        obstacle = obstacle ?? why
        plans.append(
            PagePlan(
                treatment: .encoded, reason: "\(Planner.deed(framing)) and encoded with its own tables: \(why)",
                encoding: .jpeg, size: framing.rect.size, crop: Planner.crop(framing),
                step: .recode(encoded, framing)))
        return plans
    }

    private func store(
        _ sampled: SampledPicture, of page: Page, after obstacle: String?
    ) throws(AdapterError) -> PagePlan {
        let framing = try Planner.framing(sampled.size, .upright, sampled.pending + page.edits, page)
        let changes = framing == Framing(sampled.size) ? "" : ", \(Planner.deed(framing))"
        let why = obstacle.map { "; \($0)" } ?? ""
        return PagePlan(
            treatment: .lossless, reason: "\(sampled.compression) samples stored as PNG\(changes)\(why)",
            encoding: .png, size: framing.rect.size, crop: Planner.crop(framing), step: .store(sampled, framing))
    }

    private func draw(
        _ drawn: DrawnPicture, of page: Page, because reason: String?
    ) throws(AdapterError) -> PagePlan {
        let resolution = Int(drawn.resolution.rounded())
        let framing = try Planner.framing(drawn.size, .upright, page.edits, page)
        return PagePlan(
            treatment: .drawn,
            reason: "at \(resolution) pixels per inch" + (reason.map { ": \($0)" } ?? ""), encoding: .png,
            size: framing.rect.size, crop: Planner.crop(framing), step: .draw(drawn, framing))
    }

    private static func framing(
        _ size: PixelSize, _ orientation: Orientation, _ edits: [Edit], _ page: Page
    ) throws(AdapterError) -> Framing {
        guard let framing = Framing(size, orientation, edits: edits) else {
            throw AdapterError(
                .usage, "cutting that much off would leave nothing of its \(size) pixels", page: page.name)
        }
        return framing
    }

    private static func crop(_ framing: Framing) -> PixelRect? {
        framing.isWhole ? nil : framing.rect
    }

    /// What a framing does to a picture: "cropped and turned".
    private static func deed(_ framing: Framing) -> String {
        let deeds = [framing.isWhole ? nil : "cropped", framing.isUpright ? nil : "turned"].compactMap { $0 }
        return deeds.isEmpty ? "kept whole" : deeds.joined(separator: " and ")
    }

    /// How much more is kept than was asked for.
    private static func surplus(_ wanted: Framing, _ kept: Framing) -> String {
        let sides = [(wanted.rect.x - kept.rect.x, "left"), (wanted.rect.y - kept.rect.y, "top")]
        let more = sides.filter { $0.0 > 0 }.map { "\($0.0) px more on the \($0.1)" }
        return more.isEmpty ? "" : ", with \(more.joined(separator: " and "))"
    }

    private static func participle(_ edits: [Edit]) -> String {
        let words = edits.map { edit in
            switch edit {
            case .crop, .inset: "cropped"
            case .turn(let quarters): "turned by \(90 * quarters)°"
            }
        }
        return words.joined(separator: " and ")
    }
}

extension Picture {
    /// Whether the exact pixels can be had other than as the source's own bytes.
    fileprivate var hasOtherExactWay: Bool {
        ways.contains { if case .sampled = $0 { true } else { false } }
    }
}
