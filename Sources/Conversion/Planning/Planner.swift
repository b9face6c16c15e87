public import AdapterKit
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
    /// - Throws: `.unsupported` when no way leads there.
    public func plans(for page: Page, _ picture: Picture) throws(AdapterError) -> [PagePlan] {
        var plans: [PagePlan] = []
        var obstacle: String?
        for way in picture.ways {
            switch way {
            case .encoded(let encoded):
                let edits = encoded.pending + page.edits
                if !edits.isEmpty {
                    obstacle = obstacle ?? "the \(encoded.encoding.name) would have to be \(Planner.participle(edits))"
                } else if isDisplayed(encoded.encoding) || !picture.hasOtherExactWay {
                    plans.append(copy(encoded))
                } else {
                    obstacle = obstacle ?? "few readers show \(encoded.encoding.name)"
                }
            case .sampled(let sampled):
                plans.append(store(sampled, page.edits, after: obstacle))
            case .drawn(let drawn):
                plans.append(draw(drawn, page.edits, because: obstacle ?? picture.reason))
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
            encoding: encoded.encoding, size: encoded.size, way: .encoded(encoded), edits: [])
    }

    private func store(_ sampled: SampledPicture, _ edits: [Edit], after obstacle: String?) -> PagePlan {
        let edits = sampled.pending + edits
        let changes = edits.isEmpty ? "" : ", \(Planner.participle(edits))"
        let why = obstacle.map { "; \($0)" } ?? ""
        return PagePlan(
            treatment: .lossless, reason: "\(sampled.compression) samples stored as PNG\(changes)\(why)",
            encoding: .png, size: edits.applied(to: sampled.size), crop: Planner.crop(edits),
            way: .sampled(sampled), edits: edits)
    }

    private func draw(_ drawn: DrawnPicture, _ edits: [Edit], because reason: String?) -> PagePlan {
        let resolution = Int(drawn.resolution.rounded())
        return PagePlan(
            treatment: .drawn,
            reason: "at \(resolution) pixels per inch" + (reason.map { ": \($0)" } ?? ""), encoding: .png,
            size: edits.applied(to: drawn.size), crop: Planner.crop(edits), way: .drawn(drawn), edits: edits)
    }

    private static func crop(_ edits: [Edit]) -> PixelRect? {
        for case .crop(let rect) in edits { return rect }
        return nil
    }

    private static func participle(_ edits: [Edit]) -> String {
        let words = edits.map { edit in
            switch edit {
            case .crop: "cropped"
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
